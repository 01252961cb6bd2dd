//! Leaves out what is transcribed already: none of its phrases is written twice. A gap between its phrases
//! is only heard if it is too long for a drawn-out word or a breath.

use super::holes::HOLE;
use super::phrase::{HeardWord, Phrase};
use super::split::fit;
use crate::mel::RATE;
use std::ops::Range;

/// The margin around a known transcript that also counts as known, when audio next to it is heard again:
/// 0.5 s, in samples.
const AROUND: usize = RATE as usize / 2;

/// Whether something that is written down lies in `part`.
pub(crate) fn meets(known: &[Range<usize>], part: &Range<usize>) -> bool {
    known.iter().any(|one| one.start < part.end && part.start < one.end)
}

/// The new part of a phrase. If most of its words lie in the known transcript, it was transcribed already,
/// and may have been corrected since. If only one word does, only its time is wrong.
pub(crate) fn rest(known: &[Range<usize>], mut phrase: Phrase) -> Option<Phrase> {
    let Range { start, end } = phrase.range;
    let near: Vec<&Range<usize>> =
        known.iter().filter(|one| one.start <= end && start <= one.end).collect();
    let is_in = |word: &HeardWord| {
        let middle = word.range.start.midpoint(word.range.end);
        near.iter().any(|one| one.contains(&middle))
    };
    let inside = phrase.words.iter().filter(|word| is_in(word)).count();
    if inside * 2 > phrase.words.len() {
        return None;
    }
    if inside > 1 {
        phrase.words.retain(|word| !is_in(word));
        fit(&mut phrase);
    }
    Some(phrase)
}

/// What of `rest` is spoken and not written down: parts of `stretches`, as one where nothing that is written down lies
/// between them.
pub(crate) fn between(
    known: &[Range<usize>],
    stretches: &[Range<usize>],
    rest: &Range<usize>,
) -> Vec<Range<usize>> {
    let inside = |one: &Range<usize>| one.start.max(rest.start)..one.end.min(rest.end);
    let spoken = stretches.iter().map(inside).filter(|one| one.start < one.end);
    let mut parts: Vec<Range<usize>> = Vec::new();
    for gap in spoken.flat_map(|one| gaps(known, &one)) {
        match parts.last_mut() {
            // As one they must not meet it either: it would be parted again without end.
            Some(last) if !meets(known, &(last.start..gap.end)) => last.end = gap.end,
            _ => parts.push(gap),
        }
    }
    parts
}

/// The parts of a stretch that are not written down.
fn gaps(known: &[Range<usize>], stretch: &Range<usize>) -> Vec<Range<usize>> {
    let (mut from, mut parts) = (None, Vec::new());
    for one in known.iter().filter(|one| one.start < stretch.end && stretch.start < one.end) {
        parts.extend(gap(from, Some(one.start), stretch));
        from = Some(from.map_or(one.end, |from: usize| from.max(one.end)));
    }
    parts.extend(gap(from, None, stretch));
    parts
}

/// The part of a stretch after the known transcript that ends at `from`, and before the one that starts at
/// `to`.
fn gap(from: Option<usize>, to: Option<usize>, stretch: &Range<usize>) -> Option<Range<usize>> {
    let whole = from.unwrap_or(stretch.start)..to.unwrap_or(stretch.end);
    let is_heard = whole.len() > HOLE || (from.is_none() && to.is_none());
    let [ahead, behind] = [from, to].map(|edge| edge.map_or(0, |_| AROUND));
    is_heard.then(|| whole.start + ahead..whole.end - behind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::HeardWord;

    const SECOND: usize = RATE as usize;
    const HALF: usize = RATE as usize / 2;
    const KNOWN: [Range<usize>; 2] = [2 * SECOND..4 * SECOND, 8 * SECOND..9 * SECOND];

    fn left(stretches: &[Range<usize>]) -> Vec<Range<usize>> {
        between(&KNOWN, stretches, &(0..60 * SECOND))
    }

    #[test]
    fn what_is_written_down_is_not_heard_again_nor_are_the_ends_of_its_words() {
        let one = |stretch: Range<usize>| left(std::slice::from_ref(&stretch));
        assert_eq!(one(0..SECOND), vec![0..SECOND; 1]);
        assert_eq!(one(0..100), vec![0..100; 1], "a word by itself");
        assert_eq!(one(SECOND..10 * SECOND), vec![4 * SECOND + HALF..8 * SECOND - HALF; 1]);
        assert!(one(2 * SECOND..6 * SECOND).is_empty(), "two seconds behind the words are theirs");
        assert!(one(3 * SECOND..4 * SECOND).is_empty());
        assert_eq!(one(9 * SECOND - 1..12 * SECOND), vec![9 * SECOND + HALF..12 * SECOND; 1]);
    }

    #[test]
    fn stretches_with_nothing_written_down_between_them_are_heard_as_one() {
        let stretches = [4 * SECOND..5 * SECOND, 6 * SECOND..7 * SECOND, 10 * SECOND..11 * SECOND];
        assert_eq!(left(&stretches), [4 * SECOND..7 * SECOND, 10 * SECOND..11 * SECOND]);
        let rest = between(&KNOWN, &stretches, &(6 * SECOND + 5..10 * SECOND + 5));
        assert_eq!(rest, [6 * SECOND + 5..7 * SECOND, 10 * SECOND..10 * SECOND + 5]);
    }

    #[test]
    fn no_part_meets_what_is_written_down_even_where_that_is_shorter_than_a_sample() {
        let short = 5 * SECOND..5 * SECOND;
        let known = std::slice::from_ref(&short);
        let stretches = [4 * SECOND..5 * SECOND, 6 * SECOND..7 * SECOND];
        let parts = between(known, &stretches, &(0..60 * SECOND));
        assert_eq!(parts, stretches);
        assert!(!parts.iter().any(|part| meets(known, part)));
    }

    #[test]
    fn of_a_phrase_that_is_written_down_no_word_is_added() {
        let left = |words: &[usize]| {
            let word = |at: &usize| HeardWord {
                text: at.to_string(),
                range: at * SECOND..(at + 1) * SECOND,
                confidence: None,
            };
            let phrase = Phrase {
                range: words[0] * SECOND..(words[words.len() - 1] + 1) * SECOND,
                words: words.iter().map(word).collect(),
                language: "en".into(),
                likelihood: -0.2,
                silence: 0.0,
                is_spread: false,
            };
            let rest = rest(&KNOWN, phrase)?;
            let texts: Vec<String> = rest.words.into_iter().map(|word| word.text).collect();
            Some((rest.range.start / SECOND, texts.join(" ")))
        };
        assert_eq!(left(&[2, 3]), None);
        assert_eq!(left(&[2, 3, 4]), None, "its end was written down as it is");
        assert_eq!(left(&[4, 5]), Some((4, "4 5".into())), "right behind it is another");
        assert_eq!(
            left(&[3, 4, 5]),
            Some((3, "3 4 5".into())),
            "the time of its first word is off"
        );
        assert_eq!(left(&[2, 3, 4, 5, 6]), Some((4, "4 5 6".into())), "half of it was taken out");
    }
}
