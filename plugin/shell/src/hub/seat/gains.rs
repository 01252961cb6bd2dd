//! The gain an instance sounds with: the session's, or that of a plan which is heard.
//!
//! Thread: hub's link

use super::{SAME, SeatState, Stage};
use crate::guard::{Entry, caught};
use crate::shared::{Seated, Shared, Standing, WindowLink};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::Hearing;

impl SeatState {
    /// The session says what the track's gain is; what trim does not give, the desk gain does.
    pub(super) fn take_gain(&mut self, gain: Decibels, at: Option<i64>) {
        let gain = gain.0 as f32;
        self.stage = Stage::Joined { gain };
        if let Standing::Joined(Seated { track, .. }) = self.shared.standing() {
            self.known = Some((track, gain));
        }
        self.settle_gains(at);
    }

    /// A plan is heard from a frame on, or none: `at` is the session's, `own` the host's.
    pub(super) fn heard_is(
        &mut self,
        heard: Option<Box<Hearing>>,
        at: Option<Frames>,
        own: Option<i64>,
    ) {
        if self.heard != heard {
            (self.heard, self.heard_at) = (heard, (at, own));
            self.is_compared = false;
            self.settle_gains(own);
        }
    }

    /// Has the audio thread go to the gains that are wanted, at a frame of the host's or at once.
    pub(super) fn settle_gains(&mut self, at: Option<i64>) {
        let Shared { gains, coming, .. } = &*self.shared;
        let pair = gains.pair();
        let (desk, extra) = coming.waiting().unwrap_or((pair.desk, gains.extra()));
        let gain = match self.stage {
            Stage::Joined { gain } => gain,
            Stage::Away { .. } | Stage::Dialing | Stage::Waiting | Stage::Joining(_) => {
                pair.trim + desk
            }
        };
        let moves = (pair.trim + desk - gain).abs() > SAME;
        let wanted = (if moves { gain - pair.trim } else { desk }, self.heard_gain(gain));
        if wanted != (desk, extra) {
            coming.set(wanted.0, wanted.1, at);
            self.shared.repaint.request_repaint();
        }
    }

    /// Where a window is open, it looks by itself.
    pub(in crate::hub) fn fold(&self) {
        let Shared { fold, gains, coming, faults, .. } = &*self.shared;
        if matches!(*self.shared.window(), WindowLink::Closed) {
            caught(Entry::Fold, faults, || fold.look_behind_window(gains, coming));
        }
    }

    /// What the plan that is heard adds to the session's gain of this track.
    pub(super) fn heard_gain(&self, gain: f32) -> f32 {
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return 0.0 };
        let heard = self.heard.as_ref().and_then(|heard| heard.gains.get(&track));
        heard.map_or(0.0, |heard| heard.0 as f32 - gain)
    }

    /// The host's frame for one of the session's; none while the host stands.
    pub(super) fn own_frame(&self, at: Option<Frames>, rate: Option<u32>) -> Option<i64> {
        let place = self.shared.clock.place();
        let (at, rate) = at.filter(|_| place.moves).zip(rate)?;
        Some((at.0 as f64 * f64::from(place.rate) / f64::from(rate)).round() as i64)
    }
}
