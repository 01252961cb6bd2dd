//! The parts that Whisper's encoder and decoder are built of. Values are rows of [`super::dims::Dims::width`] floats.

use super::linear::{BLOCK, Input, Linear, Scaled};
use crate::ctranslate2::{Weights, WeightsError};
use crate::network::RunError;
use rayon::prelude::*;
use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::{SimdOp, SimdUnaryOp};
use rten_tensor::{Matrix, NdTensorView};
use rten_vecmath::{Gelu, Normalize, NormalizeOptions, Softmax, Sum, SumSquareSub};

/// What a normalization adds to a variance.
const EPSILON: f32 = 1e-5;

thread_local! {
    /// Multiplies floats; made once a thread, as it asks the processor what it can.
    static FLOATS: GemmExecutor<f32, f32, f32> = GemmExecutor::new();
}

/// Where layers are read from, and how they will be used.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) weights: &'a Weights,
    /// How wide a row is.
    pub(super) width: usize,
    pub(super) heads: usize,
    pub(super) input: Input,
}

impl Source<'_> {
    /// The linear layer `name` from `inputs` to `outputs`.
    pub(super) fn linear(
        self,
        name: &str,
        [outputs, inputs]: [usize; 2],
    ) -> Result<Linear, WeightsError> {
        let as_it_is = Scaled { count: 0, scale: 1.0 };
        Linear::read(self.weights, name, [outputs, inputs], as_it_is, self.input)
    }

    /// The same; the first [`Source::width`] outputs are queries and scaled as such.
    pub(super) fn queries(self, name: &str, outputs: usize) -> Result<Linear, WeightsError> {
        let scale = (self.heads as f32 / self.width as f32).sqrt();
        let queries = Scaled { count: self.width, scale };
        Linear::read(self.weights, name, [outputs, self.width], queries, self.input)
    }
}

/// A normalization of rows.
pub(super) struct Norm {
    gamma: Vec<f32>,
    beta: Vec<f32>,
}

impl Norm {
    pub(super) fn read(source: Source<'_>, name: &str) -> Result<Self, WeightsError> {
        let part = |part| source.weights.tensor(&format!("{name}/{part}"), &[source.width]);
        Ok(Self { gamma: part("gamma")?, beta: part("beta")? })
    }

    /// Each row with mean 0 and variance 1, then scaled and moved.
    pub(super) fn apply(&self, x: &[f32]) -> Vec<f32> {
        let mut out = x.to_vec();
        out.par_chunks_mut(BLOCK * self.gamma.len().max(1)).for_each(|rows| {
            rows.chunks_exact_mut(self.gamma.len().max(1)).for_each(|row| self.row(row));
        });
        out
    }

    fn row(&self, row: &mut [f32]) {
        let count = row.len() as f32;
        let mean = Sum::new(row).dispatch() / count;
        let variance = SumSquareSub::new(row, mean).dispatch() / count;
        let options = NormalizeOptions {
            pre_scale_bias: mean,
            scale: 1.0 / (variance + EPSILON).sqrt(),
            element_scale: Some(&self.gamma),
            element_bias: Some(&self.beta),
            ..NormalizeOptions::default()
        };
        Normalize::new_mut(row, options).dispatch();
    }
}

/// The two linear layers after an attention, with their normalization.
pub(super) struct FeedForward {
    norm: Norm,
    wide: Linear,
    back: Linear,
}

impl FeedForward {
    pub(super) fn read(source: Source<'_>, layer: &str) -> Result<Self, WeightsError> {
        let (width, wide) = (source.width, 4 * source.width);
        Ok(Self {
            norm: Norm::read(source, &format!("{layer}/ffn/layer_norm"))?,
            wide: source.linear(&format!("{layer}/ffn/linear_0"), [wide, width])?,
            back: source.linear(&format!("{layer}/ffn/linear_1"), [width, wide])?,
        })
    }

    /// Adds what they give to `x`.
    pub(super) fn add_to(&self, x: &mut [f32]) -> Result<(), RunError> {
        let mut hidden = self.wide.apply(&self.norm.apply(x))?;
        gelu(&mut hidden);
        add(x, &self.back.apply(&hidden)?);
        Ok(())
    }
}

/// The exact Gaussian error linear unit.
pub(super) fn gelu(values: &mut [f32]) {
    values.par_chunks_mut(1 << 14).for_each(|part| {
        Gelu {}.map_mut(part);
    });
}

pub(super) fn add(x: &mut [f32], more: &[f32]) {
    x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
}

/// Shares of each score among all of its row of `length`.
pub(super) fn softmax(scores: &mut [f32], length: usize) {
    for row in scores.chunks_exact_mut(length.max(1)) {
        Softmax::new_mut(row).dispatch();
    }
}

/// A matrix within `data` that begins at `from`, with its strides.
pub(super) fn matrix(
    data: &[f32],
    from: usize,
    shape: [usize; 2],
    strides: [usize; 2],
) -> Result<Matrix<'_>, RunError> {
    let data = data.get(from..).unwrap_or_default();
    NdTensorView::from_slice_with_strides(shape, data, strides)
        .map_err(|error| RunError::failed(&error))
}

/// A matrix that will be multiplied many times.
pub(super) fn packed(b: Matrix<'_>) -> PackedBMatrix<f32> {
    FLOATS.with(|gemm| gemm.prepack_b(b))
}

/// `out = a b`, and `bias` added to each row where there is one.
pub(super) fn multiply(
    out: &mut [f32],
    a: Matrix<'_>,
    b: GemmInputB<'_, f32>,
    bias: Option<&[f32]>,
) -> Result<(), RunError> {
    let options = GemmOptions { bias: bias.map(BiasVector::Row), ..GemmOptions::default() };
    let product = FLOATS.with(|gemm| gemm.gemm(out, GemmInputA::Unpacked(a), b, options));
    product.map_err(|error| RunError::failed(&error))
}
