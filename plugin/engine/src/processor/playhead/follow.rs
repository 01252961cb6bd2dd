//! The playhead where a host puts it.
//!
//! Thread: audio

use super::{Lead, Play, Playhead, State};
use crate::roll::Cycle;
use crate::schedule::LAST_FRAME;

/// Hosts that tell seconds or beats are a frame off by rounding; that is no jump.
const ROUNDING: i64 = 1;

/// The shortest loop that is learned, in fades: room for those at both ends.
const LEAST_FADES: i64 = 10;

/// A jump back, which makes a loop when it comes a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrap {
    from: i64,
    to: i64,
}

impl Playhead {
    /// Takes a host's clock: the block that begins at `clock` is at timeline frame `at`, and the host plays
    /// or does not.
    ///
    /// A jump comes without a warning. So the old sound fades out after it, and the new place fades in as
    /// soon as it is read, at the frame where the host then is.
    pub(in crate::processor) fn follow(&mut self, at: i64, moves: bool, clock: i64, declick: i64) {
        let at = at.clamp(-LAST_FRAME.0, LAST_FRAME.0);
        self.lead = Lead::Host;
        self.wish.play = if moves { Play::Go } else { Play::Halt };
        let expected = self.roll.position(self.roll.ran);
        let there = (at - expected).abs() <= ROUNDING;
        match self.state {
            State::Playing | State::Starting { .. } if moves && there => {}
            State::Playing => {
                self.wish.cycle = if moves { self.learn(expected, at, declick) } else { None };
                self.wish.at = Some(ahead(at, moves, declick));
                self.fade_to(0.0, clock, declick);
                self.state = State::Leaving { until: clock + declick };
            }
            State::Leaving { until } => self.wish.at = Some(ahead(at, moves, until - clock)),
            State::Stopped | State::Starting { .. } => {
                if !there {
                    self.wish.cycle = None;
                    self.wish.at = Some(at);
                }
                self.fulfil(clock);
            }
        }
    }

    /// Nobody leads from outside any more.
    pub(in crate::processor) fn lead_alone(&mut self) {
        self.lead = Lead::Own;
    }

    /// The same jump back twice is a loop: from then on it is read early, and played without a gap.
    fn learn(&mut self, from: i64, to: i64, declick: i64) -> Option<Cycle> {
        let wrap = Wrap { from, to };
        let again = self.wrap.replace(wrap) == Some(wrap);
        let long_enough = from - to >= LEAST_FADES * declick;
        (again && long_enough && to >= 0).then_some(Cycle { from: to, to: from })
    }
}

/// Where the host will be `frames` later.
fn ahead(at: i64, moves: bool, frames: i64) -> i64 {
    if moves { at + frames } else { at }
}
