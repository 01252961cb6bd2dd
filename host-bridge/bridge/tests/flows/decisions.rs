//! From a call to a receipt: waiting, applied, rejected, empty.

use crate::desk::{Desk, call, code};
use crate::sound::{DRUMS, KICK, VERSE, VOCALS};
use deskhand_dsp::Decibels;
use deskhand_protocol::{Apply, Decision, Status};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, PlanState, RevisionId};
use serde_json::json;

fn loud() -> serde_json::Value {
    json!({"targets": ["Kick", "Verse"], "target_lufs": -20.0})
}

#[test]
fn a_plan_waits_is_applied_and_keeps_what_it_promised() {
    let mut desk = Desk::new();
    let asked = desk.ask(call("tool_normalize", loud(), Apply::ByPolicy));
    assert_eq!(asked.status, Status::Waiting);
    assert_eq!(asked.revision, RevisionId(0));
    let plan = asked.plan.unwrap();
    assert_eq!(plan.changes.len(), 2);
    assert_eq!(desk.state(plan.id), PlanState::Waiting);
    assert_eq!(desk.session().clips[&KICK].gain, Decibels::UNITY, "nothing has changed");

    let applied = desk.apply(plan.id);
    assert_eq!(applied.status, Status::Applied);
    assert_eq!(applied.revision, RevisionId(1));
    let receipt = applied.receipt.unwrap();
    assert_eq!(receipt.applied, ["c1", "c2"]);
    assert_eq!((receipt.rolled_back, receipt.skipped.len()), (false, 0));
    assert_eq!(receipt.undo_label, plan.summary);
    assert_eq!(receipt.measured.len(), 2);
    for measured in &receipt.measured {
        assert!(measured.within, "{measured:?}");
        assert!((measured.measured.unwrap() + 20.0).abs() < 0.1, "{measured:?}");
    }
    assert_eq!(desk.state(plan.id), PlanState::Applied);
    assert_eq!(desk.stored(plan.id).receipt.as_ref(), Some(&receipt));
    assert_ne!(desk.session().clips[&VERSE].gain, Decibels::UNITY);
    assert_eq!(desk.moves(), [plan.summary]);
}

#[test]
fn the_same_wish_again_takes_the_place_of_the_plan_that_waits() {
    let mut desk = Desk::new();
    let first = desk.plan("tool_normalize", loud());
    let other = desk.plan("tool_normalize", json!({"targets": "Kick", "target_lufs": -20.0}));
    let again = desk.plan("tool_normalize", loud());
    let states = [first, other, again].map(|id| desk.state(id));
    assert_eq!(states, [PlanState::Conflict, PlanState::Waiting, PlanState::Waiting]);
    let old = desk.stored(first);
    assert_eq!(old.follows, Some(again));
    let reason = old.reason.clone().unwrap();
    assert_eq!(reason, "The same was asked for again: a newer plan takes its place.");
    let by_model = desk.ask_as_agent(call("tool_normalize", loud(), Apply::ByPolicy));
    assert_eq!(by_model.status, Status::Waiting);
    assert_eq!(desk.state(again), PlanState::Waiting, "a model takes no place of the person's");
    assert_eq!(desk.apply(first).status, Status::Applied, "and the old one can still be taken");
}

#[test]
fn a_person_decides_with_the_call() {
    let mut desk = Desk::new();
    let applied = desk.now("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -3.0}));
    assert_eq!(applied.status, Status::Applied);
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels(-3.0));
    let revision = desk.bridge.history().get(RevisionId(1)).unwrap();
    assert_eq!((revision.author, revision.plan), (Author::User, Some(applied.plan.unwrap().id)));
}

#[test]
fn small_visible_edits_are_applied_by_policy_and_can_be_asked_to_wait() {
    let mut desk = Desk::new();
    let asked = desk.ask_as_agent(call("fake_mute", json!({}), Apply::ByPolicy));
    assert_eq!(asked.status, Status::Applied);
    assert!(desk.session().tracks[&DRUMS].mute);
    assert_eq!(asked.receipt.unwrap().undo_label, "Mute Drums");
    let held = desk.ask(call("fake_mute", json!({}), Apply::Never));
    assert_eq!(held.status, Status::Waiting);
    assert!(desk.session().tracks[&DRUMS].mute);
}

#[test]
fn a_plan_that_changes_nothing_is_an_answer_and_leaves_no_trace() {
    let mut desk = Desk::new();
    desk.now("tool_normalize", loud());
    let plans = desk.bridge.plans().len();
    for apply in [Apply::Now, Apply::ByPolicy, Apply::Never] {
        let again = desk.ask(call("tool_normalize", loud(), apply));
        assert_eq!(again.status, Status::Planned, "{again:#?}");
        assert!(again.plan.unwrap().changes.is_empty());
        assert_eq!(again.revision, RevisionId(1));
    }
    assert_eq!(desk.bridge.plans().len(), plans);
    assert_eq!(desk.bridge.history().iter().count(), 1);
}

#[test]
fn a_tool_that_only_reads_answers() {
    let mut desk = Desk::new();
    let answer = desk.ask(call("fake_look", json!({}), Apply::ByPolicy));
    assert_eq!(answer.status, Status::Ok);
    assert_eq!(answer.answer, Some(json!({"tracks": 3})));
    assert!(desk.bridge.plans().is_empty());
}

#[test]
fn what_a_person_should_know_goes_with_an_answer() {
    let mut desk = Desk::new();
    let warned = json!({"warning": "a name stands in it"});
    let answer = desk.ask(call("fake_look", warned, Apply::ByPolicy));
    assert_eq!(answer.answer, Some(json!({"tracks": 3})));
    assert_eq!(answer.warnings, ["a name stands in it"]);
    assert!(desk.ask(call("fake_look", json!({}), Apply::ByPolicy)).warnings.is_empty());
}

#[test]
fn a_rejected_plan_stays_readable_with_its_reason() {
    let mut desk = Desk::new();
    let plan = desk.plan("tool_normalize", loud());
    let reason = "too loud for the verse".to_owned();
    let rejected = desk.decide(plan, Decision::Reject { reason: reason.clone() });
    assert_eq!(rejected.status, Status::Rejected);
    assert_eq!(desk.session().clips[&KICK].gain, Decibels::UNITY);

    let mut desk = desk.reopened();
    assert_eq!(desk.state(plan), PlanState::Rejected);
    assert_eq!(desk.stored(plan).reason.as_deref(), Some(reason.as_str()));
    assert_eq!(desk.stored(plan).plan.changes.len(), 2);
    let refused = desk.apply(plan);
    assert_eq!(code(&refused), Code::Refused);
    assert!(refused.summary.contains(&reason), "{}", refused.summary);
}

#[test]
fn of_a_rejection_without_a_reason_it_is_told_that_there_is_none() {
    let mut desk = Desk::new();
    let plan = desk.plan("tool_normalize", loud());
    let rejected = desk.decide(plan, Decision::Reject { reason: " ".into() });
    assert_eq!(rejected.summary, "rejected: no reason was given");
    assert_eq!(desk.stored(plan).reason.as_deref(), Some("no reason was given"));
}

#[test]
fn a_plan_is_applied_once() {
    let mut desk = Desk::new();
    let plan = desk.plan("cmd_set_track_gain", json!({"targets": "Vocals", "change_db": 2.0}));
    assert_eq!(desk.apply(plan).status, Status::Applied);
    for decision in [Decision::Apply, Decision::Reject { reason: "late".into() }] {
        assert_eq!(code(&desk.decide(plan, decision)), Code::Refused);
    }
    assert_eq!(desk.session().tracks[&VOCALS].gain, Decibels(2.0));
    assert_eq!(desk.state(plan), PlanState::Applied);
}

#[test]
fn what_cannot_be_called_says_what_can() {
    let mut desk = Desk::new();
    let unknown = desk.now("tool_normalise", json!({}));
    assert_eq!(code(&unknown), Code::UnknownTool);
    assert!(unknown.error.unwrap().fix.contains("tool_normalize"));
    let nobody = desk.now("cmd_set_track_gain", json!({"targets": "Drumz", "gain_db": 0}));
    assert_eq!(code(&nobody), Code::NoTarget);
    assert!(nobody.error.unwrap().fix.contains("\"Drums\""));
    let wrong = desk.now("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": "loud"}));
    assert_eq!(code(&wrong), Code::BadParams);
    let invalid = desk.now("fake_invalid", json!({}));
    assert_eq!(code(&invalid), Code::Invalid);
    assert_eq!(desk.bridge.history().iter().count(), 0);
}
