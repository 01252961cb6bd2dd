//! Words as they are said: without case and punctuation, and which of them say nothing.

use deskhand_session::Word;

/// What people say while they think.
const FILLERS: [&str; 22] = [
    "um", "umm", "uhm", "uh", "uhh", "er", "err", "erm", "ehm", "eh", "hm", "hmm", "hmmm", "mm",
    "mmm", "mhm", "uhhuh", "ah", "ahm", "äh", "ähm", "öhm",
];
/// Fillers that also answer: alone between pauses they mean something.
const ANSWERS: [&str; 2] = ["mhm", "uhhuh"];
/// Words that are said twice on purpose.
const DOUBLED: [&str; 30] = [
    "very", "really", "so", "no", "yes", "yeah", "bye", "ha", "had", "that", "far", "many", "much",
    "more", "again", "on", "up", "well", "okay", "ok", "blah", "knock", "night", "there", "hey",
    "wow", "please", "now", "why", "hello",
];

/// A word in lower case, letters and digits alone.
pub(crate) fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a word is a filler that can go.
pub(crate) fn is_filler(word: &str) -> bool {
    let word = plain(word);
    FILLERS.contains(&word.as_str()) && !ANSWERS.contains(&word.as_str())
}

/// Whether a word breaks off: "th-", "comp—".
pub(crate) fn is_cut_off(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',', '…', '"']);
    word.ends_with(['-', '—', '–']) && word.chars().any(char::is_alphanumeric)
}

/// How many words at `at` are said again right behind themselves, longest first, at most four: 2 in
/// "I think I think so". Words that are often doubled on purpose do not count alone.
pub(crate) fn repeated(words: &[Word], at: usize) -> usize {
    let same = |length: usize| {
        let first = words.get(at..at + length)?;
        let second = words.get(at + length..at + 2 * length)?;
        let pairs = first.iter().zip(second);
        let mut alike = pairs.map(|(a, b)| (plain(&a.text), plain(&b.text)));
        let ends = first.iter().rev().skip(1).any(|word| word.text.ends_with(['.', '!', '?']));
        (!ends && alike.all(|(a, b)| a == b && !a.is_empty())).then_some(length)
    };
    let found = (1..=4).rev().find_map(same).unwrap_or(0);
    let alone = words.get(at).map_or(String::new(), |word| plain(&word.text));
    let is_number = alone.chars().all(|c| c.is_ascii_digit());
    if found == 1 && (is_number || DOUBLED.contains(&alone.as_str())) { 0 } else { found }
}

/// Whether the word at `at` breaks off and is begun again by the next: "th- the".
pub(crate) fn begun_again(words: &[Word], at: usize) -> bool {
    let Some([first, second]) = words.get(at..at + 2) else {
        return false;
    };
    let stem = plain(&first.text);
    is_cut_off(&first.text) && !stem.is_empty() && plain(&second.text).starts_with(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Frames;

    fn words(text: &str) -> Vec<Word> {
        let word = |text: &str| Word {
            text: text.into(),
            start: Frames::ZERO,
            end: Frames(1),
            confidence: None,
        };
        text.split(' ').map(word).collect()
    }

    #[test]
    fn fillers_are_known_with_punctuation_and_in_any_case() {
        for filler in ["Um,", "uh", "Hmm...", "(er)"] {
            assert!(is_filler(filler), "{filler}");
        }
        for word in ["umbrella", "her", "Mhm.", "a", ""] {
            assert!(!is_filler(word), "{word}");
        }
    }

    #[test]
    fn repetitions_count_by_the_longest_and_not_where_they_are_meant() {
        assert_eq!(repeated(&words("I think I think so"), 0), 2);
        assert_eq!(repeated(&words("the the cat"), 0), 1);
        assert_eq!(repeated(&words("very very good"), 0), 0);
        assert_eq!(repeated(&words("4 4 2"), 0), 0);
        assert_eq!(repeated(&words("the cat sat"), 0), 0);
    }

    #[test]
    fn a_word_that_breaks_off_is_begun_again() {
        assert!(begun_again(&words("th- the cat"), 0));
        assert!(!begun_again(&words("well- the cat"), 0));
        assert!(!begun_again(&words("the the cat"), 0));
    }
}
