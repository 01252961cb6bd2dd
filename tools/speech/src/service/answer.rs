//! Reads what a service answered: `verbose_json` with segments, and words in them or beside them.

use super::ServiceError;
use crate::listen::{HeardWord, Phrase};
use crate::mel::RATE;
use serde::Deserialize;
use std::ops::Range;

/// Words of a request at most: two minutes of very fast speech.
const MOST_WORDS: usize = 2_000;
/// The longest word, in characters, as a session takes it.
const LONGEST: usize = 200;
/// How far behind the end of the sound a time may be, in seconds: services round up.
const BEHIND: f64 = 1.0;

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    segments: Vec<Part>,
    #[serde(default)]
    words: Vec<Piece>,
}

#[derive(Deserialize)]
struct Part {
    start: f64,
    end: f64,
    #[serde(default)]
    text: String,
    #[serde(default)]
    avg_logprob: Option<f64>,
    #[serde(default)]
    no_speech_prob: Option<f64>,
    #[serde(default)]
    words: Vec<Piece>,
}

#[derive(Clone, Deserialize)]
struct Piece {
    word: String,
    start: f64,
    end: f64,
    #[serde(default)]
    probability: Option<f64>,
}

/// The phrases of an answer to `length` samples of sound, in samples from its start.
pub(super) fn read(bytes: &[u8], host: &str, length: usize) -> Result<Vec<Phrase>, ServiceError> {
    let wrong = |problem: String| ServiceError::Answer { host: host.into(), problem };
    let answer: Answer = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
    let inside = answer.segments.iter().map(|part| part.words.len()).sum::<usize>();
    if answer.words.len().max(inside).max(answer.segments.len()) > MOST_WORDS {
        return Err(wrong(format!("it has more than {MOST_WORDS} words in two minutes")));
    }
    let language = answer.language.filter(|name| name.chars().count() <= 20).unwrap_or_default();
    let mut phrases = Vec::new();
    for (range, words, part) in parts(answer.segments, &answer.words, length).map_err(&wrong)? {
        let words = if words.is_empty() { spread(&part.text, &range) } else { words };
        if words.is_empty() {
            continue;
        }
        let number = |value: Option<f64>| value.filter(|value| value.is_finite()).unwrap_or(0.0);
        phrases.push(Phrase {
            range,
            words,
            language: language.clone(),
            likelihood: number(part.avg_logprob).min(0.0),
            silence: number(part.no_speech_prob).clamp(0.0, 1.0),
        });
    }
    if phrases.iter().map(|phrase| phrase.words.len()).sum::<usize>() > MOST_WORDS {
        return Err(wrong(format!("it has more than {MOST_WORDS} words in two minutes")));
    }
    Ok(phrases)
}

type Timed = (Range<usize>, Vec<HeardWord>, Part);

/// Segments with their words; words beside the segments go to the segment that they begin in.
fn parts(segments: Vec<Part>, beside: &[Piece], length: usize) -> Result<Vec<Timed>, String> {
    let beside = words(beside, length)?;
    let segments = match segments.is_empty() {
        false => segments,
        // An answer of words alone is one phrase.
        true => beside.iter().map(|word| word.range.end).max().into_iter().map(whole).collect(),
    };
    let mut timed: Vec<Timed> = Vec::new();
    for part in segments {
        let range = time(part.start, part.end, length)?;
        if timed.last().is_some_and(|(last, _, _)| range.start < last.start) {
            return Err("its segments are not in order".into());
        }
        timed.push((range, words(&part.words, length)?, part));
    }
    for word in beside {
        let owner = timed.iter().rposition(|(range, _, _)| range.start <= word.range.start);
        if let Some((_, words, part)) = timed.get_mut(owner.unwrap_or(0))
            && part.words.is_empty()
        {
            words.push(word);
        }
    }
    Ok(timed)
}

fn whole(end: usize) -> Part {
    let end = end as f64 / f64::from(RATE);
    let (avg_logprob, no_speech_prob) = (None, None);
    Part { start: 0.0, end, text: String::new(), avg_logprob, no_speech_prob, words: Vec::new() }
}

/// Words with times that can be true, in order.
fn words(pieces: &[Piece], length: usize) -> Result<Vec<HeardWord>, String> {
    let mut words: Vec<HeardWord> = Vec::new();
    for piece in pieces {
        let range = time(piece.start, piece.end, length)?;
        if words.last().is_some_and(|last| range.start < last.range.start) {
            return Err("its words are not in order".into());
        }
        let text = piece.word.trim();
        if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
            return Err("one of its words is longer than 200 characters, or no text".into());
        }
        let confidence = piece.probability.filter(|share| (0.0..=1.0).contains(share));
        if !text.is_empty() {
            words.push(HeardWord { text: text.into(), range, confidence });
        }
    }
    Ok(words)
}

/// Seconds as samples of the sound.
fn time(start: f64, end: f64, length: usize) -> Result<Range<usize>, String> {
    let last = length as f64 / f64::from(RATE) + BEHIND;
    let fits = start >= 0.0 && start <= end && end <= last;
    if !fits {
        return Err(format!(
            "{start:e} to {end:e} s is no time of {:.1} s of sound",
            last - BEHIND
        ));
    }
    let sample = |seconds: f64| ((seconds * f64::from(RATE)).round() as usize).min(length);
    Ok(sample(start)..sample(end))
}

/// Words without times, over a phrase by their lengths.
fn spread(text: &str, range: &Range<usize>) -> Vec<HeardWord> {
    let clean =
        |word: &str| -> String { word.chars().filter(|c| !c.is_control()).take(LONGEST).collect() };
    let words: Vec<String> = text.split_whitespace().map(clean).filter(|w| !w.is_empty()).collect();
    let weight = |word: &String| word.chars().count() + 1;
    let all: usize = words.iter().map(weight).sum::<usize>().max(1);
    let mut before = 0;
    let timed = words.iter().map(|word| {
        let start = range.start + range.len() * before / all;
        before += weight(word);
        let end = range.start + range.len() * before / all;
        HeardWord { text: word.clone(), range: start..end, confidence: None }
    });
    timed.collect()
}
