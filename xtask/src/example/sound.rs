//! Samples: another rate, levels, quiet noise, and the columns of a drawing.

use std::f64::consts::PI;

/// Frames per second of the voices.
pub(super) const RATE: u32 = 16_000;
/// Frames per second of the music, which is dull.
pub(super) const MUSIC_RATE: u32 = 8_000;

/// Zero crossings of the interpolation on each side.
const REACH: f64 = 10.0;

/// `samples` at another rate, without what is above `cutoff` Hz: a windowed sinc.
pub(super) fn resampled(samples: &[f32], rates: (u32, u32), cutoff: f64) -> Vec<f32> {
    let (from, step) = (f64::from(rates.0), f64::from(rates.0) / f64::from(rates.1));
    let share = (2.0 * cutoff / from).min(1.0);
    let reach = REACH / share;
    let count = index(samples.len() as f64 / step);
    let value = |number: usize| {
        let at = number as f64 * step;
        let (first, last) = (index((at - reach).max(0.0)), index(at + reach).min(samples.len()));
        let tap = |place: usize| {
            f64::from(samples[place]) * share * windowed((place as f64 - at) * share)
        };
        (first..last).map(tap).sum::<f64>() as f32
    };
    (0..count).map(value).collect()
}

/// The sinc under a raised cosine.
fn windowed(x: f64) -> f64 {
    if x.abs() >= REACH {
        return 0.0;
    }
    let sinc = if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
    sinc * (0.5 + 0.5 * (PI * x / REACH).cos())
}

/// A place among samples; none is negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "short, positive")]
pub(super) fn index(place: f64) -> usize {
    place.round() as usize
}

/// The place of a time.
pub(super) fn frame(seconds: f64, rate: u32) -> usize {
    index(seconds * f64::from(rate))
}

/// The length.
pub(super) fn seconds(samples: &[f32], rate: u32) -> f64 {
    samples.len() as f64 / f64::from(rate)
}

/// Scales so that the highest sample is at `peak_dbfs`.
pub(super) fn to_peak(samples: &mut [f32], peak_dbfs: f32) {
    let peak = samples.iter().fold(1e-9f32, |peak, sample| peak.max(sample.abs()));
    let gain = 10f32.powf(peak_dbfs / 20.0) / peak;
    samples.iter_mut().for_each(|sample| *sample *= gain);
}

pub(super) fn rms_db(samples: &[f32]) -> f64 {
    let power: f64 = samples.iter().map(|sample| f64::from(*sample).powi(2)).sum();
    10.0 * (power / samples.len() as f64).max(1e-12).log10()
}

/// Adds the quiet noise of a cheap microphone, at `rms_dbfs`, with more of it below.
pub(super) fn add_noise(samples: &mut [f32], rms_dbfs: f32) {
    let (mut state, mut low) = (0x9E37_79B9_7F4A_7C15u64, 0.0f32);
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low += 0.2 * ((state >> 40) as f32 / 8_388_608.0 - 1.0 - low);
        low
    };
    // The filter leaves a third of the level of what is even between -1 and 1.
    let gain = 10f32.powf(rms_dbfs / 20.0) / 0.192;
    samples.iter_mut().for_each(|sample| *sample += gain * noise());
}

/// Rounds to steps of that many bits.
pub(super) fn quantize(samples: &mut [f32], bits: u32) {
    let full = (1u32 << (bits - 1)) as f32;
    for sample in samples {
        *sample = (*sample * full).round().clamp(-full, full - 1.0) / full;
    }
}

/// Peak and RMS of each column, in thousandths of full scale, one after the other.
pub(super) fn columns(samples: &[f32], count: usize) -> Vec<u32> {
    let size = samples.len().div_ceil(count);
    let thousandths = |value: f64| u32::try_from(index(value * 1e3)).unwrap_or(1_000);
    let column = |few: &[f32]| {
        let peak = few.iter().fold(0.0f32, |peak, sample| peak.max(sample.abs()));
        [thousandths(f64::from(peak)), thousandths(10f64.powf(rms_db(few) / 20.0))]
    };
    samples.chunks(size).flat_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f64, rate: u32) -> Vec<f32> {
        let sample = |at: u32| (2.0 * PI * hertz * f64::from(at) / f64::from(rate)).sin() as f32;
        (0..rate).map(sample).collect()
    }

    #[test]
    fn a_tone_keeps_its_level_at_another_rate_and_one_above_the_cutoff_is_gone() {
        let same = resampled(&tone(1_000.0, 48_000), (48_000, RATE), 7_000.0);
        assert_eq!(same.len(), RATE as usize);
        assert!((rms_db(&same) + 3.0).abs() < 0.1, "{}", rms_db(&same));
        let gone = resampled(&tone(15_000.0, 48_000), (48_000, RATE), 7_000.0);
        assert!(rms_db(&gone) < -50.0, "{}", rms_db(&gone));
    }

    #[test]
    fn noise_has_its_level() {
        let mut samples = vec![0.0; 100_000];
        add_noise(&mut samples, -60.0);
        assert!((rms_db(&samples) + 60.0).abs() < 0.5, "{}", rms_db(&samples));
    }
}
