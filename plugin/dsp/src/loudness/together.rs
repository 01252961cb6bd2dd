//! One measurement of several stretches of audio, as if they were played one after another.

use super::LoudnessProfile;
use super::profile::Peaks;
use crate::Decibels;
use crate::downmix::Phase;

impl LoudnessProfile {
    /// The profile of all `parts`, each with a gain, played one after another: the measurement of an album.
    ///
    /// Parts may differ in their number of channels, so the result counts samples of one channel;
    /// a part's last hop counts in the totals only when it is not complete. `None` without parts.
    #[must_use]
    pub fn together<'a>(parts: impl IntoIterator<Item = (&'a Self, Decibels)>) -> Option<Self> {
        let mut whole: Option<Self> = None;
        for (part, gain) in parts {
            let whole = whole.get_or_insert_with(|| Self {
                rate: part.rate,
                channels: 1,
                frames: 0,
                k_energies: Vec::new(),
                rms_energies: Vec::new(),
                variances: Vec::new(),
                means: Vec::new(),
                sum_of_squares: 0.0,
                non_finite: 0,
                phase: Phase::default(),
                peaks: Peaks::default(),
            });
            whole.append(part, gain);
        }
        whole
    }

    fn append(&mut self, part: &Self, gain: Decibels) {
        let amplitude = gain.amplitude();
        let power = amplitude * amplitude;
        let energy = |energy: &f32| (f64::from(*energy) * power) as f32;
        let peak = |peak: f32| (f64::from(peak) * amplitude) as f32;
        self.frames += part.frames * u64::from(part.channels);
        self.k_energies.extend(part.k_energies.iter().map(energy));
        self.rms_energies.extend(part.rms_energies.iter().map(energy));
        // Its own offset is taken out by now.
        self.variances.extend(part.sound_energies().iter().map(energy));
        self.means.extend(part.variances.iter().map(|_| 0.0));
        self.sum_of_squares += part.sum_of_squares * power;
        self.non_finite += part.non_finite;
        self.phase += Phase { all: part.phase.all * power, turned: part.phase.turned * power };
        self.peaks.sample = self.peaks.sample.max(peak(part.peaks.sample));
        self.peaks.inner = self.peaks.inner.max(peak(part.peaks.inner));
        self.peaks.if_last = self.peaks.if_last.max(peak(part.peaks.if_last));
    }
}

#[cfg(test)]
mod tests {
    use crate::loudness::{LoudnessMeter, LoudnessProfile};
    use crate::{Decibels, SampleRate};

    fn tone(amplitude: f32, seconds: usize, channels: usize) -> LoudnessProfile {
        let wave: Vec<f32> =
            (0..8_000 * seconds).map(|n| amplitude * (n as f32 * 0.7).sin()).collect();
        let mut meter = LoudnessMeter::new(SampleRate(8_000), channels).unwrap();
        meter.process(&vec![wave.as_slice(); channels]);
        meter.profile()
    }

    #[test]
    fn one_part_alone_measures_as_it_does_by_itself() {
        let part = tone(0.1, 4, 2);
        let whole = LoudnessProfile::together([(&part, Decibels(3.0))]).unwrap();
        let (alone, together) = (part.levels(Decibels(3.0)), whole.levels(Decibels::UNITY));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-4, "{a} {b}");
        close(alone.integrated.unwrap().0, together.integrated.unwrap().0);
        close(alone.true_peak.unwrap().0, together.true_peak.unwrap().0);
        close(alone.rms.unwrap().0, together.rms.unwrap().0);
        assert_eq!(LoudnessProfile::together([]), None);
    }

    #[test]
    fn loud_and_long_parts_count_for_more() {
        let (loud, soft) = (tone(0.2, 6, 1), tone(0.1, 2, 2));
        let parts = [(&loud, Decibels::UNITY), (&soft, Decibels::UNITY)];
        let levels = LoudnessProfile::together(parts).unwrap().levels(Decibels::UNITY);
        assert_eq!(levels.sample_peak, loud.levels(Decibels::UNITY).sample_peak);
        let energy: f64 = [(&loud, 6.0), (&soft, 2.0)]
            .map(|(part, s)| {
                s * 10f64.powf(part.levels(Decibels::UNITY).integrated.unwrap().0 / 10.0)
            })
            .iter()
            .sum();
        let expected = 10.0 * (energy / 8.0).log10();
        assert!((levels.integrated.unwrap().0 - expected).abs() < 0.05);
    }
}
