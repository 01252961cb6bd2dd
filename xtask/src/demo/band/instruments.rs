//! The instruments: each adds one note to a track. Times in seconds, amplitudes linear.

use super::RATE;
use super::score::Drum;
use std::f64::consts::TAU;

/// A track while it is played: one buffer per channel.
pub(super) struct Track {
    channels: Vec<Vec<f64>>,
    noise: Noise,
}

/// White noise from a xorshift generator with a fixed seed: the same each time, on every machine.
#[derive(Clone)]
struct Noise(u64);

impl Noise {
    /// The next sample, -1 to 1.
    fn sample(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

impl Track {
    pub(super) fn mono(seconds: f64) -> Self {
        Self::silent(1, seconds)
    }

    pub(super) fn stereo(seconds: f64) -> Self {
        Self::silent(2, seconds)
    }

    fn silent(channels: usize, seconds: f64) -> Self {
        Self {
            channels: vec![vec![0.0; frames(seconds)]; channels],
            noise: Noise(0x9E37_79B9_7F4A_7C15),
        }
    }

    /// The samples, scaled so that the highest is at `peak_dbfs`.
    pub(super) fn at_peak(self, peak_dbfs: f64) -> Vec<Vec<f32>> {
        let samples = self.channels.iter().flatten();
        let peak = samples.fold(1e-9f64, |peak, sample| peak.max(sample.abs()));
        let gain = 10f64.powf(peak_dbfs / 20.0) / peak;
        let scaled = |channel: Vec<f64>| channel.into_iter().map(|s| (s * gain) as f32).collect();
        self.channels.into_iter().map(scaled).collect()
    }

    /// Adds `sound(time)` from `at` on for `length`, at `pan` (-1 left, 1 right; ignored in mono).
    fn add(&mut self, at: f64, length: f64, pan: f64, mut sound: impl FnMut(f64) -> f64) {
        let angle = (pan + 1.0) * TAU / 8.0;
        let gains = [angle.cos(), angle.sin()];
        let start = frames(at);
        for offset in 0..frames(length) {
            let sample = sound(offset as f64 / f64::from(RATE));
            for (channel, gain) in self.channels.iter_mut().zip(gains) {
                if let Some(slot) = channel.get_mut(start + offset) {
                    *slot += sample * gain;
                }
            }
        }
    }

    pub(super) fn drum(&mut self, drum: Drum, at: f64, force: f32) {
        let force = f64::from(force);
        match drum {
            Drum::Kick => self.kick(at, force),
            Drum::Snare => self.snare(at, force),
            Drum::Hat => self.metal(at, 0.08, 0.012, 0.35, force),
            Drum::Crash => self.metal(at, 2.4, 0.5, -0.3, force),
        }
    }

    /// A sine that falls from 160 to 48 Hz.
    fn kick(&mut self, at: f64, force: f64) {
        let mut phase = 0.0;
        self.add(at, 0.4, 0.0, |t| {
            phase += TAU * (48.0 + 112.0 * (-t / 0.03).exp()) / f64::from(RATE);
            force * phase.sin() * (-t / 0.11).exp() * soft_start(t)
        });
    }

    /// A short tone and the rattle of the wires.
    fn snare(&mut self, at: f64, force: f64) {
        let mut noise = self.noise.clone();
        let mut low = 0.0;
        self.add(at, 0.35, 0.1, |t| {
            let white = noise.sample();
            low += 0.25 * (white - low);
            let tone = (TAU * 188.0 * t).sin() * (-t / 0.05).exp();
            force * (0.6 * tone + 0.55 * (white - low) * (-t / 0.075).exp()) * soft_start(t)
        });
        self.noise = noise;
    }

    /// Noise above some 6 kHz: a hat when it is short, a crash when it is long.
    fn metal(&mut self, at: f64, length: f64, decay: f64, pan: f64, force: f64) {
        let mut noise = self.noise.clone();
        let mut low = [0.0; 2];
        self.add(at, length, pan, |t| {
            let mut high = noise.sample();
            for stage in &mut low {
                *stage += 0.55 * (high - *stage);
                high -= *stage;
            }
            let end = ((length - t) / 0.02).min(1.0);
            force * high * (-t / decay).exp() * soft_start(t) * end
        });
        self.noise = noise;
    }

    /// A plucked string: eight harmonics, the higher the sooner gone.
    pub(super) fn bass(&mut self, pitch: u8, at: f64, length: f64) {
        let base = hertz(pitch);
        self.add(at, length + 0.1, 0.0, |t| {
            let harmonic = |n: u32| {
                let n = f64::from(n);
                (TAU * base * n * t).sin() / n.powf(1.2) * (-t * n / 0.9).exp()
            };
            (1..=8).map(harmonic).sum::<f64>() * soft_start(t) * release(t, length, 0.1)
        });
    }

    /// An electric piano: one sine bends the phase of another, and the tine rings above.
    pub(super) fn keys(&mut self, pitch: u8, at: f64, length: f64) {
        let base = hertz(pitch);
        let pan = (f64::from(pitch) - 58.0) / 12.0;
        self.add(at, length + 0.5, pan.clamp(-0.6, 0.6), |t| {
            let body = (TAU * base * t).sin() * 1.2 * (-t / 0.5).exp();
            let tine = (TAU * base * 14.0 * t).sin() * 0.06 * (-t / 0.06).exp();
            let tremolo = 1.0 + 0.12 * (TAU * 4.8 * (at + t)).sin();
            let level = (-t / 1.4).exp() * soft_start(t) * release(t, length, 0.5);
            ((TAU * base * t + body).sin() + tine) * tremolo * level
        });
    }

    /// A soft reed with vibrato that comes late.
    pub(super) fn lead(&mut self, pitch: u8, at: f64, length: f64) {
        let mut phase = 0.0;
        let base = hertz(pitch);
        self.add(at, length + 0.15, 0.0, |t| {
            let depth = 0.006 * ((t - 0.25) / 0.3).clamp(0.0, 1.0);
            phase += TAU * base * (1.0 + depth * (TAU * 5.2 * t).sin()) / f64::from(RATE);
            let reed = phase.sin() + 0.35 * (2.0 * phase).sin() + 0.18 * (3.0 * phase).sin();
            reed * (1.0 - (-t / 0.02).exp()) * release(t, length, 0.15)
        });
    }

    /// Repeats everything after `delay`, each time at `feedback` of the level before.
    pub(super) fn echo(&mut self, delay: f64, feedback: f64) {
        let delay = frames(delay);
        for channel in &mut self.channels {
            for at in delay..channel.len() {
                channel[at] += channel[at - delay] * feedback;
            }
        }
    }

    /// Down to silence in the last `seconds`.
    pub(super) fn fade_out(&mut self, seconds: f64) {
        let fade = frames(seconds);
        for channel in &mut self.channels {
            for (left, sample) in channel.iter_mut().rev().take(fade).enumerate() {
                *sample *= left as f64 / fade as f64;
            }
        }
    }
}

/// Rises from 0 in 1 ms, so that nothing starts with a click.
fn soft_start(t: f64) -> f64 {
    (t / 0.001).min(1.0)
}

/// 1 while the note is held, then down to 0 in `tail`.
fn release(t: f64, held: f64, tail: f64) -> f64 {
    let left = 1.0 - ((t - held) / tail).clamp(0.0, 1.0);
    left * left
}

fn hertz(pitch: u8) -> f64 {
    440.0 * 2f64.powf((f64::from(pitch) - 69.0) / 12.0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "short, positive times"
)]
fn frames(seconds: f64) -> usize {
    (seconds * f64::from(RATE)).round() as usize
}
