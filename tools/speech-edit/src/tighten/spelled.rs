//! Words that take longer to say than to write: "$250,000", "25%", "BBC", "Dr.".

use crate::assembly::talk::plain;

/// Currency signs and other signs that are read as words.
const SIGNS: [char; 22] = [
    '$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₴', '₿', '¢', '%', '‰', '°', '&', '@', '#', '+', '=',
    '/', '§', '×',
];
/// Cut short, with a vowel among their letters.
const SHORT: [&str; 23] = [
    "prof", "etc", "approx", "dept", "est", "inc", "jan", "feb", "aug", "sept", "oct", "nov",
    "dec", "ave", "gen", "sen", "rep", "gov", "vol", "fig", "ex", "usw", "bzw",
];

/// Whether the letters of a word say nothing about how long it takes to say it.
pub(super) fn is_longer_than_written(word: &str) -> bool {
    if word.chars().any(|c| c.is_numeric() || SIGNS.contains(&c)) {
        return true;
    }
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    let letters = plain(word);
    let capitals = inner.chars().filter(|c| c.is_uppercase()).count();
    let is_initial = capitals == 1 && letters.chars().count() == 1 && word.contains('.');
    let is_vowel = |c: char| "aeiouy".contains(c) || !c.is_ascii();
    let is_clipped = !letters.is_empty() && !letters.chars().any(is_vowel);
    capitals >= 2
        || is_initial
        || inner.contains('.')
        || is_clipped
        || (word.contains('.') && SHORT.contains(&letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_initials_and_abbreviations_are_known() {
        for word in [
            "$250,000", "25%", "773,", "3.5", "½", "U.S.", "a.m.", "BBC", "CDs", "J.", "Dr.", "km",
            "etc.", "AT&T",
        ] {
            assert!(is_longer_than_written(word), "{word}");
        }
        for word in ["well,", "I", "Anna", "\"Yes.\"", "fly", "…", "", "twenty-five"] {
            assert!(!is_longer_than_written(word), "{word}");
        }
    }
}
