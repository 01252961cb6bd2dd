//! Text of strangers, made harmless before a terminal, a window or a model gets it.

use serde_json::Value;

/// One line of at most `longest` characters, without characters that steer, reorder or hide. A cut is
/// marked by "…".
pub(crate) fn line(text: &str, longest: usize) -> String {
    let spaced: String = text.chars().filter(|c| !is_harmful(*c)).map(spaced).collect();
    let words = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= longest {
        return words;
    }
    words.chars().take(longest).chain("…".chars()).collect()
}

/// The end of a text as one line, at most `longest` characters.
pub(crate) fn tail(text: &str, longest: usize) -> String {
    let whole = line(text, usize::MAX);
    let over = whole.chars().count().saturating_sub(longest);
    if over == 0 { whole } else { std::iter::once('…').chain(whole.chars().skip(over)).collect() }
}

/// Every string of a value without such characters, keys too; line ends stay.
pub(crate) fn json(value: Value) -> Value {
    let clean = |text: &str| text.chars().filter(|c| !is_harmful(*c)).collect::<String>();
    match value {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(items) => items.into_iter().map(json).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, value)| (clean(&key), json(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

/// Whether nothing in it steers, reorders or hides; line ends are fine.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| is_harmful(c) && c != '\n')
}

fn spaced(c: char) -> char {
    if c.is_whitespace() { ' ' } else { c }
}

/// Control characters but white space, direction marks, and what cannot be seen.
fn is_harmful(c: char) -> bool {
    let steers = c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let reorders = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hides = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    steers || reorders || hides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_reorders_or_hides_is_gone_and_long_text_is_cut() {
        assert_eq!(line("a\u{1b}[31mb\u{202e}c\u{200b}d\n e\tf", 80), "a[31mbcd e f");
        assert_eq!(line("abcdef", 3), "abc…");
        assert!(is_plain("two\nlines") && !is_plain("a\u{202e}b") && !is_plain("a\u{7}"));
    }
}
