//! Test signals, and reading a meter over them.

use deskhand_dsp::loudness::{Levels, LoudnessMeter, LoudnessProfile};
use deskhand_dsp::{Decibels, SampleRate};
use std::f64::consts::TAU;

pub(crate) const RATE: SampleRate = SampleRate(48_000);

/// One channel after another.
pub(crate) type Planar = Vec<Vec<f32>>;

pub(crate) fn slices(planar: &[Vec<f32>]) -> Vec<&[f32]> {
    planar.iter().map(Vec::as_slice).collect()
}

/// A 1 kHz sine through steps of (peak level in dBFS, seconds); a level of -inf is silence.
pub(crate) fn tone(steps: &[(f64, f64)]) -> Vec<f32> {
    let rate = f64::from(RATE.0);
    let mut samples = Vec::new();
    for (level, seconds) in steps {
        let amplitude = Decibels(*level).amplitude();
        let end = samples.len() + (seconds * rate).round() as usize;
        let first = samples.len();
        samples.extend(
            (first..end).map(|n| (amplitude * (TAU * 1000.0 * n as f64 / rate).sin()) as f32),
        );
    }
    samples
}

/// The tone in phase on both channels.
pub(crate) fn stereo(steps: &[(f64, f64)]) -> Planar {
    let channel = tone(steps);
    vec![channel.clone(), channel]
}

pub(crate) const SILENCE: f64 = f64::NEG_INFINITY;

pub(crate) fn profile(planar: &[Vec<f32>], rate: SampleRate) -> LoudnessProfile {
    let mut meter = LoudnessMeter::new(rate, planar.len()).unwrap();
    meter.process(&slices(planar));
    meter.profile()
}

pub(crate) fn levels(planar: &[Vec<f32>], rate: SampleRate) -> Levels {
    profile(planar, rate).levels(Decibels::UNITY)
}

/// Reads the live values at every 10 ms.
pub(crate) fn each_update(planar: &[Vec<f32>], mut read: impl FnMut(&LoudnessMeter, f64)) {
    let mut meter = LoudnessMeter::new(RATE, planar.len()).unwrap();
    for at in (0..planar[0].len()).step_by(480) {
        let end = (at + 480).min(planar[0].len());
        let block: Vec<&[f32]> = planar.iter().map(|channel| &channel[at..end]).collect();
        meter.process(&block);
        read(&meter, end as f64 / 48_000.0);
    }
}

pub(crate) fn assert_near(value: Option<f64>, expected: f64, tolerance: f64, what: &str) {
    let value = value.unwrap_or_else(|| panic!("{what}: no value, expected {expected}"));
    let off = (value - expected).abs();
    assert!(off <= tolerance, "{what}: {value:.4}, expected {expected} within {tolerance}");
}

/// Noise that behaves like a programme: pinkish, its level wandering between -45 and -8 dBFS, with
/// pauses and clicks; every channel is its own.
pub(crate) fn programme(seed: u64, rate: SampleRate, channels: usize, seconds: f64) -> Planar {
    let frames = (f64::from(rate.0) * seconds).round() as usize;
    (0..channels as u64).map(|channel| programme_channel(seed, channel, rate, frames)).collect()
}

fn programme_channel(seed: u64, channel: u64, rate: SampleRate, frames: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9).wrapping_add(channel.wrapping_mul(77) + 1);
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    let (mut low, mut level) = (0.0, -20.0);
    let step = rate.0 as usize / 4;
    (0..frames)
        .map(|n| {
            if n % step == 0 {
                level = if random() > 0.8 { -90.0 } else { -26.0 + 18.0 * random() };
            }
            let white = random();
            low += 0.05 * (white - low);
            let click = if n % (5 * step) == step { 0.6 } else { 0.0 };
            ((0.5 * white + 2.0 * low) * Decibels(level).amplitude() + click) as f32
        })
        .collect()
}
