//! Tools that start programs. A person is asked before each run, whatever the rules say. Their plans are
//! like others.

use crate::desk::{Desk, call, code};
use deskhand_bridge::{Policy, Rule};
use deskhand_protocol::{Apply, Decision, Op, Status, ToolResult};
use deskhand_session::tool_error::Code;
use deskhand_session::{PlanId, PlanState};
use serde_json::json;

fn asked(result: &ToolResult) -> PlanId {
    assert_eq!(result.status, Status::Waiting, "{result:#?}");
    let plan = result.plan.as_ref().unwrap();
    assert_eq!(plan.changes, [], "it waits for leave to run");
    let why = "fake_program starts a program: /bin/fake_program (version 1), without the network";
    assert_eq!(plan.warnings, [why]);
    plan.id
}

#[test]
fn a_models_call_waits_before_anything_starts_and_its_plan_waits_again() {
    let mut desk = Desk::new();
    let called = call("fake_program", json!({}), Apply::Now);
    let plan = asked(&desk.ask_as_agent(called));
    let ran = desk.decide(plan, Decision::Apply);
    assert_eq!(ran.status, Status::Waiting, "what it plans is decided on as usual: {ran:#?}");
    let made = ran.plan.unwrap();
    assert_eq!(made.changes.len(), 1);
    desk.until(|desk| desk.state(plan) == PlanState::Applied);
    assert_eq!(desk.decide(made.id, Decision::Apply).status, Status::Applied);
}

#[test]
fn no_rule_lets_a_program_run_but_one_may_take_its_plans() {
    let mut desk = Desk::new();
    let rule = [("fake_program".to_owned(), Rule::Allow)];
    desk.bridge.set_policy(Policy::new(rule), None);
    let plan = asked(&desk.ask_as_agent(call("fake_program", json!({}), Apply::ByPolicy)));
    let ran = desk.decide(plan, Decision::Apply);
    assert_eq!(ran.status, Status::Applied, "{ran:#?}");
}

#[test]
fn a_rejected_question_starts_nothing() {
    let mut desk = Desk::new();
    let plan = asked(&desk.ask_as_agent(call("fake_program", json!({}), Apply::ByPolicy)));
    desk.decide(plan, Decision::Reject { reason: "not that".into() });
    assert_eq!(desk.state(plan), PlanState::Rejected);
    assert_eq!(desk.bridge.history().head().0, 0);
}

#[test]
fn local_only_starts_nothing_that_uses_the_network() {
    let mut desk = Desk::new();
    assert_eq!(desk.ask(Op::LocalOnly { on: true }).status, Status::Ok);
    let online = call("fake_online", json!({}), Apply::ByPolicy);
    for refused in [desk.ask_as_agent(online.clone()), desk.ask(online.clone())] {
        assert_eq!(code(&refused), Code::Refused);
        assert!(refused.error.unwrap().message.contains("uses the network"));
    }
    asked(&desk.ask_as_agent(call("fake_program", json!({}), Apply::ByPolicy)));
    assert_eq!(desk.ask(Op::LocalOnly { on: false }).status, Status::Ok);
    assert_eq!(desk.ask_as_agent(online).status, Status::Waiting);
}

#[test]
fn local_only_makes_no_call_that_talks_to_another_machine() {
    let mut desk = Desk::new();
    let there = call("fake_mute", json!({"model": "service"}), Apply::ByPolicy);
    assert_eq!(desk.ask(Op::LocalOnly { on: true }).status, Status::Ok);
    for refused in [desk.ask_as_agent(there.clone()), desk.ask(there.clone())] {
        assert_eq!(code(&refused), Code::Refused);
        assert!(refused.error.unwrap().message.contains("uses the network"));
    }
    let here = call("fake_mute", json!({"model": "tiny"}), Apply::ByPolicy);
    assert_eq!(desk.ask(here).status, Status::Applied);
}

#[test]
fn front_ends_are_told_which_tools_start_programs() {
    let desk = Desk::new();
    let infos = desk.bridge.tool_infos();
    let of = |name: &str| infos.iter().find(|info| info.name == name).unwrap().program.clone();
    assert_eq!(of("fake_online").unwrap(), "/bin/fake_online (version 1), with the network");
    assert_eq!(of("cmd_set_track_gain"), None);
}
