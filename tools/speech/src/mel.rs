//! The log-mel spectrogram that Whisper hears.
//!
//! 16 kHz; windows of 25 ms (periodic Hann), one every 10 ms, centered, mirrored at the ends; power in mel bands
//! of equal area (Slaney's scale); the common logarithm, no lower than 8 below the largest; then
//! `(x + 4) / 4`. Source: the reference code of the model (`whisper/audio.py`) and librosa's `filters.mel`.

use deskhand_dsp::spectrum::{Complex, Forward, periodic_hann};

/// The rate of the audio in Hz.
pub const RATE: u32 = 16_000;
const WINDOW: usize = 400;
/// Samples from one window to the next.
pub const HOP: usize = 160;
const BINS: usize = WINDOW / 2 + 1;
/// The least power of a band.
const FLOOR: f32 = 1e-10;
const SPAN: f32 = 8.0;

/// Makes spectrograms.
pub struct Mel {
    transform: Forward<f32>,
    /// For each band its first bin, and the weight of each bin from there.
    bands: Vec<(usize, Vec<f32>)>,
}

impl Mel {
    #[must_use]
    pub fn new(bands: usize) -> Self {
        let transform = Forward::windowed(periodic_hann(WINDOW, 1.0));
        Self { transform, bands: filters(bands) }
    }

    /// The spectrogram of `audio`: one row for each band, each with `frames` values. Values after the end
    /// of the audio are 0, as in faster-whisper. The reference has silence there, but 0 gave better text on
    /// read speech.
    #[must_use]
    pub fn of(&self, audio: &[f32], frames: usize) -> Vec<f32> {
        let mut out = self.power(audio, frames);
        out.iter_mut().for_each(|value| *value = value.max(FLOOR).log10());
        let largest = out.iter().copied().fold(f32::MIN, f32::max);
        for value in &mut out {
            *value = (value.max(largest - SPAN) + 4.0) / 4.0;
        }
        let heard = audio.len() / HOP;
        for row in out.chunks_mut(frames) {
            row.iter_mut().skip(heard).for_each(|value| *value = 0.0);
        }
        out
    }

    /// The power in each band, neither logarithm nor anything else: one row a band, each of `frames` values.
    #[must_use]
    pub fn power(&self, audio: &[f32], frames: usize) -> Vec<f32> {
        let mut out = vec![0.0; self.bands.len() * frames];
        let mut transform = self.transform.clone();
        let mut power = vec![0.0; BINS];
        let length = frames * HOP;
        for frame in 0..frames {
            let first = (frame * HOP) as i64 - (WINDOW / 2) as i64;
            let sample = |at| audio.get(mirrored(at, length)).copied().unwrap_or(0.0);
            let spectrum = transform.of((first..).map(sample));
            for (power, bin) in power.iter_mut().zip(spectrum) {
                *power = Complex::norm_sqr(bin);
            }
            for ((first, weights), row) in self.bands.iter().zip(out.chunks_mut(frames)) {
                let bins = power.iter().skip(*first).zip(weights);
                let sum: f32 = bins.map(|(power, weight)| power * weight).sum();
                if let Some(value) = row.get_mut(frame) {
                    *value = sum;
                }
            }
        }
        out
    }
}

/// The sample at `at` of audio that is mirrored at both ends.
fn mirrored(at: i64, length: usize) -> usize {
    let length = length as i64;
    let at = if at < 0 { -at } else { at };
    let at = if at >= length { 2 * (length - 1) - at } else { at };
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// Triangles of equal area that meet at frequencies equally apart on Slaney's mel scale.
fn filters(bands: usize) -> Vec<(usize, Vec<f32>)> {
    let top = to_mel(f64::from(RATE) / 2.0);
    let edge = |index: usize| to_hertz(top * index as f64 / (bands + 1) as f64);
    let hertz = |bin: usize| bin as f64 * f64::from(RATE) / WINDOW as f64;
    let band = |band: usize| {
        let (low, middle, high) = (edge(band), edge(band + 1), edge(band + 2));
        let weight = |bin: usize| {
            let rise = (hertz(bin) - low) / (middle - low);
            let fall = (high - hertz(bin)) / (high - middle);
            (rise.min(fall).max(0.0) * 2.0 / (high - low)) as f32
        };
        let first = (0..BINS).find(|bin| hertz(*bin) > low).unwrap_or(BINS);
        (first, (first..BINS).take_while(|bin| hertz(*bin) < high).map(weight).collect())
    };
    (0..bands).map(band).collect()
}

/// Linear below 1 kHz, logarithmic above.
fn to_mel(hertz: f64) -> f64 {
    match hertz < 1000.0 {
        true => hertz * 3.0 / 200.0,
        false => 15.0 + (hertz / 1000.0).ln() * 27.0 / 6.4f64.ln(),
    }
}

fn to_hertz(mel: f64) -> f64 {
    match mel < 15.0 {
        true => mel * 200.0 / 3.0,
        false => 1000.0 * ((mel - 15.0) * 6.4f64.ln() / 27.0).exp(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn filters_are_those_of_the_reference() {
        // `librosa.filters.mel(sr=16000, n_fft=400, n_mels=80)`, and the same with 128.
        let bands = filters(80);
        let weight = |band: usize, bin: usize| {
            let (first, weights) = &bands[band];
            bin.checked_sub(*first).and_then(|at| weights.get(at)).copied().unwrap_or(0.0)
        };
        assert!((weight(0, 1) - 0.024_862_59).abs() < 1e-7, "{}", weight(0, 1));
        assert!((weight(40, 43) - 0.014_735_566).abs() < 1e-7, "{}", weight(40, 43));
        assert!(bands.iter().all(|(_, weights)| !weights.is_empty()));
        assert_eq!(filters(128).len(), 128);
    }

    #[test]
    fn a_tone_stands_in_its_band_and_silence_at_the_floor() {
        let tone = |n: usize| (TAU * 1000.0 * n as f64 / f64::from(RATE)).sin() as f32 * 0.5;
        let audio: Vec<f32> = (0..RATE as usize).map(tone).collect();
        let mel = Mel::new(80).of(&audio, 200);
        let at = |frame: usize| {
            let column = mel.iter().skip(frame).step_by(200).enumerate();
            column.max_by(|a, b| a.1.total_cmp(b.1)).map(|(band, value)| (band, *value)).unwrap()
        };
        let (band, loudest) = at(50);
        let edge = |index: usize| to_hertz(to_mel(8000.0) * index as f64 / 81.0);
        assert!(edge(band) < 1000.0 && 1000.0 < edge(band + 2), "{band}");
        let floor = mel.iter().skip(50).step_by(200).copied().fold(f32::MAX, f32::min);
        assert!((loudest - floor - SPAN / 4.0).abs() < 1e-3);
        assert_eq!(at(150).1, 0.0);
    }

    #[test]
    fn ends_are_mirrored() {
        assert_eq!([-2, 0, 9, 10, 11].map(|at| mirrored(at, 10)), [2, 0, 9, 8, 7]);
    }
}
