//! The pass itself: audio of one channel in, features out, as it comes.

use super::bank::{Bank, timbre_edges};
use super::{BANDS, BLOCK, Block, CENTS, CHROMA, Features, Voice};
use deskhand_dsp::SampleRate;
use deskhand_dsp::spectrum::{Forward, periodic_hann};
use std::collections::VecDeque;

/// The flux compares a spectrum with the one this many hops earlier: a quarter of the window.
const LAG: usize = 2;
/// How strongly quiet parts count: log10(1 + GAIN x relative magnitude).
const GAIN: f32 = 300.0;
/// The reference for levels halves in this many flux values (5 s), down to this magnitude.
const HALF_LIFE: f32 = 1000.0;
const FLOOR: f32 = 1e-3;
/// Pitches that count for chroma, Hz.
const PITCHES: (f64, f64) = (60.0, 2000.0);

/// A windowed transform.
struct Transform {
    forward: Forward<f32>,
    magnitudes: Vec<f32>,
}

impl Transform {
    /// Of `size` frames, Hann. A sine at full scale has the magnitude 1.
    fn new(size: usize) -> Self {
        let forward = Forward::windowed(periodic_hann(size, 4.0 / size as f64));
        Self { magnitudes: vec![0.0; forward.bins()], forward }
    }

    fn run(&mut self, audio: &[f32]) -> &[f32] {
        for (magnitude, x) in self.magnitudes.iter_mut().zip(self.forward.of(audio.iter().copied()))
        {
            *magnitude = x.norm();
        }
        &self.magnitudes
    }
}

/// Sums over a block.
#[derive(Default)]
struct Sums {
    levels: Vec<f32>,
    flatness: f32,
    centroid: f32,
    weight: f32,
    flux: f32,
    accent: f32,
    tonal: (f32, f32),
    bands: [f32; BANDS],
    count: usize,
}

/// Takes audio as it comes and hears [`Features`].
pub(crate) struct Extractor {
    /// The measurements so far.
    pub(crate) features: Features,
    short: Transform,
    long: Transform,
    bank: Bank,
    timbre: Vec<usize>,
    bin_hz: (f64, f64),
    /// Audio from `start` on, in frames. It begins half a long window before the region.
    buffer: Vec<f32>,
    start: usize,
    past: VecDeque<Vec<f32>>,
    reference: f32,
    voice: Voice,
    sums: Sums,
}

impl Extractor {
    /// For audio at `rate`.
    pub(crate) fn new(rate: SampleRate) -> Self {
        let size = 2048 * (rate.0 as usize).div_ceil(50_000).next_power_of_two();
        let (short, long) = (Transform::new(size), Transform::new(size * 4));
        let bin_hz = f64::from(rate.0) / size as f64;
        let bins = short.magnitudes.len();
        let bank = Bank::new(bins, bin_hz);
        Self {
            features: Features::new(rate),
            timbre: timbre_edges(bins, bin_hz),
            bin_hz: (bin_hz, bin_hz / 4.0),
            buffer: vec![0.0; size * 2],
            start: 0,
            // Before the region is silence, so that a sound at its first frame counts as an onset.
            past: vec![vec![0.0; bank.len()]; LAG].into(),
            reference: FLOOR,
            bank,
            voice: Voice::new(rate.0 as usize),
            sums: Sums::default(),
            short,
            long,
        }
    }

    /// Takes the next audio.
    pub(crate) fn push(&mut self, audio: &[f32]) {
        self.features.frames += audio.len();
        self.buffer.extend_from_slice(audio);
        self.advance();
    }

    /// The region is over.
    pub(crate) fn finish(mut self) -> Features {
        let tail = self.long.forward.size() / 2;
        self.buffer.resize(self.buffer.len() + tail, 0.0);
        self.advance();
        if self.sums.count > BLOCK / 4 {
            self.close();
        }
        self.features
    }

    /// Takes every hop whose windows are complete.
    fn advance(&mut self) {
        let (size, hop) = (self.long.forward.size(), self.features.hop);
        loop {
            let at = self.features.flux.len() * hop;
            let from = at - self.start.min(at);
            if from + size > self.buffer.len() || at >= self.features.frames {
                break;
            }
            self.hop(from);
        }
        let done = (self.features.flux.len() * hop).saturating_sub(self.start);
        let done = done.min(self.buffer.len());
        self.buffer.drain(..done);
        self.start += done;
    }

    fn hop(&mut self, from: usize) {
        let (size, quarter, hop) =
            (self.long.forward.size(), self.short.forward.size(), self.features.hop);
        if self.features.flux.len().is_multiple_of(CHROMA) {
            self.long.run(&self.buffer[from..from + size]);
            self.pitches();
        }
        let middle = from + size / 2;
        let power: f32 = self.buffer[middle..middle + hop].iter().map(|x| x * x).sum();
        self.sums.levels.push(power / hop as f32);
        // Hop by hop, or a block would have the voices of all that was pushed at once.
        self.voice.push(&self.buffer[middle..middle + hop]);
        self.short.run(&self.buffer[middle - quarter / 2..middle + quarter / 2]);
        self.flux();
        self.spectrum();
        self.sums.count += 1;
        if self.sums.count == BLOCK {
            self.close();
        }
    }

    fn flux(&mut self) {
        let mut now = vec![0.0; self.bank.len()];
        self.bank.apply(&self.short.magnitudes, &mut now);
        let loudest = now.iter().copied().fold(0.0, f32::max);
        let fallen = self.reference * (-std::f32::consts::LN_2 / HALF_LIFE).exp();
        self.reference = fallen.max(loudest).max(FLOOR);
        let gain = GAIN / self.reference;
        let (mut all, mut low) = (0.0, 0.0);
        if let Some(past) = self.past.front() {
            for (band, x) in now.iter().enumerate() {
                let near = &past[band.saturating_sub(1)..(band + 2).min(past.len())];
                let most = near.iter().copied().fold(0.0, f32::max);
                let rise = ((1.0 + gain * x) / (1.0 + gain * most)).log10().max(0.0);
                all += rise;
                low += if band < self.bank.low { rise } else { 0.0 };
            }
        }
        let (bands, lows) = (self.bank.len().max(1) as f32, self.bank.low.max(1) as f32);
        self.features.flux.push(all / bands);
        self.features.low.push(low / lows);
        self.sums.flux += all / bands;
        self.sums.accent = self.sums.accent.max(all / bands);
        self.past.push_back(now);
        if self.past.len() > LAG {
            self.past.pop_front();
        }
    }

    fn spectrum(&mut self) {
        let powers = self.short.magnitudes.iter().map(|m| m * m);
        let hz = self.bin_hz.0;
        let (mut moment, mut sum, mut logs, mut arithmetic, mut bins) = (0.0, 0.0, 0.0, 0.0, 0);
        for (bin, power) in powers.enumerate().skip(1) {
            let at = bin as f64 * hz;
            moment += power * at as f32;
            sum += power;
            if (100.0..8000.0).contains(&at) {
                logs += (power + 1e-14).log2();
                arithmetic += power + 1e-14;
                bins += 1;
            }
        }
        let bins = bins.max(1) as f32;
        self.sums.flatness += (logs / bins).exp2() / (arithmetic / bins);
        self.sums.centroid += moment;
        self.sums.weight += sum;
        for (band, edges) in self.timbre.windows(2).enumerate() {
            let end = edges[1].max(edges[0] + 1).min(self.short.magnitudes.len());
            let bins = self.short.magnitudes.get(edges[0]..end).unwrap_or_default();
            self.sums.bands[band] += bins.iter().map(|m| m * m).sum::<f32>();
        }
    }

    /// Peaks of the long spectrum: how much of it they are, and which pitches.
    fn pitches(&mut self) {
        let magnitudes = &self.long.magnitudes;
        let bin = |hz: f64| (hz / self.bin_hz.1) as usize;
        let (first, last) = (bin(60.0).max(2), bin(5000.0).min(magnitudes.len() - 3));
        let total: f32 = magnitudes[first..last].iter().map(|m| m * m).sum();
        let loudest = magnitudes[first..last].iter().copied().fold(1e-6, f32::max);
        let (mut peaks, mut chroma) = (0.0, [0.0; 12]);
        for n in first..last {
            let m = magnitudes[n];
            let around = &magnitudes[n - 2..n + 3];
            if m < loudest * 0.01 || around.iter().any(|other| *other > m) {
                continue;
            }
            // A tone fills the lobe of the window; noise does not drop off next to its peaks.
            let beside = &magnitudes[n.saturating_sub(6)..(n + 7).min(magnitudes.len())];
            let mean = beside.iter().sum::<f32>() / beside.len() as f32;
            if m < 2.5 * mean {
                continue;
            }
            peaks += around.iter().map(|m| m * m).sum::<f32>();
            let hz = (n as f64 + lobe(magnitudes[n - 1], m, magnitudes[n + 1])) * self.bin_hz.1;
            if (PITCHES.0..PITCHES.1).contains(&hz) {
                let weight = (m / loudest).sqrt();
                let octaves = (hz / 440.0).log2();
                let class = ((octaves * 12.0).round() as i64 + 9).rem_euclid(12) as usize;
                chroma[class] += weight;
                let cent = ((octaves * CENTS as f64).round() as i64).rem_euclid(CENTS as i64);
                if loudest > 1e-4 {
                    self.features.cents[cent as usize] += weight;
                }
            }
        }
        let sum: f32 = chroma.iter().sum();
        if sum > 0.0 && loudest > 1e-4 {
            chroma.iter_mut().for_each(|class| *class /= sum);
        } else {
            chroma = [0.0; 12];
        }
        self.features.chroma.push(chroma);
        self.sums.tonal.0 += peaks.min(total);
        self.sums.tonal.1 += total;
    }

    fn close(&mut self) {
        let sums = std::mem::take(&mut self.sums);
        let count = sums.count.max(1) as f32;
        let mean = sums.levels.iter().sum::<f32>() / count;
        let short: Vec<f32> =
            sums.levels.chunks(4).map(|few| few.iter().sum::<f32>() / few.len() as f32).collect();
        let pauses = short.iter().filter(|power| **power < mean * 0.25).count();
        let decibels: Vec<f32> =
            short.iter().map(|power| db(*power).max(db(mean) - 40.0)).collect();
        self.features.blocks.push(Block {
            level: db(mean),
            swing: deviation(&decibels),
            pauses: pauses as f32 / short.len().max(1) as f32,
            flatness: sums.flatness / count,
            centroid: sums.centroid / sums.weight.max(1e-20),
            flux: sums.flux / count,
            accent: sums.accent,
            tonal: sums.tonal.0 / sums.tonal.1.max(1e-20),
            voice: self.voice.take(),
            bands: sums.bands.map(|power| (power / count + 1e-12).log10()),
        });
    }
}

/// Power as dBFS, at least -120.
fn db(power: f32) -> f32 {
    10.0 * power.max(1e-12).log10()
}

fn deviation(values: &[f32]) -> f32 {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / count).sqrt()
}

/// Where the top of a peak lies between bins, by a parabola through the logarithms.
fn lobe(left: f32, middle: f32, right: f32) -> f64 {
    let [l, m, r] = [left, middle, right].map(|x| f64::from(x.max(1e-12)).ln());
    let bend = l - 2.0 * m + r;
    if bend.abs() < 1e-9 { 0.0 } else { (0.5 * (l - r) / bend).clamp(-0.5, 0.5) }
}
