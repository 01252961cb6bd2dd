//! What becomes of a move of the host's that the session has not heard of when its gain moves, too.

use super::{SeatState, Stage};
use crate::gains::Gains;
use crate::shared::{Seated, Shared, Standing};
use crate::state::SavedField;
use deskhand_dsp::Decibels;
use deskhand_protocol::Hearing;
use deskhand_protocol::desk::Which;
use deskhand_session::change::Edit;
use deskhand_session::{Author, Change, PlanId, TrackId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An instance that is a track.
struct Scene {
    shared: Arc<Shared>,
    seat: SeatState,
}

fn track() -> TrackId {
    TrackId::new(7)
}

impl Scene {
    /// Whose gain is `gain` dB in the session.
    fn at(gain: f64) -> Self {
        let gains = Arc::new(Gains::default());
        let saved = SavedField::new(&gains);
        let shared = Arc::new(Shared::new(gains, saved));
        let (dir, captures) = ("session".into(), "session/media/captures".into());
        let seated = Seated { track: track(), dir, captures, rate: Some(48_000) };
        shared.set_standing(Standing::Joined(seated));
        let mut seat = SeatState::new(Arc::clone(&shared));
        seat.take_gain(Decibels(gain), None);
        let scene = Self { shared, seat };
        scene.play();
        scene
    }

    /// A block is played: what waits is taken.
    fn play(&self) {
        self.shared.coming.take(&self.shared.gains);
    }

    /// A step of a person's in the session.
    fn step(&mut self, before: f64, after: f64) {
        let edit = Edit::new(track(), Decibels(before), Decibels(after));
        self.seat.moved(&[Change::SetTrackGain(edit)], None, Some(48_000), Author::User);
        self.play();
    }

    fn hear(&mut self, gain: Option<f64>) {
        let hearing = gain.map(|gain| Hearing {
            plan: PlanId::new(1),
            which: Which::Plan,
            gains: BTreeMap::from([(track(), Decibels(gain))]),
            match_gain: None,
            changes: Vec::new(),
        });
        self.seat.heard_is(hearing.map(Box::new), None, None);
        self.play();
    }

    /// Trim and desk gain together, to 0.01 dB.
    fn sum(&self) -> f32 {
        rounded(self.shared.gains.pair().sum())
    }

    /// How far it is from what was told the session, or came from there.
    fn untold(&self) -> f32 {
        match self.seat.stage {
            Stage::Joined { gain } => rounded(self.shared.gains.pair().sum() - gain),
            _ => panic!("it is a track"),
        }
    }
}

fn rounded(gain: f32) -> f32 {
    (gain * 100.0).round() / 100.0
}

#[test]
fn what_the_host_moved_and_did_not_tell_stays_on_top_of_a_step() {
    let mut scene = Scene::at(-3.0);
    scene.shared.gains.host_trim(2.0);
    scene.step(-3.0, -6.0);
    assert_eq!((scene.sum(), scene.untold()), (-4.0, 2.0), "and is told from here on");
    // Steps one behind the other, before a block is played.
    let edit =
        |before, after| Change::SetTrackGain(Edit::new(track(), Decibels(before), Decibels(after)));
    let steps = [edit(-6.0, -10.0), edit(-10.0, -9.0)];
    scene.seat.moved(&steps, None, Some(48_000), Author::User);
    scene.play();
    assert_eq!((scene.sum(), scene.untold()), (-7.0, 2.0));
}

#[test]
fn what_was_told_and_reaches_the_session_behind_a_step_is_told_anew() {
    let mut scene = Scene::at(-3.0);
    scene.shared.gains.host_trim(2.0);
    // It is on its way while the step is made.
    scene.seat.stage = Stage::Joined { gain: -1.0 };
    scene.step(-3.0, -6.0);
    assert_eq!((scene.sum(), scene.untold()), (-4.0, 2.0));
    // One that came in time is what the next step began with.
    let mut scene = Scene::at(-3.0);
    scene.shared.gains.host_trim(2.0);
    scene.seat.stage = Stage::Joined { gain: -1.0 };
    let own = Change::SetTrackGain(Edit::new(track(), Decibels(-3.0), Decibels(-1.0)));
    scene.seat.moved(&[own], None, Some(48_000), Author::Host);
    scene.step(-1.0, -6.0);
    assert_eq!((scene.sum(), scene.untold()), (-6.0, 0.0));
}

#[test]
fn where_a_step_was_missed_the_session_s_gain_is_what_is_heard() {
    let mut scene = Scene::at(-3.0);
    scene.step(-5.0, -6.0);
    assert_eq!((scene.sum(), scene.untold()), (-6.0, 0.0));
    // The session is read anew; what the host moved meanwhile stays even then.
    scene.shared.gains.host_trim(2.0);
    scene.seat.gain_is(track(), Decibels(-8.0));
    scene.play();
    assert_eq!((scene.sum(), scene.untold()), (-6.0, 2.0));
    // What it was read with is told behind it.
    scene.step(-6.0, -8.0);
    assert_eq!((scene.sum(), scene.untold()), (-6.0, 2.0));
}

#[test]
fn a_plan_that_is_heard_takes_back_nothing_that_the_host_moved() {
    let mut scene = Scene::at(-3.0);
    scene.shared.gains.host_trim(2.0);
    scene.hear(Some(-10.0));
    assert_eq!((scene.sum(), scene.untold()), (-1.0, 2.0));
    assert_eq!(rounded(scene.shared.gains.heard()), -8.0, "the plan, and the move on top of it");
    scene.hear(None);
    assert_eq!((scene.sum(), rounded(scene.shared.gains.heard())), (-1.0, -1.0));
}
