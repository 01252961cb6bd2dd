//! What happens to a host's move that the session does not know when its gain moves, too.

use super::{SeatState, Stage};
use crate::param_ranges::{LEAST_TRIM, MOST_TRIM};
use crate::shared::{Seated, Shared, Standing};
use deskhand_dsp::Decibels;
use deskhand_protocol::Hearing;
use deskhand_protocol::desk::Which;
use deskhand_session::change::Edit;
use deskhand_session::{Author, Change, PlanId, TrackId};
use proptest::prelude::*;
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
        let shared = Arc::new(Shared::new(Arc::default()));
        let (dir, captures) = ("session".into(), "session/media/captures".into());
        let seated = Seated { track: track(), dir, captures, rate: Some(48_000) };
        shared.set_standing(Standing::Joined(seated));
        let mut seat = SeatState::new(Arc::clone(&shared));
        seat.take_gain_below(Decibels(gain), 0.0, None);
        let scene = Self { shared, seat };
        scene.play();
        scene
    }

    /// Plays a block: waiting steps are taken.
    fn play(&self) {
        self.shared.steps.take(&self.shared.params);
    }

    /// A step of a person's in the session.
    fn step(&mut self, before: f64, after: f64) {
        let edit = Edit::new(track(), Decibels(before), Decibels(after));
        self.seat.moved(&[Change::SetTrackGain(edit)], None, Some(48_000), Author::User);
        self.play();
    }

    /// Reports what moved. Returns the session's gain after that.
    fn tell(&mut self, session: f64) -> f64 {
        let Stage::Joined { gain } = self.seat.stage else { panic!("it is a track") };
        let trim = self.shared.params.trim();
        if (trim - gain).abs() <= super::SAME || self.shared.steps.is_waiting() {
            return session;
        }
        self.seat.stage = Stage::Joined { gain: trim };
        let told = f64::from(trim);
        let own = Change::SetTrackGain(Edit::new(track(), Decibels(session), Decibels(told)));
        self.seat.moved(&[own], None, Some(48_000), Author::Host);
        told
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

    /// To 0.01 dB.
    fn trim(&self) -> f32 {
        rounded(self.shared.params.trim())
    }

    fn host_moves(&self, by: f32) {
        self.shared.params.move_trim(self.shared.params.trim() + by);
    }

    /// What sounds, to 0.01 dB.
    fn heard(&self) -> f32 {
        rounded(self.shared.params.settings(&self.shared.steps).gain)
    }

    /// The distance from the gain that the session knows.
    fn untold(&self) -> f32 {
        match self.seat.stage {
            Stage::Joined { gain } => rounded(self.shared.params.trim() - gain),
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
    scene.host_moves(2.0);
    scene.step(-3.0, -6.0);
    assert_eq!((scene.trim(), scene.untold()), (-4.0, 2.0), "and is told from here on");
    // One step after the other, before a block is played.
    let edit =
        |before, after| Change::SetTrackGain(Edit::new(track(), Decibels(before), Decibels(after)));
    let steps = [edit(-6.0, -10.0), edit(-10.0, -9.0)];
    scene.seat.moved(&steps, None, Some(48_000), Author::User);
    scene.play();
    assert_eq!((scene.trim(), scene.untold()), (-7.0, 2.0));
}

#[test]
fn what_was_told_and_reaches_the_session_behind_a_step_is_told_anew() {
    let mut scene = Scene::at(-3.0);
    scene.host_moves(2.0);
    // It is on its way while the step is made.
    scene.seat.stage = Stage::Joined { gain: -1.0 };
    scene.step(-3.0, -6.0);
    assert_eq!((scene.trim(), scene.untold()), (-4.0, 2.0));
    // A step that came in time is the start of the next one.
    let mut scene = Scene::at(-3.0);
    scene.host_moves(2.0);
    scene.seat.stage = Stage::Joined { gain: -1.0 };
    let own = Change::SetTrackGain(Edit::new(track(), Decibels(-3.0), Decibels(-1.0)));
    scene.seat.moved(&[own], None, Some(48_000), Author::Host);
    scene.step(-1.0, -6.0);
    assert_eq!((scene.trim(), scene.untold()), (-6.0, 0.0));
}

#[test]
fn where_a_step_was_missed_the_session_s_gain_is_what_is_heard() {
    let mut scene = Scene::at(-3.0);
    scene.step(-5.0, -6.0);
    assert_eq!((scene.trim(), scene.untold()), (-6.0, 0.0));
    // The session is read again; what the host moved meanwhile stays even then.
    scene.host_moves(2.0);
    scene.seat.gain_is(track(), Decibels(-8.0));
    scene.play();
    assert_eq!((scene.trim(), scene.untold()), (-6.0, 2.0));
    // The steps that it was read with are reported afterwards.
    scene.step(-6.0, -8.0);
    assert_eq!((scene.trim(), scene.untold()), (-6.0, 2.0));
}

#[test]
fn a_plan_that_is_heard_takes_back_nothing_that_the_host_moved() {
    let mut scene = Scene::at(-3.0);
    scene.host_moves(2.0);
    scene.hear(Some(-10.0));
    assert_eq!((scene.trim(), scene.untold()), (-1.0, 2.0));
    assert_eq!(scene.heard(), -8.0, "the plan, and the move on top of it");
    scene.hear(None);
    assert_eq!((scene.trim(), scene.heard()), (-1.0, -1.0));
}

/// What a test does to an instance that is a track.
#[derive(Clone, Debug)]
enum Deed {
    /// The host moves trim: automation, its own undo, a state that it loads.
    Host(f64),
    Step(f64),
    Play,
    Hear(Option<f64>),
    /// The link reports the moves; the hub records them as a step of the host.
    Tell,
}

fn deed() -> impl Strategy<Value = Deed> {
    // Beyond both ends of the knob as well.
    let gain = (-900_i32..=500).prop_map(|tenths| f64::from(tenths) / 10.0);
    prop_oneof![
        gain.clone().prop_map(|gain| Deed::Host(gain.clamp(-60.0, 24.0))),
        gain.clone().prop_map(Deed::Step),
        Just(Deed::Play),
        proptest::option::of(gain).prop_map(Deed::Hear),
        Just(Deed::Tell),
    ]
}

proptest! {
    #[test]
    fn what_the_knob_says_is_what_is_heard_and_at_rest_what_the_session_says(
        deeds in proptest::collection::vec(deed(), 1..40),
    ) {
        let mut scene = Scene::at(-3.0);
        let mut session = -3.0;
        for deed in deeds {
            match deed {
                Deed::Host(trim) => scene.shared.params.move_trim(trim as f32),
                Deed::Step(gain) => {
                    let edit = Edit::new(track(), Decibels(session), Decibels(gain));
                    scene.seat.moved(&[Change::SetTrackGain(edit)], None, Some(48_000), Author::User);
                    session = gain;
                }
                Deed::Play => scene.play(),
                Deed::Hear(gain) => {
                    scene.hear(gain);
                }
                Deed::Tell => session = scene.tell(session),
            }
            let (trim, extra) = (scene.shared.params.trim(), scene.shared.steps.heard());
            let heard = scene.shared.params.settings(&scene.shared.steps).gain;
            prop_assert!((LEAST_TRIM..=MOST_TRIM).contains(&heard), "{heard}");
            prop_assert_eq!(heard, (trim + extra).clamp(LEAST_TRIM, MOST_TRIM));
        }
        scene.hear(None);
        scene.play();
        session = scene.tell(session);
        let trim = f64::from(scene.shared.params.trim());
        prop_assert!((trim - session).abs() < 0.01, "knob {trim}, session {session}");
        prop_assert_eq!(scene.heard(), scene.trim());
    }
}
