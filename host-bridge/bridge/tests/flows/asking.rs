//! How much a person wants to be asked, and rules for tools: made by a person, for one session.

use crate::desk::{Desk, call, code};
use crate::sound::DRUMS;
use deskhand_bridge::{Policy, Rules};
use deskhand_dsp::Decibels;
use deskhand_protocol::desk::NoticeKind;
use deskhand_protocol::{
    Apply, Asking, Decision, News, Op, Read, Rule, Snapshot, Status, ToolRule,
};
use deskhand_session::Author;
use deskhand_session::tool_error::Code;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const BIGGER: Op = Op::Asking { asking: Asking::BiggerChanges };

fn louder() -> Value {
    json!({"targets": "Drums", "change_db": 3.0})
}

fn gain(desk: &Desk) -> Decibels {
    desk.session().tracks[&DRUMS].gain
}

fn snapshot(desk: &mut Desk) -> Snapshot {
    let read = desk.ask(Op::Read { what: Read::Snapshot });
    serde_json::from_value(read.answer.unwrap()).unwrap()
}

fn set(tool: &str, rule: Option<Rule>) -> Op {
    Op::SetRule { tool: tool.into(), rule }
}

fn asked(desk: &mut Desk, tool: &str, params: Value) -> Status {
    desk.ask_as_agent(call(tool, params, Apply::ByPolicy)).status
}

#[test]
fn one_number_of_one_object_is_applied_and_told_with_undo() {
    let mut desk = Desk::new();
    assert_eq!(asked(&mut desk, "cmd_set_track_gain", louder()), Status::Waiting);
    assert_eq!(desk.ask(BIGGER).status, Status::Ok);
    let done = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::ByPolicy));
    assert_eq!(done.status, Status::Applied, "{}", done.summary);
    assert_eq!(gain(&desk), Decibels(3.0));
    assert_eq!(done.receipt.unwrap().rule.as_deref(), Some("ask for bigger changes"));
    desk.until(|desk| desk.heard.iter().any(|event| matches!(event.news, News::Notice { .. })));
    let told = desk.heard.iter().find_map(|event| match &event.news {
        News::Notice { notice } => Some((event.author, notice)),
        _ => None,
    });
    let (author, notice) = told.unwrap();
    assert_eq!((author, notice.kind), (Author::Agent, NoticeKind::Success));
    assert!(notice.message.starts_with("Applied without asking: "), "{}", notice.message);
    desk.undo();
    assert_eq!(gain(&desk), Decibels::UNITY);
}

#[test]
fn bigger_changes_wait_all_the_same() {
    let mut desk = Desk::new();
    desk.ask(BIGGER);
    let two = json!({"targets": ["Drums", "Bass"], "change_db": 3.0});
    assert_eq!(asked(&mut desk, "cmd_set_track_gain", two), Status::Waiting, "two objects");
    let never = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::Never));
    assert_eq!(never.status, Status::Waiting, "who asks for a plan gets one");
    for wish in [Apply::ByPolicy, Apply::Now] {
        let outside = desk.ask_as_agent(call("fake_reach_out", json!({}), wish));
        assert_eq!(outside.status, Status::Waiting, "what reaches outside always waits");
    }
    desk.now("cmd_set_track_gain", louder());
    assert_eq!(desk.ask_as_agent(Op::Undo).status, Status::Waiting, "a model's undo");
}

#[test]
fn a_rule_for_the_tool_goes_before_it() {
    let mut desk = Desk::new();
    desk.ask(BIGGER);
    desk.ask(set("cmd_set_track_gain", Some(Rule::Confirm)));
    assert_eq!(asked(&mut desk, "cmd_set_track_gain", louder()), Status::Waiting);
    desk.ask(set("cmd_set_track_gain", Some(Rule::Deny)));
    let denied = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::ByPolicy));
    assert_eq!(code(&denied), Code::Refused);
    desk.ask(set("cmd_set_track_gain", None));
    assert_eq!(asked(&mut desk, "cmd_set_track_gain", louder()), Status::Applied);
    desk.ask(Op::Asking { asking: Asking::Always });
    assert_eq!(asked(&mut desk, "cmd_set_track_gain", louder()), Status::Waiting);
}

#[test]
fn only_a_person_says_what_is_asked() {
    let mut desk = Desk::new();
    for op in [BIGGER, set("cmd_set_track_gain", Some(Rule::Allow))] {
        let refused = desk.ask_as_agent(op);
        assert_eq!(code(&refused), Code::Refused);
        assert!(refused.summary.contains("only a person"), "{}", refused.summary);
    }
    let now = snapshot(&mut desk);
    assert_eq!((now.asking, now.rules), (Asking::Always, Vec::new()));
    assert_eq!(asked(&mut desk, "cmd_set_track_gain", louder()), Status::Waiting);
}

/// Records what it is told.
#[derive(Default)]
struct Kept(Mutex<Vec<String>>);

impl Rules for Kept {
    fn keep_rule(&self, tool: &str, rule: Option<Rule>) -> Result<(), String> {
        self.0.lock().unwrap().push(format!("{tool} {rule:?}"));
        Ok(())
    }

    fn keep_asking(&self, asking: Asking) -> Result<(), String> {
        self.0.lock().unwrap().push(format!("{asking:?}"));
        Err("the disk is full".into())
    }

    fn keep_local_only(&self, _: bool) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn what_was_decided_is_kept_told_and_shown() {
    let mut desk = Desk::new();
    let kept = Arc::new(Kept::default());
    let fixed = Policy::new([("cmd_set_track_pan".to_owned(), Rule::Deny)]);
    desk.bridge.set_policy(fixed, Some(Arc::clone(&kept) as _));
    desk.ask(set("cmd_set_track_gain", Some(Rule::Confirm)));
    desk.ask(BIGGER);
    desk.ask(set("cmd_set_track_pan", None));
    let wrong = desk.ask(set("cmd_set_track_gian", Some(Rule::Deny)));
    assert!(wrong.summary.contains("no tool"), "{}", wrong.summary);
    let rule = |tool: &str, rule, is_here| ToolRule { tool: tool.into(), rule, is_here };
    let rules = vec![
        rule("cmd_set_track_gain", Rule::Confirm, true),
        rule("cmd_set_track_pan", Rule::Deny, false),
    ];
    let now = snapshot(&mut desk);
    assert_eq!((now.asking, &now.rules), (Asking::BiggerChanges, &rules));
    let told = News::Policy { asking: Asking::BiggerChanges, rules };
    assert!(desk.heard.iter().any(|event| event.news == told));
    let full = |event: &deskhand_protocol::Event| match &event.news {
        News::Notice { notice } => notice.message.contains("the disk is full"),
        _ => false,
    };
    desk.until(|desk| desk.heard.iter().any(full));
    desk.until(|_| kept.0.lock().unwrap().len() == 3);
    let written = kept.0.lock().unwrap().clone();
    let all = ["cmd_set_track_gain Some(Confirm)", "BiggerChanges", "cmd_set_track_pan None"];
    assert_eq!(written, all);
}

#[test]
fn a_person_who_applies_a_small_plan_is_no_rule() {
    let mut desk = Desk::new();
    let waits = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::ByPolicy));
    desk.ask(BIGGER);
    let plan = waits.plan.unwrap().id;
    let taken = desk.ask(Op::Decide { plan, decision: Decision::Apply });
    assert_eq!(taken.receipt.unwrap().rule, None);
}
