//! Rough drums and bass from the rest that a model's stems leave, in one pass.

use crate::median::{Medians, Parts};
use crate::stream::{Step, Stream};
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Samples that were read and are wanted again, a queue a channel.
type Kept = Arc<Mutex<Vec<VecDeque<f32>>>>;

/// `mix` without the stems of `stems`, which are kept.
struct Rest {
    mix: Box<dyn FrameReader>,
    stems: Box<dyn FrameReader>,
    kept: Kept,
}

impl FrameReader for Rest {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        self.mix.frames()
    }

    fn rate(&self) -> SampleRate {
        self.mix.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let read = self.mix.read(at, out)?;
        let mut planes = vec![vec![0.0; read]; self.stems.channels()];
        let mut slices: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        self.stems.read(at, &mut slices)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for (index, (plane, kept)) in planes.iter().zip(kept.iter_mut()).enumerate() {
            kept.extend(plane);
            let out = out.get_mut(index % 2).map(|out| out.iter_mut()).into_iter().flatten();
            out.zip(plane).for_each(|(out, sample)| *out -= sample);
        }
        Ok(read)
    }
}

/// The stems of a model, then rough drums and rough bass, two channels each.
pub(crate) struct WithRough {
    rough: Box<dyn FrameReader>,
    kept: Kept,
    stems: usize,
    at: Frames,
}

/// Frames of one piece.
const PIECE: usize = 1 << 12;

impl WithRough {
    /// `mix` and what a model made of it, both at the session rate.
    pub(crate) fn new(mix: Box<dyn FrameReader>, stems: Box<dyn FrameReader>) -> Self {
        let channels = stems.channels();
        let kept: Kept = Arc::new(Mutex::new(vec![VecDeque::new(); channels]));
        let rest = Box::new(Rest { mix, stems, kept: Arc::clone(&kept) });
        let rough = Stream::boxed(Medians::new(rest, Parts::DrumsAndBass));
        Self { rough, kept, stems: channels, at: Frames::ZERO }
    }
}

impl Step for WithRough {
    fn channels(&self) -> usize {
        self.stems + self.rough.channels()
    }

    fn frames(&self) -> Frames {
        self.rough.frames()
    }

    fn rate(&self) -> SampleRate {
        self.rough.rate()
    }

    fn step(&mut self, out: &mut [Vec<f32>]) -> Result<(), ReadError> {
        let mut planes = vec![vec![0.0; PIECE]; self.rough.channels()];
        let mut slices: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        self.rough.read(self.at, &mut slices)?;
        self.at += Frames::from_index(PIECE);
        let (stems, rough) = out.split_at_mut(self.stems.min(out.len()));
        // The medians read early, so the wanted samples were kept; after the end there is nothing.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for (out, kept) in stems.iter_mut().zip(kept.iter_mut()) {
            let end = out.len() + PIECE;
            out.extend(kept.drain(..PIECE.min(kept.len())));
            out.resize(end, 0.0);
        }
        for (out, plane) in rough.iter_mut().zip(&planes) {
            out.extend(plane);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, noise, read_all, tone};

    #[test]
    fn the_stems_come_through_as_they_were_and_in_time() {
        let (stem, low) = (noise(50_000, 1), tone(60.0, 44_100, 50_000));
        let mix: Vec<f32> = stem.iter().zip(&low).map(|(a, b)| a + b).collect();
        let reader = |plane: &[f32]| Memory::boxed(&[plane.to_vec(), plane.to_vec()], 44_100);
        let split = WithRough::new(reader(&mix), reader(&stem));
        let found = read_all(Stream::boxed(split).as_mut(), 1000);
        assert_eq!((found.len(), found[0].len()), (6, 50_000));
        assert_eq!(found[0], stem);
        assert_eq!(found[1], stem);
        let inner = 20_000..30_000;
        assert!(crate::testing::sdr(&low[inner.clone()], &found[4][inner]) > 20.0);
    }
}
