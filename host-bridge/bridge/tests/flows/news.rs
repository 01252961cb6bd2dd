//! The events for everybody, and the authors in them.

use crate::desk::{Desk, Who, call, code};
use crate::sound::{BASS, DRUMS};
use deskhand_dsp::Decibels;
use deskhand_protocol::{Apply, Decision, Event, News, Op, Status};
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, PlanId, PlanState};
use serde_json::json;

/// The authors and labels of the reported steps.
fn moved(heard: &[Event]) -> Vec<(Author, &str)> {
    let moved = heard.iter().filter_map(|event| match &event.news {
        News::Moved { label, .. } => Some((event.author, label.as_str())),
        _ => None,
    });
    moved.collect()
}

/// The reported states of a plan, with the decider and the next plan.
fn decided(heard: &[Event], id: PlanId) -> Vec<(Author, PlanState, Option<PlanId>)> {
    let decided = heard.iter().filter_map(|event| match &event.news {
        News::Decided { plan, state, follows, .. } if *plan == id => {
            Some((event.author, *state, *follows))
        }
        _ => None,
    });
    decided.collect()
}

#[test]
fn a_small_edit_of_a_model_is_applied_and_told_with_its_undo() {
    let mut desk = Desk::new();
    let observer = desk.bridge.connect_observer();
    let params = json!({"targets": "Drums", "mute": true});
    let muted = desk.ask_as_agent(call("cmd_set_track_mute", params, Apply::ByPolicy));
    assert_eq!(muted.status, Status::Applied, "{muted:#?}");
    let receipt = muted.receipt.unwrap();
    let seen: Vec<Event> = observer.events().collect();
    for heard in [&desk.heard, &desk.agent_heard, &seen] {
        assert_eq!(moved(heard), [(Author::Agent, receipt.undo_label.as_str())]);
        assert_eq!(decided(heard, receipt.plan), [(Author::Agent, PlanState::Applied, None)]);
    }
    let undone = desk.undo();
    assert!(undone.summary.contains(&receipt.undo_label), "{}", undone.summary);
    assert!(!desk.session().tracks[&DRUMS].mute);
}

#[test]
fn a_step_is_the_work_of_who_proposed_it_and_the_decision_of_who_decided() {
    let mut desk = Desk::new();
    let params = json!({"targets": "Drums", "change_db": 3.0});
    let waits = desk.ask_as_agent(call("cmd_set_track_gain", params.clone(), Apply::ByPolicy));
    let plan = waits.plan.unwrap().id;
    desk.apply(plan);
    desk.now("cmd_set_track_gain", params);
    let steps: Vec<_> = moved(&desk.agent_heard).into_iter().map(|(author, _)| author).collect();
    assert_eq!(steps, [Author::Agent, Author::User], "a model sees what was not its own");
    assert_eq!(decided(&desk.agent_heard, plan), [(Author::User, PlanState::Applied, None)]);
    let undo = desk.ask_as_agent(Op::Undo).plan.unwrap().id;
    desk.apply(undo);
    assert_eq!(moved(&desk.heard).last().unwrap().0, Author::Agent);
    desk.redo();
    assert_eq!(moved(&desk.heard).last().unwrap().0, Author::User);
}

#[test]
fn who_waits_for_a_plan_hears_of_the_part_that_goes_on() {
    let mut desk = Desk::new();
    let waits = desk.ask_as_agent(call("fake_bundle", json!({}), Apply::ByPolicy));
    let whole = waits.plan.unwrap().id;
    let set = vec![ValueEdit { change: "c2".into(), after: json!(-5.0) }];
    let decision = Decision::ApplyPart { only: Some(vec!["c2".into()]), set };
    let applied = desk.ask(Op::Decide { plan: whole, decision });
    let part = applied.plan.unwrap().id;
    assert_ne!(part, whole);
    // One message says where to look, one says that the rest waits.
    let told = [(Author::User, PlanState::Waiting, Some(part)); 2];
    assert_eq!(decided(&desk.agent_heard, whole), told);
    assert_eq!(decided(&desk.agent_heard, part), [(Author::User, PlanState::Applied, None)]);
    let place = |id| {
        let is_told =
            |event: &Event| matches!(event.news, News::Decided { plan, .. } if plan == id);
        desk.agent_heard.iter().position(is_told).unwrap()
    };
    assert!(place(whole) < place(part), "first where to look, then what became of it");
    assert_eq!(desk.session().tracks[&BASS].gain, Decibels(-5.0));
}

#[test]
fn who_reports_every_step_does_not_drown_other_news() {
    let mut desk = Desk::new();
    let done = desk.now("fake_steps", json!({}));
    assert_eq!(done.status, Status::Ok);
    let told = desk.heard.iter().filter(|e| matches!(e.news, News::Progress { .. })).count();
    assert_eq!(told, 100);
}

fn listen() -> Op {
    call("fake_listen", json!({}), Apply::ByPolicy)
}

#[test]
fn a_models_cancel_is_answered_while_its_worker_still_waits() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let running = desk.agent.submit(listen());
    desk.until(|desk| desk.sound.waiting() == 1);
    let cancelled = desk.ask_as_agent(Op::Cancel { call: running });
    assert_eq!(cancelled.summary, "cancelling");
    assert_eq!(desk.sound.waiting(), 1, "nobody waited for the worker");
    desk.sound.open_gate();
    assert_eq!(code(&desk.answer(Who::Agent, running)), Code::Cancelled);
    assert!(desk.bridge.plans().is_empty());
    assert_eq!(desk.bridge.history().head().0, 0);
}

#[test]
fn what_no_worker_has_begun_is_over_at_once() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let busy: Vec<_> = (0..crate::desk::WORKERS).map(|_| desk.person.submit(listen())).collect();
    desk.until(|desk| desk.sound.waiting() == crate::desk::WORKERS);
    let queued = desk.agent.submit(listen());
    desk.ask_as_agent(Op::Cancel { call: queued });
    assert_eq!(code(&desk.answer(Who::Agent, queued)), Code::Cancelled);
    assert_eq!(desk.sound.waiting(), crate::desk::WORKERS, "all workers were busy all the time");
    desk.sound.open_gate();
    for call in busy {
        assert_eq!(desk.answer(Who::Person, call).status, Status::Waiting);
    }
    assert_eq!(desk.answers(Who::Agent, queued).len(), 1);
    assert_eq!(desk.bridge.plans().len(), crate::desk::WORKERS, "the queued one planned nothing");
}
