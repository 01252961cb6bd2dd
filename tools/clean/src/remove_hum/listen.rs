//! Finding mains hum: its exact fundamental, which harmonics it has, and how loud each is.
//!
//! Works on a recording brought down to about 2 kHz. A line counts as hum only where it is there in
//! the quiet parts too (25th percentile over time), so that notes that come and go do not.

use deskhand_dsp::spectrum::{Forward, hann};
use std::f64::consts::{PI, TAU};

/// Least rate for the analysis, in Hz: harmonics up to 900 Hz.
const LOW_RATE: u32 = 2_000;
/// Highest harmonic that is looked at, in Hz.
const TOP_HZ: f64 = 900.0;
/// Where a fundamental may lie, in Hz.
const FROM_HZ: f64 = 47.0;
const TO_HZ: f64 = 63.0;
/// How far a fundamental may be from a mains frequency that is given, in Hz.
const NEAR_HZ: f64 = 3.0;
/// Step of the first search, in Hz.
const STEP_HZ: f64 = 0.02;
/// How far a line must be above its surroundings to count, in dB.
const PROMINENT_DB: f64 = 10.0;
/// The share of time in which a line may be hidden or absent.
const PERCENTILE: f64 = 0.25;
/// The longest window, in samples of the low rate (about 4 s), and the shortest.
const LONGEST: usize = 8_192;
const SHORTEST: usize = 2_048;

/// One line of hum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// In Hz.
    pub(super) hz: f64,
    /// Peak amplitude, 1 is full scale.
    pub(super) amplitude: f64,
}

/// The hum of one channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hum {
    /// Fundamental in Hz.
    pub(super) hz: f64,
    /// The prominent fundamental and harmonics.
    pub(super) lines: Vec<Line>,
}

impl Hum {
    /// RMS of all lines together, in dBFS.
    pub(super) fn level(&self) -> f64 {
        let power: f64 = self.lines.iter().map(|line| line.amplitude.powi(2) / 2.0).sum();
        10.0 * power.max(1e-20).log10()
    }
}

/// Brings a signal down to a low rate, block by block.
pub(super) struct Decimator {
    factor: usize,
    taps: Vec<f64>,
    /// Samples that are still needed, the oldest first.
    held: Vec<f32>,
    /// The output so far.
    out: Vec<f32>,
}

impl Decimator {
    /// For signals at `rate` Hz.
    pub(super) fn new(rate: u32) -> Self {
        let factor = (rate / LOW_RATE).max(1) as usize;
        let length = 16 * factor + 1;
        let cut = 0.45 / factor as f64;
        let middle = (length - 1) as f64 / 2.0;
        let tap = |n: usize| {
            let x = n as f64 - middle;
            let sinc = if x == 0.0 { 2.0 * cut } else { (TAU * cut * x).sin() / (PI * x) };
            sinc * hann(n as f64 + 0.5, length)
        };
        let taps: Vec<f64> = (0..length).map(tap).collect();
        Self { factor, taps, held: Vec::new(), out: Vec::new() }
    }

    /// Takes a block.
    pub(super) fn push(&mut self, block: &[f32]) {
        self.held.extend_from_slice(block);
        let mut at = 0;
        while let Some(window) = self.held.get(at..at + self.taps.len()) {
            let sum: f64 = window.iter().zip(&self.taps).map(|(x, h)| f64::from(*x) * h).sum();
            self.out.push(sum as f32);
            at += self.factor;
        }
        self.held.drain(..at.min(self.held.len()));
    }

    /// The output.
    pub(super) fn finish(self) -> Vec<f32> {
        self.out
    }

    /// The rate of the output, in Hz.
    pub(super) fn rate(&self, of: u32) -> f64 {
        f64::from(of) / self.factor as f64
    }

    /// The gain at `hz` of a signal at `rate`, which is removed from measurements.
    fn gain(&self, hz: f64, rate: u32) -> f64 {
        let step = TAU * hz / f64::from(rate);
        let middle = (self.taps.len() - 1) as f64 / 2.0;
        let parts = self.taps.iter().enumerate();
        parts.map(|(n, tap)| tap * (step * (n as f64 - middle)).cos()).sum()
    }
}

/// The hum in `low`, at the rate of a [`Decimator`] for signals at `of` Hz; `None` if there is none, or for
/// less than about a second. With `mains_hz` only hum near that frequency counts.
pub(super) fn find(low: &[f32], of: u32, mains_hz: Option<f64>) -> Option<Hum> {
    let (from, to) = mains_hz
        .map_or((FROM_HZ, TO_HZ), |hz| ((hz - NEAR_HZ).max(FROM_HZ), (hz + NEAR_HZ).min(TO_HZ)));
    let scale = Decimator::new(of);
    let rate = scale.rate(of);
    let size = LONGEST.min((low.len() / 2).next_power_of_two() / 2).max(SHORTEST);
    if low.len() < size {
        return None;
    }
    let spectrum = Spectrum::of(low, size, rate);
    let steps = ((to - from) / STEP_HZ) as usize;
    let candidates = (0..=steps).map(|n| from + n as f64 * STEP_HZ);
    let (rough, score) =
        candidates.map(|hz| (hz, spectrum.score(hz))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    if score < PROMINENT_DB {
        return None;
    }
    let mut hz = rough;
    // The higher a harmonic, the finer it tells the fundamental, and the sooner its phase wraps.
    for most in [1.0, 3.0, 8.0, 20.0] {
        hz = refined(low, size, rate, hz, &spectrum, most).unwrap_or(hz);
    }
    let lines = spectrum.lines(low, size, rate, hz);
    let lines: Vec<Line> = lines
        .into_iter()
        .map(|line| Line { amplitude: line.amplitude / scale.gain(line.hz, of), ..line })
        .collect();
    let is_there = |line: &Line| line.hz < 2.5 * hz && is_steady(low, rate, line);
    let fundamental = lines.iter().any(is_there);
    (fundamental && (from..=to).contains(&hz)).then_some(Hum { hz, lines })
}

/// Power over frequency, of the quieter parts.
struct Spectrum {
    db: Vec<f64>,
    bin_hz: f64,
}

impl Spectrum {
    fn of(low: &[f32], size: usize, rate: f64) -> Self {
        let window = (0..size).map(|n| hann(n as f64 + 0.5, size)).collect();
        let mut transform = Forward::<f64>::windowed(window);
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); size / 2 + 1];
        for block in windows(low, size) {
            let bins = transform.of(block.iter().map(|x| f64::from(*x)));
            for (column, bin) in columns.iter_mut().zip(bins) {
                column.push(bin.norm_sqr());
            }
        }
        let quiet = |mut column: Vec<f64>| {
            column.sort_by(f64::total_cmp);
            let index = (column.len() as f64 * PERCENTILE) as usize;
            10.0 * column.get(index).copied().unwrap_or(0.0).max(1e-18).log10()
        };
        Self { db: columns.into_iter().map(quiet).collect(), bin_hz: rate / size as f64 }
    }

    fn at(&self, hz: f64) -> f64 {
        let bin = hz / self.bin_hz;
        let (below, part) = (bin.floor() as usize, bin.fract());
        let get = |index: usize| self.db.get(index).copied().unwrap_or(-180.0);
        get(below) * (1.0 - part) + get(below + 1) * part
    }

    /// How far the line at `hz` is above the median of 2.5 to 8 Hz around it, in dB.
    fn prominence(&self, hz: f64) -> f64 {
        let steps = (1..=12).map(|n| 2.5 + f64::from(n) * 0.45);
        let mut around: Vec<f64> = steps.flat_map(|d| [self.at(hz - d), self.at(hz + d)]).collect();
        around.sort_by(f64::total_cmp);
        self.at(hz) - around.get(around.len() / 2).copied().unwrap_or(0.0)
    }

    /// How prominent the lines at multiples of `hz` are, in dB; the best two count most.
    fn score(&self, hz: f64) -> f64 {
        let harmonics = (1..).map(|h| f64::from(h) * hz).take_while(|hz| *hz < TOP_HZ);
        harmonics
            .enumerate()
            .map(|(h, hz)| (self.prominence(hz) - 6.0).max(0.0) / (1.0 + h as f64 * 0.3))
            .sum()
    }

    /// The prominent harmonics of `hz`, with their amplitudes at the low rate.
    fn lines(&self, low: &[f32], size: usize, rate: f64, hz: f64) -> Vec<Line> {
        let harmonics = (1..).map(|h| f64::from(h) * hz).take_while(|hz| *hz < TOP_HZ);
        let prominent = harmonics.filter(|hz| self.prominence(*hz) >= PROMINENT_DB);
        let line = |hz: f64| {
            let mut found: Vec<f64> =
                windows(low, size).map(|block| phasor(block, hz / rate).0).collect();
            found.sort_by(f64::total_cmp);
            let index = (found.len() as f64 * PERCENTILE) as usize;
            Line { hz, amplitude: found.get(index).copied().unwrap_or(0.0) }
        };
        prominent.map(line).collect()
    }
}

/// Whether a line is there all the time: in a second chosen at random with nine in ten at half its
/// amplitude or more. The notes of a bass are not.
fn is_steady(low: &[f32], rate: f64, line: &Line) -> bool {
    let second = windows(low, rate as usize).map(|block| phasor(block, line.hz / rate).0);
    let mut found: Vec<f64> = second.collect();
    found.sort_by(f64::total_cmp);
    found.get(found.len() / 10).is_some_and(|least| *least >= line.amplitude * 0.5)
}

fn windows(low: &[f32], size: usize) -> impl Iterator<Item = &[f32]> {
    low.windows(size).step_by(size / 2)
}

/// Amplitude and phase (at the first sample) of the line at `step` turns a sample.
fn phasor(block: &[f32], step: f64) -> (f64, f64) {
    let (mut re, mut im, mut weight) = (0.0, 0.0, 0.0);
    for (n, x) in block.iter().enumerate() {
        let w = hann(n as f64 + 0.5, block.len());
        let (sin, cos) = (TAU * step * n as f64).sin_cos();
        re += f64::from(*x) * w * cos;
        im -= f64::from(*x) * w * sin;
        weight += w;
    }
    (2.0 * re.hypot(im) / weight, im.atan2(re))
}

/// The fundamental, from how the phases of the harmonics up to number `most` advance from window to
/// window. Each advance is weighted by its line's prominence and number.
fn refined(
    low: &[f32],
    size: usize,
    rate: f64,
    hz: f64,
    spectrum: &Spectrum,
    most: f64,
) -> Option<f64> {
    let hop = (size / 2) as f64;
    let (mut sum, mut weights) = (0.0, 0.0);
    let harmonics = (1..).map(f64::from).take_while(|h| *h <= most && h * hz < TOP_HZ);
    for h in harmonics {
        let prominence = spectrum.prominence(h * hz);
        if prominence < PROMINENT_DB {
            continue;
        }
        let step = h * hz / rate;
        let phases: Vec<f64> = windows(low, size).map(|block| phasor(block, step).1).collect();
        let (mut re, mut im) = (0.0, 0.0);
        for pair in phases.windows(2) {
            let advance = pair.get(1)? - pair.first()? - TAU * step * hop;
            re += advance.cos();
            im += advance.sin();
        }
        if phases.len() < 2 {
            continue;
        }
        let off = im.atan2(re) / (TAU * hop) * rate / h;
        // Phases that point everywhere tell nothing.
        let sure = re.hypot(im) / (phases.len() - 1) as f64;
        let weight = prominence * h * h * sure.powi(4);
        sum += off * weight;
        weights += weight;
    }
    (weights > 0.0).then(|| hz + sum / weights)
}

/// Amplitude and phase of each line over the beginning of `samples` at `rate` Hz, by which a filter is
/// warmed up.
pub(super) fn phases(samples: &[f32], rate: u32, hum: &Hum) -> Vec<(Line, f64)> {
    let line = |line: &Line| {
        let (amplitude, phase) = phasor(samples, line.hz / f64::from(rate));
        (Line { amplitude, ..*line }, phase)
    };
    hum.lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: u32 = 48_000;

    fn noise(n: usize) -> f64 {
        let mut x = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Hum at `hz` with harmonics 1, 2, 3 and 5, over noise and sounds that come and go.
    fn hum(hz: f64, level: f64, seconds: f64) -> Vec<f32> {
        let at = |n: usize| {
            let t = n as f64 / f64::from(RATE);
            let lines = [(1.0, 1.0), (2.0, 0.5), (3.0, 0.4), (5.0, 0.2)];
            let hum: f64 =
                lines.iter().map(|(h, a)| level * a * (TAU * h * hz * t + h).sin()).sum();
            let speech = if t % 2.0 < 1.0 {
                0.1 * ((TAU * 133.0 * t).sin() + (TAU * 411.0 * t).sin())
            } else {
                0.0
            };
            (hum + speech + 0.001 * noise(n)) as f32
        };
        (0..(seconds * f64::from(RATE)) as usize).map(at).collect()
    }

    fn found(samples: &[f32]) -> Option<Hum> {
        let mut decimator = Decimator::new(RATE);
        samples.chunks(10_000).for_each(|block| decimator.push(block));
        find(&decimator.finish(), RATE, None)
    }

    #[test]
    fn the_fundamental_is_found_to_a_hundredth_of_a_hertz() {
        for hz in [49.9, 49.97, 50.0, 50.06, 53.3, 59.95, 60.0, 60.1] {
            let hum = found(&hum(hz, 0.01, 12.0)).unwrap_or_else(|| panic!("none at {hz}"));
            assert!((hum.hz - hz).abs() < 0.01, "{hz}: found {}", hum.hz);
            let numbers: Vec<f64> = hum.lines.iter().map(|line| (line.hz / hz).round()).collect();
            assert_eq!(numbers, [1.0, 2.0, 3.0, 5.0]);
            let rms = 10.0 * (0.01f64.powi(2) * (1.0 + 0.25 + 0.16 + 0.04) / 2.0).log10();
            assert!((hum.level() - rms).abs() < 0.5, "{} {rms}", hum.level());
        }
    }

    #[test]
    fn what_comes_and_goes_is_no_hum() {
        assert_eq!(found(&hum(50.0, 0.0, 12.0)), None);
        let bass = |n: usize| {
            let t = n as f64 / f64::from(RATE);
            let note = [55.0, 49.0, 61.7, 41.2][(t * 2.0) as usize % 4];
            (0.2 * (TAU * note * t).sin() + 0.001 * noise(n)) as f32
        };
        assert_eq!(found(&(0..12 * 48_000).map(bass).collect::<Vec<_>>()), None);
    }

    #[test]
    fn less_than_a_second_tells_nothing() {
        assert_eq!(found(&hum(50.0, 0.1, 0.5)), None);
    }
}
