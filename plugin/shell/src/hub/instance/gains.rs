//! The gain that an instance sounds with: the session's, or that of a plan being heard.
//!
//! Thread: hub's link

use super::{SAME, SeatState, Stage};
use crate::shared::{Seated, Standing};
use crate::trim_moves::Step;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::Hearing;

impl SeatState {
    /// The session has this gain. Trim stays as it is, and is reported if it differs.
    pub(super) fn gain_is_told(&mut self, gain: Decibels) {
        let gain = gain.0 as f32;
        self.stage = Stage::Joined { gain };
        if let Standing::Joined(Seated { track, .. }) = self.shared.standing() {
            self.known = Some((track, gain));
        }
    }

    /// A step of the session changed the gain of this track from `before` to `gain`. The author of the step
    /// did not know of the host's moves meanwhile. These stay on top of it and are reported now.
    pub(super) fn step_gain(&mut self, before: Decibels, gain: Decibels, at: Option<i64>) {
        // A session that was read again may include the step. If another step was missed, the host did not
        // move: the session's gain is heard.
        let known = self.known.map(|(_, known)| known);
        let from = [before.0 as f32, gain.0 as f32].into_iter().find(|it| known == Some(*it));
        let moved = from.map_or(0.0, |from| self.moved_from(from));
        self.take_gain_below(gain, moved, at);
    }

    /// By how much the host moved trim away from `gain`, in dB.
    pub(super) fn moved_from(&self, gain: f32) -> f32 {
        let moved = self.trim_to_come() - gain;
        if moved.abs() > SAME { moved } else { 0.0 }
    }

    /// Takes the session's gain for the track. The host moved it by `moved` dB, which the session does not
    /// know yet.
    pub(super) fn take_gain_below(&mut self, gain: Decibels, moved: f32, at: Option<i64>) {
        self.gain_is_told(gain);
        self.settle(gain.0 as f32 + moved, at);
    }

    /// A plan is heard from a frame on, or no plan: `at` is the session's frame, `own` the host's.
    pub(super) fn heard_is(
        &mut self,
        heard: Option<Box<Hearing>>,
        at: Option<Frames>,
        own: Option<i64>,
    ) {
        if self.heard != heard {
            (self.heard, self.heard_at) = (heard, (at, own));
            self.is_compared = false;
            // The host's moves that were not reported yet stay.
            self.settle(self.trim_to_come(), own);
        }
    }

    /// Trim, once the move that waits is taken.
    fn trim_to_come(&self) -> f32 {
        // In this order: a move that is taken in between is in trim then.
        let by = self.shared.steps.waiting().map_or(0.0, |step| step.by);
        self.shared.params.trim() + by
    }

    /// Makes the audio thread move trim to `trim`, and to the gain of a plan being heard, at a frame of the
    /// host or at once.
    fn settle(&self, trim: f32, at: Option<i64>) {
        let (steps, params) = (&self.shared.steps, &self.shared.params);
        let heard = self.heard_gain();
        let now = steps.waiting().map_or(steps.heard(), |step| step.heard);
        let is_moved = (self.trim_to_come() - trim).abs() > SAME;
        if !is_moved && heard.to_bits() == now.to_bits() {
            return;
        }
        let waited = steps.withdraw();
        let by = match is_moved {
            true => trim - params.trim(),
            false => waited.map_or(0.0, |step| step.by),
        };
        steps.set(Step { by, heard }, at);
        self.shared.repaint.request_repaint();
    }

    /// The gain that the auditioned plan adds to the session's gain of this track.
    fn heard_gain(&self) -> f32 {
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return 0.0 };
        let heard = self.heard.as_ref().and_then(|heard| heard.gains.get(&track));
        let gain = match self.stage {
            Stage::Joined { gain } => gain,
            Stage::Away { .. } | Stage::Dialing | Stage::Waiting | Stage::Joining(_) => {
                self.trim_to_come()
            }
        };
        heard.map_or(0.0, |heard| heard.0 as f32 - gain)
    }

    /// The host's frame for a frame of the session; `None` while the host is stopped.
    pub(super) fn own_frame(&self, at: Option<Frames>, rate: Option<u32>) -> Option<i64> {
        let place = self.shared.clock.place();
        let (at, rate) = at.filter(|_| place.moves).zip(rate)?;
        Some((at.0 as f64 * f64::from(place.rate) / f64::from(rate)).round() as i64)
    }
}
