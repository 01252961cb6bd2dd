//! Gives time to words that the path through the attention skips. They take it from their neighbors, at the
//! frames where the network heard them most.

use super::align::Aligned;
use super::words::Tokens;
use std::ops::Range;

/// A word that has no more was passed by, in frames of 20 ms.
const NO_TIME: f64 = 1.0;
/// The frames that a word takes at least: this many for each letter, as fast as anybody speaks, within
/// these limits.
const A_LETTER: usize = 2;
const LEAST: usize = 3;
const MOST: usize = 20;

/// Gives time to each word that has none. `spans` are the times of the words, in frames. The words next to
/// a skipped word give some of their time and keep what they need. All others stay as they are.
pub(super) fn share(words: &[Tokens], spans: &mut [Range<f64>], aligned: &Aligned) {
    let mut at = 0;
    while at < spans.len() {
        let first = at;
        while spans.get(at).is_some_and(is_passed_by) {
            at += 1;
        }
        if first < at {
            give(words, spans, first..at, aligned);
        }
        at += 1;
    }
}

fn is_passed_by(span: &Range<f64>) -> bool {
    span.end - span.start <= NO_TIME
}

/// Gives time to a run of words. The time comes from the word before and the word after the run.
fn give(words: &[Tokens], spans: &mut [Range<f64>], passed_by: Range<usize>, aligned: &Aligned) {
    let near = passed_by.start.saturating_sub(1)..(passed_by.end + 1).min(spans.len());
    let ahead = passed_by.start.checked_sub(1).and_then(|at| spans.get(at).cloned());
    let behind = spans.get(passed_by.end).cloned();
    let room = ahead.as_ref().map_or(0.0, |span| span.start)
        ..behind.as_ref().map_or(aligned.frames as f64, |span| span.end);
    let (words, own) = (words.get(near.clone()), spans.get_mut(near));
    let (words, own) = (words.unwrap_or_default(), own.unwrap_or_default());
    let needs = words.iter().zip(own.iter()).map(|(word, span)| need(word, span));
    let needs: Vec<usize> = needs.collect();
    let heard = where_heard(words, &needs, &room, behind.is_none(), aligned);
    let mut ends = heard.unwrap_or_else(|| in_proportion(&needs, &room));
    // The neighbors only give time.
    if let (Some(end), Some(ahead)) = (ends.first_mut(), ahead) {
        *end = end.min(ahead.end);
    }
    if let ([.., last, end], Some(behind)) = (ends.as_mut_slice(), behind) {
        (*last, *end) = (last.max(behind.start), behind.end);
    }
    let mut from = room.start;
    for (span, end) in own.iter_mut().zip(ends) {
        *span = from..end;
        from = end;
    }
}

/// How many frames a word takes at least, of those that it has if it has any.
fn need(word: &Tokens, span: &Range<f64>) -> usize {
    let letters = word.text.chars().filter(|c| c.is_alphanumeric()).count();
    let least = if letters == 0 { 1 } else { (A_LETTER * letters).clamp(LEAST, MOST) };
    if is_passed_by(span) { least } else { least.min((span.end - span.start) as usize) }
}

/// Where each word ends so that the words together hold the most attention. `None` if they do not all fit.
/// If the run `is_last`, the end of the text takes a row after the words.
fn where_heard(
    words: &[Tokens],
    needs: &[usize],
    room: &Range<f64>,
    is_last: bool,
    aligned: &Aligned,
) -> Option<Vec<f64>> {
    let frames = room.start.ceil() as usize..room.end.floor() as usize;
    let row = |token: usize| aligned.row(token).get(frames.clone()).unwrap_or_default();
    let mut rows: Vec<(&[f32], usize)> = Vec::new();
    for (word, need) in words.iter().zip(needs) {
        let all = word.range.len().max(1);
        let share = |nth: usize| need * (nth + 1) / all - need * nth / all;
        rows.extend(word.range.clone().enumerate().map(|(nth, token)| (row(token), share(nth))));
    }
    if is_last {
        rows.push((row(aligned.times.len().saturating_sub(1)), 0));
    }
    let ends = parted(&rows, frames.len())?;
    let mut tokens = 0;
    let end = |word: &Tokens| {
        tokens += word.range.len();
        let end = tokens.checked_sub(1).and_then(|last| ends.get(last));
        end.map(|end| (frames.start + end) as f64)
    };
    words.iter().map(end).collect()
}

/// Where each row ends, so that the rows in sequence hold the most of this many frames. Each row gets at
/// least the frames it needs. `None` if they do not fit.
fn parted(rows: &[(&[f32], usize)], frames: usize) -> Option<Vec<usize>> {
    let mut most = vec![f32::NEG_INFINITY; frames + 1];
    *most.first_mut()? = 0.0;
    let mut starts: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    for (row, need) in rows {
        let (with, start) = with_row(&most, row, *need);
        most = with;
        starts.push(start);
    }
    most.last().filter(|sum| sum.is_finite())?;
    let (mut end, mut ends) = (frames, Vec::with_capacity(rows.len()));
    for start in starts.iter().rev() {
        ends.push(end);
        end = *start.get(end)?;
    }
    ends.reverse();
    Some(ends)
}

/// The most that is held up to each frame when one more row ends there, and where that row then starts.
fn with_row(most: &[f32], row: &[f32], need: usize) -> (Vec<f32>, Vec<usize>) {
    let value = |frame: usize| row.get(frame).copied().unwrap_or(0.0);
    let mut sums = vec![0.0f32];
    for frame in 0..most.len() {
        sums.push(sums.last().copied().unwrap_or(0.0) + value(frame));
    }
    let none = need.min(most.len());
    let (mut with, mut starts) = (vec![f32::NEG_INFINITY; none], vec![0; none]);
    let (mut best, mut start) = (f32::NEG_INFINITY, 0);
    let ends = sums.iter().take(most.len()).skip(need);
    for (at, ((ahead, sum), to_end)) in most.iter().zip(&sums).zip(ends).enumerate() {
        if ahead - sum > best {
            (best, start) = (ahead - sum, at);
        }
        with.push(best + to_end);
        starts.push(start);
    }
    (with, starts)
}

/// Where each ends that gets a part of `room` by its need: there is too little for all.
fn in_proportion(needs: &[usize], room: &Range<f64>) -> Vec<f64> {
    let all = needs.iter().sum::<usize>().max(1) as f64;
    let mut sum = 0;
    let end = |need: &usize| {
        sum += need;
        (room.start + (room.end - room.start) * sum as f64 / all).min(room.end)
    };
    needs.iter().map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::super::align::word_spans;
    use super::*;
    use proptest::prelude::*;

    fn words(texts: &[&str]) -> Vec<Tokens> {
        let word = |(n, text): (usize, &&str)| Tokens { text: (*text).into(), range: n..n + 1 };
        texts.iter().enumerate().map(word).collect()
    }

    /// Tokens, and the end, that are heard in these frames.
    fn heard(frames: usize, times: &[usize], at: &[Range<usize>]) -> Aligned {
        let row = |at: &Range<usize>| -> Vec<f32> {
            (0..frames).map(|frame| if at.contains(&frame) { 1.0 } else { -0.2 }).collect()
        };
        Aligned { times: times.to_vec(), frames, rows: at.iter().flat_map(row).collect() }
    }

    #[test]
    fn a_word_that_the_path_passes_by_takes_the_time_in_which_it_is_heard() {
        let words = words(&[" number,", " starting", " with"]);
        let aligned = heard(80, &[0, 53, 53, 66], &[0..30, 30..53, 53..66, 66..80]);
        let mut spans = word_spans(&words, &aligned.times);
        share(&words, &mut spans, &aligned);
        assert_eq!(spans, [0.0..30.0, 30.0..53.0, 53.0..66.0]);
    }

    #[test]
    fn a_word_that_is_heard_nowhere_takes_what_it_needs_at_least() {
        let words = words(&[" monkeys.", " He", " was"]);
        let aligned = heard(60, &[0, 40, 41, 55], &[0..40, 0..0, 40..55, 55..60]);
        let mut spans = word_spans(&words, &aligned.times);
        share(&words, &mut spans, &aligned);
        assert!((4.0..=5.0).contains(&(spans[1].end - spans[1].start)), "{spans:?}");
        assert!((36.0..=40.0).contains(&spans[1].start), "{spans:?}");
        assert_eq!((spans[0].end, spans[1].end), (spans[1].start, spans[2].start));
    }

    #[test]
    fn the_last_word_takes_of_the_silence_behind_it() {
        let words = words(&[" at", " noon."]);
        let aligned = heard(60, &[0, 20, 20], &[0..20, 20..34, 34..60]);
        let mut spans = word_spans(&words, &aligned.times);
        share(&words, &mut spans, &aligned);
        assert_eq!(spans, [0.0..20.0, 20.0..34.0]);
    }

    #[test]
    fn where_there_is_too_little_time_all_share_it() {
        let words = words(&[" one", " two", " three", " four"]);
        let aligned = heard(6, &[0, 3, 3, 3, 5], &[0..3, 3..3, 3..3, 3..5, 5..6]);
        let mut spans = word_spans(&words, &aligned.times);
        share(&words, &mut spans, &aligned);
        assert!(spans.iter().all(|span| span.start < span.end), "{spans:?}");
        assert!(spans.windows(2).all(|two| two[0].end <= two[1].start), "{spans:?}");
    }

    proptest! {
        #[test]
        fn every_word_gets_time_in_its_order_and_those_apart_stay(
            steps in prop::collection::vec(0usize..12, 1..10),
            values in prop::collection::vec(-2f32..2.0, 1400),
        ) {
            let texts = ["a", "word", "—", "considerable"].into_iter().cycle().take(steps.len());
            let words = words(&texts.collect::<Vec<_>>());
            let mut times = vec![0];
            for step in &steps {
                times.push(times[times.len() - 1] + step);
            }
            let frames = times[times.len() - 1] + 10;
            let rows = values.into_iter().cycle().take(frames * times.len()).collect();
            let aligned = Aligned { times, frames, rows };
            let before = word_spans(&words, &aligned.times);
            let mut spans = before.clone();
            share(&words, &mut spans, &aligned);
            prop_assert!(spans.iter().all(|span| 0.0 <= span.start && span.start < span.end));
            prop_assert!(spans.windows(2).all(|two| two[0].end <= two[1].start), "{:?}", spans);
            prop_assert!(spans.iter().all(|span| span.end <= frames as f64));
            for at in 0..before.len() {
                let near = at.saturating_sub(1)..(at + 2).min(before.len());
                if !before[near].iter().any(is_passed_by) {
                    prop_assert_eq!(&spans[at], &before[at]);
                }
            }
        }
    }
}
