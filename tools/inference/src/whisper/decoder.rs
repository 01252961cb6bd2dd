//! Whisper's decoder: one or more tokens in, scores of the next token out. Earlier tokens are kept as keys
//! and values.
//!
//! Source: as the encoder's.

use super::attention::{Attention, Heard, Memory, Said};
use super::dims::{Dims, TOKENS};
use super::layers::{FeedForward, Norm, Source, add, matrix, multiply, softmax};
use super::linear::{Input, Linear};
use crate::ctranslate2::{Weights, WeightsError};
use crate::network::RunError;
use rten_gemm::GemmInputB;

/// The position of each token.
const PLACES: &str = "decoder/position_encodings/encodings";

/// What says.
pub(super) struct Decoder {
    table: Linear,
    places: Vec<f32>,
    layers: Vec<Layer>,
    norm: Norm,
    heads: Heads,
}

/// Hears the number of a head and its scores.
type Told<'a> = &'a mut dyn FnMut((usize, &[f32]));

/// How a row is split.
#[derive(Clone, Copy)]
struct Heads {
    width: usize,
    count: usize,
    size: usize,
}

/// A layer: attention to the earlier tokens, attention to the audio, and a feed-forward part.
struct Layer {
    back_norm: Norm,
    /// Queries, keys and values.
    back_project: Linear,
    back_join: Linear,
    norm: Norm,
    query: Linear,
    join: Linear,
    forward: FeedForward,
}

impl Decoder {
    pub(super) fn read(weights: &Weights, dims: &Dims) -> Result<Self, WeightsError> {
        let (width, heads) = (dims.width, dims.decoder_heads);
        let source = Source { weights, width, heads, input: Input::One };
        let table = weights.tensor(TOKENS, &[dims.vocabulary, width])?;
        let layer = |layer| Layer::read(source, &format!("decoder/layer_{layer}"));
        Ok(Self {
            table: Linear::of(&table, vec![0.0; dims.vocabulary], width, Input::One),
            places: weights.tensor(PLACES, &[dims.context, width])?,
            layers: (0..dims.decoder_layers).map(layer).collect::<Result<_, _>>()?,
            norm: Norm::read(source, "decoder/layer_norm")?,
            heads: Heads { width, count: heads, size: width / heads },
        })
    }

    /// Says `tokens` after those of `said`, and gives the scores of the token after each of the `wanted`.
    pub(super) fn say(
        &self,
        heard: &Heard,
        said: &mut Said,
        tokens: &[u32],
        wanted: &[usize],
    ) -> Result<Vec<f32>, RunError> {
        let mut x = self.begin(said.tokens, tokens);
        let layers = self.layers.iter().zip(&heard.layers).zip(&mut said.layers);
        for ((layer, memory), said) in layers {
            layer.look_back(&mut x, said, self.heads)?;
            layer.listen(&mut x, memory, heard.frames, self.heads, &mut |_| ())?;
            layer.forward.add_to(&mut x)?;
        }
        said.tokens += tokens.len();
        let mut scores = Vec::with_capacity(wanted.len() * self.table.outputs());
        // One at a time, as the table is kept for one.
        for row in wanted {
            let row = x.get(row * self.heads.width..).unwrap_or_default();
            let row = row.get(..self.heads.width).unwrap_or_default();
            scores.append(&mut self.table.apply(&self.norm.apply(row))?);
        }
        Ok(scores)
    }

    /// How the heads `alignment` (layer and head) attend to the audio while `tokens` are decoded.
    pub(super) fn attend(
        &self,
        heard: &Heard,
        tokens: &[u32],
        alignment: &[(usize, usize)],
    ) -> Result<Attention, RunError> {
        let last = alignment.iter().map(|(layer, _)| layer + 1).max().unwrap_or(0);
        let mut x = self.begin(0, tokens);
        let mut rows = vec![Vec::new(); alignment.len()];
        let mut said = Said::new(self.layers.len());
        let layers = self.layers.iter().zip(&heard.layers).zip(&mut said.layers);
        for (index, ((layer, memory), said)) in layers.enumerate().take(last) {
            layer.look_back(&mut x, said, self.heads)?;
            layer.listen(&mut x, memory, heard.frames, self.heads, &mut |(head, scores)| {
                let wanted = alignment.iter().zip(&mut rows);
                for (_, row) in wanted.filter(|(pair, _)| **pair == (index, head)) {
                    *row = scores.to_vec();
                }
            })?;
            if index + 1 < last {
                layer.forward.add_to(&mut x)?;
            }
        }
        Ok(Attention { tokens: tokens.len(), frames: heard.frames, heads: rows })
    }

    fn begin(&self, before: usize, tokens: &[u32]) -> Vec<f32> {
        let width = self.heads.width;
        let mut x = Vec::with_capacity(tokens.len() * width);
        for token in tokens {
            x.extend(self.table.weights(*token as usize));
        }
        add(&mut x, self.places.get(before * width..).unwrap_or_default());
        x
    }
}

impl Layer {
    fn read(source: Source<'_>, layer: &str) -> Result<Self, WeightsError> {
        let width = source.width;
        let back = format!("{layer}/self_attention");
        let heard = format!("{layer}/attention");
        Ok(Self {
            back_norm: Norm::read(source, &format!("{back}/layer_norm"))?,
            back_project: source.queries(&format!("{back}/linear_0"), 3 * width)?,
            back_join: source.linear(&format!("{back}/linear_1"), [width, width])?,
            norm: Norm::read(source, &format!("{heard}/layer_norm"))?,
            query: source.queries(&format!("{heard}/linear_0"), width)?,
            join: source.linear(&format!("{heard}/linear_2"), [width, width])?,
            forward: FeedForward::read(source, layer)?,
        })
    }

    /// Attention to the tokens so far. `said` has their keys and values, a row each.
    fn look_back(&self, x: &mut [f32], said: &mut Memory, heads: Heads) -> Result<(), RunError> {
        let Heads { width, count, size } = heads;
        let projected = self.back_project.apply(&self.back_norm.apply(x))?;
        for row in projected.chunks_exact(3 * width) {
            said.keys.extend(row.iter().skip(width).take(width));
            said.values.extend(row.iter().skip(2 * width));
        }
        let (rows, all) = (x.len() / width, said.keys.len() / width);
        let mut mixed = vec![0.0; x.len()];
        let (mut scores, mut part) = (vec![0.0; rows * all], vec![0.0; rows * size]);
        for head in 0..count {
            let from = head * size;
            let queries = matrix(&projected, from, [rows, size], [3 * width, 1])?;
            let keys = matrix(&said.keys, from, [size, all], [1, width])?;
            multiply(&mut scores, queries, GemmInputB::Unpacked(keys), None)?;
            hide_later(&mut scores, all, all - rows);
            softmax(&mut scores, all);
            let shares = matrix(&scores, 0, [rows, all], [all, 1])?;
            let values = matrix(&said.values, from, [all, size], [width, 1])?;
            multiply(&mut part, shares, GemmInputB::Unpacked(values), None)?;
            place(&mut mixed, &part, from, heads);
        }
        add(x, &self.back_join.apply(&mixed)?);
        Ok(())
    }

    /// Attention to the audio; `told` sees the scores of each head before the softmax.
    fn listen(
        &self,
        x: &mut [f32],
        memory: &Memory,
        frames: usize,
        heads: Heads,
        told: Told<'_>,
    ) -> Result<(), RunError> {
        let Heads { width, count, size } = heads;
        let rows = x.len() / width;
        let queries = self.query.apply(&self.norm.apply(x))?;
        let mut mixed = vec![0.0; x.len()];
        let (mut scores, mut part) = (vec![0.0; rows * frames], vec![0.0; rows * size]);
        for head in 0..count {
            let from = head * size;
            let query = matrix(&queries, from, [rows, size], [width, 1])?;
            let keys = matrix(&memory.keys, from * frames, [size, frames], [frames, 1])?;
            multiply(&mut scores, query, GemmInputB::Unpacked(keys), None)?;
            told((head, &scores));
            softmax(&mut scores, frames);
            let shares = matrix(&scores, 0, [rows, frames], [frames, 1])?;
            let values = matrix(&memory.values, from * frames, [frames, size], [size, 1])?;
            multiply(&mut part, shares, GemmInputB::Unpacked(values), None)?;
            place(&mut mixed, &part, from, heads);
        }
        add(x, &self.join.apply(&mixed)?);
        Ok(())
    }
}

/// Removes the scores of later tokens: row 0 sees `before` tokens and itself.
fn hide_later(scores: &mut [f32], all: usize, before: usize) {
    for (row, scores) in scores.chunks_exact_mut(all.max(1)).enumerate() {
        scores.iter_mut().skip(before + row + 1).for_each(|score| *score = f32::NEG_INFINITY);
    }
}

/// Puts the rows of one head into those of all heads.
fn place(mixed: &mut [f32], part: &[f32], from: usize, heads: Heads) {
    for (row, part) in mixed.chunks_exact_mut(heads.width).zip(part.chunks_exact(heads.size)) {
        row.iter_mut().skip(from).zip(part).for_each(|(place, value)| *place = *value);
    }
}
