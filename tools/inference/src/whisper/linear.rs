//! Linear layers whose weights are 8-bit integers: a quarter of the memory, and several times the speed.
//!
//! Each output has a scale of its own. Each row of the input gets a scale when it arrives (as in
//! CTranslate2's `int8`): `sum(x w) = sx sw sum(qx qw)` with `q = round(v / s)`, `s = max |v| / 127`. If
//! the processor adds two products of bytes in 16 bits (x86 without VNNI), inputs have 7 bits, so that
//! nothing overflows.

use crate::ctranslate2::{Weights, WeightsError};
use crate::network::RunError;
use rayon::prelude::*;
use rten_gemm::{
    GemmError, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix, QuantParams,
};
use rten_simd::{Isa, SimdOp};
use rten_tensor::{Matrix, NdTensorView};
use rten_vecmath::{ExtendInit, MinMax, Quantize};

/// Rows that are worked on together, so that they stay near the processor.
pub(super) const BLOCK: usize = 96;
/// The largest weight, and the largest input where nothing overflows.
const LARGEST: f32 = 127.0;
/// The largest input where sums could overflow.
const CAREFUL: f32 = 63.0;

thread_local! {
    /// Multiplies bytes by signed bytes; made once a thread, as it asks the processor what it can.
    static BYTES: GemmExecutor<u8, i8, i32> = GemmExecutor::new();
}

/// The first outputs of a layer, which are multiplied by `scale`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaled {
    pub(super) count: usize,
    pub(super) scale: f32,
}

/// For how many rows of input at once a layer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Many,
    One,
}

/// How weights lie in memory.
enum Kept {
    /// In the order in which many rows of input need them.
    Packed(PackedBMatrix<i8>),
    /// One output after another.
    Rows(Vec<i8>),
}

/// A linear layer.
pub(super) struct Linear {
    kept: Kept,
    /// The value of a weight of 1, an output each.
    steps: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
}

impl Linear {
    /// The layer `name` of `[outputs, inputs]`; outputs may be `scaled`.
    pub(super) fn read(
        weights: &Weights,
        name: &str,
        [outputs, inputs]: [usize; 2],
        scaled: Scaled,
        input: Input,
    ) -> Result<Self, WeightsError> {
        let mut weight = weights.tensor(&format!("{name}/weight"), &[outputs, inputs])?;
        let mut bias = weights.tensor(&format!("{name}/bias"), &[outputs])?;
        let Scaled { count, scale } = scaled;
        weight.iter_mut().take(count * inputs).for_each(|value| *value *= scale);
        bias.iter_mut().take(count).for_each(|value| *value *= scale);
        Ok(Self::of(&weight, bias, inputs, input))
    }

    /// A layer of `weight`, one row of `inputs` values an output.
    pub(super) fn of(weight: &[f32], bias: Vec<f32>, inputs: usize, input: Input) -> Self {
        let inputs = inputs.max(1);
        let (mut rows, mut steps) = (Vec::with_capacity(weight.len()), Vec::new());
        for row in weight.chunks_exact(inputs) {
            let step = largest(row) / LARGEST;
            steps.push(step);
            rows.extend(row.iter().map(|value| (value * inverse(step)).round() as i8));
        }
        let kept = match input {
            Input::One => Kept::Rows(rows),
            Input::Many => {
                let columns = columns(&rows, [steps.len(), inputs]);
                Kept::Packed(BYTES.with(|gemm| gemm.prepack_b(columns)))
            }
        };
        Self { kept, steps, bias, inputs }
    }

    /// How many outputs there are.
    pub(super) fn outputs(&self) -> usize {
        self.steps.len()
    }

    /// The weights of one output; nothing where they are packed.
    pub(super) fn weights(&self, output: usize) -> impl Iterator<Item = f32> + '_ {
        let step = self.steps.get(output).copied().unwrap_or(0.0);
        let rows = match &self.kept {
            Kept::Packed(_) => &[],
            Kept::Rows(rows) => rows.get(output * self.inputs..).unwrap_or_default(),
        };
        rows.iter().take(self.inputs).map(move |value| f32::from(*value) * step)
    }

    /// The outputs for each row of `x`, one row after another.
    pub(super) fn apply(&self, x: &[f32]) -> Result<Vec<f32>, RunError> {
        let outputs = self.outputs().max(1);
        let mut out = vec![0.0; x.len() / self.inputs * outputs];
        let blocks = out.par_chunks_mut(BLOCK * outputs).zip(x.par_chunks(BLOCK * self.inputs));
        let each = |room: &mut Room, (out, x): (&mut [f32], &[f32])| self.block(x, out, room);
        let done: Result<(), GemmError> = blocks.map_init(Room::default, each).collect();
        done.map_err(|error| RunError::failed(&error))?;
        Ok(out)
    }

    fn block(&self, x: &[f32], out: &mut [f32], room: &mut Room) -> Result<(), GemmError> {
        let shape = [x.len() / self.inputs, self.inputs];
        let most = if BYTES.with(GemmExecutor::may_saturate) { CAREFUL } else { LARGEST };
        let zero = most as u8 + 1;
        let Room { bytes, steps, zeros, sums } = room;
        bytes.clear();
        steps.clear();
        bytes.reserve(x.len());
        for row in x.chunks_exact(self.inputs) {
            let step = largest(row) / most;
            steps.push(step);
            bytes.extend_init(|spare| {
                let (spare, _) = spare.split_at_mut(row.len());
                Quantize::new(row, spare, inverse(step), zero).dispatch()
            });
        }
        zeros.resize(steps.len(), zero);
        sums.resize(out.len(), 0);
        let weights = match &self.kept {
            Kept::Packed(packed) => GemmInputB::Packed(packed),
            Kept::Rows(rows) => GemmInputB::Unpacked(columns(rows, [self.outputs(), self.inputs])),
        };
        let input = GemmInputA::Unpacked(NdTensorView::from_data(shape, bytes.as_slice()));
        let a_quant = Some(QuantParams { zero_point: zeros.as_slice() });
        let options = GemmOptions { a_quant, ..GemmOptions::default() };
        BYTES.with(|gemm| gemm.gemm(sums, input, weights, options))?;
        Widened { sums, layer: self, steps, out }.dispatch();
        Ok(())
    }
}

/// Room for one block, used again for the next.
#[derive(Default)]
struct Room {
    bytes: Vec<u8>,
    steps: Vec<f32>,
    zeros: Vec<u8>,
    sums: Vec<i32>,
}

/// Rows `[outputs, inputs]` seen as columns.
fn columns(rows: &[i8], shape: [usize; 2]) -> Matrix<'_, i8> {
    NdTensorView::from_data(shape, rows).transposed()
}

fn largest(values: &[f32]) -> f32 {
    let (least, most) = MinMax::new(values).dispatch();
    most.max(-least).max(0.0)
}

fn inverse(step: f32) -> f32 {
    if step > 0.0 { 1.0 / step } else { 0.0 }
}

/// Scales sums of products to real values. It is an operation only so that it is compiled for the
/// processor.
struct Widened<'a> {
    sums: &'a [i32],
    layer: &'a Linear,
    steps: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for Widened<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let outputs = self.layer.outputs().max(1);
        let rows = self.out.chunks_exact_mut(outputs).zip(self.sums.chunks_exact(outputs));
        for ((out, sums), row) in rows.zip(self.steps) {
            let layer = self.layer.steps.iter().zip(&self.layer.bias);
            for ((out, sum), (step, bias)) in out.iter_mut().zip(sums).zip(layer) {
                *out = *sum as f32 * (step * row) + bias;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(weight: &[f32], bias: &[f32], x: &[f32], inputs: usize) -> Vec<f32> {
        let row = |x: &[f32]| {
            let outputs = weight.chunks_exact(inputs).zip(bias);
            let sum = |w: &[f32]| w.iter().zip(x).map(|(w, x)| w * x).sum::<f32>();
            outputs.map(|(w, bias)| sum(w) + bias).collect::<Vec<f32>>()
        };
        x.chunks_exact(inputs).flat_map(row).collect()
    }

    proptest! {
        #[test]
        fn bytes_give_nearly_what_floats_give(
            seed in prop::collection::vec(-1f32..1.0, 40),
            outputs in 1usize..150,
            rows in 1usize..110,
            inputs in 1usize..80,
        ) {
            // Numbers of many sizes, the same few again and again but never aligned with a row.
            let values = |count: usize, step: usize| -> Vec<f32> {
                (0..count).map(|at| seed[at * step % 37] * (1.0 + (at % 5) as f32)).collect()
            };
            let (weight, bias) = (values(outputs * inputs, 7), values(outputs, 3));
            let x = values(rows * inputs, 11);
            let wanted = plain(&weight, &bias, &x, inputs);
            // Half a step of each factor at every product; steps of 7 bits.
            let bound = 5.0 * 5.0 * inputs as f32 * (0.5 / 63.0 + 0.5 / 127.0) + 1e-4;
            for input in [Input::One, Input::Many] {
                let layer = Linear::of(&weight, bias.clone(), inputs, input);
                let found = layer.apply(&x).unwrap();
                prop_assert_eq!(found.len(), wanted.len());
                let worst = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                prop_assert!(worst <= bound, "{} of {}", worst, bound);
            }
        }
    }

    #[test]
    fn whole_numbers_are_exact_and_silence_is_the_bias() {
        let weight = [127.0, 0.0, -127.0, 127.0, 1.0, 2.0];
        let layer = Linear::of(&weight, vec![0.5, 0.0], 3, Input::One);
        assert_eq!(layer.apply(&[0.0; 3]).unwrap(), [0.5, 0.0]);
        let found = layer.apply(&[63.0, 1.0, 2.0]).unwrap();
        assert!(
            (found[0] - 7747.5).abs() < 260.0 && (found[1] - 8006.0).abs() < 260.0,
            "{found:?}"
        );
        assert_eq!(layer.weights(1).collect::<Vec<_>>(), [127.0, 1.0, 2.0]);
    }
}
