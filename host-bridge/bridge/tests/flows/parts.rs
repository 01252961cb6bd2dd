//! Taking a part of a plan, and editing a value: a plan of its own with new predictions.

use crate::desk::{Desk, Who, call, code};
use crate::sound::{BASS, DRUMS, KICK, RIFF, VERSE, VOCALS};
use deskhand_dsp::Decibels;
use deskhand_protocol::{Apply, Decision, Op, Status};
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::Code;
use deskhand_session::{PlanId, PlanState, RevisionId};
use serde_json::{Value, json};

fn part(only: &[&str]) -> Decision {
    let only = only.iter().map(|id| (*id).to_owned()).collect();
    Decision::ApplyPart { only: Some(only), set: Vec::new() }
}

fn set(change: &str, after: Value) -> ValueEdit {
    ValueEdit { change: change.into(), after }
}

fn bundle(desk: &mut Desk) -> PlanId {
    desk.plan("fake_bundle", json!({}))
}

#[test]
fn a_part_takes_what_it_needs_and_leaves_the_rest() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    let applied = desk.decide(plan, part(&["c3"]));
    assert_eq!(applied.status, Status::Applied, "{applied:#?}");
    let receipt = applied.receipt.unwrap();
    assert_eq!(receipt.applied, ["c2", "c3"]);
    assert_eq!(receipt.skipped, ["c1"]);
    let gain = |track| desk.session().tracks[&track].gain;
    assert_eq!(
        (gain(DRUMS), gain(BASS), gain(VOCALS)),
        (Decibels::UNITY, Decibels(-2.0), Decibels(-3.0))
    );
    let derived = applied.plan.unwrap();
    assert_eq!(derived.derived_from, Some(plan));
    assert_ne!(derived.id, plan);
    assert_eq!(derived.digest, derived.computed_digest());
    assert_eq!(receipt.plan, derived.id);
    assert_eq!(desk.state(derived.id), PlanState::Applied);
    assert_eq!(desk.state(plan), PlanState::Waiting, "the rest waits on");
    let reason = desk.stored(plan).reason.clone().unwrap();
    assert_eq!(reason, "2 of 3 changes were taken; the rest waits");
    assert_eq!(desk.stored(plan).follows, Some(derived.id));
    assert_eq!(desk.stored(plan).plan.changes.len(), 3);
    assert!(receipt.undo_label.contains("2 of 3"), "{}", receipt.undo_label);
}

#[test]
fn the_rest_of_a_plan_can_be_taken_later() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    desk.decide(plan, part(&["c2"]));
    let rest = desk.decide(plan, part(&["c1"]));
    assert_eq!(rest.status, Status::Applied);
    let again = desk.decide(plan, part(&["c2"]));
    assert_eq!(code(&again), Code::BadParams);
    assert_eq!(again.summary, "all of that was taken already");
    let last = desk.apply(plan);
    assert_eq!(last.receipt.unwrap().applied, ["c3"], "its need stands already");
    let gain = |track| desk.session().tracks[&track].gain;
    assert_eq!(
        (gain(DRUMS), gain(BASS), gain(VOCALS)),
        (Decibels(-1.0), Decibels(-2.0), Decibels(-3.0))
    );
    assert_eq!(desk.state(plan), PlanState::Applied);
    assert_eq!(desk.stored(plan).reason, Some("a part or an edit of it was taken".into()));
    assert_eq!(code(&desk.apply(plan)), Code::Refused, "there is nothing left of it");
}

#[test]
fn undoing_a_part_gives_it_back_to_its_plan() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    let all = Decision::ApplyPart { only: None, set: vec![set("c1", json!(-6.0))] };
    desk.decide(plan, all);
    assert_eq!(desk.state(plan), PlanState::Applied, "all of it stands, one value by hand");
    desk.undo();
    assert_eq!((desk.state(plan), desk.stored(plan).follows), (PlanState::Undone, None));
    desk.redo();
    assert_eq!(desk.state(plan), PlanState::Applied);
    desk.undo();
    desk.decide(plan, part(&["c1"]));
    assert_eq!(desk.state(plan), PlanState::Waiting);
    desk.undo();
    assert_eq!((desk.state(plan), &desk.stored(plan).reason), (PlanState::Waiting, &None));
    assert_eq!(desk.apply(plan).receipt.unwrap().applied, ["c1", "c2", "c3"]);
}

#[test]
fn going_over_several_parts_at_once_settles_their_plan() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    let taken = ["c1", "c2", "c3"].map(|id| desk.decide(plan, part(&[id])).plan.unwrap().id);
    let end = desk.bridge.history().head();
    desk.ask(Op::GoTo { revision: RevisionId(0) });
    assert_eq!((desk.state(plan), desk.stored(plan).follows), (PlanState::Undone, None));
    desk.ask(Op::GoTo { revision: end });
    assert_eq!((desk.state(plan), desk.stored(plan).follows), (PlanState::Applied, Some(taken[2])));
    desk.ask(Op::GoTo { revision: RevisionId(1) });
    let reason = "1 of 3 changes were taken; the rest waits".to_owned();
    assert_eq!(desk.stored(plan).reason, Some(reason));
    assert_eq!((desk.state(plan), desk.stored(plan).follows), (PlanState::Waiting, Some(taken[0])));
}

#[test]
fn a_rest_that_does_not_fit_any_more_says_so() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    desk.now("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -9.0}));
    let taken = desk.decide(plan, part(&["c2"])).plan.unwrap().id;
    assert_eq!(desk.state(plan), PlanState::Conflict);
    let reason = desk.stored(plan).reason.clone().unwrap();
    assert!(reason.starts_with("1 of 3 changes were taken; the rest does not fit"), "{reason}");
    assert!(reason.contains("Drums"), "{reason}");
    let session = desk.session().clone();
    let desk = desk.reopened();
    assert_eq!(desk.session(), &session);
    assert_eq!(desk.stored(plan).reason, Some(reason));
    assert_eq!(desk.stored(plan).follows, Some(taken));
}

/// Levels all tracks, and relies on how the mix sounds.
fn staged(desk: &mut Desk) -> PlanId {
    let plan = desk.plan("tool_gain_stage", json!({"targets": "all"}));
    let (mix, made) = (desk.session().id.into(), &desk.stored(plan).plan);
    assert!(made.reads.iter().any(|read| read.target == mix), "{made:#?}");
    assert_eq!(made.changes.len(), 3);
    plan
}

#[test]
fn what_only_a_part_of_it_moved_on_does_not_refuse_the_rest() {
    let mut desk = Desk::new();
    let plan = staged(&mut desk);
    let first =
        Decision::ApplyPart { only: Some(vec!["c1".into()]), set: vec![set("c1", json!(-6.0))] };
    assert_eq!(desk.decide(plan, first).status, Status::Applied);
    assert_eq!(desk.state(plan), PlanState::Waiting, "{:?}", desk.stored(plan).reason);
    let mut desk = desk.reopened();
    desk.decide(plan, part(&["c3"]));
    assert_eq!(desk.state(plan), PlanState::Waiting, "{:?}", desk.stored(plan).reason);
    let last = desk.apply(plan);
    assert_eq!(last.status, Status::Applied, "{}", last.summary);
    let receipt = last.receipt.unwrap();
    assert_eq!(receipt.applied, ["c2"]);
    assert!(receipt.measured.iter().all(|measured| measured.within), "{receipt:#?}");
    assert_eq!(desk.state(plan), PlanState::Applied);
    for _ in 0..3 {
        desk.undo();
        assert_eq!(desk.state(plan), PlanState::Waiting, "{:?}", desk.stored(plan).reason);
    }
    assert_eq!(desk.apply(plan).receipt.unwrap().applied, ["c1", "c2", "c3"]);
}

#[test]
fn the_rest_is_taken_while_a_part_is_still_measured() {
    let mut desk = Desk::new();
    let plan = desk.plan("fake_promise_and_more", json!({"gain_db": -4.0}));
    let checks = desk.sound.waiting() + 1;
    desk.sound.close_gate();
    let first = desk.person.decide(plan, part(&["c1"]));
    desk.until(|desk| desk.sound.waiting() == checks);
    let rest = desk.apply(plan);
    desk.sound.open_gate();
    assert_eq!(rest.status, Status::Applied, "{rest:#?}");
    assert_eq!(rest.receipt.unwrap().applied, ["c2"]);
    let first = desk.answer(Who::Person, first);
    assert_eq!(first.receipt.unwrap().applied, ["c1"]);
    assert_eq!(desk.state(plan), PlanState::Applied);
}

#[test]
fn what_somebody_else_moved_on_refuses_the_rest_without_digests() {
    let mut desk = Desk::new();
    let plan = staged(&mut desk);
    desk.decide(plan, part(&["c1"]));
    assert_eq!(desk.state(plan), PlanState::Waiting, "{:?}", desk.stored(plan).reason);
    desk.now("cmd_set_track_gain", json!({"targets": "Vocals", "gain_db": -9.0}));
    let refused = desk.decide(plan, part(&["c2"]));
    assert_eq!(refused.status, Status::Conflict);
    assert!(refused.summary.contains("audio of the mix"), "{}", refused.summary);
    assert!(!refused.summary.contains("blake3"), "{}", refused.summary);
}

#[test]
fn an_edited_value_is_predicted_and_measured_anew() {
    let mut desk = Desk::new();
    let params = json!({"targets": ["Kick", "Riff", "Verse"], "target_lufs": -20.0});
    let plan = desk.plan("tool_normalize", params);
    let decision = Decision::ApplyPart {
        only: Some(vec!["c1".into(), "c3".into()]),
        set: vec![set("c1", json!(-6.0))],
    };
    let applied = desk.decide(plan, decision);
    assert_eq!(applied.status, Status::Applied, "{applied:#?}");
    assert_eq!(desk.session().clips[&KICK].gain, Decibels(-6.0));
    assert_eq!(desk.session().clips[&RIFF].gain, Decibels::UNITY);
    let derived = applied.plan.unwrap();
    let original = &desk.stored(plan).plan;
    let of = |plan: &deskhand_session::Plan, clip: deskhand_session::ClipId| {
        let mut predicted = plan.predicted.iter();
        predicted.find(|p| p.target == clip.into()).map(|p| p.value)
    };
    assert_eq!(of(&derived, RIFF), None);
    assert_eq!(of(&derived, VERSE), of(original, VERSE));
    let kick = of(&derived, KICK).unwrap();
    let moved = -6.0 - gain_of_c1(original);
    assert!((kick - (-20.0 + moved)).abs() < 0.05, "{kick}");
    assert!(applied.receipt.unwrap().measured.iter().all(|m| m.within));
    assert!(derived.changes[0].reason.contains("by hand"));
}

fn gain_of_c1(plan: &deskhand_session::Plan) -> f64 {
    serde_json::to_value(&plan.changes[0].change).unwrap()["after"].as_f64().unwrap()
}

#[test]
fn a_part_that_cannot_be_taken_changes_nothing() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    let edits = |only: Option<Vec<String>>, edit| Decision::ApplyPart { only, set: vec![edit] };
    let wrong = [
        (part(&["c1", "c9"]), "\"c9\""),
        (part(&[]), "no change"),
        (edits(None, set("c9", json!(0))), "\"c9\""),
        (edits(None, set("c1", json!("loud"))), "c1"),
        (edits(Some(vec!["c1".into()]), set("c2", json!(0))), "c2"),
    ];
    for (decision, names) in wrong {
        let refused = desk.decide(plan, decision.clone());
        assert_eq!(code(&refused), Code::BadParams, "{decision:?}");
        assert!(refused.summary.contains(names), "{}", refused.summary);
    }
    let beyond = desk.decide(plan, edits(None, set("c1", json!(1_100.0))));
    assert_eq!(code(&beyond), Code::Invalid);
    assert_eq!(desk.state(plan), PlanState::Waiting);
    assert_eq!(desk.bridge.history().iter().count(), 0);
}

#[test]
fn a_cancelled_part_is_not_applied() {
    let mut desk = Desk::new();
    let params = json!({"targets": ["Kick", "Verse"], "target_lufs": -20.0});
    let plan = desk.plan("tool_normalize", params);
    // The first look at the edited clip: its neutral profile is known, so only the decision waits.
    let decision = Decision::ApplyPart { only: None, set: vec![set("c1", json!(-6.0))] };
    let decided = desk.person.decide(plan, decision);
    let cancelled = desk.person.cancel(decided);
    let answer = desk.answer(crate::desk::Who::Person, decided);
    desk.answer(crate::desk::Who::Person, cancelled);
    assert_eq!(code(&answer), Code::Cancelled);
    assert_eq!(desk.bridge.history().iter().count(), 0);
}

#[test]
fn a_part_of_a_plan_in_a_file_keeps_its_origin() {
    let mut desk = Desk::new();
    let asked = desk.ask(call("fake_bundle", json!({}), Apply::Never));
    let copy = asked.plan.unwrap();
    let known = desk.ask(Op::AddPlan { plan: copy.clone() });
    assert_eq!(known.plan.unwrap().id, copy.id, "an equal one waits already");
    let applied = desk.decide(copy.id, part(&["c1"]));
    assert_eq!(applied.plan.unwrap().derived_from, Some(copy.id));
}

#[test]
fn a_part_of_a_plan_that_is_rejected_meanwhile_is_not_applied() {
    let mut desk = Desk::new();
    let plan = bundle(&mut desk);
    let taken = desk.person.decide(plan, part(&["c2"]));
    // Somebody else at the session decides before the part is predicted.
    let reason = "not what I meant".into();
    let rejected = desk.person.decide(plan, Decision::Reject { reason });
    assert_eq!(desk.answer(Who::Person, rejected).status, Status::Rejected);
    let taken = desk.answer(Who::Person, taken);
    assert_eq!(code(&taken), Code::Refused, "the files of the plan are gone");
    assert_eq!(desk.state(plan), PlanState::Rejected);
    assert_eq!(desk.session().tracks[&BASS].gain, Decibels::UNITY);
    assert_eq!(desk.bridge.plans().len(), 1);
}

#[test]
fn the_rest_of_a_plan_is_heard_and_rendered_beside_what_was_taken() {
    let mut desk = Desk::new();
    let plan = staged(&mut desk);
    desk.decide(plan, part(&["c1"]));
    let params = json!({"path": "rest.wav", "plan_id": plan, "bits": "32f"});
    let rendered = desk.now("cmd_render", params);
    assert_eq!(rendered.status, Status::Ok, "{rendered:#?}");
    desk.ask(Op::Player { ready: true });
    let heard = desk.now("cmd_hear", json!({"plan_id": plan, "which": "plan"}));
    assert_eq!(heard.status, Status::Ok, "{heard:#?}");
}
