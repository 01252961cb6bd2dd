//! Sounds whose truth is known.

use super::super::features::{Extractor, Features};
use deskhand_toolkit::testing::{RATE, noise};

/// Features of one channel.
pub(super) fn heard(audio: &[f32]) -> Features {
    let mut extractor = Extractor::new(RATE);
    audio.chunks(4_097).for_each(|chunk| extractor.push(chunk));
    extractor.finish()
}

#[test]
fn how_much_is_read_at_once_changes_nothing() {
    let audio: Vec<f32> = noise(-20.0, 6.0)
        .iter()
        .enumerate()
        .map(|(n, x)| x * (0.5 + 0.5 * (n as f32 / 4_000.0).sin()))
        .collect();
    let by = |size: usize| {
        let mut extractor = Extractor::new(RATE);
        audio.chunks(size).for_each(|chunk| extractor.push(chunk));
        extractor.finish()
    };
    let whole = by(audio.len());
    assert!(whole.blocks.iter().all(|block| block.voice > 0.0), "{:?}", whole.blocks);
    for size in [777, 4_097, 1 << 16] {
        assert!(by(size) == whole, "{size}");
    }
}

/// Seconds in frames.
pub(super) fn frames(seconds: f64) -> usize {
    (seconds * f64::from(RATE.0)) as usize
}

/// Short bursts of noise that decay in about 20 ms, each with its peak, over `seconds`.
pub(super) fn clicks(at: &[f64], amplitude: f32, seconds: f64) -> Vec<f32> {
    let mut audio = vec![0.0; frames(seconds)];
    let burst = noise(0.0, 0.1);
    for start in at {
        for (n, x) in burst.iter().enumerate() {
            if let Some(out) = audio.get_mut(frames(*start) + n) {
                *out += x * amplitude * (-(n as f32) / 960.0).exp();
            }
        }
    }
    audio
}

/// A note with eight harmonics and a short attack.
pub(super) fn note(hz: f64, seconds: f64, amplitude: f64) -> Vec<f32> {
    let step = std::f64::consts::TAU * hz / f64::from(RATE.0);
    let sample = |n: usize| {
        let time = n as f64 / f64::from(RATE.0);
        let shape = (time / 0.005).min(1.0)
            * (-time * 2.0).exp()
            * ((seconds - time) / 0.02).clamp(0.0, 1.0);
        let tone: f64 =
            (1..=8).map(|k| (step * n as f64 * f64::from(k)).sin() / f64::from(k * k)).sum();
        (amplitude * shape * tone) as f32
    };
    (0..frames(seconds)).map(sample).collect()
}

/// Notes at once; `pitches` in semitones from C4, A4 at `tuning` Hz.
pub(super) fn chord(pitches: &[i32], seconds: f64, tuning: f64) -> Vec<f32> {
    let hz = |pitch: i32| tuning * (f64::from(pitch - 9) / 12.0).exp2();
    let notes: Vec<Vec<f32>> = pitches.iter().map(|p| note(hz(*p), seconds, 0.15)).collect();
    (0..frames(seconds)).map(|n| notes.iter().map(|note| note[n]).sum()).collect()
}

/// The sum of two sounds.
pub(super) fn both(a: Vec<f32>, b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// The share of `truth` that `found` meets within `within`, and of `found` that meets truth, as one F measure.
pub(super) fn f_measure(truth: &[f64], found: &[f64], within: f64) -> f64 {
    let mut left: Vec<f64> = found.to_vec();
    let mut hits = 0.0;
    for t in truth {
        if let Some(at) = left.iter().position(|f| (f - t).abs() <= within) {
            left.remove(at);
            hits += 1.0;
        }
    }
    2.0 * hits / (truth.len() + found.len()).max(1) as f64
}
