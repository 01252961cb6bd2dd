//! Mid and side: the common part of both channels, and their difference.

use crate::stream::Step;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};

/// The side of a recording, `(L - R) / 2` on the left and its negative on the right; the rest is mid.
pub(crate) struct Side {
    mix: Box<dyn FrameReader>,
    at: Frames,
}

/// Frames of one piece.
const PIECE: usize = 1 << 13;

impl Side {
    pub(crate) fn new(mix: Box<dyn FrameReader>) -> Self {
        Self { mix, at: Frames::ZERO }
    }
}

impl Step for Side {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        self.mix.frames()
    }

    fn rate(&self) -> SampleRate {
        self.mix.rate()
    }

    fn step(&mut self, out: &mut [Vec<f32>]) -> Result<(), ReadError> {
        let (mut left, mut right) = (vec![0.0; PIECE], vec![0.0; PIECE]);
        self.mix.read(self.at, &mut [&mut left, &mut right])?;
        self.at += Frames::from_index(PIECE);
        if let [to_left, to_right] = out {
            let side = || left.iter().zip(&right).map(|(left, right)| (left - right) / 2.0);
            to_left.extend(side());
            to_right.extend(side().map(|side| -side));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;
    use crate::testing::{Memory, noise, read_all};

    #[test]
    fn the_side_is_half_the_difference() {
        let (left, right) = (noise(20_000, 1), noise(20_000, 2));
        let mix = Memory::boxed(&[left.clone(), right.clone()], 48_000);
        let side = read_all(Stream::boxed(Side::new(mix)).as_mut(), 999);
        assert_eq!(side[0].len(), 20_000);
        for n in 0..20_000 {
            assert_eq!(side[0][n], (left[n] - right[n]) / 2.0);
            assert_eq!(side[1][n], -side[0][n]);
        }
    }
}
