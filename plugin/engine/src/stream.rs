//! The audio side of a stream: frames that the disk thread read early.
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

use crate::mix::{Feed, Span, Spot};
use crate::program::BoundVoice;
use crate::roll::Roll;
use crate::slots::Slot;
use crate::stereo::Sound;
use deskhand_dsp::Frames;
use ringbuf::HeapCons;
use ringbuf::traits::{Consumer, Observer};

/// Far enough from any run frame, and from overflow.
const FAR: i64 = i64::MAX / 4;

/// Raw stereo audio of one voice: every run frame from the first on, without a gap.
pub(crate) struct Stream {
    /// Which stream; never used twice.
    pub(crate) id: u64,
    /// Whose audio.
    pub(crate) slot: Slot,
    /// Valid in this epoch only.
    pub(crate) epoch: u32,
    /// Run frame of the oldest frame in the ring.
    next: i64,
    frames: HeapCons<[f32; 2]>,
    presence: Presence,
}

/// How loud the stream may be, so that missing data fades instead of clicking. All whole frames:
/// the gain at run frame `r` is `min(fade, r - rise, fall - r) / fade`.
#[derive(Clone, Copy, Debug)]
struct Presence {
    /// Run frame at which the rising line is 0; `None` until the first read.
    rise: Option<i64>,
    /// Run frame at which the falling line is 0: the end of the frames that were read.
    fall: i64,
    /// The block for which `fall` holds: two programs may read the same block.
    clock: i64,
}

/// A piece that is read in one go.
#[derive(Clone, Copy)]
struct Cut {
    /// First run frame.
    ran: i64,
    /// Run frame of the block's start: older frames are not needed any more.
    block: i64,
    clock: i64,
    /// Frames until the voice ends.
    left: i64,
    /// Whether the voice begins here, so that its start is not a gap.
    begins: bool,
    /// Length of a fade around missing data.
    fade: i64,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("id", &self.id).field("next", &self.next).finish()
    }
}

impl Stream {
    /// A stream whose first frame is at run frame `start`.
    pub(crate) fn new(
        id: u64,
        slot: Slot,
        epoch: u32,
        start: i64,
        frames: HeapCons<[f32; 2]>,
    ) -> Self {
        let presence = Presence { rise: None, fall: FAR, clock: i64::MIN };
        Self { id, slot, epoch, next: start, frames, presence }
    }

    fn buffered_to(&self) -> i64 {
        self.next + Frames::from_index(self.frames.occupied_len()).0
    }

    /// Drops frames before run frame `ran`, so that the disk thread can go on.
    fn discard(&mut self, ran: i64) {
        let stale = Frames(ran - self.next).index();
        self.next += Frames::from_index(self.frames.skip(stale)).0;
    }

    /// Writes the frames of `cut` over `out`; how many were missing.
    fn read(&mut self, cut: Cut, out: [&mut [f32]; 2]) -> i64 {
        let [left, right] = out;
        let end = cut.ran + Frames::from_index(left.len()).0;
        self.discard(cut.block);
        self.presence.open(cut, self.next, self.buffered_to());
        let from = self.next.clamp(cut.ran, end);
        let to = self.presence.fall.min(self.buffered_to()).clamp(from, end);
        self.copy(cut.ran, from, to, left, right);
        self.presence.shape(cut, left, right);
        end - cut.ran - (to - from)
    }

    /// Copies run frames `from..to`; `left` and `right` start at run frame `ran`; silence around.
    fn copy(&self, ran: i64, from: i64, to: i64, left: &mut [f32], right: &mut [f32]) {
        let head = Frames(from - ran).index();
        let skipped = Frames(from - self.next).index();
        let (older, newer) = self.frames.as_slices();
        let frames = older.iter().chain(newer).skip(skipped).take(Frames(to - from).index());
        let mut sides = left.iter_mut().zip(right.iter_mut());
        for (left, right) in sides.by_ref().take(head) {
            (*left, *right) = (0.0, 0.0);
        }
        // The frames must come first in the zip: it asks them first, and a side that was taken
        // for a frame that is not there would be left as it was.
        for ([l, r], (left, right)) in frames.zip(sides.by_ref()) {
            (*left, *right) = (*l, *r);
        }
        for (left, right) in sides {
            (*left, *right) = (0.0, 0.0);
        }
    }
}

impl Presence {
    /// Takes stock at the first read of a block.
    fn open(&mut self, cut: Cut, next: i64, buffered_to: i64) {
        if self.clock == cut.clock {
            return;
        }
        self.clock = cut.clock;
        let present = next <= cut.ran && cut.ran < buffered_to;
        self.rise = Some(match self.rise {
            _ if cut.begins && present => -FAR,
            None => cut.ran.max(next),
            Some(rise) => self.risen_again(rise, cut, next),
        });
        let complete = buffered_to >= cut.ran + cut.left;
        self.fall = if complete { FAR } else { buffered_to };
    }

    /// After a gap the rising line starts from the level at which the block before ended.
    fn risen_again(&self, rise: i64, cut: Cut, next: i64) -> i64 {
        let level = (cut.ran - rise).min(self.fall - cut.ran);
        if level >= cut.fade || self.fall == FAR {
            return rise;
        }
        (cut.ran - level.max(0)).max(if level > 0 { i64::MIN } else { next })
    }

    /// Applies the two lines where they are below unity.
    fn shape(&self, cut: Cut, left: &mut [f32], right: &mut [f32]) {
        let rise = self.rise.unwrap_or(-FAR);
        let end = cut.ran + Frames::from_index(left.len()).0;
        if cut.ran - rise >= cut.fade && self.fall - end >= cut.fade {
            return;
        }
        for ((ran, left), right) in (cut.ran..).zip(left).zip(right) {
            let level = (ran - rise).min(self.fall - ran).clamp(0, cut.fade);
            let gain = level as f32 / cut.fade as f32;
            *left *= gain;
            *right *= gain;
        }
    }
}

/// Feeds voices from the streams in the tables.
pub(crate) struct StreamFeed<'a> {
    pub(crate) streams: &'a mut [Option<Box<Stream>>],
    pub(crate) roll: Roll,
    pub(crate) span: Span,
    /// Length of a fade around missing data, in frames.
    pub(crate) fade: i64,
    /// Frames that voices needed and did not get.
    pub(crate) missing: u64,
}

impl StreamFeed<'_> {
    fn stream(&mut self, voice: &BoundVoice) -> Option<&mut Stream> {
        let epoch = self.roll.epoch;
        let stream = self.streams.get_mut(voice.slot.index)?.as_deref_mut();
        stream.filter(|stream| stream.slot == voice.slot && stream.epoch == epoch)
    }

    fn cut(&self, voice: &BoundVoice, spot: Spot) -> Cut {
        let Spot { at, ran } = spot;
        let looped = self.roll.cycle.is_some_and(|cycle| cycle.from == at);
        Cut {
            ran,
            block: self.roll.ran,
            clock: self.span.clock,
            left: voice.end - at,
            begins: at == voice.position || ran == 0 || looped,
            fade: self.fade,
        }
    }
}

impl Feed for StreamFeed<'_> {
    fn fill(&mut self, voice: &BoundVoice, spot: Spot, out: [&mut [f32]; 2]) -> Sound {
        let cut = self.cut(voice, spot);
        let frames = Frames::from_index(out.first().map_or(0, |side| side.len())).0;
        let missing = match self.stream(voice) {
            Some(stream) => stream.read(cut, out),
            None => frames,
        };
        self.missing += missing.max(0).cast_unsigned();
        if missing < frames { Sound::Heard } else { Sound::Silent }
    }

    fn pass(&mut self, voice: &BoundVoice) {
        let ran = self.roll.ran;
        if let Some(stream) = self.stream(voice) {
            stream.discard(ran);
        }
    }
}
