//! Transcribes speech: in stretches of 30 s, phrase by phrase.
//!
//! Audio is read as needed. Memory holds one window and the network's state for it, however long the
//! recording is.

mod align;
pub(crate) mod already_transcribed;
mod audio;
mod checkpoints;
mod cut;
mod decode;
mod holes;
mod pass;
mod phrase_layout;
mod repetitions;
mod rules;
mod skipped_words;
mod split;
mod stop;
mod stretches;
mod wording;
mod words;

pub use audio::Audio;
pub(crate) use audio::Found;
pub use checkpoints::Kept;
pub(crate) use split::{SHORTEST, joined, split};
pub(crate) use stretches::extend;
pub(crate) use wording::EXAMPLE;
pub use wording::Wording;

use crate::mel::{HOP, RATE};
use crate::voice::Voice;
use deskhand_dsp::ReadError;
use deskhand_inference::{MEL_FRAMES, RunError, Whisper};
use pass::Pass;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Samples that the network hears at once.
const WINDOW: usize = MEL_FRAMES * HOP;
/// A rest of a window that is shorter is not heard again, in samples.
const REST: usize = RATE as usize / 2;
/// Units of time of the network, in samples.
const TICK: usize = 2 * HOP;

/// Why listening stopped.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The audio could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The model failed.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("the model knows no language \"{wanted}\"; it knows {known}")]
    Language { wanted: String, known: String },
}

/// A word with its time in samples at 16 kHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeardWord {
    /// As written, with its punctuation.
    pub text: String,
    /// Where it is said.
    pub range: Range<usize>,
    /// How probable it is, 0 to 1, where that is known.
    pub confidence: Option<f64>,
}

/// A phrase with its time in samples at 16 kHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phrase {
    /// Where it is said.
    pub range: Range<usize>,
    pub words: Vec<HeardWord>,
    pub language: String,
    /// The mean logarithm of its tokens' probabilities.
    pub likelihood: f64,
    /// How probable it is that nobody speaks, 0 to 1.
    pub silence: f64,
    /// Whether the times of its words are estimated.
    #[serde(default)]
    pub is_spread: bool,
}

/// What a listener reports while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    Phrase(Phrase),
    /// All before this sample was heard.
    Heard(usize),
    /// The same, but the last part was saved by an earlier run: it was not heard again.
    Known(usize),
    /// From this sample on it is listened to.
    Listens(usize),
    /// A stretch was left out: it was no speech, or only repetition.
    LeftOut(Range<usize>, Reason),
}

/// Why a stretch was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The network says that nobody speaks.
    Silence,
    /// The network said the same again and again.
    Repetition,
}

pub struct Listener<'a> {
    pub whisper: &'a Whisper,
    /// Tells where someone speaks.
    pub voice: Voice,
    /// The language that is spoken; else it is found out.
    pub language: Option<String>,
    /// How closely it is written down.
    pub wording: Wording,
    /// Where parts are kept that are understood, so that a run that died goes on where it was.
    pub kept: Option<Kept>,
}

impl Listener<'_> {
    /// Transcribes `audio`. `told` gets the phrases in order. If it returns an error, transcription stops.
    /// `told` also gets `None` at times, to ask whether to go on.
    ///
    /// # Errors
    /// If the audio cannot be read, the network fails, or `told` returns an error.
    pub fn listen<E: From<ListenError>>(
        mut self,
        audio: &mut Audio<'_>,
        told: &mut dyn FnMut(Option<News>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pass = Pass::new(self.whisper, self.language.take(), self.kept.take())?;
        pass.example = self.wording.example(&self.whisper.vocabulary);
        let (mut window, mut stretches): (Option<Range<usize>>, Vec<Range<usize>>) =
            Default::default();
        let end = audio.range.end;
        told(None)?;
        audio.stretches::<E>(&mut self.voice, &mut |audio, found| match found {
            Found::Stretch(stretch) => {
                // Windows are the same as in a run without known parts, so that its saved parts are found.
                if let Some(full) = extend(&mut window, stretch.clone(), WINDOW) {
                    pass.window(audio, full, &std::mem::take(&mut stretches), told)?;
                }
                stretches.push(stretch);
                Ok(())
            }
            Found::Upto(at) if window.is_none() => told(Some(News::Heard(at))),
            Found::Upto(_) => told(None),
        })?;
        if let Some(full) = window.take() {
            pass.window(audio, full, &stretches, told)?;
        }
        told(Some(News::Heard(end)))
    }
}
