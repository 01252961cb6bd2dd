//! Words without times, over where somebody talks.

use crate::listen::HeardWord;
use std::ops::Range;

/// The longest word, in characters, as a session takes it.
pub(super) const LONGEST: usize = 200;

/// The words of a text over stretches of speech, in samples and in order, by their lengths. No word is
/// drawn over a pause.
pub(super) fn spread(text: &str, speech: &[Range<usize>]) -> Vec<HeardWord> {
    let clean =
        |word: &str| -> String { word.chars().filter(|c| !c.is_control()).take(LONGEST).collect() };
    let words: Vec<String> = text.split_whitespace().map(clean).filter(|w| !w.is_empty()).collect();
    let weight = |word: &String| word.chars().count() + 1;
    let all: usize = words.iter().map(weight).sum::<usize>().max(1);
    let length: usize = speech.iter().map(Range::len).sum();
    let mut before = 0;
    let timed = words.iter().filter_map(|word| {
        let start = length * before / all;
        before += weight(word);
        let range = placed(speech, start..length * before / all)?;
        Some(HeardWord { text: word.clone(), range, confidence: None })
    });
    timed.collect()
}

/// A range of the speech without its pauses as one with them, in the stretch that its middle is in.
fn placed(speech: &[Range<usize>], spoken: Range<usize>) -> Option<Range<usize>> {
    let middle = (spoken.start + spoken.end) / 2;
    let mut before = 0;
    let is_it = |stretch: &&Range<usize>| {
        before += stretch.len();
        middle < before
    };
    let stretch = speech.iter().find(is_it).or(speech.last())?;
    let first = before - stretch.len();
    let at = |spoken: usize| stretch.start + spoken.saturating_sub(first).min(stretch.len());
    Some(at(spoken.start)..at(spoken.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_where_somebody_talks() {
        let words = spread("one two", &[100..140, 200..240]);
        let ranges: Vec<_> = words.iter().map(|word| word.range.clone()).collect();
        assert_eq!(ranges, [100..140, 200..240]);
        let words = spread("longerword a", &[100..140, 200..224]);
        let ranges: Vec<_> = words.iter().map(|word| word.range.clone()).collect();
        assert_eq!(ranges, [100..140, 214..224], "it is not drawn over the pause");
        assert_eq!(spread("one", &[]), []);
    }
}
