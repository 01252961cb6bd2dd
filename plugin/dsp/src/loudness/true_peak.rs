//! True peak: the largest magnitude between the samples.
//!
//! BS.1770-5 annex 2 with an interpolator of our own: four positions per sample, a sinc of 20 taps
//! in a Kaiser window (β 5), flat within 0.05 dB to 20 kHz at 48 kHz. The sinc passes through the
//! samples themselves, so only the three positions between them are computed; the filters of the
//! first and third are mirror images and that of the second is its own, which saves a third of the
//! multiplications. A stretch whose peak times the L1 norm of the filter is not above the running
//! maximum cannot raise it and is skipped: exact, and most stretches are.

use crate::SampleRate;
use crate::simd::{Lanes, dispatch};
use std::f64::consts::PI;

/// Taps of one position, in input samples, and pairs of taps at the same distance.
pub(crate) const TAPS: usize = 20;
const PAIRS: usize = TAPS / 2;

/// Samples before a stretch that its interpolation needs.
pub(crate) const HISTORY: usize = TAPS - 1;

/// Positions computed, or skipped, together.
const GROUP: usize = 16;

/// Samples that a group needs.
const WINDOW: usize = GROUP + HISTORY;

/// Shape of the Kaiser window.
const BETA: f64 = 5.0;

/// From this rate on the samples lie as close as BS.1770 asks for.
const DENSE: u32 = 192_000;

/// The interpolator for one sample rate.
#[derive(Clone, Debug)]
pub(crate) struct Interpolator {
    taps: Taps,
    /// No output exceeds the input's peak times this; 0 when nothing lies between the samples.
    norm: f32,
}

/// Weights of the sums (and differences) of two samples at the same distance from the middle,
/// outermost first.
#[derive(Clone, Debug)]
struct Taps {
    /// Of sums, half way.
    half: [f32; PAIRS],
    /// Of sums, at a quarter and at three quarters.
    even: [f32; PAIRS],
    /// Of differences, at a quarter; the negative at three quarters.
    odd: [f32; PAIRS],
}

impl Interpolator {
    /// Four times oversampling below 192 kHz, no oversampling above.
    pub(crate) fn new(rate: SampleRate) -> Self {
        let (half, quarter) = (position(0.5), position(0.25));
        let sum = |taps: [f64; TAPS]| taps.iter().map(|tap| tap.abs()).sum::<f64>();
        // The margin covers the rounding of the sums on both sides.
        let norm = (sum(half).max(sum(quarter)) * 1.000_01) as f32;
        let mut taps = Taps { half: [0.0; PAIRS], even: [0.0; PAIRS], odd: [0.0; PAIRS] };
        for k in 0..PAIRS {
            let (near, far) = (quarter[k], quarter[TAPS - 1 - k]);
            taps.half[k] = half[k] as f32;
            taps.even[k] = ((near + far) / 2.0) as f32;
            taps.odd[k] = ((near - far) / 2.0) as f32;
        }
        Self { taps, norm: if rate.0 < DENSE { norm } else { 0.0 } }
    }

    /// Whether audio of this sample peak can hold a true peak above `above`.
    #[inline]
    pub(crate) fn can_exceed(&self, peak: f32, above: f32) -> bool {
        peak * self.norm > above
    }

    /// The larger of `above` and the peak between the two samples in the middle of `window`, which has
    /// [`TAPS`] samples.
    #[inline]
    pub(crate) fn between(&self, window: &[f32], above: f32) -> f32 {
        short_peak(self, window, above)
    }

    /// The larger of `above` and the peak between the samples of `input`, whose first [`HISTORY`]
    /// samples were the last of the stretch before.
    pub(crate) fn peak(&self, input: &[f32], above: f32) -> f32 {
        peak(self, input, above)
    }
}

/// The taps for a position `fraction` of the way from one sample to the next; their sum is 1.
fn position(fraction: f64) -> [f64; TAPS] {
    let half = PAIRS as f64;
    let mut t = -half - fraction;
    let taps = [(); TAPS].map(|()| {
        t += 1.0;
        (PI * t).sin() / (PI * t) * bessel(BETA * (1.0 - (t / half).powi(2)).max(0.0).sqrt())
    });
    let sum: f64 = taps.iter().sum();
    taps.map(|tap| tap / sum)
}

/// The modified Bessel function of order zero, by its power series.
fn bessel(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..=30 {
        term *= (x / 2.0 / f64::from(k)).powi(2);
        sum += term;
    }
    sum
}

dispatch! {
    /// See [`Interpolator::peak`]. The instruction sets differ by the rounding of fused operations,
    /// about 1e-6 of the peak.
    fn peak(filter: &Interpolator, input: &[f32], above: f32) -> f32 = peak_kernel
}

#[inline(always)]
fn peak_kernel<L: Lanes>(simd: L, filter: &Interpolator, input: &[f32], above: f32) -> f32 {
    let Some(last) = input.len().checked_sub(WINDOW) else {
        return short_peak(filter, input, above);
    };
    let mut peak = above;
    let mut at = 0;
    loop {
        // The last group ends with the input: computing a position twice changes no maximum.
        let window = input[at.min(last)..].first_chunk::<WINDOW>();
        if let Some(window) = window
            && filter.can_exceed(window_peak(simd, window), peak)
        {
            peak = peak.max(group_peak(simd, &filter.taps, window));
        }
        if at >= last {
            return peak;
        }
        at += GROUP;
    }
}

/// The largest magnitude of the samples.
#[inline(always)]
fn window_peak<L: Lanes>(simd: L, window: &[f32; WINDOW]) -> f32 {
    let mut peaks = simd.floats(0.0);
    for at in [0, 8, 16, 24, WINDOW - 8] {
        peaks = simd.max_magnitude(peaks, vector(simd, window, at));
    }
    largest(simd, peaks)
}

/// The largest magnitude at the positions of one group.
#[inline(always)]
fn group_peak<L: Lanes>(simd: L, taps: &Taps, window: &[f32; WINDOW]) -> f32 {
    let zero = [simd.floats(0.0); GROUP / 8];
    let (mut half, mut even, mut odd) = (zero, zero, zero);
    for k in 0..PAIRS {
        let weights = [taps.half[k], taps.even[k], taps.odd[k]].map(|x| simd.floats(x));
        for n in 0..GROUP / 8 {
            let near = vector(simd, window, k + 8 * n);
            let far = vector(simd, window, TAPS - 1 - k + 8 * n);
            let (sum, difference) = (simd.add_floats(near, far), simd.sub_floats(near, far));
            half[n] = simd.mul_add_floats(sum, weights[0], half[n]);
            even[n] = simd.mul_add_floats(sum, weights[1], even[n]);
            odd[n] = simd.mul_add_floats(difference, weights[2], odd[n]);
        }
    }
    let mut peaks = simd.floats(0.0);
    for n in 0..GROUP / 8 {
        peaks = simd.max_magnitude(peaks, half[n]);
        peaks = simd.max_magnitude(peaks, simd.add_floats(even[n], odd[n]));
        peaks = simd.max_magnitude(peaks, simd.sub_floats(even[n], odd[n]));
    }
    largest(simd, peaks)
}

/// Eight samples from `at` on.
#[inline(always)]
fn vector<L: Lanes>(simd: L, window: &[f32; WINDOW], at: usize) -> L::Floats {
    window[at..].first_chunk().map_or_else(|| simd.floats(0.0), |chunk| simd.load_floats(chunk))
}

#[inline(always)]
fn largest<L: Lanes>(simd: L, peaks: L::Floats) -> f32 {
    simd.store_floats(peaks).into_iter().fold(0.0, f32::max)
}

/// For fewer positions than a group: the end of a file.
fn short_peak(filter: &Interpolator, input: &[f32], above: f32) -> f32 {
    if filter.norm <= 0.0 {
        return above;
    }
    let windows = input.windows(TAPS);
    windows.fold(above, |peak, window| {
        let (mut half, mut even, mut odd) = (0f32, 0f32, 0f32);
        for k in 0..PAIRS {
            let (near, far) = (window[k], window[TAPS - 1 - k]);
            half += filter.taps.half[k] * (near + far);
            even += filter.taps.even[k] * (near + far);
            odd += filter.taps.odd[k] * (near - far);
        }
        peak.max(half.abs()).max((even + odd).abs()).max((even - odd).abs())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use proptest::prelude::*;

    /// The three filters between two samples, as the standard draws them.
    fn filters() -> [[f64; TAPS]; 3] {
        [0.25, 0.5, 0.75].map(position)
    }

    proptest! {
        #[test]
        fn pruning_mirrors_and_instruction_set_change_nothing(
            input in prop::collection::vec(-1f32..1.0, TAPS..400), above in 0f32..2.0,
        ) {
            let mut expected = f64::from(above);
            for window in input.windows(TAPS) {
                for taps in filters() {
                    let terms = taps.iter().zip(window).map(|(tap, x)| tap * f64::from(*x));
                    expected = expected.max(terms.sum::<f64>().abs());
                }
            }
            let close = |peak: f32| (f64::from(peak) - expected).abs() < 2e-6;
            let filter = Interpolator::new(SampleRate(48_000));
            prop_assert!(close(filter.peak(&input, above)));
            prop_assert!(close(peak_kernel(Portable, &filter, &input, above)));
            let unpruned = Interpolator { norm: f32::MAX, ..filter };
            prop_assert!(close(unpruned.peak(&input, above)));
        }
    }

    #[test]
    fn the_interpolator_is_flat_to_20_khz() {
        for taps in filters() {
            for hz in (100..=20_000).step_by(100) {
                let w = 2.0 * PI * f64::from(hz) / 48_000.0;
                let (mut re, mut im) = (0.0, 0.0);
                for (k, tap) in taps.iter().enumerate() {
                    re += tap * (w * k as f64).cos();
                    im += tap * (w * k as f64).sin();
                }
                let gain = 20.0 * f64::hypot(re, im).log10();
                assert!(gain.abs() < 0.05, "{gain} dB at {hz} Hz");
            }
        }
    }

    #[test]
    fn oversampling_ends_at_192_khz() {
        let oversampled = |rate| Interpolator::new(SampleRate(rate)).can_exceed(1.0, 1.0);
        assert_eq!([8_000, 96_000, 176_400, 192_000].map(oversampled), [true, true, true, false]);
        let dense = Interpolator::new(SampleRate(192_000));
        assert_eq!([dense.peak(&[1.0; 25], 0.5), dense.peak(&[1.0; 80], 0.5)], [0.5, 0.5]);
    }
}
