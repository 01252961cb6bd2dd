//! Whisper, a network that writes down speech: its weights, tokens and the two graphs that run.
//!
//! What is around the network (spectrogram, search for words, times) is not here.

mod add;
mod decoder;
mod encoder;
mod layers;
mod parts;
mod shelf;
mod vocabulary;

pub(crate) use add::add;
pub use parts::Parts;
pub use shelf::LoadWhisperError;
pub use vocabulary::Vocabulary;

use crate::ctranslate2::{Weights, WeightsError};
use crate::network::{RunError, pool};
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::NdTensor;
use std::path::Path;
use std::sync::Arc;

/// Frames of the spectrogram that the network hears at once: 30 s.
pub const MEL_FRAMES: usize = 3_000;
/// What a score is lowered by where a token may not look.
const UNSEEN: f32 = -1e9;

/// Why a Whisper model could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum WhisperError {
    /// Its weights are wrong.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// Its list of tokens is wrong.
    #[error("the model's vocabulary cannot be used: {problem}; install the model again")]
    Vocabulary {
        /// What is wrong.
        problem: String,
    },
    /// A file is missing or cannot be read.
    #[error("the model's {part} cannot be read: {cause}; install the model again")]
    Part {
        /// The file.
        part: &'static str,
        /// What is wrong.
        cause: String,
    },
    /// The graph does not load.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The sizes of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dims {
    /// Bands of the spectrogram: 80 or 128.
    pub mels: usize,
    /// Frames behind the encoder's convolutions: 1500.
    pub frames: usize,
    /// How wide a row is.
    pub width: usize,
    /// Heads of the encoder's attention.
    pub encoder_heads: usize,
    /// Heads of the decoder's attention.
    pub decoder_heads: usize,
    /// Layers of the encoder.
    pub encoder_layers: usize,
    /// Layers of the decoder.
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
        let (vocabulary, _) = two(decoder::TOKENS)?;
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
    /// Its sizes.
    pub dims: Dims,
    /// Its tokens.
    pub vocabulary: Vocabulary,
    /// Tokens that are never written: symbols for sounds, commands.
    pub suppressed: Vec<u32>,
    /// Tokens that nothing begins with.
    pub suppressed_first: Vec<u32>,
    /// Layer and head of each attention that follows the words through time.
    pub alignment: Vec<(usize, usize)>,
    encoder: Model,
    decoder: Model,
    pool: Arc<ThreadPool>,
}

/// What was heard: the keys and values of each layer of the decoder.
pub struct Heard(Vec<Value>);

/// What was said so far.
pub struct Said {
    tokens: usize,
    cache: Vec<Value>,
}

impl Said {
    /// How many tokens.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.tokens
    }
}

/// The attention of some heads to what was heard, before it is shared out.
#[derive(Clone, Debug, PartialEq)]
pub struct Attention {
    /// How many tokens.
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
    ///
    /// # Errors
    /// As [`Whisper::open`].
    pub fn of(parts: Parts) -> Result<Self, WhisperError> {
        let weights = Weights::parse(parts.weights)?;
        let dims = Dims::of(&weights)?;
        let vocabulary = Vocabulary::read(&parts.vocabulary, dims.vocabulary)?;
        let config = parts::Config::read(&parts.config, &dims)?;
        let encoder = load(encoder::build(&weights, &dims)?)?;
        let decoder = decoder::build(&weights, &dims)?;
        drop(weights);
        Ok(Self {
            dims,
            vocabulary,
            suppressed: config.suppressed,
            suppressed_first: config.suppressed_first,
            alignment: config.alignment,
            encoder,
            decoder: load(decoder)?,
            pool: pool(),
        })
    }

    /// Hears 30 s: `mel` holds [`Dims::mels`] rows of [`MEL_FRAMES`] values.
    ///
    /// # Errors
    /// When there are not so many values, or the runtime fails.
    pub fn hear(&self, mel: Vec<f32>) -> Result<Heard, RunError> {
        let shape = [1, self.dims.mels, MEL_FRAMES];
        let input = Value::from_shape(&shape, mel).map_err(|error| failed(&error))?;
        let inputs = self.encoder.input_ids().iter().copied().zip([input.into()]);
        let values = self.run(&self.encoder, inputs.collect(), self.encoder.output_ids())?;
        Ok(Heard(values))
    }

    /// Nothing said yet.
    #[must_use]
    pub fn begin(&self) -> Said {
        let size = self.dims.width / self.dims.decoder_heads;
        let empty = || NdTensor::<f32, 3>::zeros([self.dims.decoder_heads, 0, size]).into();
        Said { tokens: 0, cache: (0..2 * self.dims.decoder_layers).map(|_| empty()).collect() }
    }

    /// Says `tokens`, and gives the scores of the token behind each of the `wanted` ones (counted from the
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
        let cache = std::mem::take(&mut said.cache);
        let inputs = self.inputs(heard, said.tokens, cache, tokens, wanted)?;
        let outputs = self.decoder.output_ids();
        let caches = outputs.get(1..).unwrap_or_default().chunks(3);
        let caches = caches.flat_map(|layer| layer.iter().take(2).copied());
        let ids: Vec<NodeId> = outputs.first().copied().into_iter().chain(caches).collect();
        let mut values = self.run(&self.decoder, inputs, &ids)?.into_iter();
        let scores = values.next().and_then(Value::into_tensor::<f32>);
        said.cache = values.collect();
        said.tokens += tokens.len();
        scores.map(rten_tensor::TensorBase::into_data).ok_or_else(|| failed(&"it gave no scores"))
    }

    /// How the heads of [`Whisper::alignment`] attend to what was heard while `tokens` are said.
    ///
    /// # Errors
    /// As [`Whisper::say`].
    pub fn attend(&self, heard: &Heard, tokens: &[u32]) -> Result<Attention, RunError> {
        let cache = self.begin().cache;
        let inputs = self.inputs(heard, 0, cache, tokens, &[])?;
        let outputs = self.decoder.output_ids();
        let ids: Vec<NodeId> = outputs.iter().skip(3).step_by(3).copied().collect();
        let layers = self.run(&self.decoder, inputs, &ids)?;
        let (count, frames) = (tokens.len(), self.dims.frames);
        let layers: Vec<Vec<f32>> = layers.into_iter().filter_map(floats).collect();
        let head = |(layer, head): &(usize, usize)| {
            let values = layers.get(*layer)?.get(head * count * frames..)?;
            values.get(..count * frames).map(<[f32]>::to_vec)
        };
        Ok(Attention {
            tokens: count,
            frames,
            heads: self.alignment.iter().filter_map(head).collect(),
        })
    }

    fn inputs<'a>(
        &self,
        heard: &'a Heard,
        before: usize,
        cache: Vec<Value>,
        tokens: &[u32],
        wanted: &[usize],
    ) -> Result<Vec<(NodeId, ValueOrView<'a>)>, RunError> {
        let count = tokens.len();
        let is_known = tokens.iter().all(|token| (*token as usize) < self.dims.vocabulary);
        if before + count > self.dims.context || !is_known || wanted.iter().any(|at| *at >= count) {
            return Err(failed(&"it was given tokens that it does not have, or too many"));
        }
        let list = |values: Vec<i32>| {
            Value::from_shape(&[values.len()], values).map_err(|error| failed(&error))
        };
        let integers = |values: &[usize]| list(values.iter().map(|value| *value as i32).collect());
        let places: Vec<usize> = (before..before + count).collect();
        let mask = mask(before, count);
        let mask = Value::from_shape(&[count, before + count], mask);
        let first = [
            list(tokens.iter().map(|token| *token as i32).collect())?,
            integers(&places)?,
            mask.map_err(|error| failed(&error))?,
            integers(wanted)?,
        ];
        let mut values: Vec<ValueOrView<'a>> = first.into_iter().map(Into::into).collect();
        let mut cache = cache.into_iter();
        for layer in heard.0.chunks(2) {
            values.extend(layer.iter().map(ValueOrView::from));
            values.extend(cache.by_ref().take(2).map(ValueOrView::Value));
        }
        Ok(self.decoder.input_ids().iter().copied().zip(values).collect())
    }

    fn run(
        &self,
        model: &Model,
        inputs: Vec<(NodeId, ValueOrView<'_>)>,
        outputs: &[NodeId],
    ) -> Result<Vec<Value>, RunError> {
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        model.run(inputs, outputs, Some(options)).map_err(|error| failed(&error))
    }
}

fn load(file: Vec<u8>) -> Result<Model, RunError> {
    let model = ModelOptions::with_all_ops().load(file);
    model.map_err(|error| RunError::Load { cause: error.to_string() })
}

fn failed(cause: &dyn std::fmt::Display) -> RunError {
    RunError::Run { cause: cause.to_string() }
}

fn floats(value: Value) -> Option<Vec<f32>> {
    value.into_tensor::<f32>().map(rten_tensor::TensorBase::into_data)
}

/// What `count` tokens behind `before` others may look at: themselves and all that is earlier.
fn mask(before: usize, count: usize) -> Vec<f32> {
    let row =
        |row| (0..before + count).map(move |at| if at <= before + row { 0.0 } else { UNSEEN });
    (0..count).flat_map(row).collect()
}
