//! Which timeline frame sounds when: a start, frames run since then, and perhaps a loop.
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

use crate::schedule::LAST_FRAME;

/// A loop, in timeline frames; `to` is after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cycle {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

/// The run since the last locate. Streams count in run frames, which never jump, so a loop is read early
/// without a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roll {
    /// Counts locates; audio read for another epoch is not played.
    pub(crate) epoch: u32,
    /// Timeline frame at run frame 0.
    pub(crate) start: i64,
    /// The loop. After its end it has no effect.
    pub(crate) cycle: Option<Cycle>,
    /// Frames run so far.
    pub(crate) ran: i64,
}

impl Roll {
    /// The loop, if the run ever reaches its end.
    fn cycle_ahead(&self) -> Option<Cycle> {
        self.cycle.filter(|cycle| self.start < cycle.to && cycle.from < cycle.to)
    }

    /// The timeline frame that sounds at run frame `ran`.
    pub(crate) fn position(&self, ran: i64) -> i64 {
        let straight = self.start.saturating_add(ran).min(LAST_FRAME.0);
        match self.cycle_ahead() {
            Some(cycle) if straight >= cycle.to => {
                cycle.from + (straight - cycle.to) % (cycle.to - cycle.from)
            }
            Some(_) | None => straight,
        }
    }

    /// How many frames from `ran` on follow each other on the timeline.
    pub(crate) fn until_jump(&self, ran: i64) -> i64 {
        match self.cycle_ahead() {
            Some(cycle) => cycle.to - self.position(ran),
            None => i64::MAX,
        }
    }

    /// Run frames from `ran` to the nearest jump, before or after; 0 on the first frame after one.
    pub(crate) fn distance_to_jump(&self, ran: i64) -> i64 {
        let Some(cycle) = self.cycle_ahead() else {
            return i64::MAX;
        };
        let first = cycle.to - self.start;
        let since = if ran < first { i64::MAX } else { (ran - first) % (cycle.to - cycle.from) };
        since.min(self.until_jump(ran))
    }

    /// The first run frame, from `ran` to less than `horizon` after it, at which the stretch `from..to` of
    /// the timeline sounds.
    pub(crate) fn next_in(&self, from: i64, to: i64, ran: i64, horizon: i64) -> Option<i64> {
        let at = self.position(ran);
        let jump = self.until_jump(ran);
        let before_jump =
            (from.max(at) < to.min(at.saturating_add(jump))).then(|| from.max(at) - at);
        let ahead = before_jump.or_else(|| {
            let cycle = self.cycle_ahead()?;
            (from.max(cycle.from) < to.min(cycle.to))
                .then(|| jump + from.max(cycle.from) - cycle.from)
        })?;
        (ahead < horizon).then_some(ran + ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_roll_answers_like_a_walk(
            start in 0i64..60, from in 0i64..40, length in 1i64..30, ran in 0i64..200,
            voice in 0i64..80, voice_length in 1i64..40, horizon in 1i64..100,
        ) {
            let cycle = Cycle { from, to: from + length };
            let roll = Roll { epoch: 0, start, cycle: Some(cycle), ran };
            let mut walk = vec![start];
            for n in 0..400 {
                let next = walk[n] + 1;
                walk.push(if next == cycle.to && start < cycle.to { from } else { next });
            }
            let now = usize::try_from(ran).unwrap();
            prop_assert_eq!(roll.position(ran), walk[now]);
            let jump = walk[now..].windows(2).position(|pair| pair[1] != pair[0] + 1);
            let far = roll.until_jump(ran);
            prop_assert_eq!(jump.map(|n| n as i64 + 1), (far < i64::MAX).then_some(far));
            let inside = |at: &i64| (voice..voice + voice_length).contains(at);
            let next = walk[now..].iter().take(usize::try_from(horizon).unwrap()).position(inside);
            let found = roll.next_in(voice, voice + voice_length, ran, horizon);
            prop_assert_eq!(found, next.map(|n| ran + n as i64));
        }
    }

    #[test]
    fn the_distance_to_a_jump_counts_both_ways() {
        let roll = Roll { epoch: 0, start: 5, cycle: Some(Cycle { from: 0, to: 10 }), ran: 0 };
        let distances: Vec<i64> = (0..8).map(|ran| roll.distance_to_jump(ran)).collect();
        assert_eq!(distances, [5, 4, 3, 2, 1, 0, 1, 2]);
        assert_eq!(Roll::default().distance_to_jump(7), i64::MAX);
    }
}
