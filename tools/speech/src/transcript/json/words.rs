//! Words in JSON: in their segments, outside them or alone; some have no times.

use super::super::error::TranscriptError;
use super::super::markup::plain;
use super::super::phrases::TimedWord;
use super::file::{Part, Piece};
use super::{Format, Micros};
use std::ops::Range;

/// So much a word may reach out of its segment or into the word before: aligners and rounding.
const OUTSIDE: u64 = 100_000;
/// If a word is moved by more than this, a note says so.
const BENT: u64 = 50_000;
/// A pause that ends a phrase where there are only words.
const PAUSE: u64 = 500_000;
/// The most words of such a phrase.
const MOST: usize = 100;

/// Moves each word outside the segments to the segment in which it begins, if that has no words of its own.
pub(super) fn beside(mut parts: Vec<Part>, words: Vec<Piece>) -> Vec<Part> {
    // A segment without a start takes the previous one's. If they are out of order, the latest counts.
    let latest = |latest: &mut Micros, part: &Part| {
        *latest = part.start.unwrap_or_default().max(*latest);
        Some(*latest)
    };
    let starts: Vec<Micros> = parts.iter().scan(Micros::default(), latest).collect();
    let own: Vec<bool> = parts.iter().map(|part| !part.words.is_empty()).collect();
    let mut owner = 0;
    for word in words {
        // A word without a time goes with the one before.
        if let Some(at) = word.start {
            let at = Micros(at.0.saturating_add(1));
            owner = starts.partition_point(|start| *start < at).saturating_sub(1);
        }
        if own.get(owner) == Some(&false)
            && let Some(part) = parts.get_mut(owner)
        {
            part.words.push(word);
        }
    }
    for part in parts.iter_mut().zip(own).filter_map(|(part, own)| (!own).then_some(part)) {
        dress(part);
    }
    parts
}

/// Such words have no punctuation; the text of the segment has it.
fn dress(part: &mut Part) {
    let texts: Vec<&str> = part.text.split_whitespace().collect();
    let words = part.words.iter_mut();
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    for (word, text) in words.zip(texts) {
        if letters(&word.word) == letters(text) {
            text.clone_into(&mut word.word);
        }
    }
}

/// Makes segments of words alone. A segment ends at the end of a sentence or at a pause.
pub(super) fn alone(words: Vec<Piece>) -> Result<Vec<Part>, TranscriptError> {
    let first = words.iter().find_map(|word| word.start).unwrap_or_default();
    let last = words.iter().filter_map(|word| word.end).max().unwrap_or_default();
    let Some(mut words) = timed(words, first..last) else {
        let problem = "its words have no times";
        return Err(TranscriptError::at(1, problem, "write them with `start` and `end`"));
    };
    words.sort_by_key(|word| word.start);
    let mut parts: Vec<Part> = Vec::new();
    for word in words {
        let goes_on = parts.last().is_some_and(|part| goes_on(part, &word));
        let (start, end) = (Some(word.start), Some(word.end));
        let piece = Piece { word: word.text, start, end, probability: word.confidence };
        match parts.last_mut().filter(|_| goes_on) {
            Some(part) => {
                part.end = part.end.max(end);
                part.words.push(piece);
            }
            None => {
                if let Some(before) = parts.last_mut() {
                    before.end = before.end.min(start);
                }
                parts.push(Part { start, end, words: vec![piece], ..Part::default() });
            }
        }
    }
    Ok(parts)
}

/// Whether a word belongs to the phrase before it.
fn goes_on(part: &Part, word: &TimedWord) -> bool {
    let (words, end) = (&part.words, part.end.unwrap_or_default());
    let ends = words.last().is_some_and(|last| last.word.ends_with(['.', '?', '!', '\u{2026}']));
    let pause = word.start.0.saturating_sub(end.0);
    let has_length = part.start.unwrap_or_default() < end.min(word.start);
    !has_length || (!ends && pause <= PAUSE && words.len() < MOST)
}

/// Words with their times. Words without times share the gap between their neighbors evenly. `None` if none
/// has a time.
pub(super) fn timed(pieces: Vec<Piece>, within: Range<Micros>) -> Option<Vec<TimedWord>> {
    let given = |piece: &Piece| {
        let range = piece.start?..piece.end?;
        (range.start <= range.end).then_some(range)
    };
    // Of each word when the next with a time begins, and how many there are until then.
    let (mut next, mut run) = (within.end, 0u64);
    let mut gaps: Vec<(Micros, u64)> = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().rev() {
        (next, run) = given(piece).map_or((next, run + 1), |range| (range.start, 0));
        gaps.push((next, run));
    }
    if !pieces.iter().any(|piece| given(piece).is_some()) {
        return None;
    }
    let mut words: Vec<TimedWord> = Vec::with_capacity(pieces.len());
    for (piece, (next, run)) in pieces.into_iter().zip(gaps.into_iter().rev()) {
        let range = given(&piece).unwrap_or_else(|| {
            let from = words.last().map_or(within.start, |word| word.end).min(next);
            from..Micros(from.0 + next.0.saturating_sub(from.0) / run.max(1))
        });
        let confidence = piece.probability.filter(|share| (0.0..=1.0).contains(share));
        let (_, text) = plain(&piece.word, Format::Json);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            words.push(TimedWord { text, start: range.start, end: range.end, confidence });
        }
    }
    Some(words)
}

/// How the words of a segment fit into it.
#[derive(Default)]
pub(super) struct Fit {
    /// How many began well before the end of the one before.
    pub(super) bent: usize,
    /// Whether their times are not used.
    pub(super) is_spread: bool,
}

/// Fits words into their segment and into order, with small moves where needed. Also counts the words that
/// began well before the previous word. `None` if a word is too far off.
pub(super) fn fitted(
    words: Vec<TimedWord>,
    within: Range<Micros>,
) -> Option<(Vec<TimedWord>, usize)> {
    let (mut before, mut bent) = (within.start, 0);
    let mut fitted = Vec::with_capacity(words.len());
    for word in words {
        let is_near = word.start.0.saturating_add(OUTSIDE) >= before.0
            && word.start <= word.end
            && word.end.0 <= within.end.0.saturating_add(OUTSIDE);
        if !is_near {
            return None;
        }
        let is_bent = !fitted.is_empty() && word.start.0.saturating_add(BENT) < before.0;
        bent += usize::from(is_bent);
        let start = word.start.max(before).min(within.end);
        let end = word.end.max(start).min(within.end);
        before = start;
        fitted.push(TimedWord { start, end, ..word });
    }
    Some((fitted, bent))
}
