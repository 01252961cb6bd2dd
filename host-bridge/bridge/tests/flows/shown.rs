//! Findings of a running call: reported at once, and kept after a cancel if the plan would have been
//! applied without asking.

use crate::desk::{Desk, Who, call, code};
use crate::sound::{DRUMS, KICK};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::{Apply, CallId, News, Op, Status};
use deskhand_session::Provisional;
use deskhand_session::tool_error::Code;
use serde_json::json;

/// Starts a tool and waits until its worker is held back.
fn held(desk: &mut Desk, tool: &str) -> CallId {
    desk.sound.close_gate();
    let running = desk.person.submit(call(tool, json!({}), Apply::ByPolicy));
    desk.until(|desk| desk.sound.waiting() == 1);
    running
}

#[test]
fn what_is_found_is_told_to_every_front_end_and_is_in_no_session_yet() {
    let mut desk = Desk::new();
    let running = held(&mut desk, "fake_live");
    let label = "hit".into();
    let hit =
        Provisional { target: KICK.into(), position: Frames(4_800), length: Frames::ZERO, label };
    let told = News::Provisional { found: vec![hit] };
    desk.until(|desk| desk.heard.iter().any(|event| event.news == told));
    let event = desk.heard.iter().find(|event| event.news == told).unwrap();
    assert_eq!(event.call, Some(running));
    assert!(!desk.session().tracks[&DRUMS].mute);
    desk.sound.open_gate();
    assert_eq!(desk.answer(Who::Person, running).status, Status::Applied);
    assert!(desk.session().tracks[&DRUMS].mute, "the whole of it is one step");
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels(-1.0));
    assert!(desk.agent_heard.iter().any(|event| event.news == told));
}

#[test]
fn a_cancelled_call_keeps_what_was_shown_in_one_step_says_so_and_adds_nothing_later() {
    let mut desk = Desk::new();
    let running = held(&mut desk, "fake_live");
    assert_eq!(desk.ask(Op::Cancel { call: running }).status, Status::Ok);
    let kept = desk.answer(Who::Person, running);
    assert_eq!(kept.status, Status::Applied, "at once, while the worker is still held back");
    assert_eq!(desk.sound.waiting(), 1);
    assert_eq!(kept.summary, "Mute Drums (cancelled)");
    let plan = desk.bridge.plans()[0].plan.clone();
    assert_eq!(plan.warnings, ["cancelled; what was found until then is kept, undo takes it back"]);
    assert!(desk.session().tracks[&DRUMS].mute);
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels::UNITY);
    desk.sound.open_gate();
    desk.until(|desk| desk.sound.waiting() == 0);
    assert_eq!(desk.now("fake_look", json!({})).status, Status::Ok);
    assert_eq!(
        desk.session().tracks[&DRUMS].gain,
        Decibels::UNITY,
        "what it planned came too late"
    );
    assert_eq!(desk.bridge.plans().len(), 1);
}

#[test]
fn of_a_plan_that_would_wait_nothing_is_kept() {
    let mut desk = Desk::new();
    let running = held(&mut desk, "fake_live_plan");
    desk.ask(Op::Cancel { call: running });
    let stopped = desk.answer(Who::Person, running);
    assert_eq!(code(&stopped), Code::Cancelled);
    assert!(desk.bridge.plans().is_empty());
    desk.sound.open_gate();
    assert_eq!(desk.now("fake_mute", json!({})).status, Status::Applied);
}
