//! The host's timeline as it is played, without its jumps: the second pass of a loop follows the first.
//!
//! Thread: audio
//!
//! The hub names a timeline frame a little in the future. It knows nothing of jumps until they are
//! reported. If the host loops or jumps before that frame, the timeline never reaches it. But all instances
//! play the same number of frames. So a named frame means: as many played frames from now as the hub was
//! ahead, wherever the timeline goes meanwhile.

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

use deskhand_protocol::LEAD;

/// Hosts that tell seconds or beats are a frame off by rounding; that is no jump.
const ROUNDING: i64 = 1;
const JUMPS: usize = 16;
/// How long a word of the hub's is on its way, as a rule, in seconds.
const USUAL: f64 = 0.03;
/// How old the hub's knowledge of a host is at most, in seconds.
const RECENT: f64 = 0.5;
/// Further away than this, in seconds, a frame means nothing here: it is another host's, or was long on its way.
const FAR: f64 = 1.0;

/// A jump of the host's.
#[derive(Clone, Copy, Debug, Default)]
struct Jump {
    /// Frames played before it.
    played: i64,
    /// Where the timeline would have gone on, away from where it did.
    by: i64,
}

/// The observed state of a host's transport.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Frames at the host's rate: the hub's lead without what its words take, [`RECENT`] and [`FAR`].
    ahead: i64,
    recent: i64,
    far: i64,
    moves: bool,
    /// Frames played since the beginning.
    played: i64,
    /// The timeline's position; `None` before the first block.
    at: Option<i64>,
    /// The newest first.
    jumps: [Jump; JUMPS],
    /// The frame that was named last, and at how many played frames it is due.
    due: Option<(i64, i64)>,
}

impl Passage {
    /// At `rate` Hz, before the first block.
    #[must_use]
    pub fn new(rate: f32) -> Self {
        let frames = |seconds: f64| (seconds * f64::from(rate)).round() as i64;
        Self {
            ahead: frames(LEAD.as_secs_f64() - USUAL),
            recent: frames(RECENT),
            far: frames(FAR),
            moves: false,
            played: 0,
            at: None,
            jumps: [Jump::default(); JUMPS],
            due: None,
        }
    }

    /// A block begins at timeline frame `at`, and the host plays or does not.
    pub fn follow(&mut self, at: i64, moves: bool) {
        self.moves = moves;
        let by = self.at.map_or(0, |expected| expected.saturating_sub(at));
        if moves && by.saturating_abs() > ROUNDING {
            self.jumps.rotate_right(1);
            if let Some(newest) = self.jumps.first_mut() {
                *newest = Jump { played: self.played, by };
            }
        }
        if moves || self.at.is_none() {
            self.at = Some(at);
        }
    }

    /// The block is over, after `length` frames.
    pub fn played(&mut self, length: i64) {
        if self.moves {
            self.played = self.played.saturating_add(length);
            self.at = self.at.map(|at| at.saturating_add(length));
        }
    }

    /// Whether the host plays.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// Frames to be played until that which the hub named as `frame` is due; 0 and less is at once.
    pub fn until(&mut self, frame: i64) -> i64 {
        let due = match self.due {
            Some((known, due)) if known == frame => due,
            Some(_) | None => self.played.saturating_add(self.left(frame)),
        };
        self.due = Some((frame, due));
        due.saturating_sub(self.played)
    }

    /// The same for a frame that arrives now. The hub may not know the last jumps. It did not know those
    /// without which the timeline would be about where the hub was when it named the frame.
    fn left(&self, frame: i64) -> i64 {
        let now = frame.saturating_sub(self.ahead);
        let mut place = self.at.unwrap_or(now);
        let mut nearest = place;
        for jump in self.jumps {
            if jump.by == 0 || self.played.saturating_sub(jump.played) > self.recent {
                break;
            }
            place = place.saturating_add(jump.by);
            if distance(place, now) < distance(nearest, now) {
                nearest = place;
            }
        }
        if distance(nearest, now) > self.far { 0 } else { frame.saturating_sub(nearest) }
    }
}

fn distance(one: i64, other: i64) -> i64 {
    one.saturating_sub(other).saturating_abs()
}

#[cfg(test)]
mod tests;
