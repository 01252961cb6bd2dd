//! What the tools of this server do.

use crate::ask;
use crate::calls::{self, finished};
use crate::decision;
use crate::desk::Desk;
use crate::elicit::Given;
use crate::host_program::{Door, Opened};
use crate::listing;
use crate::own::{Kind, Own};
use crate::shape;
use deskhand_protocol::Read;
use deskhand_protocol::Snapshot;
use deskhand_session::PlanId;
use deskhand_session::tool_error::{Code, ToolError};
use rmcp::model::{CallToolResponse, CallToolResult, ErrorData};
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

type Context = RequestContext<RoleServer>;

/// The longest a tool waits, seconds.
const LONGEST_WAIT: f64 = 45.0;

/// A cancel is answered within 100 ms, whether the call has ended by then or not.
const CANCELLING: Duration = Duration::from_millis(80);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewSession {
    dir: PathBuf,
    #[serde(default = "usual_rate")]
    rate: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenSession {
    dir: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaitForDecision {
    plan_id: PlanId,
    #[serde(default = "usual_wait")]
    wait_s: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GetJob {
    job_id: String,
    #[serde(default = "usual_wait")]
    wait_s: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CancelJob {
    job_id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    words: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchTools {
    query: String,
    #[serde(default = "usual_count")]
    count: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallTool {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

fn usual_rate() -> u32 {
    48_000
}

fn usual_wait() -> f64 {
    30.0
}

fn usual_count() -> usize {
    6
}

/// Calls a tool of this server.
pub(crate) async fn call(
    desk: &Arc<Desk>,
    (kind, params): (Kind, Value),
    given: &Given,
    context: &Context,
) -> Result<CallToolResponse, ErrorData> {
    match kind {
        Kind::CallTool => return call_tool(desk, params, given, context).await,
        Kind::Ask => {
            return match read(params) {
                Ok(Ask { words }) => ask::ask(desk, &words, given, context).await,
                Err(error) => Ok(shape::of_error(&error).into()),
            };
        }
        _ => {}
    }
    let answered = tokio::select! {
        biased;
        () = context.ct.cancelled() => Err(cancelled()),
        answered = answer(desk, kind, params) => answered,
    };
    Ok(answered.unwrap_or_else(|error| shape::of_error(&error)).into())
}

async fn answer(desk: &Arc<Desk>, kind: Kind, params: Value) -> Result<CallToolResult, ToolError> {
    match kind {
        Kind::ListSessions => read::<Nothing>(params).map(drop).map(|()| desk)?.list().await,
        Kind::NewSession => {
            let NewSession { dir, rate } = read(params)?;
            let opened = desk.at_door(move |door| door.create(&dir, rate)).await??;
            desk.opened(opened).await
        }
        Kind::OpenSession => {
            let OpenSession { dir } = read(params)?;
            let opened = desk.at_door(move |door| door.open(&dir)).await??;
            desk.opened(opened).await
        }
        Kind::WaitForDecision => {
            let WaitForDecision { plan_id, wait_s } = read(params)?;
            decision::wait(desk, plan_id, seconds(wait_s)?).await
        }
        Kind::GetJob => {
            let GetJob { job_id, wait_s } = read(params)?;
            desk.job(&job_id, seconds(wait_s)?).await
        }
        Kind::CancelJob => {
            let CancelJob { job_id } = read(params)?;
            desk.cancel_job(&job_id).await
        }
        Kind::SearchTools => {
            let SearchTools { query, count } = read(params)?;
            desk.search(&query, count.clamp(1, 20)).await
        }
        Kind::Ask | Kind::CallTool => Err(nested()),
    }
}

/// Calls a tool of the session by name; this server's own are called directly.
async fn call_tool(
    desk: &Arc<Desk>,
    params: Value,
    given: &Given,
    context: &Context,
) -> Result<CallToolResponse, ErrorData> {
    let CallTool { name, arguments } = match read(params) {
        Ok(params) => params,
        Err(error) => return Ok(shape::of_error(&error).into()),
    };
    if Own::named(&name).is_some() {
        return Ok(shape::of_error(&nested()).into());
    }
    match calls::call(desk, (&name, Value::Object(arguments)), given, context).await {
        // The call itself is a good one: the name is a parameter here.
        Err(error) if !given.is_sealed() => {
            let fix = "find the tool with search_tools";
            let error = ToolError::prepare(Code::UnknownTool, error.message, fix);
            Ok(shape::of_error(&error).into())
        }
        answered => answered,
    }
}

impl Desk {
    async fn list(&self) -> Result<CallToolResult, ToolError> {
        let sessions = self.at_door(Door::sessions).await?;
        let mut answer = json!({"sessions": sessions});
        if let Some(line) = self.seat() {
            answer["open"] = line.dir.display().to_string().into();
        }
        Ok(shape::of_answer("ok: these sessions can be opened", answer))
    }

    async fn opened(&self, opened: Opened) -> Result<CallToolResult, ToolError> {
        let line = self.sit(opened)?;
        let snapshot: Snapshot = line.read(Read::Snapshot).await?;
        let session = snapshot.session;
        let answer = json!({
            "dir": line.dir.display().to_string(),
            "revision": snapshot.head,
            "answer": {
                "rate": session.rate,
                "tracks": session.tracks.len(),
                "clips": session.clips.len(),
                "sources": session.sources.len(),
            },
        });
        Ok(shape::of_answer("ok: the session is open; call get_session", answer))
    }

    async fn job(&self, id: &str, wait: Duration) -> Result<CallToolResult, ToolError> {
        let mut call = self.jobs.get(id).ok_or_else(|| no_job(id))?;
        match tokio::time::timeout(wait, call.done()).await {
            Ok(result) => Ok(finished(self, &Arc::clone(call.line()), &result).await),
            Err(_) => Ok(shape::of_running(id, &call.progress())),
        }
    }

    async fn cancel_job(&self, id: &str) -> Result<CallToolResult, ToolError> {
        let mut call = self.jobs.get(id).ok_or_else(|| no_job(id))?;
        if !call.is_over() {
            call.cancel();
        }
        match tokio::time::timeout(CANCELLING, call.done()).await {
            Ok(result) => Ok(finished(self, &Arc::clone(call.line()), &result).await),
            Err(_) => Ok(shape::of_cancelling(id, &call.progress())),
        }
    }

    async fn search(&self, query: &str, count: usize) -> Result<CallToolResult, ToolError> {
        let session = self.line().await?.tools().await?;
        let found = listing::search(&session, query, count);
        let tools: Vec<Value> = found
            .into_iter()
            .map(|info| {
                json!({
                    "name": info.name, "title": info.title, "description": info.description,
                    "trust": info.trust, "input_schema": info.input_schema,
                    "examples": info.examples,
                })
            })
            .collect();
        let words = match tools.len() {
            0 => "ok: no tool fits; try other words",
            _ => "ok: call one of these with call_tool",
        };
        Ok(shape::of_answer(words, json!({"tools": tools})))
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, ToolError> {
    serde_json::from_value(params).map_err(|error| {
        let fix = "give the parameters that the tool's schema asks for";
        ToolError::prepare(Code::BadParams, format!("the parameters do not fit: {error}"), fix)
    })
}

fn seconds(wait: f64) -> Result<Duration, ToolError> {
    Duration::try_from_secs_f64(wait.min(LONGEST_WAIT)).map_err(|_| {
        let message = format!("wait_s cannot be {wait}");
        ToolError::prepare(Code::BadParams, message, "give 0 to 45 seconds")
    })
}

fn no_job(id: &str) -> ToolError {
    let fix = "use the job_id of a result that says `running`";
    ToolError::prepare(Code::NoTarget, format!("there is no job \"{id}\""), fix)
}

fn nested() -> ToolError {
    let fix = "call it directly; call_tool is for tools that search_tools finds";
    ToolError::prepare(Code::BadParams, "call_tool does not call this server's own tools", fix)
}

fn cancelled() -> ToolError {
    ToolError::run(Code::Cancelled, "the call was cancelled", "call it again if it is still wanted")
}
