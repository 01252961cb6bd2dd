//! Learn: the next passage that the host plays is recorded whole, on each track of the session that has an instance in
//! this process.
//!
//! Thread: window

use super::App;
use deskhand_editor::Learning;
use std::time::{Duration, Instant};

/// How much is recorded.
const PASSAGE: Duration = Duration::from_secs(15);

/// A recording that a person asked for.
pub(super) struct Learn {
    /// The remaining time while the host plays.
    left: Duration,
    looked_at: Instant,
}

impl App {
    /// Records the next passage, or ends that. The recording so far is kept.
    pub(super) fn learn(&mut self, starts: bool) {
        self.learn = starts.then(|| Learn { left: PASSAGE, looked_at: Instant::now() });
        self.shared.set_learns(starts);
        for (_, one) in self.shared.peers() {
            one.set_learns(starts);
        }
    }

    /// Counts down while the host plays. Where nothing of this track was captured, learning is offered.
    pub(super) fn follow_learning(&mut self, moves: bool, now: Instant) -> Option<Learning> {
        if let Some(learn) = &mut self.learn {
            let passed = now.saturating_duration_since(learn.looked_at);
            learn.looked_at = now;
            if moves {
                learn.left = learn.left.saturating_sub(passed);
            }
            let left = learn.left.as_secs_f64().ceil() as u32;
            if left > 0 {
                return Some(Learning::Listening { left });
            }
            self.learn(false);
            return None;
        }
        (!self.shared.is_armed()).then_some(Learning::Offered)
    }
}
