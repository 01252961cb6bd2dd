//! A source read as stereo at the engine's rate.
//!
//! Thread: disk (and the threads of a bounce)

use crate::schedule::SourceKey;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};

/// Why a source cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It cannot be opened or read.
    #[error("{error}")]
    Read {
        /// Which source.
        source_key: SourceKey,
        /// The reader's error.
        error: ReadError,
    },
    /// Its reader delivers another rate than the engine plays.
    #[error("source {} is read at {rate}, but the engine plays at {expected}; resample it first", .source_key.0)]
    Rate {
        /// Which source.
        source_key: SourceKey,
        /// The reader's rate.
        rate: SampleRate,
        /// The engine's rate.
        expected: SampleRate,
    },
}

impl SourceError {
    /// Which source it is about.
    #[must_use]
    pub fn source_key(&self) -> SourceKey {
        match self {
            Self::Read { source_key, .. } | Self::Rate { source_key, .. } => *source_key,
        }
    }
}

/// What opens a source, at the engine's rate.
pub(crate) type Opened = Result<Box<dyn FrameReader>, ReadError>;

/// A reader whose channels are mixed down to two.
pub(crate) struct StereoSource {
    key: SourceKey,
    reader: Box<dyn FrameReader>,
    length: i64,
    /// One buffer per channel; empty for stereo, which is read straight into place.
    planes: Vec<Vec<f32>>,
}

impl StereoSource {
    pub(crate) fn new(
        key: SourceKey,
        opened: Opened,
        expected: SampleRate,
    ) -> Result<Self, SourceError> {
        let reader = opened.map_err(|error| SourceError::Read { source_key: key, error })?;
        if reader.rate() != expected {
            let rate = reader.rate();
            return Err(SourceError::Rate { source_key: key, rate, expected });
        }
        let channels = reader.channels();
        let planes = if channels == 2 { 0 } else { channels };
        let length = reader.frames().0;
        Ok(Self { key, reader, length, planes: vec![Vec::new(); planes] })
    }

    /// Reads over all of `out` from source frame `at` on; silence where the source has nothing.
    pub(crate) fn read(&mut self, at: i64, out: [&mut [f32]; 2]) -> Result<(), SourceError> {
        let [left, right] = out;
        let before = Frames(at.saturating_neg()).index().min(left.len());
        let first = at.max(0);
        let present = Frames(self.length.saturating_sub(first)).index();
        let wanted = (left.len() - before).min(present);
        let (head, rest) = left.split_at_mut(before);
        let (body, tail) = rest.split_at_mut(wanted);
        head.fill(0.0);
        tail.fill(0.0);
        let (head, rest) = right.split_at_mut(before);
        let (right_body, tail) = rest.split_at_mut(wanted);
        head.fill(0.0);
        tail.fill(0.0);
        self.read_present(first, [body, right_body])
            .map_err(|error| SourceError::Read { source_key: self.key, error })
    }

    fn read_present(&mut self, at: i64, out: [&mut [f32]; 2]) -> Result<(), ReadError> {
        if self.planes.is_empty() {
            return read_fully(self.reader.as_mut(), at, &mut out.map(|side| side));
        }
        let frames = out.first().map_or(0, |side| side.len());
        for plane in &mut self.planes {
            plane.resize(frames, 0.0);
        }
        let mut planes: Vec<&mut [f32]> = self.planes.iter_mut().map(Vec::as_mut_slice).collect();
        read_fully(self.reader.as_mut(), at, &mut planes)?;
        let planes: Vec<&[f32]> = self.planes.iter().map(Vec::as_slice).collect();
        let [left, right] = out;
        deskhand_dsp::pan::mix_to_stereo(&planes, left, right);
        Ok(())
    }
}

/// Reads until `out` is full or the reader has no more; the rest is silence.
fn read_fully(
    reader: &mut dyn FrameReader,
    at: i64,
    out: &mut [&mut [f32]],
) -> Result<(), ReadError> {
    let frames = out.first().map_or(0, |side| side.len());
    let mut done = 0;
    while done < frames {
        let mut rest: Vec<&mut [f32]> =
            out.iter_mut().map(|side| side.get_mut(done..).unwrap_or_default()).collect();
        let read = reader.read(Frames(at) + Frames::from_index(done), &mut rest)?;
        if read == 0 {
            rest.iter_mut().for_each(|side| side.fill(0.0));
            break;
        }
        done += read.min(frames - done);
    }
    Ok(())
}
