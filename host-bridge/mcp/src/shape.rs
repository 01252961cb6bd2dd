//! Results in the one shape that clients read: an object as `structuredContent`, and as text one of our
//! sentences and the same object. Words from outside are only in the object's strings.

use crate::connection::Progress;
use deskhand_protocol::clean::clean_json;
use deskhand_protocol::values::cut_row;
use deskhand_protocol::{Status, ToolResult};
use deskhand_session::Plan;
use deskhand_session::tool_error::ToolError;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

/// Changes of a plan that a result shows; `deskhand://plans/{id}` has all.
const CHANGES: usize = 200;

/// Findings and predictions of a plan that a result shows.
const MEASURED: usize = 200;

/// A result of the bridge, with how a person decides where it waits.
pub(crate) fn of_result(result: &ToolResult, decide: Option<Value>) -> CallToolResult {
    let mut fields = fields(serde_json::to_value(result).unwrap_or_default());
    if let Some(plan) = &result.plan {
        fields.insert("plan_id".into(), json!(plan.id));
        fields.insert("plan".into(), short_plan(plan));
    }
    if let Some(decide) = decide {
        fields.insert("decide".into(), decide);
    }
    finished(fields, &sentence(result), result.status == Status::Error)
}

/// An answer of this server's own.
pub(crate) fn of_answer(sentence: &str, answer: Value) -> CallToolResult {
    let mut fields = fields(answer);
    fields.entry("status").or_insert_with(|| json!(Status::Ok));
    fields.entry("summary").or_insert_with(|| sentence.into());
    finished(fields, sentence, false)
}

pub(crate) fn of_error(error: &ToolError) -> CallToolResult {
    let mut fields = fields(serde_json::to_value(error).unwrap_or_default());
    fields.insert("status".into(), json!(Status::Error));
    fields.insert("summary".into(), error.message.as_str().into());
    finished(fields, "error: nothing was changed; `message` says why, `fix` the way out", true)
}

pub(crate) fn of_running(job: &str, progress: &Progress) -> CallToolResult {
    let sentence =
        format!("running: it goes on as {job}; ask with get_job, stop it with cancel_job");
    going_on(job, progress, &sentence)
}

/// A call that was asked to stop and has not ended yet.
pub(crate) fn of_cancelling(job: &str, progress: &Progress) -> CallToolResult {
    going_on(job, progress, &format!("cancelling: {job} ends; get_job says how"))
}

fn going_on(job: &str, progress: &Progress, sentence: &str) -> CallToolResult {
    let answer = json!({
        "status": Status::Running,
        "job_id": job,
        "progress": progress.fraction,
        "doing": progress.what,
    });
    of_answer(sentence, answer)
}

fn finished(fields: Map<String, Value>, sentence: &str, is_error: bool) -> CallToolResult {
    let value = clean_json(Value::Object(fields));
    let content = vec![ContentBlock::text(sentence), ContentBlock::text(value.to_string())];
    let mut result =
        if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(value);
    result
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        other => Map::from_iter([("answer".to_owned(), other)]),
    }
}

/// The outcome, in this program's words only.
fn sentence(result: &ToolResult) -> String {
    let plan = result.plan.as_ref();
    let id = plan.map(|plan| plan.id.to_string()).unwrap_or_default();
    let changes = |plan: &Plan| plan.cuts().map_or(plan.changes.len(), |cuts| cuts.len());
    let count = plan.map_or(0, |plan| changes(plan));
    match result.status {
        Status::Ok => "ok: done; the answer is in `answer`".into(),
        Status::Planned => format!("planned: {id}; nothing was changed"),
        Status::Running => "running: it goes on".into(),
        Status::Waiting => format!(
            "waiting: {id} with {count} changes waits for a person, and nothing is changed yet; tell \
             the person how to decide (`decide`), then call wait_for_decision"
        ),
        Status::Applied => format!("applied: {id}; `receipt` says what was measured"),
        Status::RolledBack => {
            format!("rolled_back: {id} missed what it promised and was taken back; see `receipt`")
        }
        Status::Rejected => format!("rejected: {id}; nothing was changed"),
        Status::Conflict => {
            format!("conflict: the session moved on since {id} was made, and nothing was changed")
        }
        Status::Error => "error: nothing was changed; `message` says why, `fix` the way out".into(),
    }
}

/// A plan with lists that end; of a plan of cuts each is one row.
pub(crate) fn short_plan(whole: &Plan) -> Value {
    let mut plan = json!(whole);
    if let Some(cuts) = whole.cuts() {
        plan["changes"] = cuts.iter().map(cut_row).collect();
    }
    for (list, longest) in [("changes", CHANGES), ("findings", MEASURED), ("predicted", MEASURED)] {
        let left_out = match plan.get_mut(list).and_then(Value::as_array_mut) {
            Some(items) if items.len() > longest => {
                let left_out = items.len() - longest;
                items.truncate(longest);
                left_out
            }
            _ => continue,
        };
        plan[format!("{list}_left_out")] = left_out.into();
    }
    plan
}
