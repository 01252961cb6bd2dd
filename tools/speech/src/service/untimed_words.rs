//! Words without times, over where somebody talks.

use crate::listen::HeardWord;
use crate::transcript::over;
use std::ops::Range;

/// The longest word, in characters, as a session takes it.
pub(super) const LONGEST: usize = 200;

/// The words of a text over stretches of speech, in samples and in order, by their lengths.
pub(super) fn spread(text: &str, speech: &[Range<usize>]) -> Vec<HeardWord> {
    let clean =
        |word: &str| -> String { word.chars().filter(|c| !c.is_control()).take(LONGEST).collect() };
    let words: Vec<String> = text.split_whitespace().map(clean).filter(|w| !w.is_empty()).collect();
    let lengths: Vec<u64> = words.iter().map(|word| word.chars().count() as u64 + 1).collect();
    let speech: Vec<_> = speech.iter().map(|one| one.start as u64..one.end as u64).collect();
    let timed = words.into_iter().zip(over(&speech, &lengths)).map(|(text, range)| {
        let range = range.start as usize..range.end as usize;
        HeardWord { text, range, confidence: None }
    });
    timed.collect()
}
