//! Times inside of WebVTT's cues: where their words begin.

use super::super::estimated_times::spread;
use super::super::markup::{is_tag, plain as untagged};
use super::super::phrases::{TimedWord, Times};
use super::super::{Format, Micros};
use std::ops::Range;

/// The longest time, in bytes.
const LONGEST: usize = 32;

/// A time in the text of a cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The number of words in the text after the time.
    behind: usize,
    /// When the first of them begins.
    at: Micros,
}

/// The times in a text that come before a word.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let (mut marks, mut behind, mut end) = (Vec::new(), 0, text.len());
    for (open, close, at) in tags(text).into_iter().rev() {
        let ahead = text.get(..open).unwrap_or_default();
        let piece = text.get(close..end).unwrap_or_default();
        let (_, plain) = untagged(piece, Format::Vtt);
        behind += plain.split_whitespace().count();
        end = open;
        let is_inside = is_word_end(ahead) && plain.starts_with(|c: char| !c.is_whitespace());
        match is_inside {
            // The rest of a word that begins before the time.
            true => behind = behind.saturating_sub(1),
            false if behind > 0 => marks.push(Mark { behind, at }),
            false => {}
        }
    }
    marks.reverse();
    // If several times come before one word, the last one holds.
    marks.dedup_by(|next, mark| {
        let is_same = next.behind == mark.behind;
        if is_same {
            mark.at = next.at;
        }
        is_same
    });
    marks
}

/// The tags of a text that are times: the start of the tag, the place after it, and the time.
fn tags(text: &str) -> Vec<(usize, usize, Micros)> {
    let tag = |(open, _): (usize, &str)| {
        let behind = text.get(open + 1..)?;
        let inside = behind.get(..behind.bytes().take(LONGEST).position(|byte| byte == b'>')?)?;
        Some((open, open + inside.len() + 2, Micros::parse(inside)?))
    };
    text.match_indices('<').filter_map(tag).filter(|(_, close, _)| *close <= text.len()).collect()
}

/// Whether a text ends within a word, whatever tags are at its end.
fn is_word_end(mut text: &str) -> bool {
    while let Some((ahead, tag)) = text.strip_suffix('>').and_then(|text| text.rsplit_once('<'))
        && is_tag(tag)
    {
        text = ahead;
    }
    text.ends_with(|c: char| !c.is_whitespace())
}

/// The words of a cue. A word after a time begins at it. The others are spread between these by their
/// lengths. Exact times are given if every word but the first has one. A time outside the cue or before the
/// previous time is ignored; the last value says whether there is one.
pub(super) fn timed(
    text: &str,
    within: Range<Micros>,
    marks: &[Mark],
) -> (Vec<TimedWord>, Times, bool) {
    if marks.is_empty() || within.start >= within.end {
        return (spread(text, within.start, within.end), Times::Spread, false);
    }
    let texts: Vec<&str> = text.split_whitespace().collect();
    let (mut words, mut first, mut from) = (Vec::with_capacity(texts.len()), 0, within.start);
    let end = Mark { behind: 0, at: within.end };
    let (mut is_given, mut is_bent) = (true, false);
    for mark in marks.iter().chain([&end]) {
        if mark.at < from || mark.at > within.end {
            is_bent = true;
            continue;
        }
        let next = texts.len().saturating_sub(mark.behind).max(first);
        let run = texts.get(first..next).unwrap_or_default();
        is_given &= run.len() <= 1;
        words.extend(spread(&run.join(" "), from, mark.at));
        // A time before the name of the speaker belongs to the first word.
        (first, from) = (next, mark.at);
    }
    (words, if is_given { Times::Given } else { Times::Spread }, is_bent)
}
