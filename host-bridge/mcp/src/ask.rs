//! `ask`: a request in plain words, read without a model. The calls that it asks for are made as if the client had made
//! them.

use crate::calls;
use crate::connection::Line;
use crate::desk::Desk;
use crate::elicit::Given;
use crate::shape;
use deskhand_agent::answers::{AnswerSource, answer, last_step};
use deskhand_agent::{Reading, Request, RequestKind, Vocabulary, plan_words, rests_on};
use deskhand_protocol::{Apply, Op, Read, Snapshot, Status, ToolResult};
use deskhand_session::offers::Gesture;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{ObjectId, Plan, RevisionId, Session};
use rmcp::model::{CallToolResponse, CallToolResult, ErrorData};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::runtime::Handle;

type Context = RequestContext<RoleServer>;

/// Reads the words, and carries them out if all of them are understood. One call is the client's own call; several are
/// made in their order.
pub(crate) async fn ask(
    desk: &Arc<Desk>,
    words: &str,
    given: &Given,
    context: &Context,
) -> Result<CallToolResponse, ErrorData> {
    let asking = match Asking::of(desk, words).await {
        Ok(asking) => asking,
        Err(error) => return Ok(shape::of_error(&error).into()),
    };
    match &asking.requests[..] {
        [Request { kind: RequestKind::Call { tool, params }, .. }] => {
            calls::call(desk, (tool, params.clone()), given, context).await
        }
        [one] => Ok(asking.carry_out(desk, one, context).await.0.into()),
        several => Ok(asking.all(desk, several, context).await.into()),
    }
}

/// Words that are understood, and the session that they are about.
struct Asking {
    line: Arc<Line>,
    session: Session,
    vocabulary: Vocabulary,
    requests: Vec<Request>,
}

impl Asking {
    async fn of(desk: &Desk, words: &str) -> Result<Self, ToolError> {
        let line = desk.line().await?;
        let vocabulary = Vocabulary::of(&line.tools().await?);
        let snapshot: Snapshot = line.read(Read::Snapshot).await?;
        let reading = plan_words(words, &snapshot.session, &vocabulary);
        let requests = understood(reading)?;
        Ok(Self { line, session: snapshot.session, vocabulary, requests })
    }

    /// Carries out several requests. What works on what a waiting plan changes is left; a failure ends it.
    async fn all(&self, desk: &Desk, requests: &[Request], context: &Context) -> CallToolResult {
        let (mut results, mut not_done): (Vec<Value>, Vec<&str>) = (Vec::new(), Vec::new());
        let mut waiting: Vec<Plan> = Vec::new();
        let mut has_ended = false;
        for request in requests {
            let rests = waiting.iter().any(|plan| rests_on(request, plan, &self.session));
            if has_ended || rests {
                not_done.push(&request.text);
                continue;
            }
            let (result, plan) = self.carry_out(desk, request, context).await;
            has_ended = result.is_error == Some(true) || is_running(&result);
            waiting.extend(plan);
            let mut row = result.structured_content.unwrap_or_default();
            row["words"] = request.text.as_str().into();
            results.push(row);
        }
        let sentence = match not_done.len() {
            0 => "ok: each request has its own result in `results`",
            _ => "ok: `not_done` waits for the results before it; ask it again after a decision",
        };
        shape::of_answer(sentence, json!({"results": results, "not_done": not_done}))
    }

    /// Carries out a request; the plan that waits, too.
    async fn carry_out(
        &self,
        desk: &Desk,
        request: &Request,
        context: &Context,
    ) -> (CallToolResult, Option<Plan>) {
        let Some((tool, params)) = self.vocabulary.call_of(&request.kind) else {
            return (self.answer(request).await, None);
        };
        let op = Op::Call { tool, params, apply: Apply::ByPolicy };
        let found = calls::followed(desk, &self.line, op, context).await;
        match found {
            Ok(result) => {
                let waits = result.status == Status::Waiting;
                let plan = result.plan.as_ref().filter(|_| waits).map(|plan| Plan::clone(plan));
                (calls::finished(desk, &self.line, &result).await, plan)
            }
            Err(other) => (other, None),
        }
    }

    async fn answer(&self, request: &Request) -> CallToolResult {
        let RequestKind::Question(question) = request.kind else {
            return shape::of_error(&stopped());
        };
        let runtime = Handle::current();
        let tool = self.vocabulary.tool_of(Gesture::MeasureLevels).to_owned();
        let (line, session) = (Arc::clone(&self.line), self.session.clone());
        let mut source = Source { line, session, tool, runtime };
        let targets = request.targets.clone();
        let found = tokio::task::spawn_blocking(move || answer(&mut source, question, &targets));
        match found.await.unwrap_or_else(|_| Err(stopped())) {
            Ok(found) => shape::of_answer(
                "ok: the answer is in `answer`",
                json!({"answer": {"text": found.text, "values": found.values}}),
            ),
            Err(error) => shape::of_error(&error),
        }
    }
}

/// The requests; an error that says why, if a part is not understood.
fn understood(reading: Reading) -> Result<Vec<Request>, ToolError> {
    let Some(first) = reading.unclear.first() else { return Ok(reading.understood) };
    let why = reading.unclear.iter().map(|part| format!("\"{}\": {}", part.text, part.reason));
    let quoted: Vec<String> = first.suggestions.iter().map(|it| format!("\"{it}\"")).collect();
    let fix = match quoted.is_empty() {
        true => "say it in other words, or call the tools directly".to_owned(),
        false => format!("say one of these, or call the tools directly: {}", quoted.join(", ")),
    };
    Err(ToolError::prepare(Code::BadParams, why.collect::<Vec<_>>().join("; "), fix))
}

fn is_running(result: &CallToolResult) -> bool {
    let status = result.structured_content.as_ref().map(|fields| &fields["status"]);
    status == Some(&json!(Status::Running))
}

fn stopped() -> ToolError {
    ToolError::run(Code::Cancelled, "the question was not answered", "ask it again")
}

/// Where a question is answered from. Measuring blocks, so this belongs on a thread for that.
struct Source {
    line: Arc<Line>,
    session: Session,
    /// What measures levels.
    tool: String,
    runtime: Handle,
}

impl AnswerSource for Source {
    fn session(&self) -> &Session {
        &self.session
    }

    fn measure(&mut self, targets: &[ObjectId]) -> Result<Value, ToolError> {
        let params = json!({"targets": targets});
        let op = Op::Call { tool: self.tool.clone(), params, apply: Apply::Never };
        let mut call = self.line.submit(op);
        let result: Arc<ToolResult> = self.runtime.block_on(call.done());
        match &result.error {
            Some(error) => Err(error.clone()),
            None => Ok(result.answer.clone().unwrap_or_default()),
        }
    }

    fn last_step(&mut self) -> Option<(RevisionId, String)> {
        last_step(&self.runtime.block_on(self.line.read(Read::History)).ok()?)
    }
}
