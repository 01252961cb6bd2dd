//! Audio that is made piece by piece and read in order: what all splits have in common.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};

/// Makes the next piece.
pub(crate) trait Step: Send {
    /// Number of channels: two a stem.
    fn channels(&self) -> usize;
    /// Length of all pieces together.
    fn frames(&self) -> Frames;
    fn rate(&self) -> SampleRate;
    /// Appends the next piece to `out`, a list a channel. It may append nothing; samples after the end are
    /// not read.
    fn step(&mut self, out: &mut [Vec<f32>]) -> Result<(), ReadError>;
}

/// A [`FrameReader`] that reads forward only.
pub(crate) struct Stream<S> {
    step: S,
    /// The samples that were made and not read yet, a list a channel.
    made: Vec<Vec<f32>>,
    /// How much at the front of `made` was read.
    read: usize,
    at: Frames,
}

/// Samples that were read are dropped when they are this many.
const TIDY: usize = 1 << 16;

impl<S: Step + 'static> Stream<S> {
    pub(crate) fn boxed(step: S) -> Box<dyn FrameReader> {
        let made = vec![Vec::new(); step.channels()];
        Box::new(Self { step, made, read: 0, at: Frames::ZERO })
    }

    /// Makes `count` samples ready after those that were read.
    fn fill(&mut self, count: usize) -> Result<(), ReadError> {
        while self.made.first().map_or(usize::MAX, Vec::len) < self.read + count {
            self.step.step(&mut self.made)?;
        }
        Ok(())
    }

    fn pass(&mut self, count: usize) {
        self.read += count;
        self.at += Frames::from_index(count);
        if self.read >= TIDY {
            for plane in &mut self.made {
                plane.drain(..self.read.min(plane.len()));
            }
            self.read = 0;
        }
    }
}

impl<S: Step + 'static> FrameReader for Stream<S> {
    fn channels(&self) -> usize {
        self.made.len()
    }

    fn frames(&self) -> Frames {
        self.step.frames()
    }

    fn rate(&self) -> SampleRate {
        self.step.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        if at < self.at {
            let problem =
                "a split was read backwards; this is a fault in Deskhand, please report it";
            return Err(ReadError(problem.into()));
        }
        while self.at < at {
            let skip = (at - self.at).index().min(TIDY);
            self.fill(skip)?;
            self.pass(skip);
        }
        let left = (self.frames() - at).index();
        let count = out.first().map_or(0, |plane| plane.len()).min(left);
        self.fill(count)?;
        for (made, out) in self.made.iter().zip(out) {
            let from = made.get(self.read..self.read + count).unwrap_or_default();
            out.get_mut(..count).unwrap_or_default().copy_from_slice(from);
        }
        self.pass(count);
        Ok(count)
    }
}

/// Drops from the front of `out` the samples before the start: `lead` counts down the samples to drop of
/// the `new` ones that follow the first `old`.
pub(crate) fn drop_lead(out: &mut [Vec<f32>], old: usize, lead: &mut usize) {
    let new = out.first().map_or(0, |plane| plane.len().saturating_sub(old));
    let gone = new.min(*lead);
    for plane in out.iter_mut() {
        plane.drain(old..(old + gone).min(plane.len()));
    }
    *lead -= gone;
}
