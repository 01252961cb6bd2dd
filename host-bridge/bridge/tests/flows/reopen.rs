//! What comes back when a session is opened again, and what an interruption left open.

use crate::desk::{Desk, Who, call};
use crate::sound::{DRUMS, KICK};
use deskhand_protocol::{Apply, Decision, Status};
use deskhand_session::PlanState;
use deskhand_store::Store;
use serde_json::json;
use std::path::Path;

fn normalize() -> serde_json::Value {
    json!({"targets": "Kick", "target_lufs": -20.0})
}

#[test]
fn session_plans_and_history_come_back() {
    let mut desk = Desk::new();
    let applied = desk.plan("tool_normalize", normalize());
    desk.apply(applied);
    let waiting = desk.plan("fake_bundle", json!({}));
    let undone = desk.plan("fake_mute", json!({}));
    desk.apply(undone);
    desk.undo();
    let (session, plans) = (desk.session().clone(), desk.bridge.plans().to_vec());
    let history = desk.bridge.history().clone();
    let mut desk = desk.reopened();
    assert_eq!(desk.session(), &session);
    assert_eq!(desk.bridge.plans(), plans);
    assert_eq!(desk.bridge.history(), &history);
    assert_eq!(desk.apply(waiting).status, Status::Applied, "a plan waits over night");
    assert_eq!(desk.redo().status, Status::Error);
    assert_eq!(desk.state(undone), PlanState::Undone);
}

/// The folder as a kill would leave it.
pub(crate) fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() && entry.file_name() != "session.lock" {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn a_plan_that_was_being_applied_stands_unmeasured() {
    let mut desk = Desk::new();
    let plan = desk.plan("tool_normalize", normalize());
    desk.sound.close_gate();
    let decided = desk.person.decide(plan, Decision::Apply);
    desk.until(|desk| desk.sound.waiting() == 1);
    assert_eq!(desk.state(plan), PlanState::Applying);
    let killed = tempfile::tempdir().unwrap();
    copied(desk.folder(), killed.path());
    desk.sound.open_gate();
    desk.answer(Who::Person, decided);

    let (store, loaded) = Store::open(killed.path()).unwrap();
    assert_eq!(loaded.plans[0].state, PlanState::Applying);
    assert_eq!(loaded.session.clips[&KICK].gain, desk.session().clips[&KICK].gain);
    drop(store);
    let again = Desk::open(killed.path());
    assert_eq!(again.state(plan), PlanState::Applied);
    let reason = again.stored(plan).reason.clone().unwrap();
    assert!(reason.contains("not measured"), "{reason}");
    let again = again.reopened();
    assert_eq!(again.state(plan), PlanState::Applied);
    assert_eq!(again.stored(plan).reason, Some(reason));
}

#[test]
fn closing_while_a_tool_runs_loses_nothing_that_was_answered() {
    let mut desk = Desk::new();
    desk.now("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -3.0}));
    desk.sound.close_gate();
    desk.person.submit(call("fake_wait", json!({}), Apply::Now));
    desk.until(|desk| desk.sound.waiting() == 1);
    let session = desk.session().clone();
    let sound = std::sync::Arc::clone(&desk.sound);
    let desk = desk.reopened();
    assert_eq!(desk.session(), &session);
    assert!(!desk.session().tracks[&DRUMS].mute);
    sound.open_gate();
}
