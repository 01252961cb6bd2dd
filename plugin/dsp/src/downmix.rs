//! One channel to listen to, made of several. Everything that analyzes a single channel takes it from here.
//!
//! The plain mean loses what channels have with opposite polarity: a voice on left and, inverted, on right is silence in
//! it. Here a channel is turned over while that makes the mix much stronger.

use crate::level::squares_without_mean;

/// A polarity is changed where the other one gives this many times the power: 6 dB.
const MUCH: f64 = 4.0;
/// Frames that polarity is decided on.
const PART: usize = 4096;
/// Frames over which a changed polarity fades in.
const RAMP: usize = 128;
/// Mean squares below this are silence, and say nothing of polarity.
const SILENCE: f64 = 1e-12;
/// The share of the power from which on a recording counts as out of phase.
const MOSTLY: f64 = 0.5;

/// Mixes channels to one, block after block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Downmix {
    /// Of each channel 1, or -1 where it is turned over.
    signs: Vec<f32>,
    phase: Phase,
}

/// How much of the mixed audio has channels that cancel each other in a plain mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phase {
    /// Power times frames of all that sounded, and of that in which a channel is turned over.
    pub all: f64,
    /// At most `all`.
    pub turned: f64,
}

impl Phase {
    /// Of a stretch of audio: the power of all channels, and the power of their sum. Of two channels with the powers p
    /// and the product c, the sum has p + 2c and the difference p - 2c.
    pub(crate) fn of(power: f64, of_sum: f64) -> Self {
        let of_difference = 2.0 * power - of_sum;
        Self { all: power, turned: if of_sum < of_difference / MUCH { power } else { 0.0 } }
    }

    /// Whether the channels are out of phase for most of what sounded.
    #[must_use]
    pub fn is_opposed(self) -> bool {
        self.turned > self.all * MOSTLY
    }
}

impl std::ops::AddAssign for Phase {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.turned += other.turned;
    }
}

impl Downmix {
    /// The mean of the channels, each with the polarity at which it does not cancel the others. As long as the shortest
    /// channel; of one channel a copy.
    #[must_use]
    pub fn mix(&mut self, planar: &[&[f32]]) -> Vec<f32> {
        let frames = planar.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let mut mixed = Vec::with_capacity(frames);
        for at in (0..frames).step_by(PART) {
            let part: Vec<&[f32]> =
                planar.iter().map(|channel| &channel[at..(at + PART).min(frames)]).collect();
            mixed.extend(self.part(&part));
        }
        mixed
    }

    /// How much was out of phase of all that was mixed.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    fn part(&mut self, part: &[&[f32]]) -> Vec<f32> {
        let Some((first, others)) = part.split_first() else {
            return Vec::new();
        };
        let is_new = self.signs.len() != part.len();
        self.signs.resize(part.len(), 1.0);
        let mut sum = first.to_vec();
        for (channel, sign) in others.iter().zip(self.signs.iter_mut().skip(1)) {
            let before = *sign;
            *sign = polarity(&sum, channel, before);
            add(&mut sum, channel, if is_new { *sign } else { before }, *sign);
        }
        self.count(part);
        let share = 1.0 / part.len() as f32;
        sum.iter_mut().for_each(|sample| *sample *= share);
        sum
    }

    fn count(&mut self, part: &[&[f32]]) {
        let power: f64 = part.iter().map(|channel| squares_without_mean(channel)).sum();
        if power.is_finite() {
            self.phase.all += power;
            self.phase.turned += if self.signs.contains(&-1.0) { power } else { 0.0 };
        }
    }
}

/// The sign with which `channel` joins `sum`, `before` unless the other gives far more power. Means do not count: an
/// offset has a polarity of its own.
fn polarity(sum: &[f32], channel: &[f32], before: f32) -> f32 {
    let frames = sum.len().max(1) as f64;
    let (mut own, mut other, mut both, mut means) = (0.0, 0.0, 0.0, (0.0, 0.0));
    for (a, b) in sum.iter().zip(channel) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        own += a * a;
        other += b * b;
        both += a * b;
        means = (means.0 + a, means.1 + b);
    }
    let power = own + other - (means.0 * means.0 + means.1 * means.1) / frames;
    let both = 2.0 * (both - means.0 * means.1 / frames) * f64::from(before);
    let is_far_less = power + both < (power - both) / MUCH;
    if is_far_less && power > SILENCE * frames { -before } else { before }
}

/// Adds `channel` with a sign that becomes another at its beginning.
fn add(sum: &mut [f32], channel: &[f32], from: f32, to: f32) {
    for (n, (sum, sample)) in sum.iter_mut().zip(channel).enumerate() {
        let share = ((n + 1) as f32 / RAMP as f32).min(1.0);
        *sum += sample * (from + (to - from) * share);
    }
}

/// Takes a slowly changing mean out of audio that streams by: a high pass of first order at 5 Hz.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeanRemoval {
    mean: Option<f64>,
}

impl MeanRemoval {
    /// Filters `samples` at `rate` Hz in place. The mean of the first block is where it starts from, so that a constant
    /// offset leaves no step.
    pub fn process(&mut self, samples: &mut [f32], rate: crate::SampleRate) {
        let first = samples.iter().map(|sample| f64::from(*sample)).sum::<f64>();
        let mut mean = self.mean.unwrap_or(first / samples.len().max(1) as f64);
        let share = 1.0 - (-std::f64::consts::TAU * 5.0 / f64::from(rate.0.max(1))).exp();
        for sample in samples {
            mean += share * (f64::from(*sample) - mean);
            *sample = (f64::from(*sample) - mean) as f32;
        }
        self.mean = Some(mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SampleRate;
    use crate::level::rms;

    fn noise(length: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        (0..length).map(|_| next() * 0.2).collect()
    }

    fn scaled(samples: &[f32], by: f32, offset: f32) -> Vec<f32> {
        samples.iter().map(|sample| sample * by + offset).collect()
    }

    #[test]
    fn what_is_alike_or_unlike_is_the_mean_as_ever() {
        let (a, b) = (noise(20_000, 1), noise(20_000, 2));
        for other in [a.clone(), scaled(&a, 0.3, 0.0), b, vec![0.0; 20_000]] {
            let mut downmix = Downmix::default();
            let mixed = downmix.mix(&[&a, &other]);
            let mean: Vec<f32> = a.iter().zip(&other).map(|(a, b)| (a + b) * 0.5).collect();
            assert_eq!(mixed, mean);
            assert_eq!(downmix.phase().turned, 0.0);
        }
    }

    #[test]
    fn opposite_polarity_does_not_cancel_whatever_the_level_and_the_offset() {
        let a = noise(50_000, 3);
        for (by, offset) in [(-1.0, 0.0), (-0.5, 0.0), (-2.0, 0.0), (-1.0, 0.5)] {
            let (first, other) = (scaled(&a, 1.0, offset), scaled(&a, by, offset));
            let mut downmix = Downmix::default();
            let mixed: Vec<f32> = (0..5)
                .flat_map(|n| {
                    let block = n * 10_000..(n + 1) * 10_000;
                    downmix.mix(&[&first[block.clone()], &other[block]])
                })
                .collect();
            let louder =
                rms(&mixed).unwrap().0 - rms(&scaled(&a, (1.0 - by) / 2.0, 0.0)).unwrap().0;
            assert!(louder.abs() < 0.01, "{by} {offset}: {louder}");
            assert!(downmix.phase().is_opposed());
        }
    }

    #[test]
    fn silence_and_a_third_channel_change_nothing() {
        let a = noise(20_000, 5);
        let (turned, silent) = (scaled(&a, -1.0, 0.0), vec![0.0; 20_000]);
        let mut downmix = Downmix::default();
        assert_eq!(downmix.mix(&[&silent, &silent]), silent);
        assert!(!downmix.phase().is_opposed());
        let mixed = Downmix::default().mix(&[&a, &turned, &silent]);
        assert_eq!(mixed, scaled(&a, 2.0, 0.0).iter().map(|x| x * (1.0 / 3.0)).collect::<Vec<_>>());
        assert_eq!(Downmix::default().mix(&[]), Vec::<f32>::new());
    }

    #[test]
    fn an_offset_goes_without_a_step() {
        let mut samples = scaled(&noise(48_000, 7), 0.001, 0.05);
        MeanRemoval::default().process(&mut samples, SampleRate(48_000));
        assert!(samples.iter().all(|sample| sample.abs() < 0.001), "{samples:?}");
    }
}
