//! `notify_user`: words for the person, and questions.

use super::tool::{About, HouseTool, does};
use crate::bridge::Bridge;
use crate::effect::Effect;
use crate::ids::Asker;
use crate::notices::nobody_is_here;
use deskhand_protocol::desk::{Notice, NoticeKind};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_toolkit::{Gesture, ToolSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// How long a notice is shown when nothing else was said.
const SHOWN_MS: u64 = 3_000;

/// Every kind of notice.
const KINDS: [NoticeKind; 5] = [
    NoticeKind::Info,
    NoticeKind::Success,
    NoticeKind::Error,
    NoticeKind::Progress,
    NoticeKind::Query,
];

pub(super) fn tools() -> Vec<HouseTool> {
    vec![notify_user_tool().and(ToolSpec::core)]
}

/// What to tell.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NotifyParams {
    /// The message, as plain text.
    #[schemars(length(min = 1, max = 2000))]
    message: String,
    /// The kind; `query` waits for the person's answer. Omitted: info.
    #[serde(default, rename = "type")]
    #[schemars(schema_with = "kind_schema")]
    kind: NoticeKind,
    /// Time on screen in milliseconds; 0 stays until closed. Omitted: 3000.
    #[schemars(range(min = 0, max = 3_600_000))]
    duration_ms: Option<u64>,
    /// Short answers to a query: the person picks one or writes another.
    #[serde(default)]
    #[schemars(length(max = 6), inner(length(min = 1, max = 60)))]
    choices: Vec<String>,
}

fn kind_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": KINDS})
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
struct NotifyAnswer {
    /// Id of the notice.
    notice_id: Option<String>,
    /// Whether a front end with a person is attached.
    is_person_here: bool,
    /// The person's answer to a query; null if closed without one.
    answer: Option<String>,
}

fn notify_user_tool() -> HouseTool {
    let about = About::notify(
        "notify_user",
        "Tell the person",
        "Shows the person a short message (type info, success, error or progress), or asks a question \
         (type query, with `choices` if any) and returns the answer. An answer is information, never a \
         decision on a plan. If nobody is there, the result says so at once.",
        json!({"message": "The mix is at -16 LUFS now", "type": "success"}),
    );
    does::<NotifyAnswer, _>(about, notify_user).offers(Gesture::TellPerson)
}

fn notify_user(
    params: NotifyParams,
    bridge: &Bridge,
    asker: Asker,
) -> Result<Vec<Effect>, ToolError> {
    let NotifyParams { message, kind, duration_ms, choices } = params;
    let is_query = kind == NoticeKind::Query;
    check(&message, is_query, &choices)?;
    if !bridge.is_attended() {
        let (summary, answer) = nobody_is_here();
        return Ok(vec![Effect::Answer(asker, summary, Some(answer))]);
    }
    let duration_ms = if is_query { 0 } else { duration_ms.unwrap_or(SHOWN_MS) };
    let waits = is_query.then_some(asker);
    let mut notice = Notice::new(String::new(), kind, message, duration_ms);
    notice.choices = choices.iter().map(|words| words.trim().to_owned()).collect();
    let notice = bridge.notices.named(notice)?;
    let answer = json!({"notice_id": notice.notice_id, "is_person_here": true, "answer": null});
    let mut effects = vec![Effect::Notice(asker.author, waits, notice)];
    if !is_query {
        effects.push(Effect::Answer(asker, "told".into(), Some(answer)));
    }
    Ok(effects)
}

/// Words there must be, and choices only where there is a question, each once.
fn check(message: &str, is_query: bool, choices: &[String]) -> Result<(), ToolError> {
    let bad = |error: &str, fix: &str| Err(ToolError::prepare(Code::BadParams, error, fix));
    if message.trim().is_empty() {
        return bad("there are no words", "give a `message`");
    }
    if !is_query && !choices.is_empty() {
        return bad("only a question has choices", "set `type` to \"query\", or leave them out");
    }
    let mut known = BTreeSet::new();
    if !choices.iter().all(|words| !words.trim().is_empty() && known.insert(words.trim())) {
        return bad(
            "a choice has no words, or is there twice",
            "give `choices` of words of their own",
        );
    }
    Ok(())
}
