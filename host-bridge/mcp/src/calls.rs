//! A call of a tool of the session: followed with progress, handed over to a job or a task when it takes
//! long, stopped when the client says so.

use crate::connection::{Call, Line};
use crate::desk::Desk;
use crate::elicit::{self, Given};
use crate::shape;
use deskhand_protocol::clean::clean;
use deskhand_protocol::{Apply, Op, Status, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use rmcp::model::{
    CallToolResponse, CallToolResult, CreateTaskResult, ErrorData, ProgressNotificationParam,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskContext, TaskExit, TaskOptions};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A call that runs longer goes on as a job. Clients give up on a request after a minute.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// A call that runs longer goes on as a task, where the client speaks them.
const TASK_PATIENCE: Duration = Duration::from_secs(5);

/// How long a task is kept, ms: longer than any call may take.
const TASK_LIFE: u64 = 6 * 3_600_000;

/// The shortest time between two progress reports.
const BETWEEN: Duration = Duration::from_millis(100);

/// The longest that showing a plan may hold up its result.
const SHOWING: Duration = Duration::from_secs(5);

type Context = RequestContext<RoleServer>;

enum Left {
    Done(Arc<ToolResult>),
    Running,
    Cancelled,
}

/// Calls a tool of the session. A name that no tool has is an error of the protocol.
pub(crate) async fn call(
    desk: &Arc<Desk>,
    (tool, params): (&str, Value),
    given: &Given,
    context: &Context,
) -> Result<CallToolResponse, ErrorData> {
    let question = elicit::question(desk, tool, &params);
    if let Some(question) = &question
        && let Some(told) = elicit::returned(desk, question, given)?
    {
        return Ok(told);
    }
    let line = match desk.line().await {
        Ok(line) => line,
        Err(error) => return Ok(shape::of_error(&error).into()),
    };
    let op = Op::Call { tool: tool.to_owned(), params, apply: Apply::ByPolicy };
    let mut call = line.submit(op);
    let has_tasks = context.client_capabilities().is_some_and(|client| client.supports_tasks());
    let patience = if has_tasks { TASK_PATIENCE } else { desk.patience };
    match follow(&mut call, context, patience).await {
        Left::Done(result) => {
            if let Some(error) = result.error.as_ref().filter(|e| e.code == Code::UnknownTool) {
                return Err(ErrorData::invalid_params(clean(&error.to_string(), 500), None));
            }
            if let Some(question) = &question
                && let Some(told) = elicit::put(desk, question, &result, context).await?
            {
                return Ok(told);
            }
            Ok(finished(desk, &line, &result).await.into())
        }
        Left::Running if has_tasks => Ok(as_task(desk, call).into()),
        Left::Running => Ok(as_job(desk, call).into()),
        Left::Cancelled => Ok(shape::of_error(&cancelled()).into()),
    }
}

/// Submits something and waits for its result; what a client reads instead, where it goes on as a job or was stopped.
pub(crate) async fn followed(
    desk: &Desk,
    line: &Arc<Line>,
    op: Op,
    context: &Context,
) -> Result<Arc<ToolResult>, CallToolResult> {
    let mut call = line.submit(op);
    match follow(&mut call, context, desk.patience).await {
        Left::Done(result) => Ok(result),
        Left::Running => Err(as_job(desk, call)),
        Left::Cancelled => Err(shape::of_error(&cancelled())),
    }
}

fn as_job(desk: &Desk, call: Call) -> CallToolResult {
    let progress = call.progress();
    shape::of_running(&desk.jobs.keep(call), &progress)
}

/// The result of a call, once it is there; a plan that waits is shown to the person.
pub(crate) async fn finished(desk: &Desk, line: &Line, result: &ToolResult) -> CallToolResult {
    let plan = result.plan.as_ref().filter(|_| result.status == Status::Waiting);
    let decide = match plan {
        None => None,
        Some(plan) => match tokio::time::timeout(SHOWING, desk.show(line, plan.id)).await {
            Ok(decide) => Some(decide),
            Err(_) => Some(desk.command(line.dir.clone(), plan.id).await),
        },
    };
    shape::of_result(result, decide)
}

/// Waits for the call, telling its progress to a client that asked for it.
async fn follow(call: &mut Call, context: &Context, patience: Duration) -> Left {
    let until = Instant::now() + patience;
    let token = context.meta.get_progress_token();
    let (mut told, mut due) = (0.0, Instant::now());
    loop {
        let progress = call.progress();
        if call.is_over() {
            return Left::Done(call.done().await);
        }
        let is_news = token.is_some() && progress.fraction > told;
        if let Some(token) = token.clone().filter(|_| is_news && due <= Instant::now()) {
            (told, due) = (progress.fraction, Instant::now() + BETWEEN);
            let note = ProgressNotificationParam::new(token, progress.fraction)
                .with_total(1.0)
                .with_message(clean(&progress.what, 200));
            // A client that went away cancels the call by itself.
            drop(context.peer.notify_progress(note).await);
            continue;
        }
        tokio::select! {
            biased;
            () = context.ct.cancelled() => {
                call.cancel();
                return Left::Cancelled;
            }
            () = call.changed() => {}
            () = tokio::time::sleep_until(due), if is_news => {}
            () = tokio::time::sleep_until(until) => return Left::Running,
        }
    }
}

/// Goes on with `call` as a task of the protocol.
fn as_task(desk: &Arc<Desk>, call: Call) -> CreateTaskResult {
    let options = TaskOptions::new().with_ttl_ms(TASK_LIFE);
    let shared = Arc::clone(desk);
    let run = move |task| Box::pin(task_of(shared, call, task)) as _;
    CreateTaskResult::new(desk.tasks.spawn(options, run))
}

async fn task_of(
    desk: Arc<Desk>,
    mut call: Call,
    task: TaskContext,
) -> Result<CallToolResult, TaskExit> {
    loop {
        if call.is_over() {
            let result = call.done().await;
            return Ok(finished(&desk, &Arc::clone(call.line()), &result).await);
        }
        tokio::select! {
            () = task.cancelled() => {
                call.cancel();
                return Err(TaskExit::Cancelled);
            }
            () = call.changed() => task.set_status_message(clean(&call.progress().what, 200)),
        }
    }
}

fn cancelled() -> ToolError {
    let fix = "call it again if it is still wanted; get_history tells what an analysis kept";
    ToolError::run(Code::Cancelled, "the call was cancelled", fix)
}
