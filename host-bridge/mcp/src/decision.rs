//! Waiting for a person's decision on a plan, and on the plans that it goes on in.

use crate::connection::Line;
use crate::desk::Desk;
use crate::shape;
use deskhand_protocol::{Event, News, Read};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{PlanId, PlanState, StoredPlan};
use rmcp::model::CallToolResult;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};

/// The most plans in a chain where each replaces the previous one.
const LONGEST_TRAIL: usize = 16;

/// What became of `plan` after at most `wait`.
pub(crate) async fn wait(
    desk: &Desk,
    plan: PlanId,
    wait: Duration,
) -> Result<CallToolResult, ToolError> {
    let until = Instant::now() + wait;
    let line = desk.line().await?;
    let mut heard = line.hear();
    let mut trail = vec![plan];
    // Plans with an applied part and a waiting rest.
    let mut rest = Vec::new();
    loop {
        let current = trail[trail.len() - 1];
        let stored: StoredPlan = line.read(Read::Plan { plan: current }).await?;
        if let Some(next) = line.follower(current).or(stored.follows)
            && trail.len() < LONGEST_TRAIL
            && !trail.contains(&next)
        {
            if stored.state == PlanState::Waiting {
                rest.push(current);
            }
            trail.push(next);
            continue;
        }
        let is_decided = !matches!(stored.state, PlanState::Waiting | PlanState::Applying);
        if is_decided || timeout_at(until, heard_of(&mut heard, current)).await.is_err() {
            return Ok(told(desk, &line, &stored, (&trail, &rest)).await);
        }
    }
}

/// Waits for news of a plan, or for a gap in the news.
async fn heard_of(heard: &mut Receiver<Arc<Event>>, wanted: PlanId) {
    loop {
        match heard.recv().await.as_deref() {
            Ok(Event { news: News::Decided { plan, .. }, .. }) if *plan == wanted => return,
            Ok(Event { news: News::Lagged, .. }) | Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => return,
            Ok(_) => {}
        }
    }
}

async fn told(
    desk: &Desk,
    line: &Line,
    stored: &StoredPlan,
    (trail, rest): (&[PlanId], &[PlanId]),
) -> CallToolResult {
    let id = stored.plan.id;
    let mut answer = json!({
        "status": stored.state,
        "summary": stored.plan.summary,
        "plan_id": id,
        "followed": trail[..trail.len() - 1],
    });
    if let Some(reason) = &stored.reason {
        answer["reason"] = reason.as_str().into();
    }
    if !rest.is_empty() {
        answer["rest_waits"] = json!(rest);
    }
    if let Some(receipt) = &stored.receipt {
        answer["receipt"] = json!(receipt);
    }
    if trail.len() > 1 {
        // It is not the plan that was asked about: a part of it, or with other values.
        answer["plan"] = shape::short_plan(&stored.plan);
    }
    if stored.state == PlanState::Waiting {
        answer["decide"] = desk.command(line.dir.clone(), id).await;
    }
    shape::of_answer(&sentence(stored), answer)
}

fn sentence(stored: &StoredPlan) -> String {
    let id = stored.plan.id;
    match stored.state {
        PlanState::Waiting => format!(
            "waiting: nobody has decided on {id} yet; tell the person how (`decide`), and ask again"
        ),
        PlanState::Applying => format!("applying: {id} is being applied; ask again"),
        PlanState::Applied => format!("applied: {id}; `receipt` says what was measured"),
        PlanState::RolledBack => {
            format!("rolled_back: {id} missed what it promised and was taken back; see `receipt`")
        }
        PlanState::Rejected => {
            format!("rejected: the person does not want {id}; `reason` says why")
        }
        PlanState::Undone => format!("undone: {id} was applied and taken back"),
        PlanState::Conflict => {
            format!("conflict: the session moved on since {id} was made; plan again")
        }
    }
}
