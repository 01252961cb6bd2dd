//! Hum of the mains: a tone from 45 to 65 Hz, or its harmonics, that never stops. What stops now and then, like a
//! bass, is left out by looking at the quietest fifth of the time in each bin.

use deskhand_dsp::spectrum::{Forward, periodic_hann};

/// Highest harmonic that is looked at.
const HARMONICS: usize = 6;
/// Most windows that are kept; from then on every other is left out, and so on.
const MOST: usize = 512;
/// How far a tone must be above the bins around it, dB.
const STANDS_OUT: f64 = 12.0;
/// Rate at which is listened: the lowest that holds the harmonics.
const LISTEN_HZ: f64 = 1500.0;

/// A hum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hum {
    /// Fundamental, Hz.
    pub(crate) hz: f64,
    /// Level of all its harmonics together, dBFS.
    pub(crate) level: f64,
    /// The number of prominent harmonics.
    pub(crate) harmonics: usize,
}

/// Listens for hum in one channel, decimated by whole numbers.
pub(super) struct HumListener {
    factor: usize,
    rate: f64,
    taps: Vec<f32>,
    buffer: Vec<f32>,
    low: Vec<f32>,
    forward: Forward<f32>,
    windows: Vec<Vec<f32>>,
    /// One window in this many is kept.
    every: usize,
    seen: usize,
}

impl HumListener {
    pub(super) fn new(rate: f64) -> Self {
        let factor = (rate / LISTEN_HZ).floor().max(1.0) as usize;
        let listened = rate / factor as f64;
        let size = (listened * 2.7).log2().round().exp2() as usize;
        Self {
            factor,
            rate: listened,
            taps: low_pass(factor),
            buffer: Vec::new(),
            low: Vec::new(),
            // A full-scale sine has the magnitude 1.
            forward: Forward::windowed(periodic_hann(size, 4.0 / size as f64)),
            windows: Vec::new(),
            every: 1,
            seen: 0,
        }
    }

    pub(super) fn push(&mut self, plane: &[f32]) {
        self.buffer.extend_from_slice(plane);
        let mut at = 0;
        while at + self.taps.len() <= self.buffer.len() {
            let part = &self.buffer[at..at + self.taps.len()];
            self.low.push(part.iter().zip(&self.taps).map(|(x, w)| x * w).sum());
            at += self.factor;
        }
        self.buffer.drain(..at.min(self.buffer.len()));
        let size = self.forward.size();
        while self.low.len() >= size {
            if self.seen.is_multiple_of(self.every) {
                let bins = self.forward.of(self.low.iter().copied());
                self.windows.push(bins.iter().map(|bin| bin.norm()).collect());
            }
            self.seen += 1;
            self.low.drain(..size / 2);
            if self.windows.len() > MOST {
                let mut kept = 0;
                self.windows.retain(|_| {
                    kept += 1;
                    kept % 2 == 1
                });
                self.every *= 2;
            }
        }
    }

    /// The hum, if a tone and its harmonics are prominent all the time.
    pub(super) fn found(&self) -> Option<Hum> {
        if self.windows.len() < 3 {
            return None;
        }
        let bins = self.windows[0].len();
        let steady: Vec<f64> = (0..bins).map(|bin| self.steady(bin)).collect();
        let bin_hz = self.rate / self.forward.size() as f64;
        // Candidates by the first harmonics; some may be missing: 100 Hz from a rectifier alone is hum,
        // too.
        let candidates = (0..=400).map(|n| 45.0 + n as f64 * 0.05);
        let scored = candidates.map(|hz| (score(&steady, bin_hz, hz), hz));
        let ((standing, _), rough) = scored.max_by(|a, b| a.0.1.total_cmp(&b.0.1))?;
        if standing == 0 {
            return None;
        }
        let hz = refine(&steady, bin_hz, rough);
        let (harmonics, _) = score(&steady, bin_hz, hz);
        let power: f64 = (1..=HARMONICS)
            .filter_map(|k| peak_near(&steady, hz * k as f64 / bin_hz))
            .filter(|peak| peak.out > STANDS_OUT)
            .map(|peak| peak.magnitude.powi(2) / 2.0)
            .sum();
        let level = super::decibels(power);
        // One tone alone may be music; it is hum at the mains' own frequencies only.
        let is_mains = [50.0, 60.0].iter().any(|mains| (hz - mains).abs() < 0.6);
        (harmonics >= 2 || (harmonics == 1 && is_mains)).then_some(Hum { hz, level, harmonics })
    }

    /// The magnitude that a bin hardly ever is under.
    fn steady(&self, bin: usize) -> f64 {
        let mut all: Vec<f32> = self.windows.iter().map(|window| window[bin]).collect();
        all.sort_by(f32::total_cmp);
        f64::from(all[all.len() / 5])
    }
}

/// A tone among bins.
struct Peak {
    at: f64,
    magnitude: f64,
    /// Its level above the bins around it, dB.
    out: f64,
}

/// The tone within a bin of `at`.
fn peak_near(steady: &[f64], at: f64) -> Option<Peak> {
    let middle = at.round() as usize;
    let bin = (middle.checked_sub(1)?..=middle + 1)
        .max_by(|a, b| value(steady, *a).total_cmp(&value(steady, *b)))?;
    let [l, m, r] = [bin.checked_sub(1)?, bin, bin + 1].map(|n| value(steady, n).max(1e-12).ln());
    let bend = l - 2.0 * m + r;
    let shift = if bend < -1e-9 { (0.5 * (l - r) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    let magnitude = (m - 0.25 * (l - r) * shift).exp();
    let mut around: Vec<f64> = (bin.saturating_sub(12)..bin + 13)
        .filter(|n| n.abs_diff(bin) > 3)
        .map(|n| value(steady, n))
        .collect();
    around.sort_by(f64::total_cmp);
    let usual = around[around.len() / 2].max(1e-7);
    Some(Peak { at: bin as f64 + shift, magnitude, out: 20.0 * (magnitude / usual).log10() })
}

fn value(steady: &[f64], bin: usize) -> f64 {
    steady.get(bin).copied().unwrap_or(0.0)
}

/// The number of prominent harmonics, and their total prominence, reduced by their distance from the
/// expected bins.
fn score(steady: &[f64], bin_hz: f64, hz: f64) -> (usize, f64) {
    let (mut count, mut sum) = (0, 0.0);
    for k in 1..=HARMONICS {
        let at = hz * k as f64 / bin_hz;
        if let Some(peak) = peak_near(steady, at).filter(|peak| peak.out > STANDS_OUT) {
            let beside = (peak.at - at).abs();
            if beside < 1.0 {
                count += 1;
                sum += (peak.out.min(60.0) - STANDS_OUT) * (1.0 - beside) / (k as f64).sqrt();
            }
        }
    }
    (count, sum)
}

/// The fundamental from all prominent harmonics, weighted by their numbers.
fn refine(steady: &[f64], bin_hz: f64, rough: f64) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for k in 1..=HARMONICS {
        let at = rough * k as f64 / bin_hz;
        if let Some(peak) =
            peak_near(steady, at).filter(|p| p.out > STANDS_OUT && (p.at - at).abs() < 1.0)
        {
            let weight = k as f64 * peak.out;
            sum += weight * peak.at * bin_hz / k as f64;
            weights += weight;
        }
    }
    if weights > 0.0 { sum / weights } else { rough }
}

/// A windowed sinc (Blackman) for decimation by `factor`.
fn low_pass(factor: usize) -> Vec<f32> {
    let half = factor * 8;
    let tap = |i: usize| {
        let t = i as f64 - half as f64;
        let x = std::f64::consts::PI * t * 0.7 / factor as f64;
        let sinc = if x.abs() < 1e-9 { 1.0 } else { x.sin() / x };
        let w = std::f64::consts::PI * t / (half as f64 + 1.0);
        0.7 / factor as f64 * sinc * (0.42 + 0.5 * w.cos() + 0.08 * (2.0 * w).cos())
    };
    (0..=2 * half).map(|i| tap(i) as f32).collect()
}
