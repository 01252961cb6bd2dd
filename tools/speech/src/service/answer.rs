//! Reads the answer of a service: `verbose_json` with segments, and words inside or next to them, or the
//! text alone.

use super::untimed_words::{LONGEST, spread};
use crate::listen::{HeardWord, Phrase};
use crate::mel::RATE;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::ops::Range;

/// Words of a request at most: two minutes of very fast speech.
const MOST_WORDS: usize = 2_000;
/// How far a time may lie after the end of the audio, in seconds: services round up.
const BEHIND: f64 = 1.0;

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    segments: Option<Vec<Part>>,
    #[serde(default)]
    words: Option<Vec<Piece>>,
    /// What some services say with the status of success.
    #[serde(default)]
    error: Option<IgnoredAny>,
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

/// The phrases of an answer to `length` samples of sound, in samples from its start; `speech` is where somebody talks in
/// it, in order.
///
/// # Errors
/// The problem with the answer, in words that follow "it".
pub(super) fn read(
    bytes: &[u8],
    speech: &[Range<usize>],
    length: usize,
) -> Result<Vec<Phrase>, Wrong> {
    let answer: Answer = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let Answer { language, text, segments, words, error } = answer;
    if error.is_some() || (text.is_none() && segments.is_none() && words.is_none()) {
        return Err(Wrong::Nothing);
    }
    let (segments, words) = (segments.unwrap_or_default(), words.unwrap_or_default());
    let inside = segments.iter().map(|part| part.words.len()).sum::<usize>();
    bounded(words.len().max(inside).max(segments.len()))?;
    let language = language.filter(|name| name.chars().count() <= 20).unwrap_or_default();
    let mut phrases = Vec::new();
    for (range, words, part) in parts(segments, &words, length)? {
        let is_spread = words.is_empty();
        let words = match is_spread {
            true => spread(&part.text, std::slice::from_ref(&range)),
            false => words,
        };
        let number = |value: Option<f64>| value.filter(|value| value.is_finite()).unwrap_or(0.0);
        phrases.push(Phrase {
            range,
            words,
            language: language.clone(),
            likelihood: number(part.avg_logprob).min(0.0),
            silence: number(part.no_speech_prob).clamp(0.0, 1.0),
            is_spread,
        });
    }
    phrases.retain(|phrase| !phrase.words.is_empty());
    if phrases.is_empty() {
        phrases.extend(text.and_then(|text| alone(&text, speech, language)));
    }
    bounded(phrases.iter().map(|phrase| phrase.words.len()).sum())?;
    Ok(phrases)
}

/// Why an answer is no transcript.
pub(super) enum Wrong {
    /// It has an error in it, or no field of a transcript.
    Nothing,
    Problem(String),
}

impl From<String> for Wrong {
    fn from(problem: String) -> Self {
        Self::Problem(problem)
    }
}

fn bounded(words: usize) -> Result<(), String> {
    match words {
        0..=MOST_WORDS => Ok(()),
        _ => Err(format!("it has more than {MOST_WORDS} words in two minutes")),
    }
}

/// Text without any times as one phrase, where somebody talks.
fn alone(text: &str, speech: &[Range<usize>], language: String) -> Option<Phrase> {
    let words = spread(text, speech);
    let range = words.first()?.range.start..words.last()?.range.end;
    Some(Phrase { range, words, language, likelihood: 0.0, silence: 0.0, is_spread: true })
}

type Timed = (Range<usize>, Vec<HeardWord>, Part);

/// Segments with their words. A word outside the segments goes to the segment in which it begins.
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

/// The text of a refusal, short, in one line and without the key.
pub(super) fn said(bytes: &[u8], key: Option<&str>) -> String {
    let text = String::from_utf8_lossy(bytes);
    let message = serde_json::from_str::<serde_json::Value>(&text).ok();
    let message =
        message.and_then(|body| Some(body.pointer("/error/message")?.as_str()?.to_owned()));
    let text = message.unwrap_or_else(|| text.into_owned());
    let text = key.map_or_else(|| text.clone(), |key| text.replace(key, "[key]"));
    let plain: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    if plain.trim().is_empty() { String::new() } else { format!(": {}", plain.trim()) }
}
