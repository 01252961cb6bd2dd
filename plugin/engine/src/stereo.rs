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

/// Left and right, `block` frames each.
#[derive(Debug)]
pub(crate) struct Stereo {
    left: Box<[f32]>,
    right: Box<[f32]>,
    /// Whether anything was written since it was cleared.
    sound: Sound,
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
        Self {
            left: zeros(),
            right: zeros(),
            sound: Sound::Silent,
        }
    }

    /// Whether there is sound in it.
    pub(crate) fn sound(&self) -> Sound {
        self.sound
    }

    /// Makes it silent; costs nothing when it is.
    pub(crate) fn clear(&mut self) {
        if self.sound == Sound::Heard {
            self.left.fill(0.0);
            self.right.fill(0.0);
            self.sound = Sound::Silent;
        }
    }

    /// The first `frames` frames, to read.
    pub(crate) fn read(&self, frames: usize) -> [&[f32]; 2] {
        [&self.left, &self.right].map(|side| side.get(..frames).unwrap_or_default())
    }

    /// `frames` frames from `at` on, to write; from now on it counts as sound.
    pub(crate) fn write(&mut self, at: usize, frames: usize) -> [&mut [f32]; 2] {
        self.sound = Sound::Heard;
        [&mut self.left, &mut self.right].map(|side| {
            side.get_mut(at..at.saturating_add(frames))
                .unwrap_or_default()
        })
    }

    /// Adds the first `frames` frames of `other`, from `at` on.
    pub(crate) fn add(&mut self, at: usize, other: &Self, frames: usize) {
        if other.sound == Sound::Silent {
            return;
        }
        for (sum, input) in self.write(at, frames).into_iter().zip(other.read(frames)) {
            deskhand_dsp::gain::mix_into(sum, input, 1.0);
        }
    }
}
