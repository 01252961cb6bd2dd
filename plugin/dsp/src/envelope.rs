//! The level of audio over time, at a resolution of choice.

use crate::level::{NOT_AUDIO, mean_square_level, scan};
use crate::loudness::LoudnessProfile;
use crate::{Decibels, Frames, SampleRate};
use std::ops::Range;

/// Mean squares (time and channels) per hop; hop `n` begins at `n * rate / hops_per_second`, rounded
/// down, and the last may be shorter.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    rate: SampleRate,
    hops_per_second: u32,
    frames: Frames,
    energies: Vec<f32>,
}

/// Builds an [`Envelope`] while audio streams by.
#[derive(Clone, Debug)]
pub struct EnvelopeBuilder {
    envelope: Envelope,
    squares: f64,
    channels: usize,
    filled: usize,
}

impl Envelope {
    /// From existing energies, for instance those of a [`LoudnessProfile`].
    #[must_use]
    pub fn new(rate: SampleRate, hops_per_second: u32, frames: Frames, energies: Vec<f32>) -> Self {
        Self { rate, hops_per_second: hops_per_second.clamp(1, rate.0.max(1)), frames, energies }
    }

    /// Mean square per hop.
    #[must_use]
    pub fn energies(&self) -> &[f32] {
        &self.energies
    }

    /// Length of the audio.
    #[must_use]
    pub fn frames(&self) -> Frames {
        self.frames
    }

    /// The first frame of hop `index`, at most the end of the audio.
    #[must_use]
    pub fn hop_start(&self, index: usize) -> Frames {
        let start = index as u64 * u64::from(self.rate.0) / u64::from(self.hops_per_second);
        Frames(i64::try_from(start).unwrap_or(i64::MAX)).min(self.frames)
    }

    /// The frames of hops `hops`; the last hop reaches to the end of the audio.
    #[must_use]
    pub fn frames_of(&self, hops: Range<usize>) -> Range<Frames> {
        let end =
            if hops.end >= self.energies.len() { self.frames } else { self.hop_start(hops.end) };
        self.hop_start(hops.start)..end
    }

    /// The level of the quietest `share` (0.0 to 1.0) of the hops; 0.1 is a good estimate of a noise floor.
    /// Digital silence does not count. `None` if all hops are silent.
    #[must_use]
    pub fn noise_floor(&self, share: f64) -> Option<Decibels> {
        let mut heard: Vec<f32> = self.energies.iter().copied().filter(|e| *e > 0.0).collect();
        let last = heard.len().checked_sub(1)?;
        let index = (last as f64 * share.clamp(0.0, 1.0)).round() as usize;
        let (_, energy, _) = heard.select_nth_unstable_by(index, f32::total_cmp);
        mean_square_level(f64::from(*energy))
    }
}

impl From<&LoudnessProfile> for Envelope {
    /// The envelope of 10 ms that the measurement holds, without a DC offset.
    fn from(profile: &LoudnessProfile) -> Self {
        let frames = Frames(i64::try_from(profile.frames()).unwrap_or(i64::MAX));
        let hops = crate::loudness::HOPS_PER_SECOND;
        Self::new(profile.rate(), hops, frames, profile.sound_energies())
    }
}

impl EnvelopeBuilder {
    /// A builder with hops of `1 / hops_per_second` s: 100 for 10 ms, 1000 for 1 ms.
    #[must_use]
    pub fn new(rate: SampleRate, hops_per_second: u32) -> Self {
        let envelope = Envelope::new(rate, hops_per_second, Frames::ZERO, Vec::new());
        Self { envelope, squares: 0.0, channels: 1, filled: 0 }
    }

    /// Takes one slice per channel, up to the length of the shortest. NaN and infinities count as 0.
    pub fn push(&mut self, planar: &[&[f32]]) {
        let frames = planar.iter().map(|channel| channel.len()).min().unwrap_or(0);
        self.channels = planar.len().max(1);
        let mut at = 0;
        while at < frames {
            let length = (self.hop_length() - self.filled).min(frames - at);
            self.squares += planar.iter().map(|c| finite_squares(&c[at..at + length])).sum::<f64>();
            self.filled += length;
            at += length;
            if self.filled == self.hop_length() {
                self.finish_hop();
            }
        }
    }

    fn hop_length(&self) -> usize {
        let envelope = &self.envelope;
        let start =
            |hop: u64| hop * u64::from(envelope.rate.0) / u64::from(envelope.hops_per_second);
        let hop = envelope.energies.len() as u64;
        (start(hop + 1) - start(hop)) as usize
    }

    fn finish_hop(&mut self) {
        let mean = self.squares / (self.filled * self.channels) as f64;
        self.envelope.energies.push(mean as f32);
        self.envelope.frames += Frames::from_index(self.filled);
        self.squares = 0.0;
        self.filled = 0;
    }

    /// The envelope. The rest that does not fill a hop becomes a shorter last one.
    #[must_use]
    pub fn finish(mut self) -> Envelope {
        if self.filled > 0 {
            self.finish_hop();
        }
        self.envelope
    }
}

fn finite_squares(samples: &[f32]) -> f64 {
    let found = scan(samples);
    let finite = || samples.iter().filter(|x| x.abs() < NOT_AUDIO);
    found.peak().map_or_else(|| finite().map(|x| f64::from(x * x)).sum(), |_| found.squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hops_follow_the_clock_at_every_rate() {
        let mut builder = EnvelopeBuilder::new(SampleRate(11_025), 1000);
        builder.push(&[&[0.5f32; 11_025], &[-0.5f32; 11_025]]);
        builder.push(&[&[f32::NAN; 5], &[0.0; 5]]);
        let envelope = builder.finish();
        assert_eq!(envelope.energies().len(), 1001);
        assert!(envelope.energies()[..1000].iter().all(|e| (e - 0.25).abs() < 1e-6));
        assert_eq!(envelope.energies()[1000], 0.0);
        assert_eq!(envelope.hop_start(500), Frames(5512));
        assert_eq!(envelope.frames_of(999..1001), Frames(11_013)..Frames(11_030));
    }

    #[test]
    fn the_noise_floor_is_a_percentile_of_what_sounds() {
        let mut energies = vec![0f32; 500];
        energies.extend([1e-6; 100]);
        energies.extend([1e-1; 400]);
        let envelope = Envelope::new(SampleRate(48_000), 100, Frames(480_000), energies);
        assert!((envelope.noise_floor(0.1).unwrap().0 + 60.0).abs() < 1e-3);
        assert!((envelope.noise_floor(1.0).unwrap().0 + 10.0).abs() < 1e-3);
        let silent = Envelope::new(SampleRate(48_000), 100, Frames(480), vec![0.0]);
        assert_eq!(silent.noise_floor(0.1), None);
    }

    /// Half a second of a tone and as much of nothing, twice, on top of `offset`; in the pauses only where `always`.
    fn bursts(hz: f64, offset: f32, always: bool) -> Envelope {
        let tone = |n: usize| 0.1 * (std::f64::consts::TAU * hz * n as f64 / 48e3).sin() as f32;
        let is_on = |n: usize| (n / 24_000).is_multiple_of(2);
        let sample = |n: usize| match is_on(n) {
            true => tone(n) + offset,
            false => {
                if always {
                    offset
                } else {
                    0.0
                }
            }
        };
        let samples: Vec<f32> = (0..96_000).map(sample).collect();
        let mut meter = crate::loudness::LoudnessMeter::new(SampleRate(48_000), 2).unwrap();
        let other: Vec<f32> = samples.iter().map(|sample| sample - 2.0 * offset).collect();
        meter.process(&[&samples, if always { &other } else { &samples }]);
        let profile = meter.profile();
        if always {
            assert!(
                (profile.offset() - f64::from(offset.abs())).abs() < 1e-3,
                "{}",
                profile.offset()
            );
        }
        Envelope::from(&profile)
    }

    #[test]
    fn an_offset_is_no_sound_and_does_not_ring_into_pauses() {
        for hz in [41.0, 110.0, 997.0, 5_000.0] {
            for (offset, always) in [(0.0, false), (0.05, true), (-0.3, true), (0.05, false)] {
                let envelope = bursts(hz, offset, always);
                let quiet =
                    |hops: Range<usize>| hops.map(|n| envelope.energies()[n]).fold(0.0, f32::max);
                let told = format!("{hz} Hz, {offset}, {always}");
                // A note of the lowest string that stops in the middle of a period ends in a step.
                let edge = if hz < 100.0 { 2 } else { 0 };
                for pause in [50 + edge..100 - edge, 150 + edge..200] {
                    assert!(quiet(pause.clone()) < 1e-7, "{told}: {}", quiet(pause));
                }
                let heard = envelope.energies()[10..40].iter().sum::<f32>() / 30.0;
                // One that comes and goes with the tone is heard with it.
                let most = if always { 0.0053 } else { 0.0053 + offset.powi(2) };
                assert!((0.0042..most).contains(&heard), "{told}: {heard}");
            }
        }
    }
}
