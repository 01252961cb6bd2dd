//! What a host moves while a plan is made, applied or measured: it is never lost under the plan.

use crate::desk::{Desk, Who, call};
use crate::instances::{Plugin, instance};
use crate::sound::DRUMS;
use deskhand_dsp::Decibels;
use deskhand_protocol::{Apply, Decision, Op, Status};
use deskhand_session::{Author, PlanState};
use serde_json::{Value, json};

fn loud(target: f64) -> Value {
    json!({"targets": ["Drums"], "target_lufs": target, "per": "track"})
}

fn on_drums(desk: &mut Desk) -> Plugin {
    let mut plugin = Plugin::new(desk);
    plugin.join(desk, instance("a", Some(DRUMS)));
    plugin
}

fn gain(desk: &Desk) -> Decibels {
    desk.session().tracks[&DRUMS].gain
}

#[test]
fn what_a_host_moved_while_a_plan_was_made_is_a_conflict_of_it() {
    let mut desk = Desk::new();
    let mut plugin = on_drums(&mut desk);
    let planning = desk.person.submit(call("tool_normalize", loud(-20.0), Apply::Now));
    // It comes after the call, and before the worker's plan.
    plugin.submit(Op::HostGain { gain: Decibels(-3.0), is_loaded: false });
    let conflict = desk.answer(Who::Person, planning);
    assert_eq!(conflict.status, Status::Conflict, "{conflict:#?}");
    let says = conflict.conflicts.iter().any(|one| one.found == json!(-3.0));
    assert!(says, "where the trim went: {conflict:#?}");
    assert_eq!(gain(&desk), Decibels(-3.0));
    let plan = desk.bridge.plans().last().unwrap();
    assert_eq!(plan.state, PlanState::Conflict);
}

#[test]
fn a_part_of_a_plan_is_not_applied_over_what_a_host_moved_meanwhile() {
    let mut desk = Desk::new();
    let mut plugin = on_drums(&mut desk);
    let plan = desk.plan("tool_normalize", loud(-20.0));
    let change = desk.stored(plan).plan.changes[0].id.clone();
    let part = Decision::ApplyPart { only: Some(vec![change]), set: Vec::new() };
    let decided = desk.person.decide(plan, part);
    plugin.submit(Op::HostGain { gain: Decibels(-3.0), is_loaded: false });
    let answer = desk.answer(Who::Person, decided);
    assert_eq!(answer.status, Status::Conflict, "{answer:#?}");
    assert_eq!(gain(&desk), Decibels(-3.0));
}

#[test]
fn a_plan_that_missed_is_not_taken_back_over_what_a_host_moved_since() {
    let mut desk = Desk::new();
    let mut plugin = on_drums(&mut desk);
    let plan = desk.plan("tool_normalize", loud(-20.0));
    desk.sound.drift(Decibels(3.0));
    let checks = desk.sound.waiting() + 1;
    let moves = desk.moves().len() + 1;
    desk.sound.close_gate();
    let decided = desk.person.decide(plan, Decision::Apply);
    desk.until(|desk| desk.moves().len() == moves && desk.sound.waiting() == checks);
    plugin.submit(Op::HostGain { gain: Decibels(-9.0), is_loaded: false });
    desk.sound.open_gate();
    let missed = desk.answer(Who::Person, decided);
    assert_eq!(missed.status, Status::Applied, "{missed:#?}");
    assert!(missed.summary.contains("missed"), "{}", missed.summary);
    assert_eq!((gain(&desk), desk.state(plan)), (Decibels(-9.0), PlanState::Applied));
    let last = desk.bridge.history().iter().last().unwrap();
    assert_eq!(last.author, Author::Host, "{last:#?}");
}
