//! The state after a session is reopened, and after an interruption.

use crate::desk::{Desk, Who, call};
use crate::sound::{DRUMS, KICK};
use deskhand_protocol::{Apply, Decision, Op, Status};
use deskhand_session::{Author, PlanState, Said};
use deskhand_store::{Event, Store};
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

#[test]
fn a_call_of_the_model_that_was_left_in_the_middle_is_answered() {
    let desk = Desk::new();
    let killed = tempfile::tempdir().unwrap();
    copied(desk.folder(), killed.path());
    let (store, _) = Store::open(killed.path()).unwrap();
    let call = json!({"type": "tool_call", "id": "a", "name": "tool_measure", "arguments": {}});
    let message = json!({"role": "assistant", "parts": [call]});
    let said = Said { author: Author::Agent, message, time_ms: 1 };
    let (answer, answered) = std::sync::mpsc::channel();
    store.append(vec![Event::Said(said)], Box::new(move |result| answer.send(result).unwrap()));
    answered.recv().unwrap().unwrap();
    store.close().unwrap();
    let summary = || {
        let (store, loaded) = Store::open(killed.path()).unwrap();
        store.close().unwrap();
        let last = loaded.conversation.last().unwrap().message.clone();
        (loaded.conversation.len(), last["parts"][0]["content"]["summary"].clone())
    };
    assert_eq!(summary().0, 1);
    for _ in 0..2 {
        Desk::open(killed.path()).reopened();
        let told = json!("interrupted before it was over; run it again?");
        assert_eq!(summary(), (2, told), "once");
    }
}

/// A desk whose long call was left in the middle, opened again.
fn left_in_the_middle(who: Who) -> Desk {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let op = call("fake_hours", json!({}), Apply::Now);
    match who {
        Who::Person => desk.person.submit(op),
        Who::Agent => desk.agent.submit(op),
    };
    desk.until(|desk| desk.sound.waiting() == 1);
    let sound = std::sync::Arc::clone(&desk.sound);
    let desk = desk.reopened();
    sound.open_gate();
    desk
}

#[test]
fn a_call_of_hours_that_was_left_in_the_middle_waits_to_go_on() {
    for who in [Who::Person, Who::Agent] {
        let mut desk = left_in_the_middle(who);
        let [waiting] = desk.bridge.plans() else { panic!("{:#?}", desk.bridge.plans()) };
        let id = waiting.plan.id;
        assert_eq!(waiting.state, PlanState::Waiting);
        assert!(
            waiting.plan.warnings[0]
                .contains("was interrupted when the session was closed. Run it again?")
        );
        assert_eq!(desk.apply(id).status, Status::Waiting, "what it plans is a plan of its own");
        assert_eq!(desk.state(id), PlanState::Applied);
        let desk = desk.reopened();
        assert_eq!(desk.bridge.plans().len(), 2, "it is over");
    }
}

#[test]
fn a_call_that_a_killed_hub_had_under_way_asks_to_be_run_again() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    desk.person.submit(call("fake_hours", json!({}), Apply::Now));
    let noted = desk.folder().join("cache/unfinished.json");
    desk.until(|_| noted.is_file());
    let killed = tempfile::tempdir().unwrap();
    copied(desk.folder(), killed.path());
    copied(&desk.folder().join("cache"), &killed.path().join("cache"));
    desk.sound.open_gate();
    let again = Desk::open(killed.path());
    let [waiting] = again.bridge.plans() else { panic!("{:#?}", again.bridge.plans()) };
    assert_eq!(waiting.state, PlanState::Waiting, "it asks, and does not run");
    assert!(waiting.plan.warnings[0].contains("was interrupted"), "{:?}", waiting.plan.warnings);
}

#[test]
fn who_makes_the_call_that_was_left_themselves_is_not_asked_any_more() {
    let mut desk = left_in_the_middle(Who::Person);
    let id = desk.bridge.plans()[0].plan.id;
    let by_model = desk.ask_as_agent(call("fake_hours", json!({}), Apply::Never));
    assert_eq!((by_model.status, desk.state(id)), (Status::Waiting, PlanState::Waiting));
    assert_eq!(desk.now("fake_hours", json!({})).status, Status::Applied);
    assert_eq!(desk.state(id), PlanState::Applied);
}

#[test]
fn what_was_cancelled_or_is_over_does_not_wait_to_go_on() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let running = desk.person.submit(call("fake_hours", json!({}), Apply::Now));
    desk.until(|desk| desk.sound.waiting() == 1);
    desk.ask(Op::Cancel { call: running });
    desk.sound.open_gate();
    desk.answer(Who::Person, running);
    assert!(desk.reopened().bridge.plans().is_empty());
}
