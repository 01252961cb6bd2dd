//! Work that blocks other work, is stopped, has a bug, or hangs.

use crate::desk::{Desk, WORKERS, Who, call, code};
use crate::sound::DRUMS;
use deskhand_protocol::{Apply, News, Op, Status};
use deskhand_session::tool_error::{Code, Phase};
use serde_json::json;

fn wait() -> Op {
    call("fake_wait", json!({}), Apply::Now)
}

#[test]
fn a_second_call_on_the_same_targets_is_told_who_is_at_it() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let first = desk.person.submit(wait());
    desk.until(|desk| desk.sound.waiting() == 1);
    let mine = desk.ask(wait());
    assert_eq!(code(&mine), Code::InProgress);
    assert!(mine.summary.contains("fake_wait by you"), "{}", mine.summary);
    let theirs = desk.ask_as_agent(wait());
    assert_eq!(code(&theirs), Code::InProgress);
    assert!(theirs.summary.contains("fake_wait by the person"), "{}", theirs.summary);
    desk.sound.open_gate();
    assert_eq!(desk.answer(Who::Person, first).status, Status::Applied);
    assert_eq!(desk.ask(wait()).status, Status::Applied, "it is free again");
}

#[test]
fn the_agent_is_named_to_the_person() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let first = desk.agent.submit(wait());
    desk.until(|desk| desk.sound.waiting() == 1);
    let refused = desk.ask(wait());
    assert!(refused.summary.contains("by the agent"), "{}", refused.summary);
    desk.sound.open_gate();
    assert_eq!(desk.answer(Who::Agent, first).status, Status::Waiting);
}

#[test]
fn a_cancelled_call_is_answered_and_applies_nothing() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let running = desk.person.submit(wait());
    desk.until(|desk| desk.sound.waiting() == 1);
    let theirs = desk.ask_as_agent(Op::Cancel { call: running });
    assert!(theirs.summary.contains("nothing is running"), "only its own: {}", theirs.summary);
    let cancelled = desk.ask(Op::Cancel { call: running });
    assert_eq!(cancelled.status, Status::Ok);
    desk.sound.open_gate();
    let stopped = desk.answer(Who::Person, running);
    assert_eq!(code(&stopped), Code::Cancelled);
    assert_eq!(stopped.error.unwrap().phase, Phase::Run);
    assert!(!desk.session().tracks[&DRUMS].mute);
    assert!(desk.bridge.plans().is_empty());
    let late = desk.ask(Op::Cancel { call: running });
    assert!(late.summary.contains("nothing is running"));
}

#[test]
fn a_tool_with_a_bug_is_an_error_and_the_bridge_lives_on() {
    let mut desk = Desk::new();
    for (tool, bug) in
        [("fake_panic", "a bug in the tool"), ("fake_panic_early", "a bug in prepare")]
    {
        let answer = desk.now(tool, json!({}));
        assert_eq!(code(&answer), Code::Panicked);
        assert!(answer.summary.contains(bug), "{}", answer.summary);
    }
    assert_eq!(desk.now("fake_mute", json!({})).status, Status::Applied);
}

#[test]
fn a_number_that_cannot_be_written_is_the_tools_error() {
    let mut desk = Desk::new();
    for apply in [Apply::Never, Apply::Now] {
        let answer = desk.ask(call("fake_no_number", json!({}), apply));
        assert_eq!(code(&answer), Code::Invalid, "{answer:#?}");
    }
    assert!(desk.bridge.plans().is_empty());
    assert_eq!(desk.now("fake_mute", json!({})).status, Status::Applied, "nothing is read-only");
}

#[test]
fn tools_that_hang_are_given_up_and_others_go_on() {
    let mut desk = Desk::new();
    let now = |desk: &Desk, tool| desk.person.submit(call(tool, json!({}), Apply::Now));
    // It keeps the bridge so busy that it never waits, and one of the workers.
    let chatter = now(&desk, "fake_chatter");
    let hanging: Vec<_> = (1..WORKERS).map(|_| now(&desk, "fake_hang_long")).collect();
    let behind = now(&desk, "fake_mute");
    // Those that are short by their own word have a worker of their own.
    let short = now(&desk, "fake_hang");
    let behind_short = now(&desk, "fake_brief");
    for call in &hanging {
        let cancelled = desk.person.cancel(*call);
        assert_eq!(desk.answer(Who::Person, cancelled).summary, "cancelling");
    }
    let answer = desk.answer(Who::Person, short);
    assert_eq!(code(&answer), Code::TimedOut);
    assert!(answer.summary.contains("given up"), "{}", answer.summary);
    for call in hanging {
        assert_eq!(code(&desk.answer(Who::Person, call)), Code::Cancelled);
    }
    // The second waited longer than it may take: only its own time counts.
    assert_eq!(desk.answer(Who::Person, behind_short).status, Status::Ok);
    assert_eq!(desk.answer(Who::Person, behind).status, Status::Applied);
    desk.person.cancel(chatter);
    assert_eq!(code(&desk.answer(Who::Person, chatter)), Code::Cancelled);
}

#[test]
fn a_fader_does_not_wait_for_long_work() {
    let mut desk = Desk::new();
    desk.sound.close_gate();
    let listening: Vec<_> = (0..WORKERS + 1)
        .map(|_| desk.person.submit(call("fake_listen", json!({}), Apply::Never)))
        .collect();
    desk.until(|desk| desk.sound.waiting() == WORKERS);
    let fader = desk.now("cmd_set_track_gain", json!({"targets": "Drums", "gain_db": -3.0}));
    assert_eq!(fader.status, Status::Applied);
    desk.sound.open_gate();
    for call in listening {
        assert_eq!(desk.answer(Who::Person, call).status, Status::Waiting);
    }
}

#[test]
fn progress_is_told_to_every_front_end() {
    let mut desk = Desk::new();
    let done = desk.ask(wait());
    assert_eq!(done.status, Status::Applied);
    let of = |events: &[deskhand_protocol::Event]| -> Vec<News> {
        let told = events.iter().map(|event| event.news.clone());
        told.filter(|news| matches!(news, News::Planning { .. } | News::Progress { .. })).collect()
    };
    let tool = "fake_wait".to_owned();
    let progress = News::Progress { fraction: 0.5, what: "Kick".into() };
    assert_eq!(of(&desk.heard), [News::Planning { tool }, progress]);
    assert_eq!(of(&desk.heard), of(&desk.agent_heard));
}
