//! Sample peak, mean square and the level of the active parts.

use crate::Decibels;
use crate::simd::{Lanes, dispatch};

/// Lanes of the kernels below: two AVX2 registers of `f32`.
const LANES: usize = 16;

/// Frames that are summed in single precision before they join a double.
const SPAN: usize = 256;

/// The result of one pass over a block of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scan {
    /// Bits of the largest magnitude; NaN counts as larger than all.
    pub(crate) peak_bits: u32,
    pub(crate) squares: f64,
}

/// Magnitudes from here on (+180 dBFS), NaN and infinities are damage, not audio: their squares
/// would overflow in every sum.
pub(crate) const NOT_AUDIO: f32 = 1e9;

impl Scan {
    /// The largest magnitude, if all samples are audio.
    pub(crate) fn peak(self) -> Option<f32> {
        (self.peak_bits < NOT_AUDIO.to_bits()).then(|| f32::from_bits(self.peak_bits))
    }
}

dispatch! {
    /// Peak and sum of squares in one pass; bit-equal on every instruction set.
    pub(crate) fn scan(samples: &[f32]) -> Scan = scan_kernel
}

#[inline(always)]
fn scan_kernel<L: Lanes>(_: L, samples: &[f32]) -> Scan {
    let mut peaks = [0u32; LANES];
    let mut squares = 0f64;
    for span in samples.chunks(SPAN) {
        let mut sums = [0f32; LANES];
        let (blocks, rest) = span.as_chunks::<LANES>();
        for block in blocks {
            for lane in 0..LANES {
                peaks[lane] = peaks[lane].max(magnitude_bits(block[lane]));
                sums[lane] += block[lane] * block[lane];
            }
        }
        for (lane, sample) in rest.iter().enumerate() {
            peaks[lane] = peaks[lane].max(magnitude_bits(*sample));
            sums[lane] += sample * sample;
        }
        squares += sums.iter().map(|sum| f64::from(*sum)).sum::<f64>();
    }
    Scan { peak_bits: peaks.into_iter().fold(0, u32::max), squares }
}

/// Magnitudes of floats sort as their bits do, and NaN sorts above infinity.
#[inline(always)]
fn magnitude_bits(sample: f32) -> u32 {
    sample.to_bits() & 0x7fff_ffff
}

/// The largest magnitude of the samples, 1.0 = full scale; NaN, infinities and anything from 1e9 on
/// count as 0.
#[must_use]
pub fn sample_peak(samples: &[f32]) -> f32 {
    let finite = || samples.iter().filter(|sample| sample.abs() < NOT_AUDIO);
    scan(samples).peak().unwrap_or_else(|| finite().fold(0.0, |peak, x| x.abs().max(peak)))
}

/// The sum of the squared samples; a NaN or infinity in gives one out.
#[must_use]
pub fn sum_of_squares(samples: &[f32]) -> f64 {
    scan(samples).squares
}

/// The root mean square of the samples, `None` for no samples or digital silence.
#[must_use]
pub fn rms(samples: &[f32]) -> Option<Decibels> {
    mean_square_level(sum_of_squares(samples) / samples.len() as f64)
}

/// A mean square as a level: `10 log10`; `None` at zero (and for NaN).
#[must_use]
pub fn mean_square_level(mean_square: f64) -> Option<Decibels> {
    Decibels::from_amplitude(mean_square.sqrt())
}

/// The sum of the squared samples without their mean. A constant gives 0 to the last bit.
pub(crate) fn squares_without_mean(samples: &[f32]) -> f64 {
    let sum: f64 = samples.chunks(SPAN).map(|span| f64::from(lane_sum(span))).sum();
    let (length, all) = (samples.len().max(1) as f64, scan(samples).squares);
    let held = sum * sum / length;
    if held < all * 1e-3 {
        return (all - held).max(0.0);
    }
    // The difference of two large numbers would be noise.
    let first = samples.first().copied().map_or(0.0, f64::from);
    let (mut moved, mut squares) = (0.0, 0.0);
    for sample in samples {
        let from_first = f64::from(*sample) - first;
        moved += from_first;
        squares += from_first * from_first;
    }
    (squares - moved * moved / length).max(0.0)
}

fn lane_sum(samples: &[f32]) -> f32 {
    let mut sums = [0f32; LANES];
    let (blocks, rest) = samples.as_chunks::<LANES>();
    for block in blocks {
        for (sum, sample) in sums.iter_mut().zip(block) {
            *sum += sample;
        }
    }
    sums.iter().chain(rest).sum()
}

/// Replaces NaN, infinities and magnitudes from 1e9 on (damage, not audio) by 0; returns how many
/// there were.
pub fn remove_non_finite(samples: &mut [f32]) -> u64 {
    let bad = samples.iter_mut().filter(|sample| sample.is_nan() || sample.abs() >= NOT_AUDIO);
    bad.map(|sample| *sample = 0.0).count() as u64
}

/// The gate that selects the active parts when a level is measured over them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActivityGate {
    /// Quieter hops never count, in dBFS RMS.
    pub floor: Decibels,
    /// Hops this far below the mean of those above the floor do not count either; bleed from other
    /// instruments falls here. Positive.
    pub depth: Decibels,
}

impl ActivityGate {
    /// -60 dBFS, and the margin of ITU-T P.56 (15.9 dB) below the mean.
    pub const DEFAULT: Self = Self { floor: Decibels(-60.0), depth: Decibels(15.9) };

    /// The threshold for mean squares: those above the returned value count. `None` if none does.
    #[must_use]
    pub fn threshold(&self, energies: &[f32]) -> Option<f64> {
        let floor = self.floor.amplitude().powi(2);
        let relative = mean_above(energies, floor)? / self.depth.amplitude().powi(2);
        Some(relative.max(floor))
    }
}

/// The RMS level of the active parts, from mean squares per hop (10 ms); `None` when none counts.
///
/// Two steps as in BS.1770: the mean over hops above the floor sets the relative gate, the mean over
/// hops above both is the level. The relative gate moves with the gain, so after a gain of x dB the
/// result moves by x dB as long as the active parts stay above the floor.
#[must_use]
pub fn active_rms(energies: &[f32], gate: ActivityGate) -> Option<Decibels> {
    mean_square_level(mean_above(energies, gate.threshold(energies)?)?)
}

/// The mean of the values above `threshold`.
pub(crate) fn mean_above(energies: &[f32], threshold: f64) -> Option<f64> {
    let mut sum = 0f64;
    let mut count = 0u64;
    for energy in energies.iter().map(|energy| f64::from(*energy)) {
        if energy > threshold {
            sum += energy;
            count += 1;
        }
    }
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_paths_give_the_same_bits(samples in prop::collection::vec(-2f32..2.0, 0..1500)) {
            let (wide, portable) = (scan(&samples), scan_kernel(Portable, &samples));
            prop_assert_eq!(wide, portable);
            let exact: f64 = samples.iter().map(|x| f64::from(*x).powi(2)).sum();
            prop_assert!((wide.squares - exact).abs() <= exact * 1e-5);
            let peak = samples.iter().fold(0f32, |peak, x| peak.max(x.abs()));
            prop_assert_eq!(wide.peak(), Some(peak));
        }
    }

    #[test]
    fn non_finite_samples_are_found_and_removed() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN, f32::MAX, -1e9] {
            let mut samples = [0.25, bad, -0.5];
            assert_eq!(scan(&samples).peak(), None);
            assert_eq!(sample_peak(&samples), 0.5);
            assert_eq!(remove_non_finite(&mut samples), 1);
            assert_eq!(samples, [0.25, 0.0, -0.5]);
        }
    }

    #[test]
    fn silence_has_no_level_and_a_square_wave_has_its_own() {
        assert_eq!(rms(&[]), None);
        assert_eq!(rms(&[0.0; 10]), None);
        assert!((rms(&[0.5, -0.5]).unwrap().0 + 6.0206).abs() < 1e-4);
    }

    #[test]
    fn pauses_and_bleed_do_not_lower_the_active_level() {
        // -20 dBFS for 2 s, bleed at -45 dBFS for 2 s, silence for 6 s.
        let mut energies = vec![1e-2f32; 200];
        energies.extend([3.16e-5f32; 200]);
        energies.extend([0f32; 600]);
        let level = active_rms(&energies, ActivityGate::DEFAULT).unwrap();
        assert!((level.0 + 20.0).abs() < 1e-3, "{level}");
        assert_eq!(active_rms(&[1e-7; 50], ActivityGate::DEFAULT), None);
    }
}
