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

/// The number of words at `at` that are repeated right after themselves, longest first, at most four: 2 in
/// "I think I think so". Words that are often doubled on purpose do not count alone. Nor does a sentence
/// that begins with the end of the previous one: "in the old mill. The old mill".
pub(crate) fn repeated(words: &[Word], at: usize) -> usize {
    let same = |length: usize| {
        let first = words.get(at..at + length)?;
        let second = words.get(at + length..at + 2 * length)?;
        let pairs = first.iter().zip(second);
        let mut alike = pairs.map(|(a, b)| (plain(&a.text), plain(&b.text)));
        // A start that was given up may be written as a sentence of its own.
        let is_start = at.checked_sub(1).and_then(|at| words.get(at)).is_none_or(is_end);
        let inner = first.iter().rev().skip(usize::from(is_start));
        let ends = inner.into_iter().any(is_end);
        (!ends && alike.all(|(a, b)| a == b && !a.is_empty())).then_some(length)
    };
    let found = (1..=4).rev().find_map(same).unwrap_or(0);
    let alone = words.get(at).map_or(String::new(), |word| plain(&word.text));
    let is_number = alone.chars().all(|c| c.is_ascii_digit());
    if found == 1 && (is_number || DOUBLED.contains(&alone.as_str())) { 0 } else { found }
}

/// Whether a sentence ends with a word.
pub(crate) fn is_end(word: &Word) -> bool {
    word.text.ends_with(['.', '!', '?'])
}

/// Whether the word at `at` breaks off and is begun again by the next: "th- the".
pub(crate) fn begun_again(words: &[Word], at: usize) -> bool {
    let Some([first, second]) = words.get(at..at + 2) else {
        return false;
    };
    let stem = plain(&first.text);
    is_cut_off(&first.text) && !stem.is_empty() && plain(&second.text).starts_with(&stem)
}

/// The number of words at `at` to remove where a sentence breaks off and restarts: 5 in "the budget for the
/// green- the budget for the greenhouse is". At least three words are repeated, and up to three after them
/// are abandoned. Whole sentences that begin alike do not count.
pub(crate) fn begun_anew(words: &[Word], at: usize) -> usize {
    let breaks_off = |word: &Word| is_cut_off(&word.text) || word.text.ends_with('…');
    let alike = |length: usize, given_up: usize| {
        let gone = words.get(at..at + length + given_up)?;
        let again = words.get(at + gone.len()..at + gone.len() + length)?;
        let mut pairs = gone.iter().zip(again).map(|(a, b)| (plain(&a.text), plain(&b.text)));
        let ends = gone.iter().any(|word| word.text.ends_with(['.', '!', '?']));
        let is_broken = gone.last().is_some_and(breaks_off);
        let same = pairs.all(|(a, b)| a == b && !a.is_empty());
        (is_broken && !ends && same).then_some(gone.len())
    };
    let lengths = (3..=8).rev().flat_map(|length| (0..=3).map(move |behind| (length, behind)));
    lengths.into_iter().find_map(|(length, given_up)| alike(length, given_up)).unwrap_or(0)
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
        assert_eq!(repeated(&words("She lived in the old mill. The old mill burned"), 3), 0);
        assert_eq!(repeated(&words("I think. I think so"), 0), 2, "a start written as a sentence");
    }

    #[test]
    fn a_sentence_that_breaks_off_is_begun_anew() {
        let gone = |text: &str| begun_anew(&words(text), 0);
        assert_eq!(gone("The budget for the green- the budget for the greenhouse is"), 5);
        assert_eq!(gone("And then, I thought we should… and then I thought we could"), 6);
        assert_eq!(gone("We paid for it— we paid for it twice"), 4);
        for whole in [
            "We went to the sea we went to the shore",
            "I have a dream. I have a dream today",
            "the green- the greenhouse is",
            "so we wait- and so we wait",
        ] {
            assert_eq!(gone(whole), 0, "{whole}");
        }
    }

    #[test]
    fn a_word_that_breaks_off_is_begun_again() {
        assert!(begun_again(&words("th- the cat"), 0));
        assert!(!begun_again(&words("well- the cat"), 0));
        assert!(!begun_again(&words("the the cat"), 0));
    }
}
