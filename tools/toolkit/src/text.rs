//! Text in a form for comparison. An accent may be part of its letter or follow it, depending on keyboards
//! and file systems; both are the same (Unicode Standard Annex #15, Normalization Form C).

use icu_normalizer::ComposingNormalizerBorrowed;
use std::borrow::Cow;

/// The text with each accent in its letter where there is such a letter.
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    ComposingNormalizerBorrowed::new_nfc().normalize(text)
}

/// The same in small letters: two texts that differ in capitals alone are one.
#[must_use]
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // A capital without a letter of its own for its accent may be small with one.
    let small: String = composed(text).chars().flat_map(char::to_lowercase).collect();
    composed(&small).into_owned()
}

/// Whether two texts are the same but for capitals.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    one == other || folded(one) == folded(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accent_is_one_with_its_letter() {
        assert_eq!(composed("cafe\u{301}"), "caf\u{e9}");
        for same in ["CAFE\u{301}", "Caf\u{c9}", "cafe\u{301}"] {
            assert!(is_same(same, "caf\u{e9}"), "{same}");
        }
        assert!(!is_same("cafe", "caf\u{e9}"));
        assert_eq!(folded("J\u{30c}"), folded("\u{1f0}"), "no capital has this accent in it");
        assert_eq!(folded("\u{130}"), folded("I\u{307}"));
    }
}
