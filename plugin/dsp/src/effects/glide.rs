//! Settings that travel to where they are sent instead of jumping.

use crate::subnormal::decayed;

/// Frames after which what decays is looked at. The quickest attack, 0.05 ms at 8 kHz, does not get from the
/// last value that stays to a subnormal number within them.
pub(super) const GROUP: usize = 16;

/// `N` numbers on a straight way to their targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glide<const N: usize> {
    now: [f32; N],
    step: [f32; N],
    target: [f32; N],
    left: u32,
}

impl<const N: usize> Glide<N> {
    pub(super) fn at(values: [f32; N]) -> Self {
        Self { now: values, step: [0.0; N], target: values, left: 0 }
    }

    /// Sends the numbers on their way; `frames` of 0 puts them there.
    pub(super) fn go(&mut self, target: [f32; N], frames: u32) {
        if frames == 0 {
            *self = Self::at(target);
            return;
        }
        let step = |n: usize| (target[n] - self.now[n]) / frames as f32;
        self.step = std::array::from_fn(step);
        (self.target, self.left) = (target, frames);
    }

    /// The numbers of the next frame.
    #[inline(always)]
    pub(super) fn next(&mut self) -> [f32; N] {
        match self.left {
            0 => {}
            1 => (self.now, self.left) = (self.target, 0),
            _ => {
                for (now, step) in self.now.iter_mut().zip(self.step) {
                    *now += step;
                }
                self.left -= 1;
            }
        }
        self.now
    }

    /// Whether they have arrived.
    pub(super) fn rests(&self) -> bool {
        self.left == 0
    }

    /// Puts them where they were sent.
    pub(super) fn arrive(&mut self) {
        *self = Self::at(self.target);
    }

    /// Where they are.
    pub(super) fn now(&self) -> [f32; N] {
        self.now
    }
}

/// dB per doubling of an amplitude.
const PER_OCTAVE: f32 = 6.020_6;

/// Below any level that matters, and a number.
const FLOOR: f32 = 1e-9;

/// An amplitude in dB, -180 at least.
#[inline(always)]
pub(super) fn to_decibels(amplitude: f32) -> f32 {
    amplitude.max(FLOOR).log2() * PER_OCTAVE
}

/// dB as an amplitude.
#[inline(always)]
pub(super) fn to_amplitude(decibels: f32) -> f32 {
    (decibels * (1.0 / PER_OCTAVE)).exp2()
}

/// The remaining distance to the target after one frame of a one-pole filter that covers 63 % of it in
/// `ms`.
pub(super) fn pole(ms: f64, rate: f64) -> f32 {
    (-1000.0 / (ms.max(1e-3) * rate)).exp() as f32
}

/// The gain reduction of a processor, in dB at most 0: quick in one direction, slow in the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ballistics {
    /// Of a target below: more is taken away.
    pub(super) down: f32,
    /// Of a target above.
    pub(super) up: f32,
    now: f32,
    /// The most since it was asked.
    deepest: f32,
}

impl Ballistics {
    pub(super) fn new(down: f32, up: f32) -> Self {
        Self { down, up, now: 0.0, deepest: 0.0 }
    }

    #[inline(always)]
    pub(super) fn next(&mut self, target: f32) -> f32 {
        let pole = if target < self.now { self.down } else { self.up };
        self.now = target + (self.now - target) * pole;
        self.deepest = self.deepest.min(self.now);
        self.now
    }

    /// Ends what decays; once per [`GROUP`].
    pub(super) fn settle(&mut self) {
        self.now = decayed(self.now);
    }

    pub(super) fn reset(&mut self) {
        (self.now, self.deepest) = (0.0, 0.0);
    }

    /// How much was taken away at most since the last call, in dB, 0 or more.
    pub(super) fn take(&mut self) -> f32 {
        -std::mem::replace(&mut self.deepest, self.now)
    }
}
