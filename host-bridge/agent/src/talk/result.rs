//! What a model is told of a result: the toolkit's shape, clean and of bounded size.

use super::desk::Outcome;
use deskhand_protocol::ToolResult;
use deskhand_protocol::clean::clean_json;
use deskhand_protocol::values::cut_row;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Plan, PlanState, Receipt};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The most rows of a list a model is told.
const ROWS: usize = 40;

/// The most bytes of an answer a model is told.
const BYTES: usize = 24_000;

/// A result as a model reads it: `{status, summary, revision, plan?, receipt?, answer?, warnings?,
/// phase?, code?, message?, fix?, conflicts?}`. Names and other text from the session stand in JSON strings only.
pub(super) fn for_model(result: &ToolResult) -> Value {
    let mut told = Map::new();
    told.insert("status".into(), to_json(&result.status));
    told.insert("summary".into(), result.summary.clone().into());
    told.insert("revision".into(), to_json(&result.revision));
    if let Some(plan) = &result.plan {
        told.insert("plan".into(), plan_for_model(plan));
    }
    if let Some(receipt) = &result.receipt {
        told.insert("receipt".into(), shortened(to_json(receipt)));
    }
    if let Some(answer) = &result.answer {
        told.insert("answer".into(), shortened(answer.clone()));
    }
    if !result.warnings.is_empty() {
        told.insert("warnings".into(), rows(&result.warnings));
    }
    if let Some(error) = &result.error {
        told.extend(failed(error).as_object().cloned().unwrap_or_default());
    }
    if !result.conflicts.is_empty() {
        told.insert("conflicts".into(), shortened(to_json(&result.conflicts)));
    }
    clean_json(Value::Object(told))
}

/// The result of a plan that a person decided on.
pub(super) fn decided(answer: Value, outcome: &Outcome) -> Value {
    let Value::Object(mut told) = answer else {
        return answer;
    };
    let summary = match outcome.state {
        PlanState::Applied => "the person applied it",
        PlanState::Rejected => "the person rejected it; do what the reason asks for, or ask",
        PlanState::RolledBack => "it was applied, missed what it promised, and was taken back",
        PlanState::Conflict => "it was not applied: the session moved on, or the call failed",
        PlanState::Undone => "it was applied and undone",
        PlanState::Waiting | PlanState::Applying => "it still waits",
    };
    told.insert("status".into(), to_json(&outcome.state));
    told.insert("decision".into(), summary.into());
    if let Some(reason) = &outcome.reason {
        told.insert("reason".into(), reason.clone().into());
    }
    if let Some(receipt) = &outcome.receipt {
        told.insert("receipt".into(), shortened(to_json(receipt)));
    }
    told.insert("decided_plan".into(), to_json(&outcome.plan));
    clean_json(Value::Object(told))
}

/// How hosts played what a plan promised, since its result was told.
pub(super) fn played(receipt: &Receipt) -> Value {
    clean_json(shortened(to_json(&receipt.played)))
}

/// The result of a call that was not made.
pub(super) fn declined(why: &str) -> Value {
    refusal(Code::Cancelled, why, "nothing was changed by it")
}

/// The result of a call that cannot be made.
pub(super) fn refusal(code: Code, message: &str, fix: &str) -> Value {
    failed(&ToolError::prepare(code, message, fix))
}

/// The result of a failure that never reached the bridge.
fn failed(error: &ToolError) -> Value {
    json!({"status": "error", "summary": error.message, "phase": error.phase, "code": error.code, "message": error.message, "fix": error.fix})
}

fn plan_for_model(plan: &Plan) -> Value {
    let mut told = json!({
        "id": plan.id,
        "digest": plan.digest,
        "summary": plan.summary,
        "changes": changes(plan),
        "findings": rows(&plan.findings),
        "predicted": rows(&plan.predicted),
        "warnings": rows(&plan.warnings),
    });
    if !plan.notes.is_empty() {
        told["notes"] = rows(&plan.notes);
    }
    told
}

/// The changes of a plan; of a plan of cuts one for each, which takes what it is made of along.
fn changes(plan: &Plan) -> Value {
    match plan.cuts() {
        None => rows(&plan.changes),
        Some(cuts) => rows(&cuts.iter().map(cut_row).collect::<Vec<_>>()),
    }
}

/// The first rows; a last one says how many there are more.
fn rows(rows: &[impl Serialize]) -> Value {
    let mut shown: Vec<_> = rows.iter().take(ROWS).map(to_json).collect();
    if rows.len() > ROWS {
        shown.push(json!({"more": rows.len() - ROWS}));
    }
    shown.into()
}

/// A value whose lists are cut until it is small enough to tell.
fn shortened(value: Value) -> Value {
    let mut rows = 400;
    let mut value = value;
    while value.to_string().len() > BYTES && rows > 1 {
        value = cut(value, rows);
        rows /= 2;
    }
    let length = value.to_string().len();
    if length > BYTES {
        return json!({"left_out": format!("{length} bytes; ask for less")});
    }
    value
}

fn cut(value: Value, rows: usize) -> Value {
    match value {
        Value::Array(items) => {
            let more = items.len().saturating_sub(rows);
            let mut kept: Vec<_> =
                items.into_iter().take(rows).map(|item| cut(item, rows)).collect();
            if more > 0 {
                kept.push(json!({"more": more}));
            }
            kept.into()
        }
        Value::Object(fields) => {
            fields.into_iter().map(|(key, value)| (key, cut(value, rows))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

/// Plain data with string keys: it can be written.
fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_protocol::Status;
    use deskhand_session::RevisionId;

    #[test]
    fn a_long_answer_is_cut_and_says_so() {
        let mut result = ToolResult::new(Status::Ok, "many\u{202e}", RevisionId(3));
        result.answer = Some((0..5_000).map(|i| json!({"name": format!("clip {i}")})).collect());
        let told = for_model(&result);
        assert_eq!(told["summary"], "many");
        assert!(told.to_string().len() < BYTES + 200);
        let rows = told["answer"].as_array().unwrap();
        assert!(rows.last().unwrap()["more"].as_u64().unwrap() > 1_000);
    }

    #[test]
    fn of_a_plan_of_cuts_each_is_one_row() {
        let side = |length: i64| json!({"tracks": [], "at": 0, "length": length, "clips": {}});
        let group = "group_000000000001";
        let cut = |id: &str, needs: &str| {
            json!({"id": id, "op": "ripple_delete", "target": group, "name": "Talk", "before": side(9),
                "after": side(0), "reason": "\"um,\" at 0:01.880, 0.70 s", "needs": [needs], "to_hear": true,
                "cut": {"kind": "filler", "what": "\"um,\"", "at": 0, "length": 9}})
        };
        let made = json!({"id": "c1", "op": "set_group", "target": group, "name": "Talk", "before": null,
            "after": {"name": "Talk", "tracks": []}});
        let plan = json!({"format": "deskhand.plan/1", "id": "plan_0123456789ab", "digest": "",
            "tool": "tool_tighten", "params": {}, "session": "session_000000000001", "base_revision": 1,
            "summary": "Tighten by 2.1 s", "changes": [made, cut("c2", "c1"), cut("c3", "c1")]});
        let told = plan_for_model(&serde_json::from_value(plan).unwrap());
        let first = json!({"id": "c3", "op": "ripple_delete", "target": group, "name": "Talk",
            "reason": "\"um,\" at 0:01.880, 0.70 s", "stands_for": 1, "to_hear": true});
        assert_eq!(told["changes"][0], first, "the first in time first, without clips in it");
        assert_eq!(told["changes"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn an_error_says_phase_code_and_the_way_out() {
        let error =
            ToolError::prepare(Code::NoTarget, "nothing is called \"Voc\"", "try \"Vocals\"");
        let told = for_model(&ToolResult::failed(error, RevisionId(0)));
        assert_eq!(told["status"], "error");
        assert_eq!(told["phase"], "prepare");
        assert_eq!(told["fix"], "try \"Vocals\"");
    }
}
