//! Words of JSON: in their segments, beside them or alone; some without times.

use super::{Micros, Part, Piece, Place, TimedWord, TranscriptError};
use std::ops::Range;

/// So much a word may reach out of its segment or into the word before: aligners and rounding.
const OUTSIDE: u64 = 100_000;
/// A word that is moved by more is told of.
const BENT: u64 = 50_000;
/// A pause that ends a phrase where there are only words.
const PAUSE: u64 = 500_000;
/// The most words of such a phrase.
const MOST: usize = 100;

/// Words that stand beside the segments go to the one that they begin in, if it has none of its own.
pub(super) fn beside(mut parts: Vec<Part>, words: Vec<Piece>) -> Vec<Part> {
    let starts: Vec<Micros> = parts.iter().map(|part| part.start).collect();
    let own: Vec<bool> = parts
        .iter()
        .map(|part| part.words.as_ref().is_some_and(|words| !words.is_empty()))
        .collect();
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
            part.words.get_or_insert_default().push(word);
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
    let words = part.words.iter_mut().flatten();
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    for (word, text) in words.zip(texts) {
        if letters(&word.word) == letters(text) {
            text.clone_into(&mut word.word);
        }
    }
}

/// Words alone as segments: none goes on behind the end of a sentence or a pause.
pub(super) fn alone(words: Vec<Piece>) -> Result<Vec<Part>, TranscriptError> {
    let first = words.iter().find_map(|word| word.start).unwrap_or_default();
    let last = words.iter().filter_map(|word| word.end).max().unwrap_or_default();
    let Some(words) = timed(words, first..last) else {
        let problem = "its words have no times";
        return Err(TranscriptError::at(1, problem, "write them with `start` and `end`"));
    };
    let mut parts: Vec<Part> = Vec::new();
    for word in words {
        let goes_on = parts.last().is_some_and(|part| goes_on(part, &word));
        let piece = Piece {
            word: word.text,
            start: Some(word.start),
            end: Some(word.end),
            probability: word.confidence,
        };
        match parts.last_mut().filter(|_| goes_on) {
            Some(part) => {
                part.end = part.end.max(word.end);
                part.words.get_or_insert_default().push(piece);
            }
            None => {
                if let Some(before) = parts.last_mut() {
                    before.end = before.end.min(word.start);
                }
                let (start, end, words) = (word.start, word.end, Some(vec![piece]));
                parts.push(Part { start, end, text: String::new(), speaker: None, words });
            }
        }
    }
    Ok(parts)
}

/// Whether a word is of the phrase before it.
fn goes_on(part: &Part, word: &TimedWord) -> bool {
    let words = part.words.as_deref().unwrap_or_default();
    let ends = words.last().is_some_and(|last| last.word.ends_with(['.', '?', '!', '\u{2026}']));
    let pause = word.start.0.saturating_sub(part.end.0);
    let has_length = part.start < part.end.min(word.start);
    !has_length || (!ends && pause <= PAUSE && words.len() < MOST)
}

/// Words with their times; those without get what is between their neighbors, in even parts. `None` where none has any.
pub(super) fn timed(pieces: Vec<Piece>, within: Range<Micros>) -> Option<Vec<TimedWord>> {
    let pieces: Vec<Piece> =
        pieces.into_iter().filter(|piece| !piece.word.trim().is_empty()).collect();
    let given: Vec<Option<Range<Micros>>> =
        pieces.iter().map(|piece| Some(piece.start?..piece.end?)).collect();
    if given.iter().all(Option::is_none) {
        return None;
    }
    let mut words: Vec<TimedWord> = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.into_iter().enumerate() {
        let range = match given.get(at).cloned().flatten() {
            Some(range) => range,
            None => {
                let behind = given.get(at..).unwrap_or_default();
                let next = behind.iter().flatten().next().map_or(within.end, |next| next.start);
                let run = behind.iter().take_while(|range| range.is_none()).count() as u64;
                let from = words.last().map_or(within.start, |word| word.end).min(next);
                from..Micros(from.0 + (next.0 - from.0) / run.max(1))
            }
        };
        let confidence = piece.probability.filter(|share| (0.0..=1.0).contains(share));
        let text = piece.word.trim().to_owned();
        words.push(TimedWord { text, start: range.start, end: range.end, confidence });
    }
    Some(words)
}

/// Words inside their segment and behind one another, moved by a little where they are not; and how many began well ahead
/// of the word before.
///
/// # Errors
/// A word that is farther off.
pub(super) fn fitted(
    place: Place,
    words: Vec<TimedWord>,
    within: Range<Micros>,
) -> Result<(Vec<TimedWord>, usize), TranscriptError> {
    let (mut before, mut bent) = (within.start, 0);
    let mut fitted = Vec::with_capacity(words.len());
    for word in words {
        let is_near = word.start.0.saturating_add(OUTSIDE) >= before.0
            && word.start <= word.end
            && word.end.0 <= within.end.0.saturating_add(OUTSIDE);
        if !is_near {
            let problem = format!(
                "the word at {} to {} does not fit into its segment ({} to {}) behind the word before",
                word.start, word.end, within.start, within.end
            );
            return Err(TranscriptError::at(place, problem, "correct the times"));
        }
        let is_bent = !fitted.is_empty() && word.start.0.saturating_add(BENT) < before.0;
        bent += usize::from(is_bent);
        let start = word.start.max(before).min(within.end);
        let end = word.end.max(start).min(within.end);
        before = start;
        fitted.push(TimedWord { start, end, ..word });
    }
    Ok((fitted, bent))
}
