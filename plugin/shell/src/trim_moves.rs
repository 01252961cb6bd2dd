//! Moves of trim that Deskhand makes, each at its frame of the host's timeline, and the temporary gain of a
//! plan being heard. Trim is the only gain of an instance: its knob shows what is heard.
//!
//! Thread: any. Only atomics: the hub's link sets a move, the audio thread takes it.

use crate::params::DeskhandParams;
use crate::played_timeline::Passage;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

/// No frame at all.
const NONE: i64 = i64::MIN;
/// No frame either: the move is being taken.
const TAKEN: i64 = i64::MIN + 1;
/// Before every frame.
const NOW: i64 = i64::MIN + 2;

/// A move that waits for its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// By how much trim moves, in dB. A move of the host's in between stays: both add up.
    pub by: f32,
    /// What is added to trim from then on, in dB. It is neither saved nor reported.
    pub heard: f32,
}

/// The next move of an instance's trim, and the gain on top of it.
#[derive(Debug)]
pub struct Steps {
    at: AtomicI64,
    /// A [`Step`] as bits.
    waiting: AtomicU64,
    /// dB, as bits.
    heard: AtomicU32,
    /// Whether trim was moved here and the host does not know.
    is_untold: AtomicBool,
}

impl Default for Steps {
    fn default() -> Self {
        Self {
            at: AtomicI64::new(NONE),
            waiting: AtomicU64::new(0),
            heard: AtomicU32::new(0),
            is_untold: AtomicBool::new(false),
        }
    }
}

impl Steps {
    /// Sets the next move, to be taken at host frame `at`, or with the next block.
    pub fn set(&self, step: Step, at: Option<i64>) {
        let bits = u64::from(step.by.to_bits()) << 32 | u64::from(step.heard.to_bits());
        self.waiting.store(bits, Ordering::Relaxed);
        self.at.store(at.unwrap_or(NOW).max(NOW), Ordering::Release);
    }

    /// The move that waits, if one does.
    #[must_use]
    pub fn waiting(&self) -> Option<Step> {
        self.is_waiting().then(|| self.read())
    }

    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.at.load(Ordering::Acquire) != NONE
    }

    /// Takes back the move that waits, unless it was taken. Not for the audio thread: where that takes the move just now,
    /// this waits until trim has moved.
    pub fn withdraw(&self) -> Option<Step> {
        loop {
            let at = self.at.load(Ordering::Acquire);
            if at == NONE {
                return None;
            }
            if at != TAKEN && self.goes(at, NONE) {
                return Some(self.read());
            }
            std::thread::yield_now();
        }
    }

    fn goes(&self, from: i64, to: i64) -> bool {
        self.at.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn read(&self) -> Step {
        let bits = self.waiting.load(Ordering::Relaxed);
        let half = |bits: u64| f32::from_bits(u32::try_from(bits & 0xffff_ffff).unwrap_or(0));
        Step { by: half(bits >> 32), heard: half(bits) }
    }

    /// The gain on top of trim now, in dB.
    #[must_use]
    pub fn heard(&self) -> f32 {
        f32::from_bits(self.heard.load(Ordering::Relaxed))
    }

    /// The frame in the block, of `length` frames at `passage`, where the move is due; `None` if not in
    /// this block. While the transport is stopped it is due at once.
    #[must_use]
    pub fn offset(&self, passage: &mut Passage, length: i64) -> Option<usize> {
        let at = self.at.load(Ordering::Acquire);
        match at {
            NONE | TAKEN => None,
            NOW => Some(0),
            _ if !passage.moves() => Some(0),
            _ => {
                let left = passage.until(at);
                (left < length).then(|| usize::try_from(left).unwrap_or(0))
            }
        }
    }

    /// Takes the move that waits, if one does.
    pub fn take(&self, params: &DeskhandParams) {
        let at = self.at.load(Ordering::Acquire);
        if at == NONE || at == TAKEN || !self.goes(at, TAKEN) {
            return;
        }
        let Step { by, heard } = self.read();
        self.heard.store(heard.to_bits(), Ordering::Relaxed);
        if by != 0.0 {
            params.move_trim(params.trim() + by);
            self.is_untold.store(true, Ordering::Release);
        }
        self.at.store(NONE, Ordering::Release);
    }

    /// Whether the host must learn of trim; true once for each move.
    pub fn take_untold(&self) -> bool {
        self.is_untold.swap(false, Ordering::AcqRel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(by: f32, heard: f32) -> Step {
        Step { by, heard }
    }

    #[test]
    fn a_move_is_taken_at_its_frame_or_at_once_where_nothing_moves() {
        let (steps, params) = (Steps::default(), DeskhandParams::default());
        let mut passage = Passage::new(48_000.0);
        let mut offset = |at, moves| {
            passage.follow(at, moves);
            let offset = steps.offset(&mut passage, 64);
            passage.played(64);
            offset
        };
        assert_eq!(offset(0, true), None);
        steps.set(step(-6.0, 2.0), Some(228));
        assert_eq!(offset(64, true), None);
        assert_eq!(offset(128, true), None);
        assert_eq!(offset(192, true), Some(36));
        assert_eq!(offset(256, true), Some(0), "late is at once");
        assert_eq!(offset(320, false), Some(0));
        steps.take(&params);
        assert_eq!((params.trim(), steps.heard()), (-6.0, 2.0));
        assert!(!steps.is_waiting());
        steps.set(step(1.0, 0.0), None);
        assert_eq!(offset(-50, true), Some(0));
    }

    #[test]
    fn a_trim_that_the_host_moves_before_the_frame_adds_up_with_the_move() {
        let (steps, params) = (Steps::default(), DeskhandParams::default());
        params.move_trim(1.0);
        steps.set(step(-6.0, 0.0), Some(480));
        for trim in [-1.0, -2.0, -3.0] {
            params.move_trim(trim);
        }
        steps.take(&params);
        assert_eq!(params.trim(), -9.0);
        assert!(steps.take_untold() && !steps.take_untold(), "the host is told once");
    }

    #[test]
    fn what_is_only_heard_moves_no_trim_and_tells_no_host() {
        let (steps, params) = (Steps::default(), DeskhandParams::default());
        steps.set(step(0.0, -4.0), None);
        steps.take(&params);
        assert_eq!((params.trim(), steps.heard(), steps.take_untold()), (0.0, -4.0, false));
    }

    #[test]
    fn trim_stays_inside_its_range_and_is_a_number() {
        let (steps, params) = (Steps::default(), DeskhandParams::default());
        for (by, trim) in [(100.0, 24.0), (-500.0, -60.0), (f32::NAN, -60.0)] {
            steps.set(step(by, 0.0), None);
            steps.take(&params);
            assert_eq!(params.trim(), trim);
        }
        steps.set(step(0.0, 200.0), None);
        steps.take(&params);
        assert_eq!(params.settings(&steps).gain, 24.0, "what is heard of a plan is bounded too");
    }

    #[test]
    fn a_move_is_taken_back_before_it_is_taken() {
        let (steps, params) = (Steps::default(), DeskhandParams::default());
        steps.set(step(-6.0, 0.0), Some(480));
        assert_eq!(steps.withdraw(), Some(step(-6.0, 0.0)));
        steps.take(&params);
        assert_eq!((params.trim(), steps.withdraw()), (0.0, None));
    }
}
