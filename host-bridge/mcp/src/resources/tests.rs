//! What is read by its handle, and the errors where there is nothing.

use super::*;
use crate::host_program::{Opened, Shown};
use crate::testing::{Hub, OneDoor, link, newest, opened, plan, snapshot};
use deskhand_protocol::Op;
use deskhand_session::{Author, Plan, PlanId};
use rmcp::ServiceError;
use rmcp::model::ReadResourceRequestParams;

fn door() -> OneDoor {
    OneDoor::new(link(|_, _, _| {}).0, Shown::Terminal)
}

#[tokio::test]
async fn an_id_of_a_code_or_a_segment_that_is_none_is_told_with_those_that_are() {
    let client = newest(door(), opened(), ()).await;
    for (kind, form) in [("codes", "code_"), ("segments", "seg_")] {
        let uri = format!("deskhand://{kind}/Amiable");
        let read = client.read_resource(ReadResourceRequestParams::new(uri)).await;
        let Err(ServiceError::McpError(error)) = read else { panic!("{kind} was read") };
        let told = error.message;
        assert!(told.contains(form) && told.contains(&format!("read deskhand://{kind}")), "{told}");
    }
    let read = client.read_resource(ReadResourceRequestParams::new("deskhand://code")).await;
    let Err(ServiceError::McpError(error)) = read else { panic!("it was read") };
    let told = error.message;
    assert!(told.contains("codes/ID") && told.contains("segments/ID"), "{told}");
}

#[tokio::test]
async fn what_is_said_comes_with_a_transcription_that_was_left() {
    let answers = |hub: &Hub, id, op: Op| {
        if let Op::Read { what: Read::Plan { .. } } = op {
            let plan = Plan { tool: "tool_transcribe".into(), ..plan(3, "it") };
            let stored = StoredPlan {
                plan,
                state: PlanState::Waiting,
                author: Author::User,
                reason: None,
                receipt: None,
                follows: None,
                time_ms: 0,
                decided_ms: None,
            };
            hub.answer(id, json!(stored));
        }
    };
    let opened = Opened { dir: "/talks/one.deskhand".into(), link: link(answers).0 };
    let line = Line::new(opened).unwrap();
    let mut talk = snapshot();
    let said = || Found::Json(json!({"segments": []}));
    assert_eq!(with_what_is_left(&line, &talk, said()).await.unwrap(), said());
    let plan = PlanId::new(3);
    talk.plans.insert(plan, PlanState::Waiting);
    let left = with_what_is_left(&line, &talk, said()).await.unwrap();
    assert_eq!(left, Found::Json(json!({"segments": [], "unfinished": plan})));
    talk.running.insert(plan, 0.5);
    let runs = with_what_is_left(&line, &talk, Found::Plain("[0.00] Hi".into())).await.unwrap();
    let told = "[0.00] Hi\n(a transcription runs, 50 % of it done: deskhand://plans/";
    assert_eq!(runs, Found::Plain(format!("{told}{plan})")));
}
