//! A host's offline mode: it renders as fast as it can, so it waits for the disk before each block.
//!
//! Thread: audio, but never in real time: this waits.

use super::Processor;
use crate::shared::Motion;
use deskhand_dsp::Frames;

/// The disk thread did not deliver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the audio files were not read within 10 seconds; check that the disk answers, then render again"
)]
pub struct DiskLate;

impl Processor {
    /// For tests: gives up after a few looks.
    #[cfg(test)]
    pub(crate) fn lose_patience(&mut self) {
        self.patience = crate::disk_wait::Patience::of(5);
    }

    /// Waits until the next `frames` frames can be played without a gap, at most 10 s. Call it before
    /// [`Processor::process`] when the host renders offline, never in real time. `frames` may be up to a
    /// quarter of the engine's read-ahead.
    ///
    /// # Errors
    /// When the disk thread does not deliver in time.
    pub fn wait_for_disk(&mut self, frames: usize) -> Result<(), DiskLate> {
        let mut patience = self.patience;
        patience.renew();
        let is_there = patience.wait(|| {
            // A block without frames handles the messages that announce the next streams.
            self.process([&mut [], &mut []]);
            self.has_read_ahead(frames)
        });
        if is_there { Ok(()) } else { Err(DiskLate) }
    }

    pub(super) fn has_read_ahead(&self, frames: usize) -> bool {
        if self.playhead.motion() == Motion::Stopped {
            return true;
        }
        let roll = &self.playhead.roll;
        // The length of a fade on top, or the block would end in one.
        let lead = self.current.lead().max(self.other.lead());
        let needed = roll.ran + Frames::from_index(frames).0 + lead + self.timing.declick;
        self.shared.ready.covers(roll.epoch, self.generation())
            && self.shared.ready.reaches(roll.epoch, needed)
    }
}
