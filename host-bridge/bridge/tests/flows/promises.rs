//! Receipts: predicted against measured values, and taking back what missed.

use crate::desk::{Desk, Who, call};
use crate::sound::{DRUMS, KICK, VOCALS};
use deskhand_dsp::Decibels;
use deskhand_protocol::{Apply, Decision, Status, ToolResult};
use deskhand_session::{PlanId, PlanState, RevisionId};
use serde_json::{Value, json};

fn kick() -> Value {
    json!({"targets": "Kick", "target_lufs": -20.0})
}

/// A plan for the kick, whose audio changed since it was measured.
fn drifted(desk: &mut Desk) -> PlanId {
    let plan = desk.plan("tool_normalize", kick());
    desk.sound.drift(Decibels(3.0));
    plan
}

/// Decides on `plan`, does `meanwhile` once its step is durable and its check waits for the audio, and
/// returns the answer.
fn applied_while(desk: &mut Desk, plan: PlanId, meanwhile: impl FnOnce(&mut Desk)) -> ToolResult {
    let checks = desk.sound.waiting() + 1;
    let moves = desk.moves().len() + 1;
    desk.sound.close_gate();
    let decided = desk.person.decide(plan, Decision::Apply);
    desk.until(|desk| desk.moves().len() == moves && desk.sound.waiting() == checks);
    meanwhile(desk);
    desk.sound.open_gate();
    desk.answer(Who::Person, decided)
}

#[test]
fn a_missed_promise_is_taken_back() {
    let mut desk = Desk::new();
    let plan = drifted(&mut desk);
    let missed = desk.apply(plan);
    assert_eq!(missed.status, Status::RolledBack, "{missed:#?}");
    let receipt = missed.receipt.unwrap();
    assert!(receipt.rolled_back);
    assert_eq!(receipt.revision, RevisionId(0));
    let [measured] = receipt.measured.as_slice() else {
        panic!("{receipt:#?}");
    };
    assert!(!measured.within && (measured.measured.unwrap() + 17.0).abs() < 0.1);
    assert_eq!(desk.state(plan), PlanState::RolledBack);
    assert_eq!(desk.session().clips[&KICK].gain, Decibels::UNITY);
    let summary = &desk.stored(plan).plan.summary;
    assert_eq!(desk.moves(), [summary.clone(), format!("Roll back: {summary}")]);

    let mut desk = desk.reopened();
    assert_eq!(desk.state(plan), PlanState::RolledBack);
    assert_eq!(desk.stored(plan).receipt.as_ref().unwrap(), &receipt);
    assert_eq!(desk.session().clips[&KICK].gain, Decibels::UNITY);
    assert_eq!(desk.undo().status, Status::Error, "nothing is left to undo");
}

#[test]
fn a_missed_promise_is_taken_back_behind_later_steps() {
    let mut desk = Desk::new();
    let plan = drifted(&mut desk);
    let missed = applied_while(&mut desk, plan, |desk| {
        desk.now("cmd_set_track_gain", json!({"targets": "Vocals", "gain_db": -2.0}));
    });
    assert_eq!(missed.status, Status::RolledBack);
    assert_eq!(missed.revision, RevisionId(3));
    assert_eq!(desk.session().clips[&KICK].gain, Decibels::UNITY);
    assert_eq!(desk.session().tracks[&VOCALS].gain, Decibels(-2.0), "the person's edit stays");
    let undo_label = missed.receipt.unwrap().undo_label;
    assert!(undo_label.starts_with("Roll back: "), "{undo_label}");
    // A step that took a plan back can itself be undone.
    let undone = desk.undo();
    assert!(undone.summary.contains(&undo_label), "{}", undone.summary);
    assert_ne!(desk.session().clips[&KICK].gain, Decibels::UNITY);
    assert_eq!(desk.state(plan), PlanState::Applied);
    desk.redo();
    assert_eq!(desk.state(plan), PlanState::RolledBack);
}

#[test]
fn a_missed_promise_stays_when_somebody_worked_on_it_since() {
    let mut desk = Desk::new();
    let plan = drifted(&mut desk);
    let missed = applied_while(&mut desk, plan, |desk| {
        desk.now("cmd_set_clip_gain", json!({"targets": "Kick", "gain_db": -9.0}));
    });
    assert_eq!(missed.status, Status::Applied);
    assert!(missed.summary.contains("missed"), "{}", missed.summary);
    let receipt = missed.receipt.unwrap();
    assert!(!receipt.rolled_back && !receipt.measured[0].within);
    assert_eq!(desk.state(plan), PlanState::Applied);
    let reason = desk.stored(plan).reason.clone().unwrap();
    assert!(reason.contains("missed") && reason.contains("undo"), "{reason}");
    assert_eq!(desk.session().clips[&KICK].gain, Decibels(-9.0));
}

#[test]
fn a_later_edit_elsewhere_does_not_make_a_kept_promise_look_missed() {
    let mut desk = Desk::new();
    let plan = desk.plan("fake_promise", json!({"gain_db": -4.0}));
    let applied = applied_while(&mut desk, plan, |desk| {
        desk.now("cmd_set_track_gain", json!({"targets": "Vocals", "gain_db": 30.0}));
    });
    assert_eq!(applied.status, Status::Applied, "{applied:#?}");
    assert!(applied.receipt.unwrap().measured[0].within);
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels(-4.0));
}

#[test]
fn undone_before_it_was_measured() {
    let mut desk = Desk::new();
    let plan = drifted(&mut desk);
    let answer = applied_while(&mut desk, plan, |desk| {
        desk.undo();
    });
    assert_eq!(answer.status, Status::Ok);
    assert!(answer.summary.contains("undone"), "{}", answer.summary);
    assert_eq!(desk.state(plan), PlanState::Undone);
    assert_eq!(desk.session().clips[&KICK].gain, Decibels::UNITY);
}

#[test]
fn undone_and_done_again_before_it_was_measured() {
    let mut desk = Desk::new();
    let plan = desk.plan("tool_normalize", kick());
    let answer = applied_while(&mut desk, plan, |desk| {
        desk.undo();
        desk.redo();
    });
    assert_eq!(answer.status, Status::Applied, "{answer:#?}");
    let receipt = answer.receipt.unwrap();
    assert!(receipt.measured[0].within, "{receipt:#?}");
    assert_eq!(desk.state(plan), PlanState::Applied);
    assert_eq!(desk.stored(plan).receipt.as_ref(), Some(&receipt));
}

#[test]
fn applied_again_while_the_first_check_still_runs() {
    let mut desk = Desk::new();
    let plan = desk.plan("tool_normalize", kick());
    let mut second = None;
    let first = applied_while(&mut desk, plan, |desk| {
        desk.undo();
        let moves = desk.moves().len() + 1;
        second = Some(desk.person.decide(plan, Decision::Apply));
        desk.until(|desk| desk.moves().len() == moves);
    });
    let second = desk.answer(Who::Person, second.unwrap());
    assert_eq!(first.status, Status::Ok, "{first:#?}");
    assert_eq!(second.status, Status::Applied, "{second:#?}");
    assert_eq!(second.receipt.unwrap().revision, RevisionId(2));
    assert_eq!(desk.state(plan), PlanState::Applied);
}

#[test]
fn what_cannot_be_measured_stands_and_says_so() {
    let mut desk = Desk::new();
    let plan =
        desk.plan("tool_normalize", json!({"targets": ["Kick", "Verse"], "target_lufs": -20.0}));
    let checks = desk.sound.waiting() + 1;
    desk.sound.close_gate();
    let decided = desk.person.decide(plan, Decision::Apply);
    desk.until(|desk| desk.sound.waiting() == checks);
    let cancelled = desk.person.cancel(decided);
    desk.answer(Who::Person, cancelled);
    desk.sound.open_gate();
    let answer = desk.answer(Who::Person, decided);
    assert_eq!(answer.status, Status::Applied);
    let summary = &answer.summary;
    assert!(summary.contains("applied, but not measured: "), "{summary}");
    let receipt = answer.receipt.unwrap();
    assert!(receipt.measured.is_empty() && !receipt.rolled_back);
    assert!(desk.stored(plan).reason.as_ref().unwrap().contains("not measured"));
    assert_ne!(desk.session().clips[&KICK].gain, Decibels::UNITY);
}

#[test]
fn each_promise_is_measured_once() {
    let mut desk = Desk::new();
    let params = json!({"targets": ["Kick", "Verse"], "target_lufs": -20.0, "ceiling_dbtp": -1.0});
    let asked = desk.ask(call("tool_normalize", params, Apply::Now));
    let measured = asked.receipt.unwrap().measured;
    assert_eq!(measured.len(), asked.plan.unwrap().predicted.len());
}
