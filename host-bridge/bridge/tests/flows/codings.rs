//! Codes: the codings of a second coder out of a session of their own, and reports that are written.

use crate::desk::{Desk, call};
use crate::reopen::copied;
use deskhand_protocol::{Apply, Decision, Op, Status};
use deskhand_session::PlanState;
use serde_json::{Value, json};
use std::path::Path;

/// Codes the first half of the clips.
fn code(desk: &mut Desk, name: &str) {
    desk.now("cmd_set_code", json!({"name": name}));
    let region = json!({"code": name, "target": "Verse", "start_ms": 0, "end_ms": 500});
    let coded = desk.now("tool_code_region", region);
    assert_eq!(coded.status, Status::Applied, "{coded:#?}");
}

/// A closed session in `folder`, in which `name` is coded.
fn second_coder(folder: &Path, name: &str) {
    let mut desk = Desk::create(folder);
    code(&mut desk, name);
    desk.bridge.close().unwrap();
}

#[test]
fn a_second_coder_is_merged_and_compared() {
    let tmp = tempfile::tempdir().unwrap();
    let theirs = tmp.path().join("bea");
    second_coder(&theirs, "laughter");
    let mut desk = Desk::new();
    code(&mut desk, "Laughter");
    let params = json!({"session": theirs, "coder": "Bea"});
    let asked = desk.ask_as_agent(call("tool_merge_codings", params.clone(), Apply::Now));
    assert_eq!(asked.status, Status::Waiting, "it reads outside of what was opened");
    let merged = desk.now("tool_merge_codings", params);
    assert_eq!(merged.status, Status::Applied, "{merged:#?}");
    let codings: Vec<_> = desk.session().segments.values().map(|s| s.codings.len()).collect();
    assert_eq!(codings, [2]);
    let told = desk.now("tool_report_codes", json!({"report": "agreement"}));
    assert_eq!(told.answer.unwrap()["rows"][0]["kappa"], 1.0);
    assert_eq!(desk.session().codes.len(), 1, "names that differ in case are one code");
}

/// Codes a part of the clip; the same call makes the same ids in two copies of a session.
fn code_from(desk: &mut Desk, start_ms: u64) {
    let region =
        json!({"code": "X", "target": "Verse", "start_ms": start_ms, "end_ms": start_ms + 100});
    assert_eq!(desk.now("tool_code_region", region).status, Status::Applied);
}

#[test]
fn of_a_copy_only_what_was_coded_after_it_was_copied_is_the_second_coders() {
    let tmp = tempfile::tempdir().unwrap();
    let [mine, theirs] = ["mine", "bea"].map(|name| tmp.path().join(name));
    let mut desk = Desk::create(&mine);
    code(&mut desk, "X");
    desk.bridge.close().unwrap();
    copied(&mine, &theirs);
    let mut desk = Desk::open(&mine);
    let mut bea = Desk::open(&theirs);
    for desk in [&mut desk, &mut bea] {
        code_from(desk, 600);
    }
    code_from(&mut bea, 800);
    bea.bridge.close().unwrap();
    let merged = desk.now("tool_merge_codings", json!({"session": theirs, "coder": "Bea"}));
    let answer = merged.answer.unwrap();
    let told = ["codings_added", "inherited"].map(|key| answer[key].as_u64().unwrap());
    assert_eq!(told, [2, 1]);
    let codings = desk.session().segments.values().flat_map(|segment| &segment.codings);
    assert_eq!(codings.filter(|coding| coding.coder.is_none()).count(), 2);
}

#[test]
fn what_is_no_closed_session_is_refused() {
    let tmp = tempfile::tempdir().unwrap();
    let theirs = tmp.path().join("bea");
    let mut open = Desk::create(&theirs);
    code(&mut open, "X");
    let mut desk = Desk::new();
    let mut refused = |session: Value| {
        let result = desk.now("tool_merge_codings", json!({"session": session, "coder": "Bea"}));
        result.error.unwrap().message
    };
    assert!(refused(json!("bea")).contains("is no whole path"));
    assert!(refused(json!(tmp.path().join("none"))).contains("does not exist"));
    assert!(refused(json!(tmp.path())).contains("is not a Deskhand session"));
    assert!(refused(json!(theirs)).contains("is open in"));
}

#[test]
fn a_models_report_is_answered_at_once_and_written_when_a_person_lets_it() {
    let mut desk = Desk::new();
    code(&mut desk, "Laughter");
    let report = json!({"report": "counts"});
    let told = desk.ask_as_agent(call("tool_report_codes", report, Apply::ByPolicy));
    assert_eq!(told.status, Status::Ok, "{told:#?}");
    let params = json!({"report": "counts", "path": "codes.csv"});
    let waits = desk.ask_as_agent(call("tool_report_codes", params, Apply::ByPolicy));
    let file = desk.folder().parent().unwrap().join("codes.csv");
    assert_eq!(waits.status, Status::Waiting, "{waits:#?}");
    assert!(!file.exists());
    let plan = waits.plan.unwrap().id;
    desk.ask(Op::Decide { plan, decision: Decision::Apply });
    desk.until(|desk| desk.state(plan) == PlanState::Applied);
    assert!(std::fs::read_to_string(file).unwrap().contains("Laughter,1"));
}
