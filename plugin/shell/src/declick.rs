//! The end of a sound that broke off. The difference between the last output and the next sound fades out,
//! so that there is no step.
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

use crate::kernel::CHANGE;

/// The rest of a sound that broke off, over 10 ms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Landing {
    /// The last frame of both sides.
    last: [f32; 2],
    /// By how much the sound that broke off was away from the one that follows.
    off: [f32; 2],
    frames: u32,
    left: u32,
}

impl Landing {
    /// At `rate` Hz, with nothing to end.
    pub(crate) fn new(rate: f32) -> Self {
        Self { frames: (rate * CHANGE) as u32 + 1, ..Self::default() }
    }

    /// Goes along with a block. Where the sound is not whole any more, it broke off at the end of the block before, and
    /// `came` is the first frame of what follows it.
    pub(crate) fn follow(&mut self, channels: &mut [&mut [f32]], came: [f32; 2], is_whole: bool) {
        if !is_whole {
            let [left, right] = self.last;
            self.break_off([left - came[0], right - came[1]]);
        }
        let frames = channels.first().map_or(0, |side| side.len());
        self.add(channels, 0, frames);
        if frames > 0 {
            self.last = frame(channels, frames - 1);
        }
    }

    /// A sound broke off that far away from the one that follows.
    pub(crate) fn break_off(&mut self, off: [f32; 2]) {
        (self.off, self.left) = (off, self.frames);
    }

    /// Adds the rest to frames of both sides.
    pub(crate) fn add(&mut self, channels: &mut [&mut [f32]], from: usize, to: usize) {
        let start = self.left;
        for (side, off) in channels.iter_mut().zip(self.off) {
            self.left = start;
            for sample in side.iter_mut().take(to).skip(from) {
                let Some(left) = self.left.checked_sub(1) else { break };
                self.left = left;
                // Flat at both ends, so that its slope has no step either.
                let rest = left as f32 / self.frames as f32;
                *sample += off * rest * rest * (3.0 - 2.0 * rest);
            }
        }
    }
}

/// A frame of both sides; one side counts for both.
pub(crate) fn frame(channels: &[&mut [f32]], at: usize) -> [f32; 2] {
    let of = |side: &&mut [f32]| side.get(at).copied().unwrap_or(0.0);
    let left = channels.first().map_or(0.0, of);
    [left, channels.get(1).map_or(left, of)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fades_from_what_was_off_to_nothing_whatever_the_blocks() {
        let mut whole = [[0.0f32; 1_000]; 2];
        let [left, right] = &mut whole;
        let mut landing = Landing::new(48_000.0);
        landing.break_off([0.5, -1.0]);
        landing.add(&mut [left, right], 0, 1_000);
        assert!((whole[0][0] - 0.5).abs() < 0.01 && (whole[1][0] + 1.0).abs() < 0.01);
        assert_eq!((whole[0][481], whole[1][999]), (0.0, 0.0));
        assert!(whole[0].windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.01));
        let mut parts = [0.0f32; 1_000];
        let mut landing = Landing::new(48_000.0);
        landing.break_off([0.5, 0.0]);
        for from in (0..1_000).step_by(50) {
            landing.add(&mut [&mut parts], from, from + 50);
        }
        assert_eq!(parts, whole[0]);
    }
    #[test]
    fn what_broke_off_goes_on_from_its_last_frame() {
        let mut landing = Landing::new(48_000.0);
        let mut before = [0.8f32; 64];
        landing.follow(&mut [&mut before], [0.8; 2], true);
        assert_eq!(before, [0.8; 64], "nothing is to end yet");
        let mut after = [0.1f32; 1_000];
        landing.follow(&mut [&mut after], [0.1; 2], false);
        assert!((after[0] - 0.8).abs() < 0.01 && (after[999] - 0.1).abs() < 1e-6);
    }
}
