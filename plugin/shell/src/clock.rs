//! Where the host's transport is, told by the audio thread; and gains that wait for their frame.
//!
//! Thread: any. Only atomics.

use crate::gains::{Gains, pack, unpack};
use crate::passage::Passage;
use deskhand_session::Meter;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

/// Where a host's transport is, at the host's rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The frame behind the last block.
    pub at: i64,
    /// Whether it moves.
    pub moves: bool,
    /// Counts blocks.
    pub blocks: u64,
    /// Hz; 0 before the first activation.
    pub rate: f32,
}

/// What the audio thread tells of its host.
#[derive(Debug, Default)]
pub struct HostClock {
    at: AtomicI64,
    moves: AtomicBool,
    blocks: AtomicU64,
    rate: AtomicU32,
    /// Quarter notes a minute, as bits; 0 while the host tells none.
    bpm: AtomicU64,
    /// Beats in a bar and the value of a beat in one; 0 while the host tells none.
    meter: AtomicU32,
}

impl HostClock {
    /// The rate of the frames from now on.
    pub fn start(&self, rate: f32) {
        self.rate.store(rate.to_bits(), Ordering::Relaxed);
    }

    /// A block has passed, which ended at frame `at`.
    pub fn tell(&self, at: i64, moves: bool) {
        self.at.store(at, Ordering::Relaxed);
        self.moves.store(moves, Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Release);
    }

    /// The host's tempo, quarter notes a minute, and its meter, as far as it tells them.
    pub fn tell_tempo(&self, bpm: Option<f64>, meter: Option<(i32, i32)>) {
        self.bpm.store(bpm.map_or(0, f64::to_bits), Ordering::Relaxed);
        let parts = meter.map(|(beats, value)| (u16::try_from(beats), u16::try_from(value)));
        let meter = match parts {
            Some((Ok(beats), Ok(value))) => u32::from(beats) << 16 | u32::from(value),
            Some((_, _)) | None => 0,
        };
        self.meter.store(meter, Ordering::Relaxed);
    }

    /// The tempo and the meter that a session can have; none where the host tells none.
    #[must_use]
    pub fn tempo(&self) -> Option<(f64, Option<Meter>)> {
        let bpm = f64::from_bits(self.bpm.load(Ordering::Relaxed));
        let meter = self.meter.load(Ordering::Relaxed);
        let part = |bits: u32| u8::try_from(bits & 0xffff).ok();
        let meter = part(meter >> 16).zip(part(meter));
        let meter = meter.filter(|(beats, value)| {
            (1..=64).contains(beats) && value.is_power_of_two() && *value <= 32
        });
        let meter = meter.map(|(numerator, denominator)| Meter { numerator, denominator });
        (10.0..=999.0).contains(&bpm).then_some((bpm, meter))
    }

    /// What was told last.
    #[must_use]
    pub fn place(&self) -> Place {
        let blocks = self.blocks.load(Ordering::Acquire);
        let rate = f32::from_bits(self.rate.load(Ordering::Relaxed));
        let (at, moves) = (self.at.load(Ordering::Relaxed), self.moves.load(Ordering::Relaxed));
        Place { at, moves, blocks, rate }
    }
}

/// No frame at all.
const NONE: i64 = i64::MIN;
/// Ahead of every frame.
const NOW: i64 = i64::MIN + 1;

/// Gains and the frame at which they are taken.
#[derive(Debug)]
pub struct Coming {
    at: AtomicI64,
    /// The desk gain and what a plan that is heard adds, in one.
    gains: AtomicU64,
}

impl Default for Coming {
    fn default() -> Self {
        Self { at: AtomicI64::new(NONE), gains: AtomicU64::new(0) }
    }
}

impl Coming {
    /// Sets the desk gain, and what is heard of a plan on top of it, in dB; to be taken together at host
    /// frame `at` or with the next block.
    pub fn set(&self, desk: f32, heard: f32, at: Option<i64>) {
        self.gains.store(pack(desk, heard), Ordering::Relaxed);
        self.at.store(at.unwrap_or(NOW).max(NOW), Ordering::Release);
    }

    /// The gains that wait, if any do.
    #[must_use]
    pub fn waiting(&self) -> Option<(f32, f32)> {
        self.is_waiting().then(|| unpack(self.gains.load(Ordering::Relaxed)))
    }

    /// Whether one waits.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.at.load(Ordering::Acquire) != NONE
    }

    /// How many frames into the block of `length` frames that `passage` stands at it is to be taken, if it is.
    /// While the transport stands that is at once.
    #[must_use]
    pub fn offset(&self, passage: &mut Passage, length: i64) -> Option<usize> {
        let at = self.at.load(Ordering::Acquire);
        match at {
            NONE => None,
            NOW => Some(0),
            _ if !passage.moves() => Some(0),
            _ => {
                let left = passage.until(at);
                (left < length).then(|| usize::try_from(left).unwrap_or(0))
            }
        }
    }

    /// Takes it.
    pub fn take(&self, gains: &Gains) {
        let at = self.at.load(Ordering::Acquire);
        if at == NONE {
            return;
        }
        // Another one that came in between keeps its own frame, and one for the same frame is not lost: the
        // gains are read behind the exchange.
        if self.at.compare_exchange(at, NONE, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            let (desk, heard) = unpack(self.gains.load(Ordering::Relaxed));
            gains.set_desk(desk);
            gains.set_heard(heard);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gains::Pair;

    #[test]
    fn a_tempo_is_told_as_a_session_can_have_it() {
        let clock = HostClock::default();
        assert_eq!(clock.tempo(), None);
        clock.tell_tempo(Some(92.5), Some((7, 8)));
        let meter = Meter { numerator: 7, denominator: 8 };
        assert_eq!(clock.tempo(), Some((92.5, Some(meter))));
        for odd in [(0, 4), (4, 3), (-1, 4), (300, 4), (4, 64)] {
            clock.tell_tempo(Some(92.5), Some(odd));
            assert_eq!(clock.tempo(), Some((92.5, None)), "{odd:?}");
        }
        for bpm in [0.0, f64::NAN, 5_000.0, -1.0] {
            clock.tell_tempo(Some(bpm), None);
            assert_eq!(clock.tempo(), None);
        }
    }

    #[test]
    fn a_gain_is_taken_at_its_frame_or_at_once_where_nothing_moves() {
        let (coming, gains) = (Coming::default(), Gains::default());
        let mut passage = Passage::new(48_000.0);
        let mut offset = |coming: &Coming, at, moves| {
            passage.follow(at, moves);
            let offset = coming.offset(&mut passage, 64);
            passage.played(64);
            offset
        };
        assert_eq!(offset(&coming, 0, true), None);
        coming.set(-6.0, 2.0, Some(228));
        assert_eq!(offset(&coming, 64, true), None);
        assert_eq!(offset(&coming, 128, true), None);
        assert_eq!(offset(&coming, 192, true), Some(36));
        assert_eq!(offset(&coming, 256, true), Some(0), "late is at once");
        assert_eq!(offset(&coming, 320, false), Some(0));
        coming.take(&gains);
        assert_eq!(gains.pair().desk, -6.0);
        assert_eq!(
            (gains.pair().sum(), gains.heard()),
            (-6.0, -4.0),
            "what is heard of a plan is no gain of the track"
        );
        assert!(!coming.is_waiting());
        coming.set(1.0, 0.0, None);
        assert_eq!(offset(&coming, -50, true), Some(0));
    }

    #[test]
    fn a_trim_that_the_host_automates_ahead_of_the_frame_stays_the_host_s() {
        let (coming, gains) = (Coming::default(), Gains::default());
        gains.set_desk(1.0);
        coming.set(-6.0, 0.0, Some(480));
        for trim in [-1.0, -2.0, -3.0] {
            gains.host_trim(trim);
            assert_eq!(gains.pair(), Pair { trim, desk: 1.0 }, "nothing is taken yet");
        }
        coming.take(&gains);
        assert_eq!(gains.pair(), Pair { trim: -3.0, desk: -6.0 });
    }
}
