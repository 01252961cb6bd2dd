//! A stereo buffer that knows when it is silent.
//!
//! Thread: audio (made on the message side)

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

use deskhand_dsp::{Frames, GainRamp};

/// Left and right, `block` frames each.
#[derive(Debug)]
pub(crate) struct Stereo {
    left: Box<[f32]>,
    right: Box<[f32]>,
    content: Content,
}

/// The content of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Zeros,
    /// Data of an earlier block; it counts as silence and is overwritten before it is read.
    Stale,
    Sound,
}

/// Whether there is anything but zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sound {
    /// Zeros only.
    Silent,
    /// Perhaps more than zeros.
    Heard,
}

impl Stereo {
    /// Silence; made with the program it belongs to, off the audio thread.
    #[cfg_attr(not(test), expect(clippy::disallowed_macros, reason = "made off the audio thread"))]
    pub(crate) fn new(block: usize) -> Self {
        let zeros = || vec![0.0; block].into_boxed_slice();
        Self { left: zeros(), right: zeros(), content: Content::Zeros }
    }

    /// No buffer: it belongs to a strip that borrows one.
    pub(crate) fn nothing() -> Self {
        Self::new(0)
    }

    /// Whether it was made by [`nothing`](Self::nothing).
    pub(crate) fn is_nothing(&self) -> bool {
        self.left.is_empty()
    }

    /// Whether there is sound in it.
    pub(crate) fn sound(&self) -> Sound {
        match self.content {
            Content::Zeros | Content::Stale => Sound::Silent,
            Content::Sound => Sound::Heard,
        }
    }

    /// Makes it silent. It must be settled before it is read.
    pub(crate) fn clear(&mut self) {
        if self.content == Content::Sound {
            self.content = Content::Stale;
        }
    }

    /// Writes the zeros that a cleared buffer owes; most buffers get sound instead.
    pub(crate) fn settle(&mut self) {
        if self.content == Content::Stale {
            self.left.fill(0.0);
            self.right.fill(0.0);
            self.content = Content::Zeros;
        }
    }

    /// The first `frames` frames, to read.
    pub(crate) fn read(&self, frames: usize) -> [&[f32]; 2] {
        [&self.left, &self.right].map(|side| side.get(..frames).unwrap_or_default())
    }

    /// `frames` frames from `at` on, to write over or into; from now on it counts as sound.
    pub(crate) fn write(&mut self, at: usize, frames: usize) -> [&mut [f32]; 2] {
        self.settle();
        self.content = Content::Sound;
        self.part(at, frames)
    }

    /// As `write`, for a part of a block of `block` frames in a silent buffer. The caller will overwrite
    /// the part, so only the frames around it become zero.
    pub(crate) fn overwrite(&mut self, at: usize, frames: usize, block: usize) -> [&mut [f32]; 2] {
        if self.content == Content::Stale {
            let end = at.saturating_add(frames);
            for (at, frames) in [(0, at), (end, block.saturating_sub(end))] {
                self.part(at, frames).into_iter().for_each(|side| side.fill(0.0));
            }
        }
        self.content = Content::Sound;
        self.part(at, frames)
    }

    fn part(&mut self, at: usize, frames: usize) -> [&mut [f32]; 2] {
        let range = at..at.saturating_add(frames);
        [&mut self.left, &mut self.right]
            .map(|side| side.get_mut(range.clone()).unwrap_or_default())
    }

    /// Adds the first `frames` frames of `other`, from `at` on.
    pub(crate) fn add(&mut self, at: usize, other: &Self, frames: usize) {
        if other.sound() == Sound::Silent {
            return;
        }
        for (sum, input) in self.write(at, frames).into_iter().zip(other.read(frames)) {
            deskhand_dsp::sum::mix_into(sum, input, 1.0);
        }
    }

    /// Applies a level to the first `frames` frames, which begin at `clock`, and adds them to `sum` in the
    /// same pass.
    pub(crate) fn level_into(
        &mut self,
        ramps: &[GainRamp; 2],
        clock: i64,
        frames: usize,
        sum: &mut Self,
    ) {
        let sides = self.write(0, frames).into_iter().zip(sum.write(0, frames));
        for ((side, sum), ramp) in sides.zip(ramps) {
            ramp.apply_into(Frames(clock), side, sum);
        }
    }

    /// Applies a level to the first `frames` frames, which begin at `clock`.
    pub(crate) fn level(&mut self, ramps: &[GainRamp; 2], clock: i64, frames: usize) {
        for (side, ramp) in self.write(0, frames).into_iter().zip(ramps) {
            ramp.apply(Frames(clock), side);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_buffer_reads_as_zeros_around_what_is_written() {
        let mut buffer = Stereo::new(4);
        buffer.write(0, 4)[0].fill(1.0);
        buffer.clear();
        assert_eq!(buffer.sound(), Sound::Silent);
        buffer.overwrite(1, 2, 4)[0].fill(2.0);
        assert_eq!(buffer.read(4)[0], [0.0, 2.0, 2.0, 0.0]);
        buffer.clear();
        buffer.write(3, 1)[0].fill(3.0);
        assert_eq!(buffer.read(4)[0], [0.0, 0.0, 0.0, 3.0]);
        buffer.clear();
        buffer.settle();
        assert_eq!((buffer.read(4), buffer.sound()), ([&[0.0; 4][..]; 2], Sound::Silent));
    }
}
