//! Momentary and short-term loudness while audio passes.

use super::LoudnessError;
use super::hop::{Hop, HopMeter};
use crate::{Decibels, Lufs, SampleRate};

/// Hops in 400 ms and in 3 s.
const MOMENTARY: usize = 40;
const SHORT_TERM: usize = 300;

/// A meter of fixed size: `process` does not allocate and may run on the audio thread.
#[derive(Clone, Debug)]
pub struct LiveLoudness {
    hops: HopMeter,
    /// The last 3 s of K-weighted energies, a ring.
    recent: Vec<f32>,
    next: usize,
    true_peak: f32,
}

impl LiveLoudness {
    /// A meter for planar audio of `channels` channels at `rate`.
    ///
    /// # Errors
    /// When the rate is not 8 to 768 kHz or the channels are not 1 to 32.
    pub fn new(rate: SampleRate, channels: usize) -> Result<Self, LoudnessError> {
        let hops = HopMeter::new(rate, channels)?;
        Ok(Self { hops, recent: vec![0.0; SHORT_TERM], next: 0, true_peak: 0.0 })
    }

    /// Takes one slice per channel; rules as in [`super::LoudnessMeter::process`].
    pub fn process(&mut self, planar: &[&[f32]]) {
        let (recent, next) = (&mut self.recent, &mut self.next);
        self.hops.process(planar, |hop: Hop, _| {
            if let Some(slot) = recent.get_mut(*next) {
                *slot = hop.k_energy;
            }
            *next = (*next + 1) % SHORT_TERM;
        });
        self.true_peak = self.hops.true_peak();
    }

    /// Loudness of the last 400 ms.
    #[must_use]
    pub fn momentary(&self) -> Option<Lufs> {
        self.last(MOMENTARY)
    }

    /// Loudness of the last 3 s.
    #[must_use]
    pub fn short_term(&self) -> Option<Lufs> {
        self.last(SHORT_TERM)
    }

    /// The largest true peak since the start.
    #[must_use]
    pub fn true_peak(&self) -> Option<Decibels> {
        Decibels::from_amplitude(f64::from(self.true_peak))
    }

    fn last(&self, hops: usize) -> Option<Lufs> {
        let first = self.next + SHORT_TERM - hops;
        let energies = self.recent.iter().cycle().skip(first).take(hops);
        Lufs::from_energy(energies.map(|e| f64::from(*e)).sum::<f64>() / hops as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loudness::LoudnessMeter;

    #[test]
    fn it_reads_the_same_as_the_meter_that_keeps_everything() {
        let rate = SampleRate(44_100);
        let mut live = LiveLoudness::new(rate, 1).unwrap();
        let mut meter = LoudnessMeter::new(rate, 1).unwrap();
        let level = |n: u32| (n as f32 * 0.13).sin() * (n as f32 / 200_000.0);
        let audio: Vec<f32> = (0..200_000).map(level).collect();
        for block in audio.chunks(1_000) {
            live.process(&[block]);
            meter.process(&[block]);
            assert_eq!(live.momentary(), meter.momentary());
            assert_eq!(live.short_term(), meter.short_term());
        }
        assert!(live.momentary().is_some());
    }
}
