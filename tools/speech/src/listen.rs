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
mod error;
mod holes;
mod pass;
mod phrase;
mod phrase_layout;
mod repetitions;
mod rules;
mod skipped_words;
mod split;
mod stop;
mod stretches;
mod window;
mod wording;
mod words;

pub use audio::Audio;
pub(crate) use audio::Found;
pub use checkpoints::Kept;
pub use error::ListenError;
pub use phrase::{HeardWord, News, Phrase, Reason};
pub(crate) use split::{SHORTEST, joined, split};
pub(crate) use stretches::extend;
pub(crate) use wording::EXAMPLE;
pub use wording::Wording;

use crate::voice::Voice;
use deskhand_inference::Whisper;
use pass::Pass;
use std::ops::Range;
use window::WINDOW;

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
