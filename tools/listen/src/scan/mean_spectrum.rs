//! The mean spectrum of a recording (P. Welch, 1967), and its third octaves.

use deskhand_dsp::spectrum::{Forward, periodic_hann};

/// Nominal centers of the third octaves, Hz (IEC 61260-1).
pub(crate) const CENTERS: [f64; 30] = [
    25.0, 31.5, 40.0, 50.0, 63.0, 80.0, 100.0, 125.0, 160.0, 200.0, 250.0, 315.0, 400.0, 500.0,
    630.0, 800.0, 1000.0, 1250.0, 1600.0, 2000.0, 2500.0, 3150.0, 4000.0, 5000.0, 6300.0, 8000.0,
    10000.0, 12500.0, 16000.0, 20000.0,
];

/// Adds up power spectra of all that is pushed, whatever the channel.
pub(super) struct MeanSpectrum {
    forward: Forward<f32>,
    sum: Vec<f64>,
    count: usize,
    bin_hz: f64,
}

impl MeanSpectrum {
    pub(super) fn new(rate: f64) -> Self {
        let size = 16_384 * (rate / 50_000.0).ceil().max(1.0) as usize;
        // Scaled so that the powers of a signal's bins add up to its mean square.
        let scale = (2.0 / (0.375 * (size as f64).powi(2))).sqrt();
        let forward = Forward::windowed(periodic_hann(size, scale));
        Self { sum: vec![0.0; forward.bins()], forward, count: 0, bin_hz: rate / size as f64 }
    }

    /// Takes a chunk of one channel: windows that overlap by half within it. The chunks of [`super::read`] hold a
    /// whole number of them.
    pub(super) fn push(&mut self, plane: &[f32]) {
        let size = self.forward.size();
        let mut at = 0;
        while at + size <= plane.len() || at == 0 {
            let bins = self.forward.of(plane[at..].iter().copied());
            for (sum, bin) in self.sum.iter_mut().zip(bins) {
                *sum += f64::from(bin.norm_sqr());
            }
            self.count += 1;
            at += size / 2;
        }
    }

    /// Power of each bin, and how far bins are apart.
    pub(super) fn take(self) -> (Vec<f64>, f64) {
        let count = self.count.max(1) as f64;
        (self.sum.into_iter().map(|sum| sum / count).collect(), self.bin_hz)
    }
}

/// The level of each third octave, dBFS (a full-scale sine is -3); `None` above half the rate.
pub(crate) fn bands((powers, bin_hz): &(Vec<f64>, f64)) -> Vec<Option<f64>> {
    let edge = 2f64.powf(1.0 / 6.0);
    let band = |center: &f64| {
        let (from, to) = (center / edge / bin_hz, center * edge / bin_hz);
        if to >= powers.len() as f64 {
            return None;
        }
        // Bins at the edges count by their share.
        let share = |bin: usize| {
            let (low, high) = (bin as f64 - 0.5, bin as f64 + 0.5);
            (high.min(to) - low.max(from)).clamp(0.0, 1.0)
        };
        let bins = from.floor() as usize..=(to.ceil() as usize).min(powers.len() - 1);
        Some(super::decibels(bins.map(|bin| powers[bin] * share(bin)).sum()))
    };
    CENTERS.iter().map(band).collect()
}
