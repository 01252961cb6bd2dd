//! Undo and redo: which step they name, and the states of plans after them.

use crate::desk::{Desk, code};
use crate::sound::DRUMS;
use deskhand_dsp::Decibels;
use deskhand_protocol::{Op, Status};
use deskhand_session::tool_error::Code;
use deskhand_session::{PlanId, PlanState, RevisionId};
use serde_json::{Value, json};

fn set(gain: f64) -> Value {
    json!({"targets": "Drums", "gain_db": gain})
}

fn drums(desk: &Desk) -> f64 {
    desk.session().tracks[&DRUMS].gain.0
}

fn step(desk: &mut Desk, gain: f64) -> PlanId {
    desk.now("cmd_set_track_gain", set(gain)).plan.unwrap().id
}

#[test]
fn undo_and_redo_name_the_step_and_move_its_plan() {
    let mut desk = Desk::new();
    let plan = step(&mut desk, -3.0);
    let label = desk.stored(plan).plan.summary.clone();
    let undone = desk.undo();
    assert_eq!((undone.status, undone.revision), (Status::Ok, RevisionId(0)));
    assert_eq!(undone.summary, format!("undone: {label}"));
    assert_eq!((drums(&desk), desk.state(plan)), (0.0, PlanState::Undone));
    let again = desk.redo();
    assert_eq!(again.summary, format!("done again: {label}"));
    assert_eq!((drums(&desk), desk.state(plan)), (-3.0, PlanState::Applied));
    assert_eq!(desk.stored(plan).receipt.as_ref().unwrap().revision, RevisionId(1));
}

#[test]
fn two_undos_go_two_steps_back() {
    let mut desk = Desk::new();
    let plans = [step(&mut desk, -1.0), step(&mut desk, -2.0), step(&mut desk, -3.0)];
    desk.undo();
    assert_eq!(drums(&desk), -2.0);
    desk.undo();
    assert_eq!(drums(&desk), -1.0);
    let states = plans.map(|plan| desk.state(plan));
    assert_eq!(states, [PlanState::Applied, PlanState::Undone, PlanState::Undone]);
    desk.redo();
    desk.redo();
    assert_eq!(drums(&desk), -3.0);
    assert_eq!(code(&desk.redo()), Code::NoTarget);
}

#[test]
fn an_edit_after_an_undo_grows_a_branch_and_loses_nothing() {
    let mut desk = Desk::new();
    step(&mut desk, -1.0);
    let left = step(&mut desk, -2.0);
    desk.undo();
    step(&mut desk, -5.0);
    let redo = desk.redo();
    assert_eq!(code(&redo), Code::NoTarget);
    assert!(redo.summary.contains("nothing to redo"));
    assert_eq!(drums(&desk), -5.0);
    assert_eq!(desk.bridge.history().iter().count(), 3);
    assert_eq!(desk.state(left), PlanState::Undone);
    desk.undo();
    assert_eq!(drums(&desk), -1.0);
}

#[test]
fn from_where_branches_part_a_person_goes_to_either_and_is_told_whether_an_edit_branches() {
    let mut desk = Desk::new();
    step(&mut desk, -1.0);
    step(&mut desk, -2.0);
    desk.undo();
    step(&mut desk, -5.0);
    for (revision, gain) in [(2, -2.0), (1, -1.0), (3, -5.0)] {
        let went = desk.ask(Op::GoTo { revision: RevisionId(revision) });
        let branches = if revision == 1 { "; the next edit grows a branch" } else { "" };
        assert_eq!(went.summary, format!("at revision {revision}{branches}"));
        assert_eq!((went.status, drums(&desk)), (Status::Ok, gain));
    }
}

#[test]
fn an_undone_plan_can_be_applied_again() {
    let mut desk = Desk::new();
    let plan = step(&mut desk, -3.0);
    desk.undo();
    let again = desk.apply(plan);
    assert_eq!((again.status, again.revision), (Status::Applied, RevisionId(2)));
    assert_eq!((drums(&desk), desk.state(plan)), (-3.0, PlanState::Applied));
    desk.undo();
    assert_eq!((drums(&desk), desk.state(plan)), (0.0, PlanState::Undone));
}

#[test]
fn nothing_to_undo_is_said() {
    let mut desk = Desk::new();
    let nothing = desk.undo();
    assert_eq!(code(&nothing), Code::NoTarget);
    assert!(nothing.summary.contains("nothing to undo"));
    assert_eq!(desk.session().master_gain, Decibels::UNITY);
}

#[test]
fn steps_come_back_after_reopening() {
    let mut desk = Desk::new();
    let plans = [step(&mut desk, -1.0), step(&mut desk, -2.0)];
    desk.undo();
    let history = desk.bridge.history().clone();
    let mut desk = desk.reopened();
    assert_eq!(desk.bridge.history(), &history);
    assert_eq!(drums(&desk), -1.0);
    desk.redo();
    assert_eq!((drums(&desk), desk.state(plans[1])), (-2.0, PlanState::Applied));
    desk.undo();
    desk.undo();
    assert_eq!((drums(&desk), desk.state(plans[0])), (0.0, PlanState::Undone));
}
