//! A transcription service of OpenAI's kind, at the address that a person configured: sound goes there, words
//! come back.
//!
//! The answer comes from elsewhere: its size, its form and every time in it are checked.

#![cfg_attr(
    not(feature = "network"),
    allow(dead_code, reason = "what is sent and with which key waits for a network")
)]

mod answer;
mod config;
#[cfg(feature = "network")]
mod send;
#[cfg(not(feature = "network"))]
#[path = "service/without_network.rs"]
mod send;
#[cfg(test)]
mod tests;
mod untimed_words;

pub(crate) use config::Service;

use crate::listen::{
    Audio, Found, HeardWord, Kept, ListenError, News, Phrase, already_transcribed, extend, joined,
    split,
};
use crate::mel::RATE;
use crate::voice::Voice;
use answer::Wrong;
use std::ops::Range;

/// What the model of the service is called in calls.
pub(crate) const MODEL: &str = "service";
/// Sound of one request, in samples, at most: two minutes.
const PART: usize = 120 * RATE as usize;

/// Why a service gave no words.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    #[error("{0}")]
    Config(String),
    #[error("{host}: {cause}")]
    Failed { host: String, cause: String },
    #[error("{host} answered what is no transcript: {problem}; nothing of it was used")]
    Answer { host: String, problem: String },
    #[error("it was stopped")]
    Stopped,
}

/// A request to a service.
pub(crate) struct Order<'a> {
    pub(crate) service: &'a Service,
    pub(crate) language: Option<&'a str>,
    /// Example text that the service takes as the text before the audio.
    pub(crate) example: Option<&'a str>,
    /// Where answers are kept, so that nothing is asked twice.
    pub(crate) kept: Option<Kept>,
    /// Whether kept answers are asked for again.
    pub(crate) again: bool,
}

/// Sends `audio` to a service, stretch by stretch. `told` works as in [`crate::listen::Listener::listen`].
pub(crate) fn listen<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    voice: &mut Voice,
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<(), E> {
    let (end, mut window, mut speech) = (audio.range.end, None, Vec::new());
    audio.stretches::<E>(voice, &mut |audio, found| {
        told(None)?;
        let Found::Stretch(stretch) = found else { return Ok(()) };
        if let Some(full) = extend(&mut window, stretch.clone(), PART) {
            send(order, audio, full, &std::mem::take(&mut speech), told)?;
        }
        speech.push(stretch);
        Ok(())
    })?;
    if let Some(full) = window {
        send(order, audio, full, &speech, told)?;
    }
    told(Some(News::Heard(end)))
}

/// One window with the stretches of speech in it, in requests that are not too long.
fn send<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    window: Range<usize>,
    speech: &[Range<usize>],
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<(), E> {
    let parts = window.len().div_ceil(PART).max(1);
    let at = |index: usize| window.start + window.len() * index / parts;
    for part in (0..parts).map(|index| at(index)..at(index + 1)) {
        let kept = order.kept(&part);
        let is_kept = kept.is_some();
        if !is_kept && already_transcribed::meets(&audio.known, &part) {
            between(order, audio, &part, speech, told)?;
        } else {
            say(order, audio, (&part, kept), speech, told)?;
        }
        told(Some(if is_kept { News::Known(part.end) } else { News::Heard(part.end) }))?;
    }
    Ok(())
}

impl Order<'_> {
    /// The saved answer for a part. A part without words is sent again: the service may have been at fault.
    fn kept(&self, part: &Range<usize>) -> Option<Vec<Phrase>> {
        let kept = self.kept.as_ref().filter(|_| !self.again)?;
        kept.phrases(part).filter(|phrases| !phrases.is_empty())
    }
}

/// Asks the service for what is still unknown in a part that has no saved answer.
fn between<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    part: &Range<usize>,
    speech: &[Range<usize>],
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<(), E> {
    let mut at = part.start;
    for gap in already_transcribed::between(&audio.known, speech, part) {
        if already_transcribed::meets(&audio.known, &(at..gap.start)) {
            told(Some(News::Known(gap.start)))?;
        }
        at = gap.end;
        let kept = order.kept(&gap);
        say(order, audio, (&gap, kept), speech, told)?;
    }
    match already_transcribed::meets(&audio.known, &(at..part.end)) {
        true => told(Some(News::Known(part.end))),
        false => Ok(()),
    }
}

/// Tells what a service says of a part, or what it said before.
fn say<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    (part, kept): (&Range<usize>, Option<Vec<Phrase>>),
    speech: &[Range<usize>],
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<(), E> {
    let phrases = match kept {
        Some(phrases) => phrases,
        None => {
            told(Some(News::Listens(part.start)))?;
            let phrases = ask(order, audio, part, speech, told)?;
            if let Some(kept) = order.kept.as_ref().filter(|_| !phrases.is_empty()) {
                kept.keep_phrases(part, &phrases);
            }
            phrases
        }
    };
    for phrase in phrases {
        if let Some(phrase) = already_transcribed::rest(&audio.known, phrase) {
            told(Some(News::Phrase(phrase)))?;
        }
    }
    Ok(())
}

/// The service's answer for a part.
fn ask<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    part: &Range<usize>,
    speech: &[Range<usize>],
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<Vec<Phrase>, E> {
    let sound = audio.mono(part.clone()).map_err(ListenError::from)?;
    let mut stopped = None;
    let mut go_on = || match told(None) {
        Ok(()) => true,
        Err(error) => {
            stopped = Some(error);
            false
        }
    };
    let answer = send::send(order, &sound, &mut go_on);
    if let Some(error) = stopped {
        return Err(error);
    }
    let said = read(order.service, &answer?, &within(speech, part), part.len())?;
    Ok(joined(said.into_iter().flat_map(|phrase| split(moved(phrase, part.start))).collect()))
}

/// The phrases of an answer.
fn read(
    service: &Service,
    answer: &[u8],
    speech: &[Range<usize>],
    length: usize,
) -> Result<Vec<Phrase>, ServiceError> {
    answer::read(answer, speech, length).map_err(|wrong| {
        let problem = match wrong {
            Wrong::Problem(problem) => problem,
            Wrong::Nothing => {
                let said = answer::said(answer, service.key.as_deref());
                format!("it has no text and no segments{said}")
            }
        };
        ServiceError::Answer { host: service.host().into(), problem }
    })
}

/// Where somebody talks in a part, in samples from its start.
fn within(speech: &[Range<usize>], part: &Range<usize>) -> Vec<Range<usize>> {
    let inside = |one: &Range<usize>| one.start.max(part.start)..one.end.min(part.end);
    let inside = speech.iter().map(inside).filter(|one| one.start < one.end);
    inside.map(|one| one.start - part.start..one.end - part.start).collect()
}

/// A phrase of a part as one of the recording.
fn moved(mut phrase: Phrase, by: usize) -> Phrase {
    let moved = |range: &Range<usize>| range.start + by..range.end + by;
    phrase.range = moved(&phrase.range);
    phrase.words.iter_mut().for_each(|word: &mut HeardWord| word.range = moved(&word.range));
    phrase
}
