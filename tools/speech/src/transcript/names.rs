//! Names of speakers before a colon: `Name: text`.
//!
//! If a reader would misread the text, it is written with an invisible mark that other readers ignore. Two
//! spaces after the colon mark a name, whatever it looks like. Two spaces before a text say that it names
//! nobody.

use super::limits::LONGEST_NAME;
use deskhand_toolkit::text::folded;
use std::collections::BTreeMap;

/// Before a text: nobody is named. After the colon of a name: it is a name.
pub(super) const MARK: &str = "  ";

/// The text before a colon, and the text after it.
struct Front<'a> {
    name: &'a str,
    text: &'a str,
    is_sure: bool,
}

/// Texts as their speakers and what they say. A name is one of two plain words at most, or comes again in the file.
pub(super) fn named(texts: Vec<String>) -> Vec<(Option<String>, String)> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for front in texts.iter().filter_map(|text| front(text)) {
        *times.entry(front.name.to_owned()).or_default() += 1;
    }
    let split = |text: String| match front(&text) {
        Some(front) if front.is_sure || times.get(front.name).is_some_and(|times| *times > 1) => {
            (Some(front.name.to_owned()), front.text.to_owned())
        }
        _ => (None, text),
    };
    texts.into_iter().map(split).collect()
}

/// Names that differ in capitals only are one: that which comes first.
pub(super) fn in_one_spelling<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for name in names {
        let first = known.entry(folded(name)).or_insert_with(|| name.clone());
        name.clone_from(first);
    }
}

/// A text with its speaker in front, written so that it is read back the same.
pub(super) fn written(speaker: Option<&str>, text: &str) -> String {
    match speaker {
        None if front(text).is_some() => format!("{MARK}{text}"),
        None => text.into(),
        Some(name) => {
            let line = format!("{name}: {text}");
            let is_read =
                |front: Front<'_>| front.is_sure && (front.name, front.text) == (name, text);
            if front(&line).is_some_and(is_read) { line } else { format!("{name}:{MARK}{text}") }
        }
    }
}

/// Whether a text may be a name.
pub(super) fn may_be(name: &str) -> bool {
    let is_mark = |c: char| is_plain(c) || "&/#@+".contains(c);
    // Of a text that is longer nothing is counted.
    name.len() <= 4 * 60
        && (1..=60).contains(&name.chars().count())
        && name.split_whitespace().count() <= 6
        && name.chars().all(is_mark)
        && name.chars().next().is_some_and(char::is_alphanumeric)
}

fn is_plain(c: char) -> bool {
    !c.is_ascii_punctuation() || ".-'_()".contains(c)
}

/// The name in a text that is nothing but a name and its colon.
pub(super) fn alone(text: &str) -> Option<&str> {
    let name = text.trim().strip_suffix(':')?.trim_end();
    may_be(name).then_some(name)
}

/// The part that may be a name, if text follows it.
fn front(text: &str) -> Option<Front<'_>> {
    if text.starts_with(MARK) {
        return None;
    }
    let is_short = |name: &str| (1..=LONGEST_NAME).contains(&name.trim().chars().count());
    let marked = text.split_once(":  ").filter(|(name, _)| is_short(name));
    let (name, behind) = marked.or_else(|| text.split_once(':'))?;
    let name = name.trim();
    let is_apart = behind.starts_with(char::is_whitespace);
    // "Ben:hi" names somebody where Ben comes again.
    let is_close = behind.starts_with(char::is_alphabetic)
        && name.starts_with(char::is_uppercase)
        && name.chars().all(char::is_alphabetic);
    let words = name.split_whitespace().count();
    let is_plain_name = is_apart && words <= 2 && name.chars().all(is_plain);
    let is_sure = marked.is_some() || is_plain_name;
    let behind = behind.trim();
    let is_name = may_be(name) && (is_apart || is_close);
    let is_front = !behind.is_empty() && (marked.is_some() || is_name);
    is_front.then_some(Front { name, text: behind, is_sure })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[&str]) -> Vec<(Option<String>, String)> {
        named(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn a_long_name_is_one_where_it_comes_again() {
        let alone = ["One more thing: go home.", "Time is 10: 30 now", "Speaker #1: hi"];
        assert!(read(&alone).iter().all(|(name, _)| name.is_none()), "{:?}", read(&alone));
        let again = read(&["Speaker #1: hi", "Ann Lee: so", "Speaker #1: yes", "at 10:30 we go"]);
        let names: Vec<_> = again.iter().map(|(name, _)| name.as_deref()).collect();
        assert_eq!(names, [Some("Speaker #1"), Some("Ann Lee"), Some("Speaker #1"), None]);
    }

    #[test]
    fn what_would_be_misread_is_written_with_a_mark() {
        assert_eq!(written(Some("Ann"), "hi: you"), "Ann: hi: you");
        for (speaker, text) in [
            (Some("Ann & Bo"), "hello there"),
            (Some("Dr. Mary Ann van Dyke"), "hi"),
            (Some("Host/Guest"), "ok"),
            (Some("Ann: boss"), "yes sir"),
            (Some("(…)"), "so: what"),
            (None, "One more thing: go home."),
            (None, "Note: it rains"),
        ] {
            let line = written(speaker, text);
            let again = read(&[&line]);
            let told = again[0].1.trim_start();
            assert_eq!((again[0].0.as_deref(), told), (speaker, text), "{line:?}");
        }
    }
}
