//! Permissions: authority belongs to the connection.

use crate::desk::{Desk, call, code};
use crate::sound::{BASS, DRUMS};
use deskhand_dsp::Decibels;
use deskhand_protocol::{
    Apply, Asking, Decision, Event, Link, News, Op, Read, Rule, Speech, Status, ToolResult,
};
use deskhand_session::plan::ValueEdit;
use deskhand_session::tool_error::Code;
use deskhand_session::{Author, PlanId, PlanState, TrackId};
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
        Op::Decide { plan, decision: Decision::ApplyAlways },
        Op::Decide { plan, decision: Decision::ApplyPart { only: None, set: Vec::new() } },
        Op::Decide { plan, decision: Decision::Reject { reason } },
        Op::AddPlan { plan: copy },
        Op::Say { text: "hello".into(), provider: None, attended: true },
        Op::StopTurn,
        Op::AnswerNotice { notice_id: "notice_1".into(), answer: None },
        Op::Speak { speech: Speech::Piece { text: "hello".into() } },
        Op::Speak { speech: Speech::Unaided },
    ];
    let (session, plans) = (desk.session().clone(), desk.bridge.plans().to_vec());
    for op in forbidden {
        let refused = desk.ask_as_agent(op.clone());
        assert_eq!(code(&refused), Code::Refused, "{op:?}");
        assert!(refused.summary.contains("only a person"), "{}", refused.summary);
    }
    assert_eq!((desk.session(), desk.bridge.plans()), (&session, plans.as_slice()));
}

/// What `front` is answered.
fn answer(desk: &mut Desk, front: &dyn Link, op: Op) -> ToolResult {
    let asked = front.submit(op);
    loop {
        desk.bridge.pump_next();
        for event in front.events().try_iter() {
            if let (Some(call), News::Done { result }) = (event.call, event.news)
                && call == asked
            {
                return *result;
            }
        }
    }
}

#[test]
fn no_standing_permission_comes_of_any_connection_but_a_persons() {
    let mut desk = Desk::new();
    let Desk { bridge, .. } = &mut desk;
    let fronts: [Box<dyn Link>; 3] = [
        Box::new(bridge.connect_agent()),
        Box::new(bridge.connect_conversation()),
        Box::new(bridge.connect_observer()),
    ];
    let waits = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::ByPolicy));
    let plan = waits.plan.unwrap().id;
    for front in fronts {
        let tool = || "cmd_set_track_gain".to_owned();
        for op in [
            Op::Decide { plan, decision: Decision::ApplyAlways },
            Op::SetRule { tool: tool(), rule: Some(Rule::Allow) },
            // Fewer obstacles mean more permission.
            Op::SetRule { tool: tool(), rule: None },
            Op::Asking { asking: Asking::BiggerChanges },
        ] {
            let refused = answer(&mut desk, front.as_ref(), op.clone());
            assert_eq!(code(&refused), Code::Refused, "{op:?}");
        }
    }
    let read = desk.ask(Op::Read { what: Read::Snapshot }).answer.unwrap();
    assert_eq!((&read["asking"], &read["rules"]), (&json!("always"), &json!([])));
    let again = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::Now));
    // The same wish again takes the place of the plan that waits, and waits itself.
    assert_eq!((again.status, desk.state(plan)), (Status::Waiting, PlanState::Conflict));
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
fn what_reaches_outside_runs_only_after_a_person_agreed() {
    let mut desk = Desk::new();
    for apply in [Apply::ByPolicy, Apply::Now, Apply::Never] {
        let waits = desk.ask_as_agent(call("fake_reach_out", json!({}), apply));
        assert_eq!(waits.status, Status::Waiting);
        assert_eq!(waits.plan.unwrap().changes, []);
    }
    let permission = desk.bridge.plans().last().unwrap().plan.id;
    let ran = desk.ask(Op::Decide { plan: permission, decision: Decision::Apply });
    assert_eq!(ran.status, Status::Waiting, "what it planned waits as well");
    let made = ran.plan.unwrap();
    assert_eq!(desk.stored(made.id).author, Author::Agent);
    desk.until(|desk| desk.heard.iter().any(|event| is_decided(event, permission)));
    let follows = desk.heard.iter().find_map(|event| match &event.news {
        News::Decided { plan, follows, .. } if *plan == permission => *follows,
        _ => None,
    });
    assert_eq!(follows, Some(made.id));
    assert_eq!(desk.stored(permission).follows, Some(made.id));
    assert!(!desk.session().tracks[&DRUMS].mute);
    desk.apply(made.id);
    assert!(desk.session().tracks[&DRUMS].mute);
    assert_eq!(desk.now("fake_reach_out", json!({})).status, Status::Applied);
}

#[test]
fn an_agents_undo_names_the_revision_and_waits() {
    let mut desk = Desk::new();
    desk.now("cmd_set_track_gain", louder());
    let gain = desk.session().tracks[&DRUMS].gain;
    let waits = desk.ask_as_agent(Op::Undo);
    assert_eq!(waits.status, Status::Waiting);
    let plan = waits.plan.unwrap();
    assert_eq!(plan.params, json!({"revision": 1}));
    assert_eq!(desk.session().tracks[&DRUMS].gain, gain);
    desk.apply(plan.id);
    assert_eq!(desk.session().tracks[&DRUMS].gain, Decibels::UNITY);
    assert_eq!(desk.bridge.history().head().0, 0, "the head moved back, as with a person's undo");
    let again = desk.ask_as_agent(Op::Redo).plan.unwrap();
    desk.now("fake_mute", json!({}));
    let late = desk.ask(Op::Decide { plan: again.id, decision: Decision::Apply });
    assert_eq!(late.status, Status::Conflict, "it is not the next step any more");
}

#[test]
fn a_step_that_was_edited_is_none() {
    let mut desk = Desk::new();
    desk.now("cmd_set_track_gain", louder());
    let plan = desk.ask_as_agent(Op::Undo).plan.unwrap();
    let set = vec![ValueEdit { change: "c1".into(), after: json!(-9.0) }];
    let decision = Decision::ApplyPart { only: None, set };
    let result = desk.ask(Op::Decide { plan: plan.id, decision });
    assert_ne!(result.status, Status::Applied);
    assert_eq!(desk.bridge.history().head().0, 1);
}

#[test]
fn always_allow_holds_for_the_tool_and_for_nothing_that_reaches_outside() {
    let mut desk = Desk::new();
    let first = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::ByPolicy));
    let plan = first.plan.unwrap().id;
    desk.ask(Op::Decide { plan, decision: Decision::ApplyAlways });
    let second = desk.ask_as_agent(call("cmd_set_track_gain", louder(), Apply::ByPolicy));
    assert_eq!(second.status, Status::Applied);
    let rule = second.receipt.unwrap().rule;
    assert_eq!(
        rule.as_deref(),
        Some("allow cmd_set_track_gain"),
        "the receipt says why nobody was asked"
    );
    let other = desk.ask_as_agent(call("fake_reach_out", json!({}), Apply::ByPolicy));
    let plan = other.plan.unwrap().id;
    desk.ask(Op::Decide { plan, decision: Decision::ApplyAlways });
    let again = desk.ask_as_agent(call("fake_reach_out", json!({}), Apply::ByPolicy));
    assert_eq!(again.status, Status::Waiting, "no rule lowers it");
}

#[test]
fn a_rule_takes_nothing_that_is_to_be_heard_first() {
    let mut desk = Desk::new();
    let allow = Op::SetRule { tool: "fake_to_hear".into(), rule: Some(Rule::Allow) };
    desk.ask(allow);
    let result = desk.ask_as_agent(call("fake_to_hear", json!({}), Apply::ByPolicy));
    assert_eq!(result.status, Status::Applied, "{result:#?}");
    let receipt = result.receipt.unwrap();
    assert_eq!(receipt.applied, ["c1"]);
    assert_eq!(receipt.rule.as_deref(), Some("allow fake_to_hear"));
    let taken = result.plan.unwrap();
    assert!(taken.notes.iter().any(|note| note.contains("to be heard first")), "{taken:?}");
    let gain = |desk: &Desk, track: TrackId| desk.session().tracks[&track].gain;
    assert_eq!([DRUMS, BASS].map(|track| gain(&desk, track)), [Decibels(-1.0), Decibels::UNITY]);
    // The rest waits for the person, whose windows learn of it.
    let whole = taken.derived_from.unwrap();
    assert_eq!(desk.state(whole), PlanState::Waiting);
    let is_shown = |event: &Event| matches!(&event.news, News::Review { plan } if plan.id == whole);
    desk.until(|desk| desk.heard.iter().any(is_shown));
    desk.apply(whole);
    assert_eq!(gain(&desk, BASS), Decibels(-2.0));
    assert_eq!(desk.state(whole), PlanState::Applied);
}

#[test]
fn a_person_who_decides_with_the_call_takes_what_is_to_be_heard_too() {
    let mut desk = Desk::new();
    let result = desk.now("fake_to_hear", json!({}));
    assert_eq!(result.receipt.unwrap().applied, ["c1", "c2", "c3"]);
}

fn is_decided(event: &Event, id: PlanId) -> bool {
    matches!(event.news, News::Decided { plan, .. } if plan == id)
}
