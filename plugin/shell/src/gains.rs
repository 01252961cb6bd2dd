//! Trim and desk gain as one value, so that their sum never jumps when one moves into the other.
//!
//! Thread: any. Only atomics: the host sets trim on whatever thread it likes, the hub's link moves
//! the desk gain, and the audio thread reads both at the start of a block.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// How near a trim that came back from the host is to the one that was asked for, in dB: hosts send
/// it as a fraction of the range, rounded to the parameter's step.
const SAME: f32 = 0.002;
/// Beside a fold that is waited for no more.
const GIVEN_UP: u64 = 1 << 63;

/// Trim and desk gain in dB, seen together or not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    /// The host's parameter.
    pub trim: f32,
    /// What Deskhand adds to it.
    pub desk: f32,
}

impl Pair {
    /// What is heard, and what the session calls the track's gain.
    #[must_use]
    pub fn sum(self) -> f32 {
        self.trim + self.desk
    }
}

/// The two gains of an instance.
#[derive(Debug, Default)]
pub struct Gains {
    pair: AtomicU64,
    /// The trim that a fold asked the host for, as bits and one, and whether it is [`GIVEN_UP`]; 0 while
    /// there is none.
    fold: AtomicU64,
    /// dB that a plan which is heard adds for the time being: neither saved nor told.
    heard: AtomicU32,
    /// A trim of the host's was not taken.
    is_faulty: AtomicBool,
}

pub(crate) fn pack(high: f32, low: f32) -> u64 {
    u64::from(high.to_bits()) << 32 | u64::from(low.to_bits())
}

pub(crate) fn unpack(bits: u64) -> (f32, f32) {
    let low = u32::try_from(bits & u64::from(u32::MAX)).unwrap_or_default();
    let high = u32::try_from(bits >> 32).unwrap_or_default();
    (f32::from_bits(high), f32::from_bits(low))
}

impl Gains {
    /// Both, as they are at this moment.
    #[must_use]
    pub fn pair(&self) -> Pair {
        let (trim, desk) = unpack(self.pair.load(Ordering::Acquire));
        Pair { trim, desk }
    }

    /// A trim of the host's was not taken, for an error of ours.
    pub fn note_fault(&self) {
        self.is_faulty.store(true, Ordering::Relaxed);
    }

    /// Whether one was not since this was asked last.
    pub fn take_fault(&self) -> bool {
        self.is_faulty.swap(false, Ordering::Relaxed)
    }

    /// What sounds: both, and what a plan that is heard adds, in dB.
    #[must_use]
    pub fn heard(&self) -> f32 {
        self.pair().sum() + self.extra()
    }

    /// What a plan that is heard adds, in dB.
    #[must_use]
    pub fn extra(&self) -> f32 {
        f32::from_bits(self.heard.load(Ordering::Relaxed))
    }

    /// Says what a plan that is heard adds, in dB.
    pub fn set_heard(&self, gain: f32) {
        self.heard.store(gain.to_bits(), Ordering::Relaxed);
    }

    /// The host set trim. If this is the trim that a fold waits for, the desk gain gives up in the same
    /// instant what trim takes, wherever both have been in between.
    pub fn host_trim(&self, trim: f32) {
        // What some hosts make of a broken automation is no gain: the one before holds.
        if !trim.is_finite() {
            return;
        }
        let is_answer = self.is_answer(trim);
        self.update(|pair| {
            // The step of the parameter's rounding stays in the desk gain, so the sum is exact.
            let desk = if is_answer { pair.sum() - trim } else { pair.desk };
            Pair { trim, desk }
        });
    }

    /// Says what Deskhand adds to trim, in dB.
    pub fn set_desk(&self, desk: f32) {
        self.update(|pair| Pair { desk, ..pair });
    }

    /// Begins to move the desk gain into trim, which goes from `least` to `most` dB, and gives the
    /// trim to ask the host for. Nothing is heard until it comes. `None` when there is nothing to move.
    pub fn begin_fold(&self, least: f32, most: f32) -> Option<f32> {
        let wanted = self.foldable(least, most)?;
        self.fold.store(u64::from(wanted.to_bits()) + 1, Ordering::Release);
        Some(wanted)
    }

    /// The trim that [`Self::begin_fold`] would ask for.
    #[must_use]
    pub fn foldable(&self, least: f32, most: f32) -> Option<f32> {
        let pair = self.pair();
        let wanted = pair.sum().clamp(least, most);
        ((wanted - pair.trim).abs() >= SAME).then_some(wanted)
    }

    /// The trim that was asked for is waited for no more: the desk gain keeps what it has. A host that
    /// stood still may bring it yet, and even then the sum does not jump.
    pub fn give_up_fold(&self) {
        self.fold.fetch_or(GIVEN_UP, Ordering::AcqRel);
    }

    /// Whether a fold waits for the host.
    #[must_use]
    pub fn is_folding(&self) -> bool {
        let bits = self.fold.load(Ordering::Acquire);
        bits != 0 && bits & GIVEN_UP == 0
    }

    /// Whether `trim` is what a fold waits for, which ends with the first answer.
    fn is_answer(&self, trim: f32) -> bool {
        let bits = self.fold.load(Ordering::Acquire);
        let Some(bits_of_fold) = (bits & !GIVEN_UP).checked_sub(1) else { return false };
        let (_, wanted) = unpack(bits_of_fold);
        (wanted - trim).abs() <= SAME
            && self.fold.compare_exchange(bits, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    fn update(&self, change: impl Fn(Pair) -> Pair) {
        let mut bits = self.pair.load(Ordering::Acquire);
        loop {
            let (trim, desk) = unpack(bits);
            let new = change(Pair { trim, desk });
            let new = pack(new.trim, new.desk);
            match self.pair.compare_exchange_weak(bits, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(now) => bits = now,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_keeps_the_sum_at_every_moment() {
        let gains = Gains::default();
        gains.host_trim(-3.0);
        gains.set_desk(7.5);
        assert_eq!(gains.begin_fold(-60.0, 24.0), Some(4.5));
        assert_eq!(gains.pair(), Pair { trim: -3.0, desk: 7.5 });
        gains.host_trim(4.5005);
        assert!((gains.pair().sum() - 4.5).abs() < 1e-5, "{:?}", gains.pair());
        assert!(!gains.is_folding());
        gains.host_trim(0.0);
        assert!(gains.pair().sum().abs() < 0.001);
    }

    #[test]
    fn what_does_not_fit_stays_in_the_desk_gain() {
        let gains = Gains::default();
        gains.host_trim(20.0);
        gains.set_desk(10.0);
        assert_eq!(gains.begin_fold(-60.0, 24.0), Some(24.0));
        gains.host_trim(24.0);
        assert_eq!(gains.pair(), Pair { trim: 24.0, desk: 6.0 });
        assert_eq!(gains.begin_fold(-60.0, 24.0), None);
    }

    #[test]
    fn an_answer_keeps_the_sum_that_there_is_when_it_comes() {
        let gains = Gains::default();
        gains.set_desk(6.0);
        gains.begin_fold(-60.0, 24.0);
        gains.host_trim(1.0);
        gains.set_desk(4.0);
        gains.host_trim(6.0);
        assert_eq!(gains.pair(), Pair { trim: 6.0, desk: -1.0 });
    }

    #[test]
    fn another_trim_of_the_host_is_no_answer() {
        let gains = Gains::default();
        gains.set_desk(6.0);
        gains.begin_fold(-60.0, 24.0);
        gains.host_trim(1.0);
        assert_eq!(gains.pair(), Pair { trim: 1.0, desk: 6.0 });
    }

    #[test]
    fn what_is_no_number_is_no_trim() {
        let gains = Gains::default();
        gains.host_trim(-3.0);
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            gains.host_trim(odd);
            assert_eq!(gains.pair(), Pair { trim: -3.0, desk: 0.0 });
        }
    }

    #[test]
    fn a_late_answer_is_one() {
        let gains = Gains::default();
        gains.set_desk(6.0);
        gains.begin_fold(-60.0, 24.0);
        gains.give_up_fold();
        assert!(!gains.is_folding());
        gains.host_trim(6.0);
        assert_eq!(gains.pair(), Pair { trim: 6.0, desk: 0.0 });
        gains.give_up_fold();
        gains.host_trim(1.0);
        assert_eq!(gains.pair(), Pair { trim: 1.0, desk: 0.0 });
    }
}
