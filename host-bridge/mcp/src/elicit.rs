//! A question to the person through the client, if the operator switched that on and no person's front end
//! is attached. It serves questions only: an answer decides no plan, and a question that the client does
//! not answer stays open.
//!
//! An older client is asked while the call runs. One of protocol 2026-07-28 is asked by the result: it calls
//! again with the answer, and with a seal that shows which question was put.

use crate::desk::Desk;
use crate::options::Questions;
use crate::shape;
use deskhand_protocol::clean::clean;
use deskhand_protocol::{Status, ToolResult};
use deskhand_session::RevisionId;
use deskhand_session::tool_error::{Code, ToolError};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    ProtocolVersion, RequestStateCodec, SealOptions,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use std::time::Duration;

/// The tool whose questions these are.
const TOOL: &str = "notify_user";

/// What the field of the form is called, and the question among the inputs.
const ANSWER: &str = "answer";

/// The longest question and the longest answer, in characters.
const LONGEST: usize = 4_000;

/// Clients give up on a request after a minute.
const WAIT: Duration = Duration::from_secs(40);

/// How long a question that was put by a result may be answered.
const LIFE: Duration = Duration::from_secs(3_600);

/// Random bytes of a seal.
const KEY: usize = 32;

type Context = RequestContext<RoleServer>;

/// The extra fields that a newer client sends when it calls again.
#[derive(Default)]
pub(crate) struct Given {
    responses: Option<InputResponses>,
    seal: Option<String>,
}

impl Given {
    /// The answers and the seal in a request.
    pub(crate) fn with(request: &mut CallToolRequestParams) -> Self {
        Self { responses: request.input_responses.take(), seal: request.request_state.take() }
    }

    /// Whether a seal came along.
    pub(crate) fn is_sealed(&self) -> bool {
        self.seal.is_some()
    }
}

/// Marks the questions that this server put: an answer to any other is refused.
pub(crate) struct Sealing(RequestStateCodec);

impl Sealing {
    /// One that no other server has.
    pub(crate) fn new() -> Result<Self, ToolError> {
        let mut key = [0_u8; KEY];
        getrandom::fill(&mut key).map_err(|error| {
            let fix = "see why this system has no randomness, and start again";
            ToolError::prepare(Code::Refused, format!("no key can be made: {error}"), fix)
        })?;
        Ok(Self(RequestStateCodec::new_unchecked(key)))
    }

    fn seal(&self, question: &PersonQuestion, revision: RevisionId) -> Result<String, ErrorData> {
        let bytes = question.bytes();
        let options = SealOptions::new().associated_data(&bytes).ttl(LIFE);
        let sealed = self.0.seal_json_with(&revision, &options);
        sealed.map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    fn open(&self, sealed: &str, question: &PersonQuestion) -> Result<RevisionId, ErrorData> {
        self.0.open_json_with(sealed, &question.bytes()).map_err(|_| {
            let words = "requestState is not that of this question; call again without it";
            ErrorData::invalid_params(words, None)
        })
    }
}

/// A question, and the answers that can be chosen unchanged.
pub(crate) struct PersonQuestion {
    message: String,
    choices: Vec<String>,
}

impl PersonQuestion {
    /// The content that a seal signs.
    fn bytes(&self) -> Vec<u8> {
        json!([self.message, self.choices]).to_string().into_bytes()
    }

    fn form(&self) -> Result<ElicitRequestParams, ErrorData> {
        let mut answer = json!({"type": "string"});
        if !self.choices.is_empty() {
            let choices = self.choices.iter().map(|words| clean(words, LONGEST));
            answer["enum"] = choices.collect();
        }
        let properties = json!({ANSWER: answer});
        let schema = json!({"type": "object", "properties": properties, "required": [ANSWER]});
        let requested_schema = serde_json::from_value(schema)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let message = clean(&self.message, LONGEST);
        Ok(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
    }
}

/// The question of a call that may go through the client.
pub(crate) fn question(desk: &Desk, tool: &str, params: &Value) -> Option<PersonQuestion> {
    let is_query = tool == TOOL && params["type"] == "query";
    let may_ask = matches!(desk.options.questions, Questions::ThroughClient);
    let message = params["message"].as_str().filter(|_| is_query && may_ask)?.to_owned();
    let choices = params["choices"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Some(PersonQuestion { message, choices: choices.map(str::to_owned).collect() })
}

/// The result of a question that came back from a newer client; `None` if it was not asked yet.
pub(crate) fn returned(
    desk: &Desk,
    question: &PersonQuestion,
    given: &Given,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let Some(seal) = &given.seal else {
        // An answer without a question is ignored.
        return Ok(None);
    };
    let revision = desk.sealing.open(seal, question)?;
    let response = given.responses.as_ref().and_then(|all| all.get(ANSWER)).cloned();
    let words = response.and_then(|found| serde_json::from_value(found).ok()).and_then(words);
    Ok(Some(told(words, revision)))
}

/// Puts the question to the person at the client, if nobody was here to see it.
pub(crate) async fn put(
    desk: &Desk,
    question: &PersonQuestion,
    result: &ToolResult,
    context: &Context,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let answer = result.answer.as_ref();
    let is_alone = answer.is_some_and(|answer| answer["is_person_here"] == json!(false));
    if !is_alone || !has_forms(context) {
        return Ok(None);
    }
    let form = question.form()?;
    let is_newer = context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28);
    if is_newer {
        let request = InputRequest::Elicitation(ElicitRequest::new(form));
        let requests = InputRequests::from([(ANSWER.to_owned(), request)]);
        let seal = desk.sealing.seal(question, result.revision)?;
        return Ok(Some(InputRequiredResult::new(Some(requests), Some(seal)).into()));
    }
    Ok(Some(told(ask(form, context).await, result.revision)))
}

/// Whether the client shows forms; one that names no kind does.
fn has_forms(context: &Context) -> bool {
    let client = context.client_capabilities().and_then(|client| client.elicitation);
    client.is_some_and(|asks| asks.form.is_some() || asks.url.is_none())
}

/// The answer of the person at an older client; `None` if nobody answers.
async fn ask(form: ElicitRequestParams, context: &Context) -> Option<String> {
    let asked = tokio::time::timeout(WAIT, context.peer.create_elicitation(form));
    tokio::select! {
        () = context.ct.cancelled() => None,
        answered = asked => words(answered.ok()?.ok()?),
    }
}

/// The words of an accepted, non-empty answer.
fn words(answered: ElicitResult) -> Option<String> {
    let words = answered.content?[ANSWER].as_str().map(|words| clean(words, LONGEST));
    let is_accepted = matches!(answered.action, ElicitationAction::Accept);
    words.filter(|words| is_accepted && !words.trim().is_empty())
}

/// The result with the person's answer in it.
fn told(words: Option<String>, revision: RevisionId) -> CallToolResponse {
    let summary = match &words {
        Some(_) => "the person answered through this client; the words are in `answer`",
        None => "nobody answered the question through this client; that is no answer",
    };
    let answer = json!({"notice_id": null, "is_person_here": words.is_some(), "answer": words});
    let result = ToolResult::new(Status::Ok, summary, revision);
    shape::of_result(&ToolResult { answer: Some(answer), ..result }, None).into()
}

#[cfg(test)]
mod tests;
