//! Text from files, tags, transcripts and other programs, made harmless before a model or a terminal gets it.

use serde_json::Value;

/// The longest string that goes through, in characters.
pub const LONGEST: usize = 4_000;

/// Text without control and direction characters, at most `longest` characters.
///
/// A line end stays, and a tab becomes a space. A cut is marked by "…".
#[must_use]
pub fn clean(text: &str, longest: usize) -> String {
    let harmless = text.chars().filter(|c| !is_harmful(*c));
    let mut cleaned: String = harmless.clone().take(longest).map(plain).collect();
    if harmless.count() > longest {
        cleaned.push('…');
    }
    cleaned
}

/// Cleans every string in a value, keys too.
#[must_use]
pub fn clean_json(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text, LONGEST)),
        Value::Array(items) => items.into_iter().map(clean_json).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| (clean(&key, LONGEST), clean_json(value)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

fn plain(c: char) -> char {
    if c == '\t' { ' ' } else { c }
}

/// Text for a terminal. Control characters are shown as U+FFFD so that they are visible. Characters that
/// reorder or hide text are left out. Line ends stay.
#[must_use]
pub fn plain_text(text: &str) -> String {
    let steers = |c: char| c.is_control() && c != '\n';
    let shown = text.chars().filter(|c| !is_unseen(*c));
    shown.map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// Whether a character reorders text or cannot be seen.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    let reorders = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hides = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    reorders || hides
}

/// Characters that steer a terminal, reorder text, or cannot be seen.
fn is_harmful(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || is_unseen(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_steers_reorders_or_hides_is_gone() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\u{200b}d\u{e0041}", 100), "a[31mbcd");
        assert_eq!(clean("Ünïcode 🎚️ stays\nso do lines", 100), "Ünïcode 🎚️ stays\nso do lines");
    }

    #[test]
    fn a_terminal_shows_what_would_steer_it_and_nothing_that_hides() {
        let hostile = "a\u{1b}[2Jb\u{202e}c\u{200b}d\u{2066}e\nf\tg";
        assert_eq!(plain_text(hostile), "a\u{fffd}[2Jbcde\nf\u{fffd}g");
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        assert_eq!(clean("abcdef", 3), "abc…");
        assert_eq!(clean("abc", 3), "abc");
    }

    #[test]
    fn every_string_of_a_value_is_cleaned() {
        let value = json!({"na\u{7}me": ["a\u{202e}", 1, null]});
        assert_eq!(clean_json(value), json!({"name": ["a", 1, null]}));
    }
}
