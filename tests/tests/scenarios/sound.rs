//! Audio from its description: tones, noise and silence of stated levels.

use deskhand_dsp::{Decibels, SampleRate};
use deskhand_media::{BitDepth, WavWriter};
use serde_json::Value;
use std::path::Path;

/// Writes the audio that `parts` describe, one after another, as WAV with 32-bit floats.
///
/// A part is `{"s": 2.0}` (silence), `{"s": 2.0, "tone_hz": 1000, "dbfs": -20}` (a sine with that
/// peak) or `{"s": 2.0, "noise_dbfs": -40}` (white noise with that RMS). On top of each may come
/// `"hum_hz": 50, "hum_dbfs": -40` (a sine that goes on through all parts) and `"dc": 0.1` (an offset).
pub(crate) fn write(path: &Path, parts: &Value, rate: SampleRate, channels: usize) {
    let parts = parts.as_array().unwrap_or_else(|| panic!("audio is a list of parts: {parts}"));
    let mut wave: Vec<f32> = Vec::new();
    for part in parts {
        let mut sound = samples(part, rate);
        add_hum(&mut sound, part, wave.len(), rate);
        wave.extend(sound);
    }
    let mut writer = WavWriter::create(path, rate, channels, BitDepth::F32).unwrap();
    writer.write(&vec![wave.as_slice(); channels]).unwrap();
    writer.finish().unwrap();
}

fn samples(part: &Value, rate: SampleRate) -> Vec<f32> {
    let number = |key: &str| part[key].as_f64();
    let seconds = number("s").unwrap_or_else(|| panic!("a part has its length `s`: {part}"));
    let count = (seconds * f64::from(rate.0)).round() as usize;
    match (number("tone_hz"), number("noise_dbfs")) {
        (Some(hz), _) => tone(hz, number("dbfs").unwrap(), count, rate),
        (None, Some(dbfs)) => noise(dbfs, count),
        (None, None) => vec![0.0; count],
    }
}

/// Adds offset and hum to a part that begins at `start`.
fn add_hum(sound: &mut [f32], part: &Value, start: usize, rate: SampleRate) {
    let number = |key: &str| part[key].as_f64();
    let offset = number("dc").unwrap_or(0.0) as f32;
    let hum = number("hum_hz").zip(number("hum_dbfs"));
    let (step, amplitude) = hum.map_or((0.0, 0.0), |(hz, dbfs)| {
        (std::f64::consts::TAU * hz / f64::from(rate.0), Decibels(dbfs).amplitude())
    });
    for (n, sample) in sound.iter_mut().enumerate() {
        *sample += offset + (amplitude * (step * (start + n) as f64).sin()) as f32;
    }
}

fn tone(hz: f64, dbfs: f64, count: usize, rate: SampleRate) -> Vec<f32> {
    let step = std::f64::consts::TAU * hz / f64::from(rate.0);
    let amplitude = Decibels(dbfs).amplitude();
    (0..count).map(|n| (amplitude * (step * n as f64).sin()) as f32).collect()
}

/// Uniform noise from a linear congruential generator: the same everywhere.
fn noise(dbfs: f64, count: usize) -> Vec<f32> {
    let amplitude = Decibels(dbfs).amplitude() * 3f64.sqrt();
    let mut state = 12_345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / 8_388_608.0 - 1.0
    };
    (0..count).map(|_| (amplitude * next()) as f32).collect()
}
