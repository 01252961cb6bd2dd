//! Whisper's encoder, from a log-mel spectrogram to the keys and values that the decoder attends to.
//!
//! Source: Radford et al., "Robust speech recognition via large-scale weak supervision" (2022), and the
//! reference code of the model.

use super::attention::{Heard, Memory};
use super::dims::Dims;
use super::layers::{FeedForward, Norm, Source, add, gelu, matrix, multiply, packed, softmax};
use super::linear::{BLOCK, Input, Linear};
use crate::ctranslate2::{Weights, WeightsError};
use crate::network::RunError;
use rayon::prelude::*;
use rten_gemm::{GemmInputB, PackedBMatrix};

/// What hears.
pub(super) struct Encoder {
    convolutions: [Convolution; 2],
    /// The position of each frame, a row each.
    places: Vec<f32>,
    layers: Vec<Layer>,
    norm: Norm,
    /// Keys and values for each layer of the decoder.
    memories: Vec<Linear>,
    width: usize,
    heads: usize,
}

/// A layer: attention of frames to one another, and what follows.
struct Layer {
    norm: Norm,
    /// Queries, keys and values.
    project: Linear,
    join: Linear,
    forward: FeedForward,
}

impl Encoder {
    /// Reads the encoder, with the decoder's projections of its output.
    pub(super) fn read(weights: &Weights, dims: &Dims) -> Result<Self, WeightsError> {
        let (width, heads) = (dims.width, dims.encoder_heads);
        let source = Source { weights, width, heads, input: Input::Many };
        let memory = |layer| {
            source.linear(&format!("decoder/layer_{layer}/attention/linear_1"), [2 * width, width])
        };
        Ok(Self {
            convolutions: [
                Convolution::read(weights, "encoder/conv1", [width, dims.mels], 1)?,
                Convolution::read(weights, "encoder/conv2", [width, width], 2)?,
            ],
            places: weights
                .tensor("encoder/position_encodings/encodings", &[dims.frames, width])?,
            layers: (0..dims.encoder_layers)
                .map(|layer| Layer::read(source, &format!("encoder/layer_{layer}")))
                .collect::<Result<_, _>>()?,
            norm: Norm::read(source, "encoder/layer_norm")?,
            memories: (0..dims.decoder_layers).map(memory).collect::<Result<_, _>>()?,
            width,
            heads,
        })
    }

    /// Hears `mel`, one row a band. After the convolutions there are half as many frames.
    pub(super) fn hear(&self, mel: &[f32], frames: usize) -> Result<Heard, RunError> {
        let [first, second] = &self.convolutions;
        let x = first.apply(|band, frame| mel.get(band * frames + frame).copied(), frames)?;
        let width = self.width;
        let mut x =
            second.apply(|channel, frame| x.get(frame * width + channel).copied(), frames)?;
        add(&mut x, &self.places);
        for layer in &self.layers {
            layer.add_to(&mut x, self.heads, width)?;
        }
        let x = self.norm.apply(&x);
        let frames = x.len() / width;
        let memories = self.memories.iter().map(|memory| {
            let both = memory.apply(&x)?;
            Ok(self.memory(&both, frames))
        });
        Ok(Heard { layers: memories.collect::<Result<_, RunError>>()?, frames })
    }

    /// Keys and values `[frames, 2 width]` in the order in which the decoder reads them.
    fn memory(&self, both: &[f32], frames: usize) -> Memory {
        let (width, size) = (self.width, self.width / self.heads);
        let mut memory = Memory { keys: vec![0.0; both.len() / 2], values: Vec::new() };
        memory.values = vec![0.0; both.len() / 2];
        for (frame, row) in both.chunks_exact(2 * width).enumerate() {
            let (keys, values) = row.split_at(width);
            let places = memory.keys.iter_mut().skip(frame).step_by(frames);
            places.zip(keys).for_each(|(place, key)| *place = *key);
            for (head, value) in values.chunks_exact(size).enumerate() {
                let at = (head * frames + frame) * size;
                if let Some(place) = memory.values.get_mut(at..at + size) {
                    place.copy_from_slice(value);
                }
            }
        }
        memory
    }
}

impl Layer {
    fn read(source: Source<'_>, layer: &str) -> Result<Self, WeightsError> {
        let (width, attention) = (source.width, format!("{layer}/self_attention"));
        Ok(Self {
            norm: Norm::read(source, &format!("{attention}/layer_norm"))?,
            project: source.queries(&format!("{attention}/linear_0"), 3 * width)?,
            join: source.linear(&format!("{attention}/linear_1"), [width, width])?,
            forward: FeedForward::read(source, layer)?,
        })
    }

    fn add_to(&self, x: &mut [f32], heads: usize, width: usize) -> Result<(), RunError> {
        let projected = self.project.apply(&self.norm.apply(x))?;
        let mixed = attend(&projected, heads, width)?;
        add(x, &self.join.apply(&mixed)?);
        self.forward.add_to(x)
    }
}

/// What each row gathers from all: `projected` holds rows of queries, keys and values.
fn attend(projected: &[f32], heads: usize, width: usize) -> Result<Vec<f32>, RunError> {
    let (size, row) = (width / heads, 3 * width);
    let frames = projected.len() / row;
    let mut by_head = vec![0.0; frames * width];
    let each = by_head.par_chunks_mut((frames * size).max(1)).enumerate();
    each.try_for_each(|(head, out)| {
        let part = |index| index * width + head * size;
        let keys = matrix(projected, part(1), [size, frames], [1, row])?;
        let values = matrix(projected, part(2), [frames, size], [row, 1])?;
        let (keys, values) = (packed(keys), packed(values));
        // Room for the scores of a block is used again for the next.
        let blocks = out.par_chunks_mut(BLOCK * size).enumerate();
        blocks.try_for_each_init(Vec::new, |scores: &mut Vec<f32>, (block, out)| {
            let (count, from) = (out.len() / size, part(0) + block * BLOCK * row);
            let queries = matrix(projected, from, [count, size], [row, 1])?;
            scores.resize(count * frames, 0.0);
            multiply(scores, queries, GemmInputB::Packed(&keys), None)?;
            softmax(scores, frames);
            let shares = matrix(scores, 0, [count, frames], [frames, 1])?;
            multiply(out, shares, GemmInputB::Packed(&values), None)
        })
    })?;
    Ok(joined(&by_head, frames, size, width))
}

/// `[heads, frames, size]` as rows.
fn joined(by_head: &[f32], frames: usize, size: usize, width: usize) -> Vec<f32> {
    let mut rows = vec![0.0; by_head.len()];
    for (index, part) in by_head.chunks_exact(size).enumerate() {
        let (head, frame) = (index / frames, index % frames);
        let at = frame * width + head * size;
        if let Some(place) = rows.get_mut(at..at + size) {
            place.copy_from_slice(part);
        }
    }
    rows
}

/// A convolution over three neighbors in time, with what follows it.
struct Convolution {
    /// `[3 channels, width]`.
    weight: PackedBMatrix<f32>,
    bias: Vec<f32>,
    channels: usize,
    stride: usize,
}

impl Convolution {
    fn read(
        weights: &Weights,
        name: &str,
        [width, channels]: [usize; 2],
        stride: usize,
    ) -> Result<Self, WeightsError> {
        let weight = weights.tensor(&format!("{name}/weight"), &[width, channels, 3])?;
        let bias = weights.tensor(&format!("{name}/bias"), &[width])?;
        let inputs = 3 * channels;
        let columns = rten_tensor::NdTensorView::from_data([width, inputs], weight.as_slice());
        let weight = packed(columns.transposed());
        Ok(Self { weight, bias, channels, stride })
    }

    /// One row for every `stride` frames; `at(channel, frame)` is the input, which is 0 around its ends.
    fn apply(
        &self,
        at: impl Fn(usize, usize) -> Option<f32> + Sync,
        frames: usize,
    ) -> Result<Vec<f32>, RunError> {
        let inputs = 3 * self.channels;
        let mut out = vec![0.0; frames / self.stride * self.bias.len()];
        let blocks = out.par_chunks_mut(BLOCK * self.bias.len()).enumerate();
        blocks.try_for_each(|(block, out)| {
            let count = out.len() / self.bias.len();
            let mut near = Vec::with_capacity(count * inputs);
            for row in 0..count {
                let middle = (block * BLOCK + row) * self.stride;
                for channel in 0..self.channels {
                    let before = middle.checked_sub(1).and_then(|frame| at(channel, frame));
                    let after = (middle + 1 < frames).then(|| at(channel, middle + 1)).flatten();
                    let three = [before, at(channel, middle), after];
                    near.extend(three.map(|value| value.unwrap_or(0.0)));
                }
            }
            let near = matrix(&near, 0, [count, inputs], [inputs, 1])?;
            multiply(out, near, GemmInputB::Packed(&self.weight), Some(&self.bias))?;
            gelu(out);
            Ok(())
        })?;
        Ok(out)
    }
}
