//! What both sides look at without a message: the run, readiness, and counters. Atomics only.
//!
//! Thread: any

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

use crate::roll::{Cycle, Roll};
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Whether the engine moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// It is stopped.
    Stopped,
    /// It starts as soon as the disk thread has read the first frames.
    Starting,
    /// It plays.
    Playing,
}

/// Shared between Controller, Processor and disk thread.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) run: RunCell,
    pub(crate) ready: ReadyCell,
    pub(crate) counters: Counters,
}

/// Things that went wrong but did not stop the music, since the engine was made.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) missing_frames: AtomicU64,
    pub(crate) nonfinite: AtomicU64,
    pub(crate) delayed_swaps: AtomicU64,
    pub(crate) delayed_returns: AtomicU64,
    pub(crate) unknown: AtomicU64,
    pub(crate) lost_loudness: AtomicU64,
}

/// Adds to a counter that only one thread writes: no locked instruction is needed.
pub(crate) fn count(counter: &AtomicU64, more: u64) {
    if more > 0 {
        counter.store(counter.load(Ordering::Relaxed).saturating_add(more), Ordering::Relaxed);
    }
}

/// A run and its motion, written by the Processor, read by the others as one value (a sequence
/// lock: the writer never waits, a reader tries again).
#[derive(Debug, Default)]
pub(crate) struct RunCell {
    version: AtomicU64,
    words: [AtomicU64; WORDS],
}

const WORDS: usize = 6;
/// The value for a missing loop; no loop starts before 0.
const NO_CYCLE: i64 = -1;
/// A writer is done within nanoseconds unless it is preempted, then within a scheduling quantum.
const TRIES: usize = 100_000;

impl RunCell {
    /// Only the Processor calls this.
    pub(crate) fn publish(&self, roll: &Roll, motion: Motion) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        for (word, value) in self.words.iter().zip(pack(roll, motion)) {
            word.store(value.cast_unsigned(), Ordering::Relaxed);
        }
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    /// The latest run; `None` only if the writer was stopped in the middle of writing.
    pub(crate) fn latest(&self) -> Option<(Roll, Motion)> {
        (0..TRIES).find_map(|_| self.try_read()).map(|words| unpack(&words))
    }

    fn try_read(&self) -> Option<[i64; WORDS]> {
        let before = self.version.load(Ordering::Acquire);
        let words = self.words.each_ref().map(|word| word.load(Ordering::Relaxed).cast_signed());
        fence(Ordering::Acquire);
        let after = self.version.load(Ordering::Relaxed);
        if before == after && before.is_multiple_of(2) {
            return Some(words);
        }
        std::hint::spin_loop();
        None
    }
}

fn pack(roll: &Roll, motion: Motion) -> [i64; WORDS] {
    let cycle = roll.cycle.unwrap_or(Cycle { from: NO_CYCLE, to: NO_CYCLE });
    let motion = match motion {
        Motion::Stopped => 0,
        Motion::Starting => 1,
        Motion::Playing => 2,
    };
    [i64::from(roll.epoch), roll.start, cycle.from, cycle.to, roll.ran, motion]
}

fn unpack(words: &[i64; WORDS]) -> (Roll, Motion) {
    let [epoch, start, from, to, ran, motion] = *words;
    let cycle = (from != NO_CYCLE).then_some(Cycle { from, to });
    let motion = match motion {
        0 => Motion::Stopped,
        1 => Motion::Starting,
        _ => Motion::Playing,
    };
    let epoch = u32::try_from(epoch).unwrap_or_default();
    (Roll { epoch, start, cycle, ran }, motion)
}

/// The epoch and the program that the disk thread has read for.
#[derive(Debug, Default)]
pub(crate) struct ReadyCell {
    epoch_and_generation: AtomicU64,
    /// 16 bits of the epoch, 48 bits of a run frame.
    epoch_and_reached: AtomicU64,
}

const REACHED: u64 = (1 << 48) - 1;

impl ReadyCell {
    /// Only the disk thread calls this, after it has handed over the streams.
    pub(crate) fn set(&self, epoch: u32, generation: u32) {
        let both = u64::from(epoch) << 32 | u64::from(generation);
        self.epoch_and_generation.store(both, Ordering::Release);
    }

    /// Stores the run frame up to which every voice has been read. Only the disk thread calls this, and
    /// before `set`: a reader that sees a program covered also sees the frame reached for it.
    pub(crate) fn set_reached(&self, epoch: u32, ran: i64) {
        let ran = u64::try_from(ran).unwrap_or(0).min(REACHED);
        let both = u64::from(epoch) << 48 | ran;
        self.epoch_and_reached.store(both, Ordering::Release);
    }

    /// Whether every voice has been read up to run frame `ran` of `epoch`.
    pub(crate) fn reaches(&self, epoch: u32, ran: i64) -> bool {
        let both = self.epoch_and_reached.load(Ordering::Acquire);
        both >> 48 == u64::from(epoch) & 0xFFFF
            && i64::try_from(both & REACHED).is_ok_and(|reached| reached >= ran)
    }

    /// Whether all that program `generation` needs first in `epoch` has been handed over.
    pub(crate) fn covers(&self, epoch: u32, generation: u32) -> bool {
        let both = self.epoch_and_generation.load(Ordering::Acquire).to_be_bytes();
        let [e0, e1, e2, e3, g0, g1, g2, g3] = both;
        let newest = u32::from_be_bytes([g0, g1, g2, g3]);
        u32::from_be_bytes([e0, e1, e2, e3]) == epoch
            && newest.wrapping_sub(generation) < u32::MAX / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_reader_never_sees_half_a_run() {
        let cell = Arc::new(RunCell::default());
        let writer = Arc::clone(&cell);
        let thread = std::thread::spawn(move || {
            for n in 0..200_000 {
                let cycle = (n % 3 == 0).then_some(Cycle { from: n, to: n + 1 });
                let roll = Roll { epoch: 7, start: n, cycle, ran: 2 * n };
                writer.publish(&roll, Motion::Playing);
            }
        });
        let mut last = 0;
        while last < 199_999 {
            let Some((roll, _)) = cell.latest() else {
                continue;
            };
            assert_eq!(roll.ran, 2 * roll.start);
            assert!(roll.start >= last);
            assert!(roll.cycle.is_none_or(|cycle| cycle.from == roll.start));
            last = roll.start;
        }
        thread.join().unwrap();
    }

    #[test]
    fn readiness_covers_older_programs_of_the_same_epoch() {
        let ready = ReadyCell::default();
        ready.set(3, 5);
        assert!(ready.covers(3, 5) && ready.covers(3, 4));
        ready.set_reached(3, 700);
        assert!(ready.reaches(3, 700) && !ready.reaches(3, 701) && !ready.reaches(2, 0));
        assert!(!ready.covers(3, 6) && !ready.covers(4, 5) && !ready.covers(2, 5));
    }
}
