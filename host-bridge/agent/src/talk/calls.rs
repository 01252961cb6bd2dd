//! The model's calls: each is carried out in order, and each gets exactly one result.

use super::desk::{Desk, Gone, Outcome};
use super::progress::Progress;
use super::result::{decided, declined, for_model, refusal};
use super::search::{CALL, SEARCH, search};
use crate::provider::{Arguments, Part};
use deskhand_protocol::{Apply, Op, Status, ToolInfo};
use deskhand_session::tool_error::Code;
use deskhand_session::{PlanId, PlanState};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How often the same call may be rejected in a turn before it is not planned any more.
const PATIENCE: u32 = 2;

/// What there is to call, and what was rejected in this turn.
pub(super) struct Calls {
    tools: Vec<ToolInfo>,
    attended: bool,
    /// Whether plans are applied as trust and policy say.
    apply: Apply,
    rejected: BTreeMap<String, (u32, String)>,
}

impl Calls {
    pub(super) fn new(tools: Vec<ToolInfo>, attended: bool) -> Self {
        Self { tools, attended, apply: Apply::ByPolicy, rejected: BTreeMap::new() }
    }

    /// Calls by their names, of somebody who sees to the decisions on their plans.
    pub(super) fn unattended() -> Self {
        let (tools, attended) = (Vec::new(), false);
        Self::new(tools, attended)
    }

    /// From now on every plan waits, whatever it is.
    pub(super) fn have_plans_wait(&mut self) {
        self.apply = Apply::Never;
    }

    /// Carries out one call.
    pub(super) fn run(
        &mut self,
        desk: &mut Desk,
        (id, name, arguments): (&str, &str, &Arguments),
        progress: &mut Progress,
    ) -> Result<Part, Gone> {
        if desk.is_stopped() {
            return Ok(Part::error_result(
                id,
                declined("the person stopped the turn before this call"),
            ));
        }
        let params = match arguments {
            Arguments::Object(object) => Value::Object(object.clone()),
            Arguments::Malformed(_) => {
                let fix = "send one JSON object as the arguments";
                return Ok(Part::error_result(
                    id,
                    refusal(Code::BadParams, "the arguments are no JSON object", fix),
                ));
            }
        };
        match name {
            SEARCH => Ok(Part::result(id, search(&self.tools, &params))),
            CALL => match inner(&params) {
                Some((tool, params)) => self.call(desk, id, &tool, params, progress),
                None => {
                    let fix = "call it with {\"tool\": NAME, \"params\": {…}}";
                    Ok(Part::error_result(
                        id,
                        refusal(Code::BadParams, "call_tool needs a tool", fix),
                    ))
                }
            },
            tool => self.call(desk, id, tool, params, progress),
        }
    }

    fn call(
        &mut self,
        desk: &mut Desk,
        id: &str,
        tool: &str,
        params: Value,
        progress: &mut Progress,
    ) -> Result<Part, Gone> {
        let key = format!("{tool} {}", deskhand_session::digest::canonical(&params));
        if let Some((times, reason)) = self.rejected.get(&key)
            && *times >= PATIENCE
        {
            let message = format!("the person rejected this {times} times: {reason}");
            let fix = "do not repeat it; do what the reason asks for, or ask the person";
            return Ok(Part::error_result(id, refusal(Code::Refused, &message, fix)));
        }
        let op = Op::Call { tool: tool.into(), params, apply: self.apply };
        let result = desk.ask(op)?;
        let answer = for_model(&result);
        match (&result.status, &result.plan) {
            (Status::Waiting, Some(plan)) if self.attended => {
                self.wait(desk, plan.id, key, (id, answer), progress)
            }
            (Status::Waiting, Some(plan)) => {
                progress.pending.push(plan.id);
                Ok(Part::result(id, answer))
            }
            (status, _) if status.is_failure() => Ok(Part::error_result(id, answer)),
            _ => Ok(Part::result(id, answer)),
        }
    }

    /// Waits for the person's decision, and says what it was.
    fn wait(
        &mut self,
        desk: &mut Desk,
        plan: PlanId,
        key: String,
        (id, answer): (&str, Value),
        progress: &mut Progress,
    ) -> Result<Part, Gone> {
        let Some(outcome) = desk.decision(plan)? else {
            progress.pending.push(plan);
            return Ok(Part::result(id, answer));
        };
        if outcome.state == PlanState::Rejected {
            let (times, reason) = self.rejected.entry(key).or_default();
            *times += 1;
            *reason = outcome.reason.clone().unwrap_or_default();
        }
        Ok(of_decision(id, answer, &outcome))
    }
}

/// The result of a call whose plan a person decided on. What was rejected or not applied is an error, so that no model
/// takes it for done.
pub(super) fn of_decision(id: &str, answer: Value, outcome: &Outcome) -> Part {
    let told = decided(answer, outcome);
    match outcome.state {
        PlanState::Rejected | PlanState::Conflict | PlanState::RolledBack => {
            Part::error_result(id, told)
        }
        PlanState::Applied | PlanState::Undone | PlanState::Waiting | PlanState::Applying => {
            Part::result(id, told)
        }
    }
}

/// The tool and parameters inside `call_tool`.
fn inner(params: &Value) -> Option<(String, Value)> {
    let tool = params.get("tool")?.as_str()?.to_owned();
    let inner = params.get("params").cloned().unwrap_or_else(|| json!({}));
    Some((tool, inner))
}
