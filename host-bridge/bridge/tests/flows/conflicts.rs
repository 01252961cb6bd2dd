//! When the session moved on: each object named, nothing changed, and another try after undo.

use crate::desk::{Desk, code};
use crate::sound::{BASS, DRUMS, KICK, VOCALS};
use deskhand_dsp::Decibels;
use deskhand_protocol::{Op, Status};
use deskhand_session::tool_error::Code;
use deskhand_session::{Conflict, ObjectId, PlanState, SessionId};
use serde_json::{Value, json};

fn set(track: &str, gain: f64) -> Value {
    json!({"targets": track, "gain_db": gain})
}

#[test]
fn a_conflict_names_every_object_and_changes_nothing() {
    let mut desk = Desk::new();
    let plan = desk.plan("fake_bundle", json!({}));
    desk.now("cmd_set_track_gain", set("Drums", 5.0));
    desk.now("cmd_set_track_gain", set("Bass", 6.0));
    let before = desk.session().clone();

    let conflict = desk.apply(plan);
    assert_eq!(conflict.status, Status::Conflict);
    assert_names_drums_and_bass(&conflict.conflicts);
    assert!(conflict.summary.contains("Drums") && conflict.summary.contains("Bass"));
    assert_eq!(desk.session(), &before);
    assert_eq!(desk.state(plan), PlanState::Conflict);
    assert_eq!(desk.stored(plan).reason.as_deref(), Some(conflict.summary.as_str()));

    // One blocking edit is not enough, both are.
    desk.undo();
    assert_eq!(desk.apply(plan).status, Status::Conflict);
    desk.undo();
    assert_eq!(desk.apply(plan).status, Status::Applied);
    assert_eq!(desk.state(plan), PlanState::Applied);
    assert_eq!(desk.session().tracks[&VOCALS].gain, Decibels(-3.0));
}

fn assert_names_drums_and_bass(conflicts: &[Conflict]) {
    let fields = |c: &Conflict| (c.change.clone().unwrap(), c.target, c.name.clone());
    let named: Vec<_> = conflicts.iter().map(fields).collect();
    let (drums, bass): (ObjectId, ObjectId) = (DRUMS.into(), BASS.into());
    let expected = [("c1", drums, "Drums"), ("c2", bass, "Bass")];
    assert_eq!(named, expected.map(|(id, target, name)| (id.to_owned(), target, name.to_owned())));
    let values: Vec<_> = conflicts.iter().map(|c| (&c.expected, &c.found)).collect();
    let (zero, five, six) = (json!(0.0), json!(5.0), json!(6.0));
    assert_eq!(values, [(&zero, &five), (&zero, &six)]);
}

#[test]
fn other_edits_do_not_make_a_plan_stale() {
    let mut desk = Desk::new();
    let params = json!({"targets": "Kick", "target_lufs": -20.0});
    let plan = desk.plan("tool_normalize", params);
    desk.now("cmd_set_track_gain", set("Drums", 5.0));
    desk.now("cmd_set_clip_gain", json!({"targets": "Verse", "gain_db": 2.0}));
    let applied = desk.apply(plan);
    assert_eq!(applied.status, Status::Applied);
    assert!(applied.receipt.unwrap().measured.iter().all(|m| m.within));
}

#[test]
fn what_a_plan_read_is_stale_when_the_audio_ahead_changed() {
    let mut desk = Desk::new();
    let params = json!({"targets": "Drums", "target_lufs": -20.0, "per": "track"});
    let plan = desk.plan("tool_normalize", params);
    desk.now("cmd_set_clip_gain", json!({"targets": "Kick", "gain_db": 2.0}));
    let conflict = desk.apply(plan);
    assert_eq!(conflict.status, Status::Conflict);
    let [stale] = conflict.conflicts.as_slice() else {
        panic!("{conflict:#?}");
    };
    assert_eq!((stale.change.as_ref(), stale.target), (None, DRUMS.into()));
    assert_eq!(stale.name, "audio of Drums");
    assert_ne!(stale.expected, stale.found);
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels::UNITY);
    assert_eq!(desk.session().clips[&KICK].gain, Decibels(2.0));
}

#[test]
fn a_plan_for_another_session_is_refused() {
    let mut desk = Desk::new();
    let plan = desk.plan("fake_bundle", json!({}));
    let mut other = desk.stored(plan).plan.clone();
    other.session = SessionId::new(99);
    let refused = desk.ask(Op::AddPlan { plan: Box::new(other) });
    assert_eq!(code(&refused), Code::Conflict);
    assert!(refused.summary.contains("session_000000000063"), "{}", refused.summary);
}

#[test]
fn a_plan_that_was_edited_behind_its_digest_is_refused() {
    let mut desk = Desk::new();
    let plan = desk.plan("fake_bundle", json!({}));
    let mut edited = desk.stored(plan).plan.clone();
    edited.changes.truncate(1);
    let refused = desk.ask(Op::AddPlan { plan: Box::new(edited) });
    assert_eq!(code(&refused), Code::Invalid);
    assert!(refused.summary.contains("digest"), "{}", refused.summary);
    assert_eq!(desk.bridge.plans().len(), 1);
}

#[test]
fn an_unknown_plan_is_named() {
    let mut desk = Desk::new();
    let unknown = desk.apply("plan_0123456789ab".parse().unwrap());
    assert_eq!(code(&unknown), Code::NoTarget);
    assert!(unknown.summary.contains("plan_0123456789ab"));
}
