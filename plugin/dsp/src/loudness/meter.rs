//! The meter that makes profiles.

use super::gating::window_loudness;
use super::hop::HopMeter;
use super::profile::LoudnessProfile;
use super::{LoudnessError, profile::Peaks};
use crate::{Lufs, SampleRate};

/// Measures a stream of audio into a [`LoudnessProfile`].
///
/// Grows by 12 bytes and 4 a channel per 10 ms, so it is not for the audio thread: [`super::LiveLoudness`] is.
#[derive(Clone, Debug)]
pub struct LoudnessMeter {
    hops: HopMeter,
    k_energies: Vec<f32>,
    rms_energies: Vec<f32>,
    variances: Vec<f32>,
    means: Vec<f32>,
}

impl LoudnessMeter {
    /// A meter for planar audio of `channels` channels (1 to 32, weights as in
    /// [`super::channel_weights`]) at `rate` (8 to 768 kHz).
    ///
    /// # Errors
    /// When rate or channel count is outside these ranges.
    pub fn new(rate: SampleRate, channels: usize) -> Result<Self, LoudnessError> {
        let hops = HopMeter::new(rate, channels)?;
        let (k_energies, rms_energies, variances, means) = Default::default();
        Ok(Self { hops, k_energies, rms_energies, variances, means })
    }

    /// Measures one slice per channel. Slices of unequal length count up to the shortest; a channel
    /// that is missing is silent; NaN, infinities and magnitudes from 1e9 on count as 0 and
    /// are counted.
    pub fn process(&mut self, planar: &[&[f32]]) {
        let Self { k_energies, rms_energies, variances, means, .. } = self;
        self.hops.process(planar, |hop, of_channels| {
            k_energies.push(hop.k_energy);
            rms_energies.push(hop.mean_square);
            variances.push(hop.variance);
            means.extend_from_slice(of_channels);
        });
    }

    /// Runs the filters over the audio just before the first frame to be measured, without counting
    /// it: [`super::WARM_SECONDS`] or more make the profile of a chunk join exactly. Has no effect
    /// once something was measured.
    pub fn warm(&mut self, planar: &[&[f32]]) {
        if !self.hops.started() {
            self.hops.warm(planar);
        }
    }

    /// Loudness of the last 400 ms. Before that much is measured, silence counts for the missing time.
    #[must_use]
    pub fn momentary(&self) -> Option<Lufs> {
        window_loudness(&self.k_energies, 40)
    }

    /// Loudness of the last 3 s. Before that much is measured, silence counts for the missing time.
    #[must_use]
    pub fn short_term(&self) -> Option<Lufs> {
        window_loudness(&self.k_energies, 300)
    }

    /// Everything that was measured.
    #[must_use]
    pub fn profile(self) -> LoudnessProfile {
        let (rate, channels) = (self.hops.rate(), self.hops.channels());
        let (totals, peak_if_last) = self.hops.finish();
        LoudnessProfile {
            rate,
            channels: channels as u16,
            frames: totals.frames,
            k_energies: self.k_energies,
            rms_energies: self.rms_energies,
            variances: self.variances,
            means: self.means,
            sum_of_squares: totals.squares,
            non_finite: totals.non_finite,
            phase: totals.phase,
            peaks: Peaks {
                sample: totals.sample_peak,
                inner: totals.true_peak,
                if_last: peak_if_last,
            },
        }
    }
}
