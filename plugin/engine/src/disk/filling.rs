//! The disk side of a stream.
//!
//! Thread: disk

use super::Scratch;
use super::want::Want;
use crate::roll::Roll;
use crate::slots::Slot;
use crate::source::{SourceError, StereoSource};
use crate::stream::Stream;
use deskhand_dsp::Frames;
use ringbuf::traits::{Observer, Producer, Split};
use ringbuf::{HeapProd, HeapRb};

/// Frames read at a time.
const CHUNK: usize = 8192;

/// A stream that is being filled.
pub(super) struct Filling {
    pub(super) id: u64,
    pub(super) slot: Slot,
    pub(super) epoch: u32,
    /// Run frame of the first frame.
    pub(super) start: i64,
    /// The run frame after the last frame that was written.
    pub(super) written: i64,
    pub(super) want: Want,
    /// A read that failed. It is reported once, and the stream is silent from then on.
    pub(super) fault: Option<SourceError>,
    frames: HeapProd<[f32; 2]>,
    /// `None` if it cannot be read: the stream is silence.
    source: Option<StereoSource>,
}

impl Filling {
    pub(super) fn new(
        id: u64,
        want: Want,
        epoch: u32,
        source: Option<StereoSource>,
        ring: usize,
    ) -> (Self, Box<Stream>) {
        let (frames, other_end) = HeapRb::new(ring).split();
        let Want { slot, next, .. } = want;
        let stream = Box::new(Stream::new(id, slot, epoch, next, other_end));
        let filling =
            Self { id, slot, epoch, start: next, written: next, want, fault: None, frames, source };
        (filling, stream)
    }

    /// The run frame up to which everything is there; without end when nothing more is needed.
    pub(super) fn reached(&self, roll: &Roll, horizon: i64) -> i64 {
        if self.is_complete(roll, horizon) { i64::MAX } else { self.written }
    }

    /// Whether the voice is not heard any more after what was written. If it is heard again later (in a
    /// loop), another stream is opened in time.
    fn is_complete(&self, roll: &Roll, horizon: i64) -> bool {
        roll.next_in(self.want.position, self.want.end, self.written, horizon).is_none()
    }

    /// Reads a chunk if there is room and need for one.
    pub(super) fn write_chunk(&mut self, roll: &Roll, horizon: i64, scratch: &mut Scratch) -> bool {
        let room = self.frames.vacant_len();
        let chunk = CHUNK.min(self.frames.capacity().get());
        if room < chunk || self.epoch != roll.epoch || self.is_complete(roll, horizon) {
            return false;
        }
        let at = roll.position(self.written);
        let jump = Frames(roll.until_jump(self.written)).index();
        let end = if at < self.want.end { Frames(self.want.end - at).index() } else { chunk };
        self.read(at, chunk.min(jump).min(end), scratch);
        let pushed = self.frames.push_slice(&scratch.frames);
        self.written += Frames::from_index(pushed).0;
        true
    }

    fn read(&mut self, at: i64, length: usize, scratch: &mut Scratch) {
        let Scratch { left, right, frames } = scratch;
        left.resize(length, 0.0);
        right.resize(length, 0.0);
        let read = self
            .source
            .as_mut()
            .map(|source| source.read(at + self.want.offset, [&mut left[..], &mut right[..]]));
        frames.clear();
        if let Some(Ok(())) = read {
            frames.extend(left.iter().zip(&*right).map(|(left, right)| [*left, *right]));
            return;
        }
        frames.resize(length, [0.0; 2]);
        if let Some(Err(error)) = read {
            self.source = None;
            self.fault = Some(error);
        }
    }
}
