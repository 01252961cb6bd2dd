//! A row of notches, each as narrow as hum is steady.

use super::listen::{Hum, Line};
use std::f64::consts::TAU;

/// Width of each notch between its -3 dB points, in Hz: mains wander by a few hundredths.
const WIDTH_HZ: f64 = 1.0;
/// How long the filter hears hum before the first sample, in s: by then it has settled.
const WARM_S: f64 = 3.0;

/// One second-order notch (bilinear transform of the analog notch, as in the "Audio EQ Cookbook" by
/// R. Bristow-Johnson), in transposed direct form II.
#[derive(Clone, Copy, Debug)]
struct Notch {
    b: [f64; 3],
    a: [f64; 2],
    state: [f64; 2],
}

impl Notch {
    fn new(hz: f64, rate: f64) -> Self {
        let w = TAU * hz / rate;
        let alpha = w.sin() * WIDTH_HZ / (2.0 * hz);
        let a0 = 1.0 + alpha;
        let middle = -2.0 * w.cos() / a0;
        Self { b: [1.0 / a0, middle, 1.0 / a0], a: [middle, (1.0 - alpha) / a0], state: [0.0; 2] }
    }

    fn next(&mut self, x: f64) -> f64 {
        let [b0, b1, b2] = self.b;
        let [a1, a2] = self.a;
        let y = b0 * x + self.state[0];
        self.state = [b1 * x - a1 * y + self.state[1], b2 * x - a2 * y];
        y
    }
}

/// The notches of one channel.
pub(super) struct Notches(Vec<Notch>);

impl Notches {
    /// For `hum` at `rate` Hz. `start` is the hum at the first sample, which the filters must know already.
    pub(super) fn new(hum: &Hum, rate: u32, start: &[(Line, f64)]) -> Self {
        let rate = f64::from(rate);
        let mut notches = Self(hum.lines.iter().map(|l| Notch::new(l.hz, rate)).collect());
        let warm = (WARM_S * rate) as i64;
        for n in -warm..0 {
            let at = |(line, phase): &(Line, f64)| {
                line.amplitude * (TAU * line.hz / rate * n as f64 + phase).cos()
            };
            notches.next(start.iter().map(at).sum());
        }
        notches
    }

    fn next(&mut self, x: f64) -> f64 {
        self.0.iter_mut().fold(x, |x, notch| notch.next(x))
    }

    /// A block without hum.
    pub(super) fn process(&mut self, block: &[f32]) -> Vec<f32> {
        block.iter().map(|x| self.next(f64::from(*x)) as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_from_the_first_sample_on_and_its_neighbors_stay() {
        let rate = 48_000u32;
        let tone = |hz: f64| -> Vec<f32> {
            (0..rate * 2)
                .map(|n| (0.1 * (TAU * hz * f64::from(n) / f64::from(rate) + 0.7).cos()) as f32)
                .collect()
        };
        let line = Line { hz: 50.02, amplitude: 0.1 };
        let hum = Hum { hz: 50.02, lines: vec![line] };
        let left = |samples: &[f32]| {
            let out = Notches::new(&hum, rate, &[(line, 0.7)]).process(samples);
            out.iter().fold(0.0f32, |most, x| most.max(x.abs()))
        };
        assert!(left(&tone(50.02)) < 0.001);
        let passed = Notches::new(&hum, rate, &[]).process(&tone(80.0));
        let peak = passed[rate as usize..].iter().fold(0.0f32, |most, x| most.max(x.abs()));
        assert!((peak - 0.1).abs() < 0.001, "{peak}");
    }
}
