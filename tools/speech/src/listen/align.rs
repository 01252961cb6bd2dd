//! Finds the time of each word: the path through the attention of the decoder to the audio.
//!
//! Attention of the heads that follow the words, each frame's share of a token made comparable, smoothed by a
//! median of 7, averaged; then dynamic time warping. Source: `whisper/timing.py`.

use super::words::Tokens;
use deskhand_inference::Attention;
use std::ops::Range;

/// Frames a second.
const FRAMES_A_SECOND: f64 = 50.0;
/// Frames of the median.
const MEDIAN: usize = 7;
/// The longest that a usual word counts as, in seconds.
const USUAL: f64 = 0.7;
/// What ends a sentence.
const ENDINGS: &str = ".。!！?？";

/// A text aligned with the audio.
pub(super) struct Aligned {
    /// When each token is said, and when the text ends: frames of 20 ms, one more than tokens.
    pub(super) times: Vec<usize>,
    /// How many frames hold audio.
    pub(super) frames: usize,
    /// For each token, and for the end, how much it is heard in each frame.
    pub(super) rows: Vec<f32>,
}

impl Aligned {
    /// How much a token is heard in each frame.
    pub(super) fn row(&self, token: usize) -> &[f32] {
        let start = token * self.frames;
        self.rows.get(start..start + self.frames).unwrap_or_default()
    }
}

/// Aligns the tokens after the first `skipped` ones with the audio. `frames` is the number of frames that
/// hold audio.
pub(super) fn aligned(attention: &Attention, skipped: usize, frames: usize) -> Aligned {
    let frames = frames.clamp(1, attention.frames.max(1));
    let matrix = matrix(attention, frames);
    let rows = matrix.get(skipped * frames..).unwrap_or_default();
    let rows = rows.get(..rows.len().saturating_sub(frames)).unwrap_or_default();
    Aligned { times: path(rows, frames), frames, rows: rows.to_vec() }
}

/// Average attention `[tokens, frames]`, large where a token is heard.
fn matrix(attention: &Attention, frames: usize) -> Vec<f32> {
    let mut sum = vec![0.0; attention.tokens * frames];
    for head in &attention.heads {
        let mut shares: Vec<f32> = Vec::with_capacity(sum.len());
        for row in head.chunks_exact(attention.frames) {
            shares.extend(softmax(row.get(..frames).unwrap_or(row)));
        }
        standardize(&mut shares, frames);
        for (row, sums) in shares.chunks_exact(frames).zip(sum.chunks_exact_mut(frames)) {
            for (value, sum) in smoothed(row).zip(sums) {
                *sum += value / attention.heads.len() as f32;
            }
        }
    }
    sum
}

fn softmax(row: &[f32]) -> impl Iterator<Item = f32> + '_ {
    let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = row.iter().map(|value| (value - largest).exp()).sum();
    row.iter().map(move |value| (value - largest).exp() / sum)
}

/// Takes each frame's mean over all tokens away and divides by its deviation.
fn standardize(values: &mut [f32], frames: usize) {
    let rows = (values.len() / frames.max(1)) as f32;
    for frame in 0..frames {
        let column = || values.iter().skip(frame).step_by(frames);
        let mean = column().sum::<f32>() / rows;
        let variance = column().map(|value| (value - mean).powi(2)).sum::<f32>() / rows;
        let deviation = variance.sqrt().max(1e-12);
        for value in values.iter_mut().skip(frame).step_by(frames) {
            *value = (*value - mean) / deviation;
        }
    }
}

/// The running median of a row that is mirrored at its ends.
fn smoothed(row: &[f32]) -> impl Iterator<Item = f32> + '_ {
    let last = row.len() as i64 - 1;
    let at = move |index: i64| {
        let index = if index < 0 { -index } else { index };
        let index = if index > last { 2 * last - index } else { index };
        row.get(usize::try_from(index).unwrap_or(0)).copied().unwrap_or(0.0)
    };
    let half = (MEDIAN / 2) as i64;
    (0..row.len() as i64).map(move |index| {
        let mut near: [f32; MEDIAN] = std::array::from_fn(|n| at(index + n as i64 - half));
        near.sort_by(f32::total_cmp);
        near.get(MEDIAN / 2).copied().unwrap_or(0.0)
    })
}

/// How the path came to a cell.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Both,
    Token,
    Frame,
}

/// The frame at which the best path enters each row.
fn path(matrix: &[f32], frames: usize) -> Vec<usize> {
    let rows = matrix.len() / frames.max(1);
    let mut steps = vec![Step::Both; matrix.len()];
    let mut before = vec![f32::INFINITY; frames + 1];
    if let Some(first) = before.first_mut() {
        *first = 0.0;
    }
    for (row, steps) in matrix.chunks_exact(frames).zip(steps.chunks_exact_mut(frames)) {
        let mut now = vec![f32::INFINITY; 1];
        for ((value, step), near) in row.iter().zip(steps).zip(before.windows(2)) {
            let (both, token) = (near.first().copied(), near.get(1).copied());
            let choices = [
                (both.unwrap_or(f32::INFINITY), Step::Both),
                (token.unwrap_or(f32::INFINITY), Step::Token),
                (now.last().copied().unwrap_or(f32::INFINITY), Step::Frame),
            ];
            let best = choices.into_iter().reduce(|a, b| if b.0 < a.0 { b } else { a });
            let (cost, taken) = best.unwrap_or((f32::INFINITY, Step::Both));
            *step = taken;
            now.push(cost - value);
        }
        before = now;
    }
    entries(&steps, rows, frames)
}

/// Walks back from the end.
fn entries(steps: &[Step], rows: usize, frames: usize) -> Vec<usize> {
    let mut entries = vec![0; rows];
    let (mut row, mut frame) = (rows, frames);
    while row > 0 && frame > 0 {
        if let Some(entry) = entries.get_mut(row - 1) {
            *entry = frame - 1;
        }
        match steps.get((row - 1) * frames + frame - 1) {
            Some(Step::Token) => row -= 1,
            Some(Step::Frame) => frame -= 1,
            Some(Step::Both) | None => (row, frame) = (row - 1, frame - 1),
        }
    }
    entries
}

/// Start and end of each word, in frames, by the times of the tokens.
pub(super) fn word_spans(words: &[Tokens], times: &[usize]) -> Vec<Range<f64>> {
    let at = |token: usize| times.get(token).or(times.last()).copied().unwrap_or(0) as f64;
    words.iter().map(|word| at(word.range.start)..at(word.range.end)).collect()
}

/// Start and end of each word, in seconds, by those in frames. Words at the ends of sentences that come out too long are
/// cut.
pub(super) fn word_times(words: &[Tokens], spans: &[Range<f64>]) -> Vec<Range<f64>> {
    let second = |frame: f64| frame / FRAMES_A_SECOND;
    let mut spans: Vec<Range<f64>> =
        spans.iter().map(|span| second(span.start)..second(span.end)).collect();
    let longest = longest(&spans);
    let ends: Vec<bool> = words.iter().map(|word| word.text.ends_with(is_ending)).collect();
    for (index, span) in spans.iter_mut().enumerate() {
        if span.end - span.start <= longest {
            continue;
        }
        let is_first = index == 0 || ends.get(index - 1).copied().unwrap_or(false);
        if ends.get(index).copied().unwrap_or(false) {
            span.end = span.start + longest;
        } else if is_first {
            span.start = span.end - longest;
        }
    }
    spans
}

fn is_ending(c: char) -> bool {
    ENDINGS.contains(c)
}

/// Twice the usual length of a word.
fn longest(spans: &[Range<f64>]) -> f64 {
    let mut lengths: Vec<f64> = spans.iter().map(|span| span.end - span.start).collect();
    lengths.retain(|length| *length > 0.0);
    lengths.sort_by(f64::total_cmp);
    2.0 * lengths.get(lengths.len() / 2).map_or(USUAL, |median| median.min(USUAL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_path_follows_a_diagonal() {
        // Three tokens, ten frames: heard at 0..4, 4..6, 6..10.
        let owner = [0, 0, 0, 0, 1, 1, 2, 2, 2, 2];
        let cells = |token: i32| owner.map(|own| if own == token { 1.0 } else { 0.0 });
        let matrix: Vec<f32> = (0..3).flat_map(cells).collect();
        assert_eq!(path(&matrix, 10), [0, 4, 6]);
    }

    #[test]
    fn a_median_of_seven_drops_a_spike() {
        let mut row = vec![0.0; 20];
        row[9] = 5.0;
        assert!(smoothed(&row).all(|value| value == 0.0));
        let step: Vec<f32> = (0..20).map(|n| if n < 10 { 0.0 } else { 1.0 }).collect();
        assert_eq!(smoothed(&step).collect::<Vec<_>>(), step);
    }

    #[test]
    fn a_long_last_word_is_cut() {
        let texts = [" a", " b", " c."].into_iter().enumerate();
        let words: Vec<_> =
            texts.map(|(n, text)| Tokens { text: text.into(), range: n..n + 1 }).collect();
        let spans = word_times(&words, &word_spans(&words, &[0, 10, 20, 200]));
        assert_eq!(spans, [0.0..0.2, 0.2..0.4, 0.4..0.8]);
    }

    proptest! {
        #[test]
        fn entries_never_go_back(rows in 1usize..6, values in prop::collection::vec(-3f32..3.0, 60)) {
            let frames = values.len() / rows;
            let entries = path(&values[..rows * frames], frames);
            prop_assert_eq!(entries.len(), rows);
            prop_assert_eq!(entries[0], 0);
            prop_assert!(entries.windows(2).all(|two| two[0] <= two[1]));
            prop_assert!(entries.iter().all(|entry| *entry < frames));
        }
    }
}
