//! The gate, or downward expander, at work.

use super::Gate;
use super::glide::{Ballistics, GROUP, Glide, pole, to_amplitude, to_decibels};
use crate::SampleRate;
use crate::subnormal::decayed;

/// How slowly the detector forgets a peak: a low note does not close it between its crests.
const MEMORY_MS: f64 = 15.0;

/// Threshold, ratio, range, hysteresis.
fn numbers(settings: &Gate) -> [f32; 4] {
    let Gate { threshold, ratio, range_db, hysteresis_db, .. } = *settings;
    [threshold.0, ratio, range_db, hysteresis_db].map(|it| it as f32)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct GateKernel {
    numbers: Glide<4>,
    ballistics: Ballistics,
    peak: f32,
    memory: f32,
    /// Frames for which it stays open.
    hold: u32,
    /// Of those, how many are left; 0 is closed.
    left: u32,
    rate: f64,
}

impl GateKernel {
    pub(super) fn new(settings: &Gate, rate: SampleRate) -> Self {
        let rate = f64::from(rate.0);
        let mut gate = Self {
            numbers: Glide::at(numbers(settings)),
            ballistics: Ballistics::new(0.0, 0.0),
            peak: 0.0,
            memory: pole(MEMORY_MS, rate),
            hold: 1,
            left: 0,
            rate,
        };
        gate.set(settings, 0);
        gate
    }

    pub(super) fn set(&mut self, settings: &Gate, frames: u32) {
        self.numbers.go(numbers(settings), frames);
        // Opening takes less away.
        self.ballistics.up = pole(settings.attack_ms, self.rate);
        self.ballistics.down = pole(settings.release_ms, self.rate);
        // One frame at least: the frame that opens it.
        self.hold = (settings.hold_ms / 1000.0 * self.rate).round().max(1.0) as u32;
        self.left = self.left.min(self.hold);
    }

    pub(super) fn reset(&mut self) {
        self.numbers.arrive();
        self.ballistics.reset();
        (self.peak, self.left) = (0.0, 0);
    }

    pub(super) fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.chunks_mut(GROUP).zip(right.chunks_mut(GROUP)) {
            self.group(left, right);
            self.ballistics.settle();
            self.peak = decayed(self.peak);
        }
    }

    #[inline(always)]
    fn group(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.iter_mut().zip(right) {
            let numbers = self.numbers.next();
            let target = self.target(left.abs().max(right.abs()), numbers);
            let gain = to_amplitude(self.ballistics.next(target));
            *left *= gain;
            *right *= gain;
        }
    }

    /// The current target reduction, in dB, 0 or less.
    #[inline(always)]
    fn target(&mut self, loud: f32, numbers: [f32; 4]) -> f32 {
        let [threshold, ratio, range, hysteresis] = numbers;
        self.peak = loud.max(self.peak * self.memory);
        let under = threshold - to_decibels(self.peak);
        let is_open = self.left > 0;
        if under <= 0.0 || (is_open && under <= hysteresis) {
            self.left = self.hold;
        } else {
            self.left = self.left.saturating_sub(1);
        }
        if self.left > 0 { 0.0 } else { -(under * (ratio - 1.0)).clamp(0.0, range) }
    }

    pub(super) fn take_reduction(&mut self) -> f32 {
        self.ballistics.take()
    }
}
