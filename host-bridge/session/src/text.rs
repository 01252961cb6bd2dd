//! Words and numbers as plans say them.

use crate::{Measure, Session, TrackId};

/// "1 clip", "3 clips".
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A number with at most `digits` decimals and no trailing zeros: "-16", "2.5".
#[must_use]
pub fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

/// A level with its unit: "-20.5 LUFS"; above zero with its sign: "+0.8 dBTP".
#[must_use]
pub fn level(measure: Measure, value: f64) -> String {
    let sign = if value >= 0.05 { "+" } else { "" };
    format!("{sign}{value:.1} {}", measure.unit())
}

/// A level that was asked for, as it was asked: "-16 LUFS".
#[must_use]
pub fn asked(measure: Measure, value: f64) -> String {
    format!("{} {}", trimmed(value, 3), measure.unit())
}

/// The unit of a difference of two levels.
#[must_use]
pub fn difference_unit(measure: Measure) -> &'static str {
    match measure.unit() {
        "LUFS" | "LU" => "LU",
        _ => "dB",
    }
}

/// The most characters of a name in a summary.
const LONGEST_NAME: usize = 40;

/// What a summary is about: one or two by name, more by number. "host", "Kick and \"Lead Vox\"",
/// "6 clips"; two of one name are `2 clips "Verse"`.
#[must_use]
pub fn subject(names: &[String], noun: &str) -> String {
    match names {
        [one] => named(one),
        [one, other] if one == other => format!("2 {noun}s {}", quoted(one)),
        [one, other] => format!("{} and {}", named(one), named(other)),
        _ => count(names.len(), noun),
    }
}

/// Tracks as a summary says them.
#[must_use]
pub fn tracks(session: &Session, ids: &[TrackId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| session.name_of((*id).into())).collect();
    subject(&names, "track")
}

/// A name within a sentence: plain when it cannot be taken for other words, else in quotes.
fn named(name: &str) -> String {
    let starts_plain = name.starts_with(char::is_alphabetic);
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if starts_plain && name.chars().all(is_plain) { shortened(name) } else { quoted(name) }
}

/// A name, or the first words of a text, in quotes.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", shortened(name))
}

/// One line of at most [`LONGEST_NAME`] characters.
fn shortened(name: &str) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    if name.chars().count() <= LONGEST_NAME {
        return name.chars().map(one_line).collect();
    }
    let kept: String = name.chars().map(one_line).take(LONGEST_NAME - 1).collect();
    format!("{}…", kept.trim_end())
}

/// At most three names, quoted: `"a", "b", "c" and 4 more`.
#[must_use]
pub fn names(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(3).map(|name| format!("\"{name}\"")).collect();
    let more = names.len().saturating_sub(shown.len());
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_their_trailing_zeros() {
        assert_eq!(trimmed(-16.0, 3), "-16");
        assert_eq!(trimmed(2.50, 3), "2.5");
        assert_eq!(trimmed(-0.0001, 3), "0");
        assert_eq!(trimmed(100.0, 0), "100");
    }

    #[test]
    fn a_level_above_zero_has_its_sign() {
        let said = [-20.46, 0.0, 0.04, 0.84].map(|value| level(Measure::TruePeak, value));
        assert_eq!(said, ["-20.5 dBTP", "0.0 dBTP", "0.0 dBTP", "+0.8 dBTP"]);
    }

    #[test]
    fn one_or_two_are_named_and_more_are_counted() {
        let said = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
            subject(&names, "clip")
        };
        assert_eq!(said(&["dialogue-1.flac"]), "dialogue-1.flac");
        assert_eq!(said(&["Kick", "Lead Vox"]), "Kick and \"Lead Vox\"");
        assert_eq!(said(&["Verse", "Verse"]), "2 clips \"Verse\"");
        assert_eq!(said(&["808"]), "\"808\"");
        assert_eq!(said(&["a\nb"]), "\"a b\"");
        assert_eq!(said(&["a", "b", "c"]), "3 clips");
        assert_eq!(said(&[]), "0 clips");
    }

    #[test]
    fn a_long_name_is_cut_and_a_fitting_one_is_not() {
        let subject = |length: usize| subject(&["é".repeat(length)], "clip");
        assert_eq!(subject(40), "é".repeat(40));
        assert_eq!(subject(41), "é".repeat(39) + "…");
    }

    #[test]
    fn long_lists_are_cut() {
        let list: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        assert_eq!(names(&list), "\"a\", \"b\", \"c\" and 1 more");
        assert_eq!(names(&list[..1]), "\"a\"");
    }
}
