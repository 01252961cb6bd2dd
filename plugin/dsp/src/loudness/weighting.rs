//! The K-weighting filter of BS.1770, eight samples at a time.
//!
//! Two biquads in series are one system with four states. Unrolled over eight samples it becomes
//! a few small matrix products without a recursion from sample to sample, which is what lets it
//! fill SIMD registers for one channel as well as for many. Double precision: the high-pass at
//! 38 Hz has its poles so near to 1 that single precision would be heard in the gate.

use crate::SampleRate;
use crate::simd::{Lanes, dispatch};
use crate::subnormal::settled;
use std::f64::consts::PI;

/// Samples per step.
const BLOCK: usize = 8;
/// States of the two biquads.
const ORDER: usize = 4;

/// The memory of the filter for one channel.
pub(super) type State = [f64; ORDER];

/// The filter for one sample rate, the same for all channels.
#[derive(Clone, Debug)]
pub(super) struct KWeighting {
    /// `h[7 - i..][..8]` is what input `i` of a block adds to the eight outputs.
    impulse: [f64; 2 * BLOCK - 1],
    /// What state `j` adds to the first and to the last four outputs.
    ringing: [[[f64; 4]; 2]; ORDER],
    /// What input `i` leaves in the state after the block.
    intake: [State; BLOCK],
    /// What state `j` leaves in the state after the block.
    carry: [State; ORDER],
    /// The system for one sample, for samples that do not fill a block.
    single: System,
}

/// `s' = A s + B x`, `y = C s + D x`.
#[derive(Clone, Copy, Debug)]
struct System {
    a: [[f64; ORDER]; ORDER],
    b: State,
    c: State,
    d: f64,
}

/// `b0 b1 b2` over `1 a1 a2`.
#[derive(Clone, Copy, Debug)]
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
}

/// The high shelf for the head, +4 dB: the analog prototype of the coefficients that BS.1770 gives
/// for 48 kHz, by the bilinear transform with prewarping at any other rate.
fn shelf(rate: SampleRate) -> Biquad {
    let k = (PI * 1_681.974_450_955_533 / f64::from(rate.0)).tan();
    let q = 0.707_175_236_955_419_6;
    let high = 10f64.powf(3.999_843_853_973_347 / 20.0);
    let band = high.powf(0.499_666_774_154_541_6);
    let a0 = 1.0 + k / q + k * k;
    let b = [high + band * k / q + k * k, 2.0 * (k * k - high), high - band * k / q + k * k];
    Biquad { b: b.map(|b| b / a0), a: [2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0] }
}

/// The high-pass ("revised low-frequency B curve"). Its numerator is 1, -2, 1 at every rate, as in
/// BS.1770 and in all other meters.
fn high_pass(rate: SampleRate) -> Biquad {
    let k = (PI * 38.135_470_876_024_44 / f64::from(rate.0)).tan();
    let q = 0.500_327_037_323_877_3;
    let a0 = 1.0 + k / q + k * k;
    Biquad { b: [1.0, -2.0, 1.0], a: [2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0] }
}

impl System {
    /// `first` and `second` in series, each in transposed direct form 2.
    fn cascade(first: Biquad, second: Biquad) -> Self {
        let intake = |q: Biquad| [q.b[1] - q.a[0] * q.b[0], q.b[2] - q.a[1] * q.b[0]];
        let (one, two) = (intake(first), intake(second));
        Self {
            a: [
                [-first.a[0], 1.0, 0.0, 0.0],
                [-first.a[1], 0.0, 0.0, 0.0],
                [two[0], 0.0, -second.a[0], 1.0],
                [two[1], 0.0, -second.a[1], 0.0],
            ],
            b: [one[0], one[1], two[0] * first.b[0], two[1] * first.b[0]],
            c: [second.b[0], 0.0, 1.0, 0.0],
            d: first.b[0] * second.b[0],
        }
    }

    #[inline(always)]
    fn step(&self, state: &mut State, x: f64) -> f64 {
        let y = dot(&self.c, state) + self.d * x;
        let old = *state;
        for (new, (a, b)) in state.iter_mut().zip(self.a.iter().zip(&self.b)) {
            *new = dot(a, &old) + b * x;
        }
        y
    }
}

#[inline(always)]
fn dot(a: &State, b: &State) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

impl KWeighting {
    pub(super) fn new(rate: SampleRate) -> Self {
        Self::unroll(System::cascade(shelf(rate), high_pass(rate)))
    }

    /// Follows a unit input and each unit state through one block.
    fn unroll(single: System) -> Self {
        let mut filter = Self {
            impulse: [0.0; 2 * BLOCK - 1],
            ringing: [[[0.0; 4]; 2]; ORDER],
            intake: [[0.0; ORDER]; BLOCK],
            carry: [[0.0; ORDER]; ORDER],
            single,
        };
        let mut state = [0.0; ORDER];
        for n in 0..BLOCK {
            let x = if n == 0 { 1.0 } else { 0.0 };
            filter.impulse[BLOCK - 1 + n] = single.step(&mut state, x);
            filter.intake[BLOCK - 1 - n] = state;
        }
        for index in 0..ORDER {
            let mut state = [0.0; ORDER];
            state[index] = 1.0;
            filter.ringing[index] =
                [[(); 4]; 2].map(|half| half.map(|()| single.step(&mut state, 0.0)));
            filter.carry[index] = state;
        }
        filter
    }
}

dispatch! {
    /// Filters one channel and returns the sum of the squared output.
    ///
    /// The instruction sets differ by the rounding of fused operations, about 1e-13 of the result.
    pub(super) fn energy_of_one(filter: &KWeighting, state: &mut State, input: &[f32]) -> f64
        = one_kernel
}

dispatch! {
    /// Filters two channels of one length side by side; see [`energy_of_one`].
    pub(super) fn energy_of_two(
        filter: &KWeighting, states: &mut [State; 2], input: [&[f32]; 2]
    ) -> [f64; 2] = two_kernel
}

#[inline(always)]
fn one_kernel<L: Lanes>(simd: L, filter: &KWeighting, state: &mut State, input: &[f32]) -> f64 {
    let mut states = [*state];
    let [energy] = kernel(simd, filter, &mut states, [input]);
    *state = states[0];
    energy
}

#[inline(always)]
fn two_kernel<L: Lanes>(
    simd: L,
    filter: &KWeighting,
    states: &mut [State; 2],
    input: [&[f32]; 2],
) -> [f64; 2] {
    kernel(simd, filter, states, input)
}

#[inline(always)]
fn kernel<L: Lanes, const N: usize>(
    simd: L,
    filter: &KWeighting,
    states: &mut [State; N],
    input: [&[f32]; N],
) -> [f64; N] {
    let split = input.map(|channel| channel.as_chunks::<BLOCK>());
    let blocks = split.map(|(blocks, _)| blocks);
    let count = blocks.iter().map(|blocks| blocks.len()).min().unwrap_or(0);
    let mut squares = [simd.doubles(0.0); N];
    let mut vectors = states.map(|state| simd.load_doubles(&state));
    for index in 0..count {
        step_block(simd, filter, &mut vectors, blocks.map(|b| &b[index]), &mut squares);
    }
    let mut energies = squares.map(|lanes| simd.store_doubles(lanes).iter().sum::<f64>());
    *states = vectors.map(|x| simd.store_doubles(x));
    for channel in 0..N {
        let state = &mut states[channel];
        for x in split[channel].1 {
            let y = filter.single.step(state, f64::from(*x));
            energies[channel] += y * y;
        }
        // Each biquad by itself: the shelf forgets long before the high-pass does.
        let [a, b, c, d] = *state;
        let ([a, b], [c, d]) = (settled([a, b]), settled([c, d]));
        *state = [a, b, c, d];
    }
    energies
}

/// Eight samples of each channel. The loops run over constants and unroll completely; two channels
/// share each coefficient that is loaded.
#[inline(always)]
fn step_block<L: Lanes, const N: usize>(
    simd: L,
    filter: &KWeighting,
    states: &mut [L::Doubles; N],
    x: [&[f32; BLOCK]; N],
    squares: &mut [L::Doubles; N],
) {
    // No closure may enclose a vector operation: closures do not inherit the features.
    let mut wide = [[[0f64; 4]; 2]; N];
    for n in 0..N {
        let (quads, _) = x[n].as_chunks::<4>();
        wide[n][0] = simd.store_doubles(simd.widen(&quads[0]));
        wide[n][1] = simd.store_doubles(simd.widen(&quads[1]));
    }
    let zero = simd.doubles(0.0);
    let (mut early, mut late, mut next) = ([zero; N], [zero; N], [zero; N]);
    for i in 0..BLOCK {
        let intake = simd.load_doubles(&filter.intake[i]);
        let to_early = simd.load_doubles(&response(filter, i, 0));
        let to_late = simd.load_doubles(&response(filter, i, 4));
        for n in 0..N {
            let x = simd.doubles(wide[n][i / 4][i % 4]);
            next[n] = simd.mul_add_doubles(intake, x, next[n]);
            late[n] = simd.mul_add_doubles(to_late, x, late[n]);
            if i < 4 {
                early[n] = simd.mul_add_doubles(to_early, x, early[n]);
            }
        }
    }
    let old = states.map(|x| simd.store_doubles(x));
    for (j, (ringing, carry)) in filter.ringing.iter().zip(&filter.carry).enumerate() {
        let [to_early, to_late] = ringing.each_ref().map(|x| simd.load_doubles(x));
        let carry = simd.load_doubles(carry);
        for n in 0..N {
            let s = simd.doubles(old[n][j]);
            next[n] = simd.mul_add_doubles(carry, s, next[n]);
            early[n] = simd.mul_add_doubles(to_early, s, early[n]);
            late[n] = simd.mul_add_doubles(to_late, s, late[n]);
        }
    }
    for n in 0..N {
        squares[n] = simd.mul_add_doubles(early[n], early[n], squares[n]);
        squares[n] = simd.mul_add_doubles(late[n], late[n], squares[n]);
    }
    *states = next;
}

/// What input `i` adds to the four outputs from `first` on.
#[inline(always)]
fn response(filter: &KWeighting, i: usize, first: usize) -> [f64; 4] {
    let at = BLOCK - 1 - i + first;
    let h = &filter.impulse;
    [h[at], h[at + 1], h[at + 2], h[at + 3]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use proptest::prelude::*;

    const RATES: [u32; 7] = [8_000, 22_050, 44_100, 48_000, 96_000, 192_000, 768_000];

    #[test]
    fn the_coefficients_at_48_khz_are_those_of_bs_1770() {
        let (shelf, pass) = (shelf(SampleRate(48_000)), high_pass(SampleRate(48_000)));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        close(shelf.b[0], 1.535_124_859_586_97);
        close(shelf.b[1], -2.691_696_189_406_38);
        close(shelf.b[2], 1.198_392_810_852_85);
        close(shelf.a[0], -1.690_659_293_182_41);
        close(shelf.a[1], 0.732_480_774_215_85);
        close(pass.a[0], -1.990_047_454_833_98);
        close(pass.a[1], 0.990_072_250_366_21);
    }

    /// The biquads sample by sample, as the standard draws them.
    fn reference(rate: SampleRate, input: &[f32]) -> f64 {
        let mut stages = [(shelf(rate), [0f64; 2]), (high_pass(rate), [0f64; 2])];
        let mut energy = 0.0;
        for sample in input {
            let mut x = f64::from(*sample);
            for (q, s) in &mut stages {
                let y = q.b[0] * x + s[0];
                *s = [q.b[1] * x - q.a[0] * y + s[1], q.b[2] * x - q.a[1] * y];
                x = y;
            }
            energy += x * x;
        }
        energy
    }

    proptest! {
        #[test]
        fn blocks_of_eight_equal_the_biquads_on_every_path(
            input in prop::collection::vec(-1f32..1.0, 0..900), rate in prop::sample::select(&RATES[..]),
        ) {
            let rate = SampleRate(rate);
            let filter = KWeighting::new(rate);
            let expected = reference(rate, &input);
            let close = |energy: f64| (energy - expected).abs() <= expected * 1e-9;
            let mut state = [0.0; ORDER];
            prop_assert!(close(energy_of_one(&filter, &mut state, &input)));
            prop_assert!(close(one_kernel(Portable, &filter, &mut [0.0; ORDER], &input)));
            let mut pair = [[0.0; ORDER]; 2];
            let both = two_kernel(Portable, &filter, &mut pair, [&input, &input]);
            prop_assert!(close(both[0]) && close(both[1]));
            let mut pair = [[0.0; ORDER]; 2];
            let both = energy_of_two(&filter, &mut pair, [&input, &input]);
            prop_assert!(close(both[0]) && close(both[1]));
        }
    }

    #[test]
    fn digital_silence_leaves_no_denormals() {
        let filter = KWeighting::new(SampleRate(48_000));
        let mut state = [0.0; ORDER];
        energy_of_one(&filter, &mut state, &[1.0; 480]);
        for _ in 0..200 {
            energy_of_one(&filter, &mut state, &[0.0; 480]);
        }
        assert_eq!(state, [0.0; ORDER]);
    }
}
