//! A value that goes to its target in a straight line.
//!
//! Thread: audio

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

/// Moves frame by frame, so a split into blocks changes nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ramp {
    value: f32,
    target: f32,
    step: f32,
    left: u32,
}

impl Ramp {
    /// Rests at `value`.
    pub(crate) fn at(value: f32) -> Self {
        Self { value, target: value, step: 0.0, left: 0 }
    }

    /// Goes to `target` within `frames`; 0 is at once. The same target again changes nothing.
    pub(crate) fn go(&mut self, target: f32, frames: f32) {
        if frames < 1.0 {
            *self = Self::at(target);
        } else if target.to_bits() != self.target.to_bits() {
            self.left = frames as u32;
            self.step = (target - self.value) / self.left as f32;
            self.target = target;
        }
    }

    /// Where it is.
    pub(crate) fn value(&self) -> f32 {
        self.value
    }

    /// Whether it stands still.
    pub(crate) fn rests(&self) -> bool {
        self.left == 0
    }

    /// Whether it stands still at `value`.
    pub(crate) fn rests_at(&self, value: f32) -> bool {
        self.left == 0 && self.value.to_bits() == value.to_bits()
    }

    /// One frame on.
    #[inline]
    pub(crate) fn next(&mut self) -> f32 {
        match self.left {
            0 => {}
            1 => *self = Self::at(self.target),
            _ => {
                self.left -= 1;
                self.value += self.step;
            }
        }
        self.value
    }

    /// Many frames on.
    pub(crate) fn skip(&mut self, frames: usize) {
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        if frames >= self.left {
            *self = Self::at(self.target);
        } else {
            self.left -= frames;
            self.value += self.step * frames as f32;
        }
    }
}
