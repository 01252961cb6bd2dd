//! A value that goes to its target in a straight line.
//!
//! Thread: audio

/// Where it is follows from how many frames are left, so a split into blocks changes no bit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ramp {
    target: f32,
    /// By how much a frame moves it.
    step: f32,
    left: u32,
}

impl Ramp {
    pub(crate) fn at(value: f32) -> Self {
        Self { target: value, step: 0.0, left: 0 }
    }

    /// Goes to `target` within `frames`; 0 is at once. The same target again changes nothing.
    pub(crate) fn go(&mut self, target: f32, frames: f32) {
        if frames < 1.0 {
            *self = Self::at(target);
        } else if target.to_bits() != self.target.to_bits() {
            let left = frames as u32;
            *self = Self { target, step: (target - self.value()) / left as f32, left };
        }
    }

    #[inline]
    pub(crate) fn value(&self) -> f32 {
        self.target - self.step * self.left as f32
    }

    pub(crate) fn rests(&self) -> bool {
        self.left == 0
    }

    /// Whether the ramp is at rest at `value`.
    pub(crate) fn rests_at(&self, value: f32) -> bool {
        self.left == 0 && self.target.to_bits() == value.to_bits()
    }

    #[inline]
    pub(crate) fn next(&mut self) -> f32 {
        self.left = self.left.saturating_sub(1);
        self.value()
    }

    /// Many frames on.
    pub(crate) fn skip(&mut self, frames: usize) {
        self.left = self.left.saturating_sub(u32::try_from(frames).unwrap_or(u32::MAX));
    }
}
