//! How likely a voice is, by the small network of the crate earshot, which includes its weights. It listens
//! at 16 kHz.

use earshot::Detector;

/// What the network listens at, Hz, and how much at a time.
const RATE: usize = 16_000;
const FRAME: usize = 256;
/// Zero crossings of the resampler's window on each side, and its edge as a share of 8 kHz.
const CROSSINGS: f64 = 12.0;
const EDGE: f64 = 0.92;

/// Resamples to 16 kHz and asks the network for each 16 ms.
pub(crate) struct Voice {
    detector: Detector,
    /// One windowed sinc for each fraction of an input frame.
    phases: Vec<Vec<f32>>,
    /// Input frames for `phases.len()` output frames.
    step: usize,
    input: Vec<f32>,
    /// The next output frame, in input frames by phases.
    next: usize,
    output: Vec<f32>,
    /// Sum and number of probabilities since they were last taken.
    heard: (f32, u32),
}

impl Voice {
    /// For audio at `rate`.
    pub(crate) fn new(rate: usize) -> Self {
        let shared = gcd(rate, RATE);
        let (count, step) = (RATE / shared, rate / shared);
        let ratio = (RATE as f64 / rate as f64).min(1.0) * EDGE;
        let half = (CROSSINGS / ratio).ceil() as usize;
        let phases = (0..count).map(|p| sinc(ratio, half, p as f64 / count as f64)).collect();
        let input = vec![0.0; half];
        let heard = (0.0, 0);
        Self {
            detector: Detector::default(),
            phases,
            step,
            input,
            next: 0,
            output: Vec::new(),
            heard,
        }
    }

    /// Takes audio of one channel.
    pub(crate) fn push(&mut self, audio: &[f32]) {
        self.input.extend_from_slice(audio);
        let (count, taps) = (self.phases.len(), self.phases[0].len());
        while self.next / count + taps <= self.input.len() {
            let window = &self.input[self.next / count..][..taps];
            let phase = &self.phases[self.next % count];
            let sample: f32 = window.iter().zip(phase).map(|(x, w)| x * w).sum();
            // A mix may be over full scale, and a clipped one is between its samples; the network refuses that.
            self.output.push(sample.clamp(-1.0, 1.0));
            self.next += self.step;
        }
        let done = (self.next / count).min(self.input.len());
        self.input.drain(..done);
        self.next -= done * count;
        let whole = self.output.len() / FRAME * FRAME;
        for frame in self.output[..whole].chunks_exact(FRAME) {
            self.heard.0 += self.detector.predict_f32(frame);
            self.heard.1 += 1;
        }
        self.output.drain(..whole);
    }

    /// The mean probability since the last time.
    pub(crate) fn take(&mut self) -> f32 {
        let (sum, count) = std::mem::take(&mut self.heard);
        if count == 0 { 0.0 } else { sum / count as f32 }
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A low pass of `ratio` of the band, Hann-windowed, for a point `fraction` of a frame after the middle.
fn sinc(ratio: f64, half: usize, fraction: f64) -> Vec<f32> {
    let tap = |i: usize| {
        let t = i as f64 - half as f64 - fraction;
        let x = std::f64::consts::PI * t * ratio;
        let window = 0.5 + 0.5 * (std::f64::consts::PI * t / (half as f64 + 1.0)).cos();
        let sinc = if x.abs() < 1e-9 { 1.0 } else { x.sin() / x };
        (ratio * sinc * window) as f32
    };
    (0..=2 * half).map(tap).collect()
}
