//! The result of a measurement: enough for every level at any gain, in 72 kB per minute and 24 more per
//! channel.

use super::gating::Windows;
use super::{HOPS_PER_SECOND, Levels, hop_start};
use crate::downmix::Phase;
use crate::level::{ActivityGate, active_rms, mean_square_level};
use crate::{Decibels, SampleRate};

/// Hops over which a mean must hold to be an offset: 2 s.
const HELD: usize = 200;
/// The offset is measured once in this many hops.
const OFFSET_STEP: usize = 25;
/// How much stronger than what moves within 10 ms a hop may be: slow tones move little there.
const MOST_HELD: f32 = 1000.0;

/// The measured course of a stretch of audio.
///
/// Energies are mean squares per hop of 10 ms as `f32` (relative precision 6e-8); hop `n` begins at frame
/// `n * rate / 100`, rounded down. Frames after the last complete hop count in the totals and peaks only.
#[derive(Clone, Debug, PartialEq)]
pub struct LoudnessProfile {
    pub(super) rate: SampleRate,
    pub(super) channels: u16,
    pub(super) frames: u64,
    pub(super) k_energies: Vec<f32>,
    pub(super) rms_energies: Vec<f32>,
    /// Mean squares without the mean of each channel over the hop.
    pub(super) variances: Vec<f32>,
    /// The mean of each channel over each hop, the values of a hop together.
    pub(super) means: Vec<f32>,
    pub(super) sum_of_squares: f64,
    pub(super) non_finite: u64,
    pub(super) phase: Phase,
    pub(super) peaks: Peaks,
}

/// Peaks as amplitudes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Peaks {
    pub(super) sample: f32,
    /// True peak at all positions whose interpolation needs no frame after the end.
    pub(super) inner: f32,
    /// True peak when silence follows: at least `inner`.
    pub(super) if_last: f32,
}

/// Why two profiles cannot be joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// They describe different kinds of audio.
    #[error(
        "cannot join a measurement of {1} channels at {0} with one of {3} channels at {2}: measure both alike"
    )]
    Format(SampleRate, u16, SampleRate, u16),
    /// The first ends inside a hop.
    #[error(
        "cannot join after {0} frames at {1}: end every chunk but the last on a whole 100 ms that is a whole number of frames"
    )]
    Boundary(u64, SampleRate),
}

impl LoudnessProfile {
    /// The sample rate that was measured at.
    #[must_use]
    pub fn rate(&self) -> SampleRate {
        self.rate
    }

    /// The number of channels.
    #[must_use]
    pub fn channels(&self) -> usize {
        usize::from(self.channels)
    }

    /// The number of frames measured.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// K-weighted power per hop, summed over channels with their weights: `Lufs::from_energy` of a
    /// mean of these is a loudness.
    #[must_use]
    pub fn k_energies(&self) -> &[f32] {
        &self.k_energies
    }

    /// Mean square per hop over time and channels, not weighted.
    #[must_use]
    pub fn rms_energies(&self) -> &[f32] {
        &self.rms_energies
    }

    /// Mean square per hop over time and channels without the DC offset: what gates compare.
    ///
    /// The offset of a channel is the median of its means over 2 s, so that neither pauses nor low tones count as one.
    #[must_use]
    pub fn sound_energies(&self) -> Vec<f32> {
        let (channels, offsets) = (self.channels(), self.offsets());
        let hops = self.variances.iter().zip(self.means.chunks(channels)).enumerate();
        let energy = |(hop, (moving, means)): (usize, (&f32, &[f32]))| {
            let offsets = &offsets[hop / OFFSET_STEP * channels..][..channels];
            let squares = means.iter().zip(offsets).map(|(mean, offset)| (mean - offset).powi(2));
            (moving + squares.sum::<f32>() / channels as f32).min(moving * MOST_HELD)
        };
        hops.map(energy).collect()
    }

    /// The DC offset as a share of full scale, 0 to 1: RMS over channels, the median over time.
    #[must_use]
    pub fn offset(&self) -> f64 {
        let power = |offsets: &[f32]| offsets.iter().map(|offset| offset * offset).sum::<f32>();
        let mut powers: Vec<f32> = self.offsets().chunks(self.channels()).map(power).collect();
        (f64::from(median(&mut powers)) / f64::from(self.channels)).sqrt()
    }

    /// The offset of each channel, once every [`OFFSET_STEP`] hops.
    fn offsets(&self) -> Vec<f32> {
        let (channels, hops) = (self.channels(), self.variances.len());
        let mut near = Vec::with_capacity(HELD);
        let mut offsets = Vec::new();
        for step in (0..hops).step_by(OFFSET_STEP) {
            let middle = step + OFFSET_STEP / 2;
            let range = middle.saturating_sub(HELD / 2)..(middle + HELD / 2).min(hops);
            for channel in 0..channels {
                near.clear();
                near.extend(range.clone().map(|hop| self.means[hop * channels + channel]));
                offsets.push(median(&mut near));
            }
        }
        offsets
    }

    /// Sum of the squared samples of all channels, not weighted.
    #[must_use]
    pub fn sum_of_squares(&self) -> f64 {
        self.sum_of_squares
    }

    /// Samples that were NaN, infinite or beyond 1e9 and counted as 0.
    #[must_use]
    pub fn non_finite(&self) -> u64 {
        self.non_finite
    }

    /// How much of it has channels that cancel each other. Nothing of a single channel.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The first frame of hop `index`.
    #[must_use]
    pub fn hop_start(&self, index: usize) -> u64 {
        hop_start(index as u64, self.rate)
    }

    /// Appends the profile of the audio that follows.
    ///
    /// Exact when `next` was warmed with the [`super::WARM_SECONDS`] before its first frame.
    ///
    /// # Errors
    /// Fails if rate or channels differ, or if this profile does not end on a hop that is a whole number of
    /// frames from its start. This profile is then unchanged.
    pub fn join(&mut self, next: Self) -> Result<(), JoinError> {
        if (self.rate, self.channels) != (next.rate, next.channels) {
            let (rate, channels) = (self.rate, self.channels);
            return Err(JoinError::Format(rate, channels, next.rate, next.channels));
        }
        let hops = u64::from(HOPS_PER_SECOND);
        if !(self.frames * hops).is_multiple_of(u64::from(self.rate.0)) {
            return Err(JoinError::Boundary(self.frames, self.rate));
        }
        self.frames += next.frames;
        self.k_energies.extend(next.k_energies);
        self.rms_energies.extend(next.rms_energies);
        self.variances.extend(next.variances);
        self.means.extend(next.means);
        self.sum_of_squares += next.sum_of_squares;
        self.non_finite += next.non_finite;
        self.phase += next.phase;
        self.peaks.sample = self.peaks.sample.max(next.peaks.sample);
        self.peaks.if_last = self.peaks.inner.max(next.peaks.if_last);
        self.peaks.inner = self.peaks.inner.max(next.peaks.inner);
        Ok(())
    }

    /// All levels with `gain` applied, before the gates as if it were in the audio.
    #[must_use]
    pub fn levels(&self, gain: Decibels) -> Levels {
        let amplitude = gain.amplitude();
        let power = amplitude * amplitude;
        let windows = Windows::new(&self.k_energies, power);
        let peak = |peak: f32| Decibels::from_amplitude(f64::from(peak) * amplitude);
        let samples = self.frames as f64 * f64::from(self.channels);
        let floor = ActivityGate::DEFAULT.floor - gain;
        let gate = ActivityGate { floor, ..ActivityGate::DEFAULT };
        Levels {
            integrated: windows.integrated(),
            range_lu: windows.range(),
            max_momentary: windows.max_momentary(),
            max_short_term: windows.max_short_term(),
            true_peak: peak(self.peaks.if_last),
            sample_peak: peak(self.peaks.sample),
            rms: mean_square_level(self.sum_of_squares / samples * power),
            active_rms: active_rms(&self.sound_energies(), gate).map(|level| level + gain),
        }
    }
}

/// The median of some values, 0 without any.
fn median(values: &mut [f32]) -> f32 {
    let middle = values.len() / 2;
    match values.is_empty() {
        true => 0.0,
        false => *values.select_nth_unstable_by(middle, f32::total_cmp).1,
    }
}
