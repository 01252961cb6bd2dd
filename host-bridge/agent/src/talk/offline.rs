//! A turn without a model: the words are read by the planner, and its calls go the same way as a model's.

use super::calls::Calls;
use super::desk::{Desk, Gone};
use super::found;
use super::progress::{Ended, Progress};
use crate::answers::{Asked, answer as answer_question};
use crate::planner::plan_words;
use crate::provider::{Arguments, Message, Part, Role};
use crate::reading::{Reading, Request, RequestKind, Unclear};
use deskhand_protocol::desk::TurnReason;
use deskhand_protocol::{Apply, Op, Read, Speech};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, ObjectId, RevisionId, Session};
use serde_json::{Map, Value, json};

/// Answers what the person said last.
pub(super) fn answer(
    desk: &mut Desk,
    attended: bool,
    progress: &mut Progress,
) -> Result<Ended, Gone> {
    let words = last_words(desk)?;
    let reading = plan_words(&words, desk.session()?);
    progress.turns = 1;
    if !reading.unclear.is_empty() {
        tell(desk, progress, &not_understood(&reading));
        return Ok((TurnReason::Finished, String::new()));
    }
    let mut calls = Calls::new(Vec::new(), attended);
    for (number, request) in reading.understood.iter().enumerate() {
        if desk.is_stopped() {
            return Ok((TurnReason::Stopped, "stopped".into()));
        }
        let text = carry_out(desk, &mut calls, (number, request), progress)?;
        tell(desk, progress, &text);
    }
    Ok((TurnReason::Finished, String::new()))
}

fn last_words(desk: &mut Desk) -> Result<String, Gone> {
    let said = desk.conversation()?;
    let last = said.into_iter().rev().find(|said| said.author == Author::User);
    let message = last.and_then(|said| serde_json::from_value::<Message>(said.message).ok());
    let parts = message.filter(|message| message.role == Role::User).map(|message| message.parts);
    let words = parts.into_iter().flatten().filter_map(|part| match part {
        Part::Text { text } => Some(text),
        Part::ToolCall { .. } | Part::ToolResult { .. } => None,
    });
    Ok(words.collect::<Vec<_>>().join("\n"))
}

/// Says something, and keeps it.
fn tell(desk: &Desk, progress: &mut Progress, text: &str) {
    progress.said(text);
    desk.speaker().say(&format!("{text}\n"));
    let message = Message::assistant(vec![Part::text(text)]);
    let message = serde_json::to_value(message).unwrap_or(Value::Null);
    desk.speak(Speech::Message { message });
}

fn not_understood(reading: &Reading) -> String {
    let line = |unclear: &Unclear| {
        let tries: Vec<_> =
            unclear.suggestions.iter().take(4).map(|s| format!("\n  try: {s}")).collect();
        format!("\"{}\" is not understood: {}.{}", unclear.text, unclear.reason, tries.concat())
    };
    let lines: Vec<_> = reading.unclear.iter().map(line).collect();
    format!("{}\nNothing was changed.", lines.join("\n"))
}

fn carry_out(
    desk: &mut Desk,
    calls: &mut Calls,
    (number, request): (usize, &Request),
    progress: &mut Progress,
) -> Result<String, Gone> {
    let (tool, params) = match &request.kind {
        RequestKind::Question(question) => {
            let session = desk.session()?.clone();
            let mut asked = Questions { desk, session };
            let found = answer_question(&mut asked, *question, &request.targets);
            return Ok(found.map_or_else(|error| error.to_string(), |answer| answer.text));
        }
        RequestKind::Call { tool, params } => (tool.as_str(), params.clone()),
        RequestKind::Undo => ("cmd_undo", json!({})),
        RequestKind::Redo => ("cmd_redo", json!({})),
    };
    let arguments = Arguments::Object(params.as_object().cloned().unwrap_or_default());
    let id = format!("offline_{number}");
    let part = calls.run(desk, (&id, tool, &arguments), progress)?;
    Ok(match part {
        Part::ToolResult { content, .. } => {
            let found = content.get("answer").map(found::lines).unwrap_or_default();
            in_words(&request.text, &content) + &found + &warnings(&content)
        }
        Part::Text { .. } | Part::ToolCall { .. } => String::new(),
    })
}

/// What came of a request, in a sentence or two.
fn in_words(asked: &str, result: &Value) -> String {
    let field = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or_default();
    let summary = field("summary");
    match field("status") {
        "waiting" => format!("{summary}: this waits for you."),
        "applied" => format!("Done: {}.{}", or(taken(result), summary), promised(result)),
        "rejected" => format!("Rejected: {}. Nothing was changed.", field("reason")),
        "rolled_back" => format!("{summary}: it missed what it promised, and was taken back."),
        "conflict" => format!("Not applied: {}. Ask again.", or(field("reason"), summary)),
        "error" => format!("\"{asked}\" failed: {}; {}.", field("message"), field("fix")),
        _ => summary.to_owned(),
    }
}

/// What a person should know of an answer, a line each; a plan shows its own.
fn warnings(result: &Value) -> String {
    let rows = result.get("warnings").and_then(Value::as_array).into_iter().flatten();
    rows.filter_map(Value::as_str).map(|row| format!("\nWarning: {row}.")).collect()
}

/// What was done, which may be a part of what was planned.
fn taken(result: &Value) -> &str {
    result.pointer("/receipt/undo_label").and_then(Value::as_str).unwrap_or_default()
}

fn or<'a>(first: &'a str, second: &'a str) -> &'a str {
    if first.is_empty() { second } else { first }
}

/// What the receipt measured against what was promised.
fn promised(result: &Value) -> String {
    let rows = result.pointer("/receipt/measured").and_then(Value::as_array);
    let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let kept = rows.iter().filter(|row| row.get("within") == Some(&Value::Bool(true))).count();
    format!(" Measured afterwards: {kept} of {} as promised.", rows.len())
}

/// The desk, as questions see it.
struct Questions<'a> {
    desk: &'a mut Desk,
    session: Session,
}

impl Asked for Questions<'_> {
    fn session(&self) -> &Session {
        &self.session
    }

    fn measure(&mut self, targets: &[ObjectId]) -> Result<Value, ToolError> {
        let params = json!({"targets": targets});
        let op = Op::Call { tool: "tool_measure".into(), params, apply: Apply::Never };
        let result = self.desk.ask(op).map_err(|Gone| gone())?;
        match result.error {
            Some(error) => Err(error),
            None => Ok(result.answer.unwrap_or_default()),
        }
    }

    fn last_step(&mut self) -> Option<(RevisionId, String)> {
        let history: Map<String, Value> = self.desk.read(Read::History).ok()??;
        let head = history.get("head")?;
        let revisions = history.get("revisions")?.as_array()?;
        let last = revisions.iter().find(|revision| revision.get("id") == Some(head))?;
        let label = last.get("label")?.as_str()?.to_owned();
        Some((RevisionId(head.as_u64()?), label))
    }
}

fn gone() -> ToolError {
    ToolError::run(Code::Cancelled, "the hub is gone", "open the session again")
}
