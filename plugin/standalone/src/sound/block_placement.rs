//! Places the blocks of an input. A block goes right after the previous one, unless something is missing
//! between them. Clock jitter and drift between two devices move nothing. A lost block stays lost, and what
//! follows is placed where it was heard.
//!
//! Thread: audio. It allocates, frees, locks and waits for nothing.

/// Farther from where the block before ended it is another pass at once, as a part of a second.
const FAR: i64 = 20;
/// A step is more than this, as a part of a second, and than half a block.
const TREMBLE: i64 = 500;
/// It has lasted so long, as a part of a second: after a callback that is late, the next ones are too.
const LASTS: i64 = 5;
/// Blocks by which it is known how late they usually are, and by which it follows.
const LEARNS: i64 = 16;
/// Parts of a frame in which that is counted.
const PARTS: i64 = 256;

/// The place of the next block.
pub(super) struct Steady {
    /// Frames a second.
    rate: i64,
    /// Where the previous block ended; `None` before a recording.
    next: Option<i64>,
    /// How far the clock usually leads, in parts of a frame.
    usual: i64,
    /// Blocks that were heard to learn it.
    learned: i64,
    /// How many frames the clock was off by more than its jitter: positive if early, negative if late.
    off: i64,
}

impl Steady {
    pub(super) fn new(rate: u32) -> Self {
        Self { rate: i64::from(rate), next: None, usual: 0, learned: 0, off: 0 }
    }

    /// The next block begins a pass.
    pub(super) fn pause(&mut self) {
        self.next = None;
    }

    /// The place of a block of this many frames at `clock`.
    pub(super) fn place(&mut self, clock: i64, frames: i64) -> i64 {
        let next = self.next;
        let at = match next {
            Some(next) if self.goes_on(clock - next, frames) => next,
            Some(_) | None => {
                (self.usual, self.learned, self.off) = (0, 0, 0);
                clock
            }
        };
        self.next = Some(at + frames);
        at
    }

    fn goes_on(&mut self, ahead: i64, frames: i64) -> bool {
        let step = ahead * PARTS - self.usual;
        if self.learned < LEARNS {
            self.learned += 1;
            self.usual += step / self.learned;
        } else if step.abs() > (self.rate / TREMBLE).max(frames / 2) * PARTS {
            let is_same_side = self.off.signum() * step.signum() >= 0;
            self.off = if is_same_side { self.off } else { 0 } + frames * step.signum();
        } else {
            self.off = 0;
            self.usual += step / LEARNS;
        }
        ahead.abs() < self.rate / FAR && self.off.abs() < self.rate / LASTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of blocks of 1024 frames at these clock frames.
    fn places(clock: impl Iterator<Item = i64>) -> Vec<i64> {
        let mut steady = Steady::new(48_000);
        clock.map(|at| steady.place(at, 1_024)).collect()
    }

    /// Where passes begin.
    fn begins(places: &[i64]) -> Vec<i64> {
        let starts = places.windows(2).filter(|two| two[1] != two[0] + 1_024).map(|two| two[1]);
        places.first().copied().into_iter().chain(starts).collect()
    }

    #[test]
    fn a_lost_block_moves_nothing_that_comes_after_it() {
        let one_is_lost = (0..100).map(|n| n * 1_024 + if n < 50 { 0 } else { 1_024 });
        let places = places(one_is_lost);
        let [0, again] = begins(&places)[..] else { panic!("{:?}", begins(&places)) };
        assert_eq!(again % 1_024, 0);
        assert!((51..62).contains(&(again / 1_024)), "at block {}", again / 1_024);
        assert_eq!(places[99], 100 * 1_024);
    }

    #[test]
    fn trembling_late_callbacks_and_drift_leave_a_pass_whole() {
        let trembles = places((0..500).map(|n| n * 1_024 + n * 7 % 90 - 45));
        assert_eq!(begins(&trembles).len(), 1);
        let late = [900, 800, 700, 600];
        let busy = places((0..500).map(|n| n * 1_024 + late.get(n as usize % 40).unwrap_or(&0)));
        assert_eq!(begins(&busy).len(), 1);
        // Two devices, 100 ppm apart: 2 ms in 20 s.
        let drifts = places((0..1_000).map(|n| n * 1_024 + n * 1_024 / 10_000));
        assert_eq!(begins(&drifts).len(), 1);
        let jumps = places((0..40).map(|n| n * 1_024 + if n < 20 { 0 } else { 48_000 }));
        assert_eq!(begins(&jumps), [0, 20 * 1_024 + 48_000], "somebody looked for another place");
    }
}
