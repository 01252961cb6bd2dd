//! Speech for which nothing is written: what the network passes over without a word.
//!
//! Where the same is said with one word changed it may skip whole sentences and be sure of it all the same. The times
//! of its words betray that: one of them lasts as long as a sentence, or the next is far.

use super::Phrase;
use crate::mel::RATE;
use std::ops::Range;

/// The longest that a word counts as said, in samples: 1 s.
const LONGEST_WORD: usize = RATE as usize;
/// Speech without words, in samples, that is too much for a drawn-out word or a breath: 2 s.
pub(super) const HOLE: usize = 2 * RATE as usize;

/// The longest speech without words in a part that was heard up to `heard`: samples of `stretches` between the words of
/// `phrases`, before them and behind them.
pub(super) fn longest(
    phrases: &[Phrase],
    stretches: &[Range<usize>],
    heard: Range<usize>,
) -> Option<Range<usize>> {
    let words = phrases.iter().flat_map(|phrase| &phrase.words);
    let mut from = heard.start;
    let mut between = Vec::new();
    for word in words {
        between.push(from..word.range.start);
        from = from.max(word.range.end.min(word.range.start + LONGEST_WORD));
    }
    between.push(from..heard.end);
    let spoken = |gap: &Range<usize>| super::stretches::inside(stretches, gap);
    between.retain(|gap| gap.start < gap.end && spoken(gap) > HOLE);
    between.into_iter().max_by_key(spoken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::HeardWord;

    const SECOND: usize = RATE as usize;

    /// One stretch of so many seconds.
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
        }
    }

    #[test]
    fn a_word_as_long_as_a_sentence_hides_one() {
        let phrases = [phrase(&[0..5, 5..12]), phrase(&[12..60, 60..65])];
        let hole = longest(&phrases, &spoken(7), 0..7 * SECOND);
        assert_eq!(hole, Some(SECOND * 22 / 10..6 * SECOND));
        assert_eq!(longest(&phrases, &spoken(3), 0..7 * SECOND), None, "it was silent there");
    }

    #[test]
    fn speech_before_between_and_behind_words_is_found() {
        let spoken = spoken(20);
        let at = |words: &[Range<usize>]| longest(&[phrase(words)], &spoken, 0..10 * SECOND);
        assert_eq!(at(&[30..40, 40..98]).map(|hole| hole.start), Some(5 * SECOND));
        assert_eq!(at(&[30..40, 55..62, 70..80, 81..90]), Some(0..3 * SECOND));
        assert_eq!(at(&[5..15, 50..60, 60..70, 80..99]), Some(SECOND * 3 / 2..5 * SECOND));
        assert_eq!(at(&[5..15, 20..30, 40..50, 60..70, 80..90]), None);
        assert_eq!(longest(&[], &spoken, 0..10 * SECOND), Some(0..10 * SECOND));
        assert_eq!(longest(&[], &[], 0..10 * SECOND), None);
    }
}
