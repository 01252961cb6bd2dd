//! What a device's callback does: blocks of the engine, interleaved as the device wants them.
//!
//! Thread: audio. It allocates, frees, locks and waits for nothing.

use super::clock_map::{Anchor, Moment};
use cpal::{FromSample, Sample};
use deskhand_engine::Processor;

/// Frames that are rendered in one go.
const CHUNK: usize = 1024;

/// A processor with room for its blocks.
pub struct Pull {
    processor: Processor,
    anchor: Anchor,
    left: Box<[f32; CHUNK]>,
    right: Box<[f32; CHUNK]>,
}

impl Pull {
    #[must_use]
    pub fn new(processor: Processor) -> Self {
        let (left, right) = (Box::new([0.0; CHUNK]), Box::new([0.0; CHUNK]));
        Self { processor, anchor: Anchor::default(), left, right }
    }

    /// The timeline's position on the device's clock, for an input.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor.clone()
    }

    /// As [`Self::fill`] at `rate`, and tells the anchor when it is heard.
    pub fn fill_at<T>(&mut self, out: &mut [T], channels: usize, moment: Moment, rate: u32)
    where
        T: Sample + FromSample<f32>,
    {
        self.fill(out, channels);
        let frames = out.len() / channels.max(1);
        self.anchor.heard(self.processor.next_frame(), frames, moment, rate);
    }

    /// Writes the next frames over `out`, `channels` samples a frame: left and right on the first two, both
    /// together where there is but one, silence on the others.
    pub fn fill<T>(&mut self, out: &mut [T], channels: usize)
    where
        T: Sample + FromSample<f32>,
    {
        let channels = channels.max(1);
        for chunk in out.chunks_mut(CHUNK * channels) {
            let frames = chunk.len() / channels;
            let (left, right) = (&mut self.left[..frames], &mut self.right[..frames]);
            self.processor.process([&mut *left, &mut *right]);
            let stereo = left.iter().zip(&*right);
            for (frame, (left, right)) in chunk.chunks_exact_mut(channels).zip(stereo) {
                place(frame, *left, *right);
            }
        }
    }
}

fn place<T: Sample + FromSample<f32>>(frame: &mut [T], left: f32, right: f32) {
    match frame {
        [one] => *one = T::from_sample((left + right) * 0.5),
        [first, second, rest @ ..] => {
            (*first, *second) = (T::from_sample(left), T::from_sample(right));
            rest.fill(T::EQUILIBRIUM);
        }
        [] => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_channels_has_its_place() {
        let mut mono = [9f32];
        place(&mut mono, 0.5, 0.25);
        assert_eq!(mono, [0.375]);
        let mut surround = [9i16; 4];
        place(&mut surround, 1.0, -0.5);
        assert_eq!(surround, [i16::MAX, -16_384, 0, 0]);
        place::<f32>(&mut [], 1.0, 1.0);
    }
}
