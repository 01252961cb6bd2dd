//! A transcription service of OpenAI's kind, at the address that a person configured: sound goes there, words
//! come back.
//!
//! What comes back is a stranger's: its size, its form and every time in it are checked.

mod answer;
mod config;
mod send;
#[cfg(test)]
mod tests;

pub(crate) use config::Service;

use crate::listen::{Audio, Found, HeardWord, Kept, ListenError, News, Phrase, split};
use crate::mel::RATE;
use crate::voice::Voice;
use std::ops::Range;

/// What the model of the service is called in calls.
pub(crate) const MODEL: &str = "service";
/// Sound of one request, in samples, at most: two minutes.
const PART: usize = 120 * RATE as usize;

/// Why a service gave no words.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    /// None is configured, or not well.
    #[error("{0}")]
    Config(String),
    /// It cannot be reached, or refuses.
    #[error("{host}: {cause}")]
    Failed {
        /// Where.
        host: String,
        /// What happened, and the way out.
        cause: String,
    },
    /// What it answered is no transcript.
    #[error("{host} answered what is no transcript: {problem}; nothing of it was used")]
    Answer {
        /// Where.
        host: String,
        /// What is wrong.
        problem: String,
    },
    /// The person stopped it.
    #[error("it was stopped")]
    Stopped,
}

/// What is asked of a service.
pub(crate) struct Order<'a> {
    pub(crate) service: &'a Service,
    pub(crate) language: Option<&'a str>,
    /// What it is told as if it were written already.
    pub(crate) example: Option<&'a str>,
    /// Where answers are kept, so that nothing is asked twice.
    pub(crate) kept: Option<Kept>,
}

/// Has a service listen to `audio`, stretch by stretch; `told` as [`crate::listen::Listener::listen`] has it.
pub(crate) fn listen<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    voice: &mut Voice,
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<(), E> {
    let known = std::mem::take(&mut audio.known);
    let (end, mut window) = (audio.range.end, None);
    audio.stretches::<E>(voice, &mut |audio, found| {
        told(None)?;
        let Found::Stretch(stretch) = found else { return Ok(()) };
        for part in crate::listen::without(stretch, &known) {
            if let Some(full) = crate::listen::extend(&mut window, part, PART) {
                send(order, audio, full, told)?;
            }
        }
        Ok(())
    })?;
    if let Some(full) = window {
        send(order, audio, full, told)?;
    }
    told(Some(News::Heard(end)))
}

/// One window, in requests that are not too long.
fn send<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    window: Range<usize>,
    told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
) -> Result<(), E> {
    let parts = window.len().div_ceil(PART).max(1);
    let at = |index: usize| window.start + window.len() * index / parts;
    for part in (0..parts).map(|index| at(index)..at(index + 1)) {
        let known = order.kept.as_ref().and_then(|kept| kept.phrases(&part));
        let phrases = match known {
            Some(phrases) => phrases,
            None => {
                let phrases = ask(order, audio, &part, told)?;
                if let Some(kept) = &order.kept {
                    kept.keep_phrases(&part, &phrases);
                }
                phrases
            }
        };
        for phrase in phrases {
            told(Some(News::Phrase(phrase)))?;
        }
        told(Some(News::Heard(part.end)))?;
    }
    Ok(())
}

/// What a service says of a part.
fn ask<E: From<ListenError> + From<ServiceError>>(
    order: &Order<'_>,
    audio: &mut Audio<'_>,
    part: &Range<usize>,
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
    let said = answer::read(&answer?, order.service.host(), part.len())?;
    Ok(said.into_iter().flat_map(|phrase| split(moved(phrase, part.start))).collect())
}

/// A phrase of a part as one of the recording.
fn moved(mut phrase: Phrase, by: usize) -> Phrase {
    let moved = |range: &Range<usize>| range.start + by..range.end + by;
    phrase.range = moved(&phrase.range);
    phrase.words.iter_mut().for_each(|word: &mut HeardWord| word.range = moved(&word.range));
    phrase
}
