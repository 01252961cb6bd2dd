//! True peak: the largest magnitude between the samples.
//!
//! BS.1770-5 annex 2 with an interpolator of our own: a sinc of 20 taps in a Kaiser window (β 5),
//! flat within 0.05 dB to 20 kHz at 48 kHz. The sinc passes through the samples themselves, so only
//! the phases between them are computed. A stretch whose peak times the L1 norm of the filter is
//! not above the running maximum cannot raise it and is skipped: exact, and most stretches are.

use crate::SampleRate;
use crate::level::scan;
use crate::simd::{Arithmetic, dispatch};
use std::f64::consts::PI;

/// Taps of one phase, in input samples.
const TAPS: usize = 20;

/// Samples before a stretch that its interpolation needs.
pub(super) const HISTORY: usize = TAPS - 1;

/// Positions computed together, and positions per pruning decision.
const LANES: usize = 16;
const STRETCH: usize = 32;

/// Shape of the Kaiser window.
const BETA: f64 = 5.0;

/// The interpolator for one sample rate.
#[derive(Clone, Debug)]
pub(super) struct Interpolator {
    /// One filter per position between two samples; empty from 192 kHz on.
    phases: Vec<[f32; TAPS]>,
    /// No output exceeds the input's peak times this.
    norm: f32,
}

impl Interpolator {
    /// 4x below 96 kHz, 2x below 192 kHz, the samples themselves above.
    pub(super) fn new(rate: SampleRate) -> Self {
        let factor = match rate.0 {
            0..96_000 => 4,
            96_000..192_000 => 2,
            _ => 1,
        };
        let phases: Vec<_> = (1..factor)
            .map(|n| phase(f64::from(n) / f64::from(factor)))
            .collect();
        let norms = phases
            .iter()
            .map(|taps| taps.iter().map(|tap| tap.abs()).sum::<f32>());
        // The margin covers the rounding of the sums on both sides.
        let norm = norms.fold(1.0, f32::max) * 1.000_01;
        Self { phases, norm }
    }

    /// Whether audio of this sample peak can hold a true peak above `above`.
    #[inline]
    pub(super) fn can_exceed(&self, peak: f32, above: f32) -> bool {
        !self.phases.is_empty() && peak * self.norm > above
    }

    /// The larger of `above` and the peak between the samples of `input`, whose first [`HISTORY`]
    /// samples were the last of the stretch before.
    pub(super) fn peak(&self, input: &[f32], above: f32) -> f32 {
        let mut peak = above;
        let positions = input.len().saturating_sub(HISTORY);
        let mut at = 0;
        while at < positions {
            let length = STRETCH.min(positions - at);
            let window = &input[at..at + length + HISTORY];
            if self.can_exceed(f32::from_bits(scan(window).peak_bits), peak) {
                peak = peak.max(interpolate(&self.phases, window));
            }
            at += length;
        }
        peak
    }
}

/// The taps for a position `fraction` of the way from one sample to the next; their sum is 1.
fn phase(fraction: f64) -> [f32; TAPS] {
    let half = TAPS as f64 / 2.0;
    let mut index = 0.0;
    let taps = [(); TAPS].map(|()| {
        let t = index - half + 1.0 - fraction;
        index += 1.0;
        (PI * t).sin() / (PI * t) * bessel(BETA * (1.0 - (t / half).powi(2)).max(0.0).sqrt())
    });
    let sum: f64 = taps.iter().sum();
    taps.map(|tap| (tap / sum) as f32)
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
    /// The largest magnitude that the phases give over all positions of `input`.
    ///
    /// The instruction sets differ by the rounding of fused operations, about 1e-6 of the peak.
    fn interpolate(phases: &[[f32; TAPS]], input: &[f32]) -> f32 = interpolate_kernel
}

#[inline(always)]
fn interpolate_kernel<A: Arithmetic>(phases: &[[f32; TAPS]], input: &[f32]) -> f32 {
    let positions = input.len().saturating_sub(HISTORY);
    let mut peaks = [0f32; LANES];
    let mut at = 0;
    while at < positions {
        // The last group ends with the input: computing a position twice changes no maximum.
        let from = at.min(positions.saturating_sub(LANES));
        let lanes = LANES.min(positions);
        for taps in phases {
            if lanes == LANES {
                group::<A>(taps, &input[from..from + LANES + HISTORY], &mut peaks);
            } else {
                short_group::<A>(taps, input, lanes, &mut peaks);
            }
        }
        at += LANES;
    }
    peaks.into_iter().fold(0.0, f32::max)
}

#[inline(always)]
fn group<A: Arithmetic>(taps: &[f32; TAPS], input: &[f32], peaks: &mut [f32; LANES]) {
    let mut sums = [0f32; LANES];
    for tap in 0..TAPS {
        let x = &input[tap..tap + LANES];
        for lane in 0..LANES {
            sums[lane] = A::mul_add_f32(x[lane], taps[tap], sums[lane]);
        }
    }
    for lane in 0..LANES {
        peaks[lane] = peaks[lane].max(sums[lane].abs());
    }
}

#[inline(always)]
fn short_group<A: Arithmetic>(
    taps: &[f32; TAPS],
    input: &[f32],
    lanes: usize,
    peaks: &mut [f32; LANES],
) {
    for lane in 0..lanes {
        let window = taps.iter().zip(&input[lane..]);
        let sum = window.fold(0.0, |sum, (tap, x)| A::mul_add_f32(*x, *tap, sum));
        peaks[lane] = peaks[lane].max(sum.abs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Apart, Fused};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pruning_and_instruction_set_change_nothing(
            input in prop::collection::vec(-1f32..1.0, HISTORY..400), above in 0f32..2.0,
        ) {
            let filter = Interpolator::new(SampleRate(48_000));
            let positions = input.len() - HISTORY;
            let mut expected = above;
            for at in 0..positions {
                for taps in &filter.phases {
                    let sum: f64 = taps.iter().zip(&input[at..]).map(|(a, b)| f64::from(a * b)).sum();
                    expected = expected.max(sum.abs() as f32);
                }
            }
            let close = |peak: f32| (peak.max(above) - expected).abs() < 2e-6;
            prop_assert!(close(filter.peak(&input, above)));
            prop_assert!(close(interpolate_kernel::<Fused>(&filter.phases, &input)));
            prop_assert!(close(interpolate_kernel::<Apart>(&filter.phases, &input)));
        }
    }

    #[test]
    fn the_interpolator_is_flat_to_20_khz() {
        let filter = Interpolator::new(SampleRate(48_000));
        for taps in &filter.phases {
            for hz in (100..=20_000).step_by(100) {
                let w = 2.0 * PI * f64::from(hz) / 48_000.0;
                let (mut re, mut im) = (0.0, 0.0);
                for (k, tap) in taps.iter().enumerate() {
                    re += f64::from(*tap) * (w * k as f64).cos();
                    im += f64::from(*tap) * (w * k as f64).sin();
                }
                let gain = 20.0 * f64::hypot(re, im).log10();
                assert!(gain.abs() < 0.05, "{gain} dB at {hz} Hz");
            }
        }
    }

    #[test]
    fn oversampling_ends_at_192_khz() {
        let count = |rate| Interpolator::new(SampleRate(rate)).phases.len();
        assert_eq!([48_000, 88_200, 96_000, 192_000].map(count), [3, 3, 1, 0]);
    }
}
