//! Speech for which nothing is written: what the network passes over without a word.
//!
//! Where the same is said with one word changed it may skip whole sentences and be sure of it all the same. The times
//! of its words betray that: one of them lasts as long as a sentence, or the next is far.

use super::phrase::Phrase;
use crate::mel::RATE;
use std::ops::Range;

/// The longest that a word counts as said, in samples: 1 s.
const LONGEST_WORD: usize = RATE as usize;
/// Speech without words, in samples, that is too much for a drawn-out word or a breath: 2 s.
pub(super) const HOLE: usize = 2 * RATE as usize;

/// Whether the part that was heard up to `heard` has a gap in its words: more than [`HOLE`] of speech in
/// the `stretches` before, between or after the words of `phrases`.
pub(super) fn has_hole(
    phrases: &[Phrase],
    stretches: &[Range<usize>],
    heard: Range<usize>,
) -> bool {
    let is_hole =
        |gap: Range<usize>| gap.start < gap.end && super::stretches::inside(stretches, &gap) > HOLE;
    let mut from = heard.start;
    for word in phrases.iter().flat_map(|phrase| &phrase.words) {
        if is_hole(from..word.range.start) {
            return true;
        }
        from = from.max(word.range.end.min(word.range.start + LONGEST_WORD));
    }
    is_hole(from..heard.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::HeardWord;

    const SECOND: usize = RATE as usize;

    /// One stretch of this many seconds.
    fn spoken(seconds: usize) -> Vec<Range<usize>> {
        std::iter::once(0..seconds * SECOND).collect()
    }

    fn phrase(words: &[Range<usize>]) -> Phrase {
        let word = |range: &Range<usize>| HeardWord {
            text: "garden".into(),
            range: range.start * SECOND / 10..range.end * SECOND / 10,
            confidence: Some(1.0),
        };
        Phrase {
            range: 0..1,
            words: words.iter().map(word).collect(),
            language: "en".into(),
            likelihood: -0.1,
            silence: 0.0,
            is_spread: false,
        }
    }

    #[test]
    fn a_word_as_long_as_a_sentence_hides_one() {
        let phrases = [phrase(&[0..5, 5..12]), phrase(&[12..60, 60..65])];
        assert!(has_hole(&phrases, &spoken(7), 0..7 * SECOND));
        assert!(!has_hole(&phrases, &spoken(3), 0..7 * SECOND), "it was silent there");
    }

    #[test]
    fn speech_before_between_and_behind_words_is_found() {
        let spoken = spoken(20);
        let at = |words: &[Range<usize>]| has_hole(&[phrase(words)], &spoken, 0..10 * SECOND);
        assert!(!at(&[5..15, 20..30, 40..50, 60..70, 80..90]));
        assert!(at(&[30..40, 40..50, 55..62, 70..80, 81..90]), "ahead of the first word");
        assert!(at(&[5..15, 20..30, 55..62, 70..80, 81..90]), "between two words");
        assert!(at(&[5..15, 20..30, 40..50, 55..62, 62..70]), "behind the last word");
        assert!(has_hole(&[], &spoken, 0..10 * SECOND));
        assert!(!has_hole(&[], &[], 0..10 * SECOND));
    }
}
