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
        self.take_gain_below(gain, 0.0, at);
    }

    /// A step of the session took the gain of this track from `before` to `gain`. What the host moved meanwhile, of which
    /// who made the step knew nothing, stays on top of it, and is told from here on.
    pub(super) fn step_gain(&mut self, before: Decibels, gain: Decibels, at: Option<i64>) {
        // A session that was read anew may have had the step already. Where another was missed, that is no move of the
        // host's: the session's gain is what is heard.
        let known = self.known.map(|(_, known)| known);
        let from = [before.0 as f32, gain.0 as f32].into_iter().find(|it| known == Some(*it));
        let moved = from.map_or(0.0, |from| self.moved_from(from));
        self.take_gain_below(gain, moved, at);
    }

    /// By how much the host moved the gain away from `gain`, in dB.
    pub(super) fn moved_from(&self, gain: f32) -> f32 {
        let (desk, _) = self.to_come();
        let moved = self.shared.gains.pair().trim + desk - gain;
        if moved.abs() > SAME { moved } else { 0.0 }
    }

    /// The session says what the track's gain is, and the host moved it by `moved` dB that the session has not heard of.
    pub(super) fn take_gain_below(&mut self, gain: Decibels, moved: f32, at: Option<i64>) {
        let gain = gain.0 as f32;
        self.stage = Stage::Joined { gain };
        if let Standing::Joined(Seated { track, .. }) = self.shared.standing() {
            self.known = Some((track, gain));
        }
        self.settle_gains(self.desk_for(gain + moved), at);
    }

    /// The desk gain with which trim makes `sum`, in dB; the one that there is where it does already.
    pub(super) fn desk_for(&self, sum: f32) -> f32 {
        let (desk, _) = self.to_come();
        let trim = self.shared.gains.pair().trim;
        if (trim + desk - sum).abs() > SAME { sum - trim } else { desk }
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
            // What the host moved and nobody was told of yet stays.
            let (desk, _) = self.to_come();
            self.settle_gains(desk, own);
        }
    }

    /// The desk gain, and what a plan that is heard adds, as they are or wait to be.
    fn to_come(&self) -> (f32, f32) {
        let Shared { gains, coming, .. } = &*self.shared;
        // In this order: what is taken in between is in the gains then.
        coming.waiting().unwrap_or_else(|| (gains.pair().desk, gains.extra()))
    }

    /// Has the audio thread go to a desk gain, and to what is heard of a plan, at a frame of the host's or at once.
    pub(super) fn settle_gains(&self, desk: f32, at: Option<i64>) {
        let wanted = (desk, self.heard_gain());
        if wanted != self.to_come() {
            self.shared.coming.set(wanted.0, wanted.1, at);
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
    fn heard_gain(&self) -> f32 {
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return 0.0 };
        let heard = self.heard.as_ref().and_then(|heard| heard.gains.get(&track));
        let gain = match self.stage {
            Stage::Joined { gain } => gain,
            Stage::Away { .. } | Stage::Dialing | Stage::Waiting | Stage::Joining(_) => {
                self.shared.gains.pair().trim + self.to_come().0
            }
        };
        heard.map_or(0.0, |heard| heard.0 as f32 - gain)
    }

    /// The host's frame for one of the session's; none while the host stands.
    pub(super) fn own_frame(&self, at: Option<Frames>, rate: Option<u32>) -> Option<i64> {
        let place = self.shared.clock.place();
        let (at, rate) = at.filter(|_| place.moves).zip(rate)?;
        Some((at.0 as f64 * f64::from(place.rate) / f64::from(rate)).round() as i64)
    }
}
