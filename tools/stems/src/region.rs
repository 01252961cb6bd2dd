//! A region of a recording as stereo, and sums of readers.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};

/// `length` frames of `source` from `start` on, in two channels: a mono one on both sides.
pub(crate) struct Region {
    source: Box<dyn FrameReader>,
    start: Frames,
    length: Frames,
}

impl Region {
    pub(crate) fn boxed(
        source: Box<dyn FrameReader>,
        start: Frames,
        length: Frames,
    ) -> Box<dyn FrameReader> {
        Box::new(Self { source, start, length })
    }
}

impl FrameReader for Region {
    fn channels(&self) -> usize {
        2
    }

    fn frames(&self) -> Frames {
        self.length
    }

    fn rate(&self) -> SampleRate {
        self.source.rate()
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let left = (self.length - at).index();
        let [first, second] = out else {
            return Err(ReadError("a region has two channels".into()));
        };
        let count = first.len().min(left);
        let (first, second) = (
            first.get_mut(..count).unwrap_or_default(),
            second.get_mut(..count).unwrap_or_default(),
        );
        let at = self.start + at;
        let read = if self.source.channels() == 1 {
            let read = self.source.read(at, &mut [first])?;
            second.copy_from_slice(first);
            read
        } else {
            self.source.read(at, &mut [&mut *first, &mut *second])?
        };
        // A source that is a frame shorter than its clip, by rounding of rates, ends in silence.
        for plane in [first, second] {
            plane.get_mut(read..).unwrap_or_default().fill(0.0);
        }
        Ok(count)
    }
}
