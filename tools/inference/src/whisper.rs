//! Whisper, a network that writes down speech: its weights, tokens and the two graphs that run.
//!
//! The parts around the network (spectrogram, search for words, times) are elsewhere.

mod add;
#[cfg(feature = "runtime")]
mod decoder;
#[cfg(feature = "runtime")]
mod encoder;
#[cfg(feature = "runtime")]
mod layers;
#[cfg(feature = "runtime")]
mod linear;
mod parts;
mod shelf;
mod vocabulary;

pub(crate) use add::add;
pub use parts::Parts;
pub use shelf::LoadWhisperError;
pub use vocabulary::Vocabulary;

use crate::ctranslate2::{Weights, WeightsError};
#[cfg(not(feature = "runtime"))]
use crate::local::{Decoder, Encoder};
use crate::local::{ThreadPool, pool};
use crate::network::RunError;
use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "runtime")]
use {decoder::Decoder, encoder::Encoder};

/// The table of tokens, which is also the last layer of the decoder.
const TOKENS: &str = "decoder/embeddings/weight";

/// Frames of the spectrogram that the network hears at once: 30 s.
pub const MEL_FRAMES: usize = 3_000;

/// Why a Whisper model could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum WhisperError {
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error("the model's vocabulary cannot be used: {problem}; install the model again")]
    Vocabulary { problem: String },
    #[error("the model's {part} cannot be read: {cause}; install the model again")]
    Part { part: &'static str, cause: String },
    /// The graph does not load.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The sizes of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dims {
    /// Bands of the spectrogram: 80 or 128.
    pub mels: usize,
    /// Frames after the encoder's convolutions: 1500.
    pub frames: usize,
    /// How wide a row is.
    pub width: usize,
    /// Heads of the encoder's attention.
    pub encoder_heads: usize,
    /// Heads of the decoder's attention.
    pub decoder_heads: usize,
    pub encoder_layers: usize,
    pub decoder_layers: usize,
    /// Tokens that the decoder sees at once.
    pub context: usize,
    /// Tokens that there are.
    pub vocabulary: usize,
}

impl Dims {
    fn of(weights: &Weights) -> Result<Self, WeightsError> {
        let two = |name: &str| match weights.shape(name) {
            Some([first, second, ..]) => Ok((*first, *second)),
            _ => Err(WeightsError::Variable { name: name.into(), shape: vec![0, 0] }),
        };
        let number = |name: &str| {
            let missing = || WeightsError::Variable { name: name.into(), shape: Vec::new() };
            weights.number(name).filter(|number| (1..=64).contains(number)).ok_or_else(missing)
        };
        let layers = |part: &str| {
            let is_there = |layer: &usize| {
                weights.shape(&format!("{part}/layer_{layer}/ffn/linear_0/bias")).is_some()
            };
            (0..).take_while(is_there).count()
        };
        let (frames, width) = two("encoder/position_encodings/encodings")?;
        let (vocabulary, _) = two(TOKENS)?;
        let (context, _) = two("decoder/position_encodings/encodings")?;
        let (_, mels) = two("encoder/conv1/weight")?;
        let dims = Self {
            mels,
            frames,
            width,
            encoder_heads: number("encoder/num_heads")?,
            decoder_heads: number("decoder/num_heads")?,
            encoder_layers: layers("encoder"),
            decoder_layers: layers("decoder"),
            context,
            vocabulary,
        };
        dims.check()
    }

    fn check(self) -> Result<Self, WeightsError> {
        let divides = |heads| self.width.is_multiple_of(heads);
        let is_sound = self.frames * 2 == MEL_FRAMES
            && divides(self.encoder_heads)
            && self.encoder_heads == self.decoder_heads
            && self.encoder_layers.min(self.decoder_layers) > 0
            && (8..=4_096).contains(&self.context);
        let problem = format!("{self:?} are no sizes of a Whisper model");
        if is_sound { Ok(self) } else { Err(WeightsError::Damaged { problem }) }
    }
}

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

/// Keys and values of one layer of the decoder.
#[derive(Clone, Debug, Default)]
struct Memory {
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// The encoded audio: for each layer of the decoder keys `[heads, size, frames]` and values `[heads,
/// frames, size]`.
pub struct Heard {
    layers: Vec<Memory>,
    frames: usize,
}

/// The decoded text so far: for each layer of the decoder keys and values, a row a token.
#[derive(Clone, Debug)]
pub struct Said {
    tokens: usize,
    layers: Vec<Memory>,
}

impl Said {
    fn new(layers: usize) -> Self {
        Self { tokens: 0, layers: vec![Memory::default(); layers] }
    }

    #[must_use]
    pub fn tokens(&self) -> usize {
        self.tokens
    }
}

/// The attention of some heads to the audio, before the softmax.
#[derive(Clone, Debug, PartialEq)]
pub struct Attention {
    pub tokens: usize,
    /// How many frames of 20 ms.
    pub frames: usize,
    /// For each head, `tokens` rows of `frames` scores.
    pub heads: Vec<Vec<f32>>,
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
            return Err(failed(&"it was given a spectrogram of another size"));
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
            false => Err(failed(&"it was given tokens that it does not have, or too many")),
        }
    }
}

fn failed(cause: &dyn std::fmt::Display) -> RunError {
    RunError::Run { cause: cause.to_string() }
}
