//! Where audio goes in.
//!
//! Thread: audio. It allocates, frees and locks nothing; only in a host's offline render may it
//! wait, and only when it is told so.

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

use super::{Event, Mark};
use crate::disk_wait::Patience;
use deskhand_dsp::Frames;
use ringbuf::traits::{Observer, Producer};
use ringbuf::{HeapCons, HeapProd};

/// Hosts that tell seconds or beats are a frame off by rounding; that is no jump.
const ROUNDING: i64 = 1;

/// Marks that one push may need, and those that must stay free for the end after it.
const MARKS_FOR_A_PUSH: usize = 3;
const MARKS_FOR_AN_END: usize = 2;

/// Whether a push may wait for the disk thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayWait {
    /// In real time: frames without room are lost, counted and reported.
    Never,
    /// In a host's offline render: up to 10 s, once in a pass; from then on as in real time.
    Offline,
}

/// What became of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// It is on its way to the disk thread.
    Kept,
    /// There was no room for all of it.
    Lost,
}

/// The audio thread's end of a recording. Drop it on another thread; that ends the pass.
pub struct Tap {
    samples: HeapProd<f32>,
    marks: HeapProd<Mark>,
    channels: usize,
    /// Frames pushed so far.
    pushed: u64,
    /// The timeline frame that continues the pass, while there is one.
    next: Option<i64>,
    /// Frames lost and not yet reported.
    untold: u64,
    lost: u64,
    patience: Patience,
}

/// A stretch of a block.
#[derive(Clone, Copy)]
struct Piece {
    from: usize,
    frames: usize,
    /// Timeline frame of its first sample.
    at: i64,
}

impl Tap {
    pub(super) fn new(samples: HeapProd<f32>, marks: HeapProd<Mark>, channels: usize) -> Self {
        let patience = Patience::default();
        Self { samples, marks, channels, pushed: 0, next: None, untold: 0, lost: 0, patience }
    }

    /// For tests: gives up after this many checks.
    #[cfg(test)]
    pub(super) fn wait_for_looks(&mut self, looks: usize) {
        self.patience = Patience::of(looks);
    }

    /// Whether an offline render waited in vain for the disk thread since the transport stopped last: then nothing
    /// waits for it any more.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.patience.is_spent()
    }

    /// Records a block at timeline frame `at`, one slice per channel. Missing channels are silent, extra
    /// ones are ignored, and the shortest gives the length.
    ///
    /// It continues the pass if `at` is where the block before ended (a frame more or less is
    /// rounding), else it begins another.
    pub fn push(&mut self, block: &[&[f32]], at: Frames, waits: MayWait) -> Pushed {
        let frames = block.iter().map(|channel| channel.len()).min().unwrap_or(0);
        let longest = match waits {
            MayWait::Never => frames,
            // Frames that do not fit at once are written in pieces.
            MayWait::Offline => (self.room().capacity / 2).max(1),
        };
        let (mut from, mut pushed) = (0, Pushed::Kept);
        while from < frames {
            let length = longest.min(frames - from);
            let piece = Piece { from, frames: length, at: at.0 + Frames::from_index(from).0 };
            if self.push_piece(block, piece, waits) == Pushed::Lost {
                pushed = Pushed::Lost;
            }
            from += length;
        }
        pushed
    }

    /// Ends the pass; the next block begins another. To be called when the transport stops.
    pub fn pause(&mut self) {
        self.end();
        self.tell_lost();
        self.patience.renew();
    }

    /// Frames that found no room since the recording was made.
    #[must_use]
    pub fn lost(&self) -> Frames {
        Frames(self.lost.cast_signed())
    }

    fn push_piece(&mut self, block: &[&[f32]], piece: Piece, waits: MayWait) -> Pushed {
        if !self.waits_for(piece.frames, waits) {
            self.lose(piece.frames);
            return Pushed::Lost;
        }
        if self.next.is_none_or(|next| (next - piece.at).abs() > ROUNDING) {
            self.end();
            self.tell_lost();
            self.mark(Event::Begin(piece.at));
            self.next = Some(piece.at);
        }
        let channels = self.channels;
        let sample = |n: usize, channel| {
            let samples: Option<&&[f32]> = block.get(channel);
            samples.and_then(|samples| samples.get(n)).copied().unwrap_or(0.0)
        };
        let frames = piece.from..piece.from + piece.frames;
        self.samples
            .push_iter(frames.flat_map(|n| (0..channels).map(move |channel| sample(n, channel))));
        self.pushed += piece.frames as u64;
        self.next = self.next.map(|next| next + Frames::from_index(piece.frames).0);
        Pushed::Kept
    }

    /// Whether there is room, at once or in time.
    fn waits_for(&mut self, frames: usize, waits: MayWait) -> bool {
        if waits == MayWait::Offline {
            let mut patience = self.patience;
            patience.wait(|| self.has_room(frames) || !self.samples.read_is_held());
            self.patience = patience;
        }
        self.has_room(frames)
    }

    /// After a loss half of the ring must be free first: a few long passes are better than many of
    /// one block each.
    fn has_room(&self, frames: usize) -> bool {
        let room = self.room();
        let needed = if self.untold > 0 { frames.max(room.capacity / 2) } else { frames };
        room.vacant >= needed && self.marks.vacant_len() >= MARKS_FOR_A_PUSH + MARKS_FOR_AN_END
    }

    fn room(&self) -> Room {
        Room {
            vacant: self.samples.vacant_len() / self.channels,
            capacity: self.samples.capacity().get() / self.channels,
        }
    }

    fn lose(&mut self, frames: usize) {
        self.end();
        self.untold = self.untold.saturating_add(frames as u64);
        self.lost = self.lost.saturating_add(frames as u64);
    }

    fn end(&mut self) {
        if self.next.take().is_some() {
            self.mark(Event::End);
        }
    }

    fn tell_lost(&mut self) {
        if self.untold > 0 && self.mark(Event::Lost(self.untold)) {
            self.untold = 0;
        }
    }

    /// There is room: a push checked for it, and left enough for an end. Only a loss may have to be
    /// reported later.
    fn mark(&mut self, what: Event) -> bool {
        self.marks.try_push(Mark { after: self.pushed, what }).is_ok()
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.pause();
    }
}

/// In frames.
#[derive(Clone, Copy)]
struct Room {
    vacant: usize,
    capacity: usize,
}

/// The other end's types, to see that both fit.
pub(super) type Samples = HeapCons<f32>;
pub(super) type Marks = HeapCons<Mark>;
