//! The position of the host's transport, reported by the audio thread.
//!
//! Thread: any. Only atomics.

use deskhand_session::Meter;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};

/// Where a host's transport is, at the host's rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// The frame after the last block.
    pub at: i64,
    pub moves: bool,
    pub blocks: u64,
    /// Hz; 0 before the first activation.
    pub rate: f32,
}

/// What the audio thread reports about its host.
#[derive(Debug, Default)]
pub struct HostClock {
    at: AtomicI64,
    moves: AtomicBool,
    blocks: AtomicU64,
    rate: AtomicU32,
    /// Quarter notes a minute, as bits; 0 while the host reports none.
    bpm: AtomicU64,
    /// Beats in a bar and the value of a beat in one; 0 while the host reports none.
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

    /// A tempo and a meter that a session can have; `None` if the host reports none.
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

    /// The last report.
    #[must_use]
    pub fn place(&self) -> Place {
        let blocks = self.blocks.load(Ordering::Acquire);
        let rate = f32::from_bits(self.rate.load(Ordering::Relaxed));
        let (at, moves) = (self.at.load(Ordering::Relaxed), self.moves.load(Ordering::Relaxed));
        Place { at, moves, blocks, rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
