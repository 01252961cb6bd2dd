//! Who may do what: authority belongs to the connection.

use crate::desk::{Desk, call, code};
use crate::sound::DRUMS;
use deskhand_dsp::Decibels;
use deskhand_protocol::{Apply, Decision, Op, Status};
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, PlanState};
use serde_json::json;

fn louder() -> serde_json::Value {
    json!({"targets": "Drums", "change_db": 3.0})
}

#[test]
fn an_agent_decides_nothing() {
    let mut desk = Desk::new();
    desk.now("cmd_set_track_gain", louder());
    let plan = desk.plan("cmd_set_track_gain", louder());
    let copy = Box::new(desk.stored(plan).plan.clone());
    let reason = String::new();
    let forbidden = [
        Op::Decide { plan, decision: Decision::Apply },
        Op::Decide { plan, decision: Decision::ApplyPart { only: None, set: Vec::new() } },
        Op::Decide { plan, decision: Decision::Reject { reason } },
        Op::AddPlan { plan: copy },
        Op::Undo,
        Op::Redo,
    ];
    let (session, plans) = (desk.session().clone(), desk.bridge.plans().to_vec());
    for op in forbidden {
        let refused = desk.ask_as_agent(op.clone());
        assert_eq!(code(&refused), Code::Refused, "{op:?}");
        assert!(refused.summary.contains("only a person"), "{}", refused.summary);
    }
    assert_eq!((desk.session(), desk.bridge.plans()), (&session, plans.as_slice()));
}

#[test]
fn a_forged_decision_of_an_agent_is_only_a_call() {
    let mut desk = Desk::new();
    let asked = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::Now));
    assert_eq!(asked.status, Status::Waiting);
    let plan = asked.plan.unwrap().id;
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels::UNITY);
    assert_eq!(desk.stored(plan).author, Author::Agent);
    // The person takes it: the step is still the agent's.
    desk.apply(plan);
    assert_eq!(desk.state(plan), PlanState::Applied);
    assert_eq!(desk.bridge.history().iter().next().unwrap().author, Author::Agent);
}

#[test]
fn what_reaches_outside_needs_a_person() {
    let mut desk = Desk::new();
    for apply in [Apply::ByPolicy, Apply::Now, Apply::Never] {
        let refused = desk.ask_as_agent(call("fake_reach_out", json!({}), apply));
        assert_eq!(code(&refused), Code::DecisionNeeded);
    }
    let waits = desk.ask(call("fake_reach_out", json!({}), Apply::ByPolicy));
    assert_eq!(waits.status, Status::Waiting, "no policy applies it");
    assert!(!desk.session().tracks[&DRUMS].mute);
    assert_eq!(desk.now("fake_reach_out", json!({})).status, Status::Applied);
}
