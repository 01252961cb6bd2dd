//! Whisper, a network that writes down speech: its weights, tokens and the two graphs that run.
//!
//! The parts around the network (spectrogram, search for words, times) are elsewhere.

mod add;
mod attention;
#[cfg(feature = "runtime")]
mod decoder;
mod dims;
#[cfg(feature = "runtime")]
mod encoder;
mod error;
#[cfg(feature = "runtime")]
mod layers;
#[cfg(feature = "runtime")]
mod linear;
mod parts;
mod shelf;
mod vocabulary;

pub(crate) use add::add;
pub use attention::{Attention, Heard, Said};
pub use dims::{Dims, MEL_FRAMES};
pub use error::WhisperError;
pub use parts::Parts;
pub use shelf::LoadWhisperError;
pub use vocabulary::Vocabulary;

use crate::ctranslate2::Weights;
#[cfg(not(feature = "runtime"))]
use crate::local::{Decoder, Encoder};
use crate::local::{ThreadPool, pool};
use crate::network::RunError;
use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "runtime")]
use {decoder::Decoder, encoder::Encoder};

/// A model that runs.
pub struct Whisper {
    pub dims: Dims,
    pub vocabulary: Vocabulary,
    /// Tokens that are never written: symbols for sounds, commands.
    pub suppressed: Vec<u32>,
    /// Tokens that nothing begins with.
    pub suppressed_first: Vec<u32>,
    /// Layer and head of each attention that follows the words through time.
    pub alignment: Vec<(usize, usize)>,
    encoder: Encoder,
    decoder: Decoder,
    pool: Arc<ThreadPool>,
}

impl Whisper {
    /// Opens a model: a folder as CTranslate2 has them, or such a folder in an archive.
    ///
    /// # Errors
    /// When a file is missing or wrong, with the way out.
    pub fn open(path: &Path) -> Result<Self, WhisperError> {
        Self::of(Parts::read(path)?)
    }

    /// Makes a model of its parts.
    pub fn of(parts: Parts) -> Result<Self, WhisperError> {
        let weights = Weights::parse(parts.weights)?;
        let dims = Dims::of(&weights)?;
        let vocabulary = Vocabulary::read(&parts.vocabulary, dims.vocabulary)?;
        let config = parts::Config::read(&parts.config, &dims)?;
        let (encoder, decoder) = (Encoder::read(&weights, &dims)?, Decoder::read(&weights, &dims)?);
        Ok(Self {
            dims,
            vocabulary,
            suppressed: config.suppressed,
            suppressed_first: config.suppressed_first,
            alignment: config.alignment,
            encoder,
            decoder,
            pool: pool(),
        })
    }

    /// Hears at most 30 s: `mel` holds [`Dims::mels`] rows of as many values each, an even number, at most
    /// [`MEL_FRAMES`].
    ///
    /// # Errors
    /// When the number of values does not fit, or the runtime fails.
    pub fn hear(&self, mel: &[f32]) -> Result<Heard, RunError> {
        let frames = mel.len() / self.dims.mels;
        let is_even = frames.is_multiple_of(2) && frames * self.dims.mels == mel.len();
        if !is_even || !(2..=MEL_FRAMES).contains(&frames) {
            return Err(RunError::failed(&"it was given a spectrogram of another size"));
        }
        self.pool.run(|| self.encoder.hear(mel, frames))
    }

    /// Nothing said yet.
    #[must_use]
    pub fn begin(&self) -> Said {
        Said::new(self.dims.decoder_layers)
    }

    /// Says `tokens`, and gives the scores of the token after each of the `wanted` ones (counted from the
    /// first of `tokens`): [`Dims::vocabulary`] values each, one after another.
    ///
    /// # Errors
    /// When there are more tokens than [`Dims::context`], or the runtime fails.
    pub fn say(
        &self,
        heard: &Heard,
        said: &mut Said,
        tokens: &[u32],
        wanted: &[usize],
    ) -> Result<Vec<f32>, RunError> {
        self.check(said.tokens, tokens, wanted)?;
        self.pool.run(|| self.decoder.say(heard, said, tokens, wanted))
    }

    /// How the heads of [`Whisper::alignment`] attend to the audio while `tokens` are decoded.
    pub fn attend(&self, heard: &Heard, tokens: &[u32]) -> Result<Attention, RunError> {
        self.check(0, tokens, &[])?;
        self.pool.run(|| self.decoder.attend(heard, tokens, &self.alignment))
    }

    fn check(&self, before: usize, tokens: &[u32], wanted: &[usize]) -> Result<(), RunError> {
        let is_known = tokens.iter().all(|token| (*token as usize) < self.dims.vocabulary);
        let is_there = wanted.iter().all(|at| *at < tokens.len());
        let fits = (1..=self.dims.context).contains(&(before + tokens.len()));
        match fits && is_known && is_there && !tokens.is_empty() {
            true => Ok(()),
            false => {
                Err(RunError::failed(&"it was given tokens that it does not have, or too many"))
            }
        }
    }
}
