//! Playing where a host plays: locked to its clock, block by block.
//!
//! Thread: audio; the offline variant waits, and is never called in real time.

use super::{DiskLate, Processor};
use crate::shared::{Motion, count};
use deskhand_dsp::Frames;

/// The transport state that a host reports at the start of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostClock {
    /// Timeline frame of the block's first sample, at the engine's rate. It may be negative (a
    /// count-in), where there is silence.
    pub at: Frames,
    /// Whether the host plays.
    pub moves: bool,
}

impl HostClock {
    /// The clock for the part of a block that begins `frames` later: where nothing moves, the same.
    #[must_use]
    pub fn later(self, frames: Frames) -> Self {
        let at = if self.moves { self.at + frames } else { self.at };
        Self { at, ..self }
    }
}

impl Processor {
    /// As [`Processor::process`], but at the place where the host is; `play`, `stop`, `seek` and
    /// `set_loop` of the Controller have no effect meanwhile.
    ///
    /// If the host jumps, the old sound fades out within 5 ms. The new place fades in as soon as it is
    /// read, always at the frame where the host is then. A loop that the host played twice is read early
    /// and has no gap from then on.
    pub fn process_following(&mut self, out: [&mut [f32]; 2], clock: HostClock) {
        self.follow(clock);
        self.process_block(out);
    }

    /// As [`Processor::process_following`] for a host that renders offline: it waits for the disk
    /// thread, so nothing is missing, and begins at full level, so it renders what a bounce does.
    ///
    /// # Errors
    /// Once, when the disk thread does not deliver within 10 s; `out` is then silent from there on. Until
    /// the host has stopped nothing waits any more: late audio is silent and counted, as in real time.
    pub fn process_offline_following(
        &mut self,
        out: [&mut [f32]; 2],
        mut clock: HostClock,
    ) -> Result<(), DiskLate> {
        if !clock.moves && self.playhead.motion() == Motion::Stopped {
            self.patience.renew();
        }
        if self.patience.is_spent() {
            self.process_unwaited(out, clock);
            return Ok(());
        }
        let [mut left, mut right] = out;
        while !left.is_empty() && !right.is_empty() {
            let begins = self.playhead.motion() == Motion::Stopped;
            self.follow(clock);
            let length = self.chunk_length(left.len().min(right.len()));
            if let Err(late) = self.wait_while_following(length) {
                self.count_missing(left.len().min(right.len()));
                left.fill(0.0);
                right.fill(0.0);
                return Err(late);
            }
            if begins {
                self.playhead.start_at_once(self.clock);
            }
            let (left_part, left_rest) = std::mem::take(&mut left).split_at_mut(length);
            let (right_part, right_rest) = std::mem::take(&mut right).split_at_mut(length);
            self.process_block([left_part, right_part]);
            (left, right) = (left_rest, right_rest);
            clock = clock.later(Frames::from_index(length));
        }
        left.fill(0.0);
        right.fill(0.0);
        Ok(())
    }

    fn follow(&mut self, clock: HostClock) {
        let HostClock { at, moves } = clock;
        self.playhead.follow(at.0, moves, self.clock, self.timing.declick);
    }

    /// A block for which nobody waits; one that is to begin and does not is missing as a whole.
    fn process_unwaited(&mut self, out: [&mut [f32]; 2], clock: HostClock) {
        let frames = out.iter().map(|side| side.len()).min().unwrap_or(0);
        self.process_following(out, clock);
        if self.playhead.motion() == Motion::Starting {
            self.count_missing(frames);
        }
    }

    fn count_missing(&self, frames: usize) {
        count(&self.shared.counters.missing_frames, frames as u64);
    }

    fn wait_while_following(&mut self, frames: usize) -> Result<(), DiskLate> {
        let mut patience = self.patience;
        let is_there = patience.wait(|| {
            self.receive_streams();
            self.receive_messages();
            self.settle_programs();
            self.shared.run.publish(&self.playhead.roll, self.playhead.motion());
            self.has_read_ahead(frames)
        });
        self.patience = patience;
        if is_there { Ok(()) } else { Err(DiskLate) }
    }
}
