//! Maps timeline frames to the time they are heard: written by the output, read by the input. So a
//! recording is placed where the person heard it, without both latencies.
//!
//! Thread: audio, both callbacks. It allocates, frees, locks and waits for nothing.

use deskhand_dsp::Frames;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// In place of a frame while nothing plays.
const IDLE: i64 = i64::MIN;
const NANOS: i128 = 1_000_000_000;

/// When a block was handed over, and when its first frame passes the converter; ns on the system's audio clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub callback: i64,
    /// The time at the converter: after the callback for an output, before it for an input.
    pub converter: i64,
}

#[derive(Debug)]
struct Cells {
    /// The timeline frame at clock zero.
    origin: AtomicI64,
    /// The timeline frame at the newest callback of the output.
    heard: AtomicI64,
    /// Frames from a callback of the output to the converter.
    latency: AtomicI64,
}

/// The timeline's position on the clock. Clones share it.
#[derive(Clone, Debug)]
pub struct Anchor(Arc<Cells>);

impl Default for Anchor {
    fn default() -> Self {
        let cell = || AtomicI64::new(IDLE);
        Self(Arc::new(Cells { origin: cell(), heard: cell(), latency: AtomicI64::new(0) }))
    }
}

/// How many frames pass in a time.
fn frames_in(nanos: i64, rate: u32) -> i64 {
    let frames = i128::from(nanos) * i128::from(rate) / NANOS;
    i64::try_from(frames).unwrap_or(0)
}

impl Anchor {
    /// A block of `frames` was rendered for that moment; after it the timeline continues at `next`.
    pub(super) fn heard(&self, next: Option<Frames>, frames: usize, moment: Moment, rate: u32) {
        let Some(next) = next else {
            self.0.origin.store(IDLE, Ordering::Relaxed);
            return;
        };
        let first = next.0 - Frames::from_index(frames).0;
        let latency = frames_in(moment.converter - moment.callback, rate);
        self.0.heard.store(first, Ordering::Relaxed);
        self.0.latency.store(latency, Ordering::Relaxed);
        self.0.origin.store(first - frames_in(moment.converter, rate), Ordering::Relaxed);
    }

    /// The timeline frame that was heard while the first frame of an input block was captured; `None` while
    /// nothing plays.
    #[must_use]
    pub(super) fn at(&self, moment: Moment, rate: u32) -> Option<i64> {
        let origin = self.0.origin.load(Ordering::Relaxed);
        if origin == IDLE {
            return None;
        }
        let straight = origin.saturating_add(frames_in(moment.converter, rate));
        let heard = self.0.heard.load(Ordering::Relaxed);
        let far = 2 * i64::from(rate);
        if straight.saturating_sub(heard).abs() < far {
            return Some(straight);
        }
        // Some systems count the clock of each stream from its own beginning: then the latencies alone are known.
        let out = self.0.latency.load(Ordering::Relaxed);
        Some(heard - out - frames_in(moment.callback - moment.converter, rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: u32 = 48_000;
    const MS: i64 = 1_000_000;

    fn moment(callback_ms: i64, converter_ms: i64) -> Moment {
        Moment { callback: callback_ms * MS, converter: converter_ms * MS }
    }

    #[test]
    fn what_is_captured_stands_where_it_was_heard() {
        let anchor = Anchor::default();
        assert_eq!(anchor.at(moment(100, 90), RATE), None);
        // The block from frame 4800 on is heard 20 ms after its callback at 1,000 ms.
        anchor.heard(Some(Frames(4800 + 480)), 480, moment(1_000, 1_020), RATE);
        // Captured at 1,020 ms: at that moment frame 4800 was heard.
        assert_eq!(anchor.at(moment(1_030, 1_020), RATE), Some(4800));
        assert_eq!(anchor.at(moment(1_040, 1_030), RATE), Some(4800 + 480));
        anchor.heard(None, 480, moment(1_010, 1_030), RATE);
        assert_eq!(anchor.at(moment(1_050, 1_040), RATE), None);
    }

    #[test]
    fn clocks_that_have_nothing_in_common_leave_the_latencies() {
        let anchor = Anchor::default();
        anchor.heard(Some(Frames(4800 + 480)), 480, moment(1_000, 1_020), RATE);
        let other = moment(900_000, 899_990);
        assert_eq!(anchor.at(other, RATE), Some(4800 - 960 - 480), "20 ms out and 10 ms in");
    }
}
