//! The low cut: a Butterworth high pass of second order, 12 dB per octave.
//!
//! Thread: audio
//!
//! A state-variable filter solved by trapezoidal integration (A. Simper, "Linear trapezoidal
//! integrated SVF", 2013), which stays stable while its corner moves.

use super::ramp::Ramp;
use std::f64::consts::{PI, SQRT_2};

#[derive(Clone, Debug)]
pub(super) struct LowCut {
    rate: f32,
    /// Hz.
    corner: Ramp,
    /// 1 is cut, 0 is as it came.
    amount: Ramp,
    factors: [f64; 3],
    state: [[f64; 2]; 2],
}

impl LowCut {
    pub(super) fn new(rate: f32) -> Self {
        let (corner, amount) = (Ramp::at(80.0), Ramp::at(0.0));
        Self { rate, corner, amount, factors: factors(80.0, rate), state: [[0.0; 2]; 2] }
    }

    pub(super) fn reset(&mut self) {
        self.state = [[0.0; 2]; 2];
    }

    /// Moves to `corner` Hz, or out of the way.
    pub(super) fn go(&mut self, corner: Option<f32>, frames: f32) {
        let amount = f32::from(u8::from(corner.is_some()));
        if let Some(corner) = corner {
            // A corner beyond half the rate has no effect; the filter needs room below it.
            let corner = corner.min(self.rate * 0.4);
            let at_once = self.is_off() || frames < 1.0;
            self.corner.go(corner, if at_once { 0.0 } else { frames });
            if at_once {
                self.factors = factors(corner, self.rate);
            }
            if self.is_off() {
                self.reset();
            }
        }
        self.amount.go(amount, frames);
    }

    /// Whether it changes nothing.
    pub(super) fn is_off(&self) -> bool {
        self.amount.rests_at(0.0)
    }

    pub(super) fn skip(&mut self, frames: usize) {
        self.amount.skip(frames);
        self.corner.skip(frames);
        self.factors = factors(self.corner.value(), self.rate);
        self.reset();
    }

    #[inline]
    pub(super) fn next(&mut self, frame: [f64; 2]) -> [f64; 2] {
        if self.is_off() {
            return frame;
        }
        if !self.corner.rests() {
            self.factors = factors(self.corner.next(), self.rate);
        }
        let amount = f64::from(self.amount.next());
        let factors = self.factors;
        let mut out = frame;
        for (sample, state) in out.iter_mut().zip(&mut self.state) {
            *sample += amount * (high_pass(*sample, state, factors) - *sample);
        }
        out
    }
}

/// -400 dB of full scale.
const SILENT: f64 = 1e-20;

fn factors(corner: f32, rate: f32) -> [f64; 3] {
    let g = (PI * f64::from(corner) / f64::from(rate)).tan();
    let first = 1.0 / (1.0 + g * (g + SQRT_2));
    [first, g * first, g * g * first]
}

#[inline]
fn high_pass(sample: f64, state: &mut [f64; 2], [a1, a2, a3]: [f64; 3]) -> f64 {
    let [one, two] = *state;
    let rest = sample - two;
    let band = a1 * one + a2 * rest;
    let low = two + a2 * one + a3 * rest;
    let next = [2.0 * band - one, 2.0 * low - two];
    // Values that are no numbers are cleared, and so are inaudible ones: a tail ends.
    let is_heard = next.iter().any(|value| value.abs() > SILENT);
    let is_kept = is_heard && next.iter().all(|value| value.is_finite());
    *state = if is_kept { next } else { [0.0; 2] };
    sample - SQRT_2 * band - low
}
