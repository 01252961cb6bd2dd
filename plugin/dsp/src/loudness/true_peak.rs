//! True peak: the largest magnitude between the samples.
//!
//! BS.1770-5 annex 2 with an interpolator of our own: a sinc of 20 taps in a Kaiser window (β 5),
//! flat within 0.05 dB to 20 kHz at 48 kHz. The sinc passes through the samples themselves, so only
//! the phases between them are computed. A stretch whose peak times the L1 norm of the filter is
//! not above the running maximum cannot raise it and is skipped: exact, and most stretches are.

use crate::SampleRate;
use crate::simd::{Lanes, dispatch};
use std::f64::consts::PI;

/// Taps of one phase, in input samples.
const TAPS: usize = 20;

/// Samples before a stretch that its interpolation needs.
pub(super) const HISTORY: usize = TAPS - 1;

/// Positions computed, or skipped, together.
const GROUP: usize = 16;

/// Samples that a group needs.
const WINDOW: usize = GROUP + HISTORY;

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
        match self.phases.as_slice() {
            [a, b, c] => peak_of_three(&[*a, *b, *c], self.norm, input, above),
            [a] => peak_of_one(&[*a], self.norm, input, above),
            _ => above,
        }
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
    /// The larger of `above` and the peak at the positions between the samples of `input`.
    ///
    /// The instruction sets differ by the rounding of fused operations, about 1e-6 of the peak.
    fn peak_of_three(phases: &[[f32; TAPS]; 3], norm: f32, input: &[f32], above: f32) -> f32
        = peak_kernel_three
}

dispatch! {
    /// The same with one position between two samples.
    fn peak_of_one(phases: &[[f32; TAPS]; 1], norm: f32, input: &[f32], above: f32) -> f32
        = peak_kernel_one
}

#[inline(always)]
fn peak_kernel_three<L: Lanes>(
    phases: &[[f32; TAPS]; 3],
    norm: f32,
    input: &[f32],
    above: f32,
) -> f32 {
    peak_kernel::<L, 3>(phases, norm, input, above)
}

#[inline(always)]
fn peak_kernel_one<L: Lanes>(
    phases: &[[f32; TAPS]; 1],
    norm: f32,
    input: &[f32],
    above: f32,
) -> f32 {
    peak_kernel::<L, 1>(phases, norm, input, above)
}

#[inline(always)]
fn peak_kernel<L: Lanes, const P: usize>(
    phases: &[[f32; TAPS]; P],
    norm: f32,
    input: &[f32],
    above: f32,
) -> f32 {
    let Some(last) = input.len().checked_sub(WINDOW) else {
        return short_peak(phases, input, above);
    };
    let mut peak = above;
    let mut at = 0;
    loop {
        // The last group ends with the input: computing a position twice changes no maximum.
        let window = input[at.min(last)..].first_chunk::<WINDOW>();
        if let Some(window) = window
            && window_peak::<L>(window) * norm > peak
        {
            peak = peak.max(group_peak::<L, P>(phases, window));
        }
        if at >= last {
            return peak;
        }
        at += GROUP;
    }
}

/// The largest magnitude of the samples.
#[inline(always)]
fn window_peak<L: Lanes>(window: &[f32; WINDOW]) -> f32 {
    let mut peaks = L::floats(0.0);
    for at in [0, 8, 16, 24, WINDOW - 8] {
        peaks = L::max_magnitude(peaks, vector::<L>(window, at));
    }
    largest::<L>(peaks)
}

/// The largest magnitude that the phases give at the positions of one group.
#[inline(always)]
fn group_peak<L: Lanes, const P: usize>(phases: &[[f32; TAPS]; P], window: &[f32; WINDOW]) -> f32 {
    let mut sums = [[L::floats(0.0); 2]; P];
    for tap in 0..TAPS {
        let x = [vector::<L>(window, tap), vector::<L>(window, tap + 8)];
        for (sums, taps) in sums.iter_mut().zip(phases) {
            let weight = L::floats(taps[tap]);
            sums[0] = L::mul_add_floats(x[0], weight, sums[0]);
            sums[1] = L::mul_add_floats(x[1], weight, sums[1]);
        }
    }
    largest::<L>(
        sums.into_iter()
            .flatten()
            .fold(L::floats(0.0), L::max_magnitude),
    )
}

/// Eight samples from `at` on.
#[inline(always)]
fn vector<L: Lanes>(window: &[f32; WINDOW], at: usize) -> L::Floats {
    window[at..]
        .first_chunk()
        .map_or(L::floats(0.0), L::load_floats)
}

#[inline(always)]
fn largest<L: Lanes>(peaks: L::Floats) -> f32 {
    L::store_floats(peaks).into_iter().fold(0.0, f32::max)
}

/// For fewer positions than a group: the end of a file.
fn short_peak(phases: &[[f32; TAPS]], input: &[f32], above: f32) -> f32 {
    let dot = |(window, taps): (&[f32], &[f32; TAPS])| {
        window
            .iter()
            .zip(taps)
            .map(|(x, tap)| x * tap)
            .sum::<f32>()
            .abs()
    };
    let windows = input.windows(TAPS);
    windows
        .flat_map(|window| phases.iter().map(move |taps| (window, taps)))
        .map(dot)
        .fold(above, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
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
            let phases: &[[f32; TAPS]; 3] = filter.phases.first_chunk().unwrap();
            prop_assert!(close(peak_kernel::<Portable, 3>(phases, filter.norm, &input, above)));
            prop_assert!(close(peak_kernel::<Portable, 3>(phases, f32::MAX, &input, above)));
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
