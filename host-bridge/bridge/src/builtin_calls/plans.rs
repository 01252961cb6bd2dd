//! `list_plans`, `get_plan` and `get_receipt`.

use super::answers::{Listed, Page};
use super::tool::{About, HouseTool, reads, written};
use crate::bridge::Bridge;
use crate::errors::no_plan;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{PlanId, PlanState, StoredPlan};
use deskhand_toolkit::{Category, ToolSpec};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub(super) fn tools() -> Vec<HouseTool> {
    vec![list_plans_tool(), get_plan_tool().and(ToolSpec::core), get_receipt_tool()]
}

/// Every state, in its written form.
const STATES: [PlanState; 7] = [
    PlanState::Waiting,
    PlanState::Applying,
    PlanState::Applied,
    PlanState::RolledBack,
    PlanState::Rejected,
    PlanState::Undone,
    PlanState::Conflict,
];

fn state_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": STATES})
}

/// Which plans.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlansParams {
    /// Only plans in this state; omitted: all.
    #[serde(default)]
    #[schemars(schema_with = "state_schema")]
    state: Option<PlanState>,
    /// Most rows to return; omitted: 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// Rows to skip first.
    offset: Option<u32>,
}

/// Which plan.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanParams {
    /// Its id.
    #[schemars(with = "String")]
    plan_id: PlanId,
    /// Most changes, findings and predictions to return; omitted: 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// Rows of each list to skip first.
    offset: Option<u32>,
}

/// Which plan.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReceiptParams {
    /// Its id.
    #[schemars(with = "String")]
    plan_id: PlanId,
}

/// A plan in a row.
#[derive(Debug, Serialize, JsonSchema)]
struct PlanRow {
    plan_id: String,
    tool: String,
    summary: String,
    #[schemars(schema_with = "state_schema")]
    state: PlanState,
    /// Made for "user" or "agent".
    #[schemars(with = "String")]
    author: deskhand_session::Author,
    /// Number of changes.
    changes: usize,
    /// Number of warnings.
    warnings: usize,
    /// The plan it is a part or an edit of.
    derived_from: Option<String>,
}

/// A plan.
#[derive(Debug, Serialize, JsonSchema)]
struct PlanAnswer {
    plan_id: String,
    tool: String,
    params: Map<String, Value>,
    summary: String,
    #[schemars(schema_with = "state_schema")]
    state: PlanState,
    /// Reason of the state: the words of a rejection, or the conflict.
    reason: Option<String>,
    #[schemars(with = "String")]
    author: deskhand_session::Author,
    /// The revision it was measured on.
    base_revision: u64,
    digest: String,
    derived_from: Option<String>,
    /// What it changes: id, op, target, name, before, after, unit, reason, needs.
    changes: Listed<Map<String, Value>>,
    /// Measured facts.
    findings: Listed<Map<String, Value>>,
    /// Values to measure after applying.
    predicted: Listed<Map<String, Value>>,
    warnings: Vec<String>,
    /// Facts to know before applying; nothing to fix.
    notes: Vec<String>,
    /// The receipt of applying it.
    receipt: Option<Map<String, Value>>,
}

fn list_plans_tool() -> HouseTool {
    let about = About::read(
        "list_plans",
        "List plans",
        "Plans, newest first, with their state: waiting, applying, applied, rolled_back, rejected, undone, \
         conflict. get_plan shows one in full.",
        Category::Organize,
        json!({"state": "waiting"}),
    );
    reads(about, list_plans)
}

fn list_plans(
    params: PlansParams,
    bridge: &Bridge,
) -> Result<(String, Listed<PlanRow>), ToolError> {
    let PlansParams { state, limit, offset } = params;
    let plans = bridge.plans().iter().rev();
    let wanted = plans.filter(|stored| state.is_none_or(|state| stored.state == state));
    let list = Page { limit, offset }.of(wanted, row);
    Ok((list.said("plan"), list))
}

fn row(stored: &StoredPlan) -> PlanRow {
    let plan = &stored.plan;
    PlanRow {
        plan_id: plan.id.to_string(),
        tool: plan.tool.clone(),
        summary: plan.summary.clone(),
        state: stored.state,
        author: stored.author,
        changes: plan.changes.len(),
        warnings: plan.warnings.len(),
        derived_from: plan.derived_from.map(|id| id.to_string()),
    }
}

fn get_plan_tool() -> HouseTool {
    let about = About::read(
        "get_plan",
        "A plan",
        "A plan with its state, changes (before and after), findings, predictions, warnings and \
         receipt. `limit` and `offset` page through the lists.",
        Category::Organize,
        json!({"plan_id": "plan_0123456789ab"}),
    );
    reads(about, get_plan)
}

fn get_plan(params: PlanParams, bridge: &Bridge) -> Result<(String, PlanAnswer), ToolError> {
    let PlanParams { plan_id, limit, offset } = params;
    let stored = bridge.plans.get(plan_id).ok_or_else(|| no_plan(plan_id))?;
    let (plan, page) = (&stored.plan, Page { limit, offset });
    let state = written(&stored.state);
    let answer = PlanAnswer {
        plan_id: plan.id.to_string(),
        tool: plan.tool.clone(),
        params: object(&plan.params),
        summary: plan.summary.clone(),
        state: stored.state,
        reason: stored.reason.clone(),
        author: stored.author,
        base_revision: plan.base_revision.0,
        digest: plan.digest.clone(),
        derived_from: plan.derived_from.map(|id| id.to_string()),
        changes: page.of(&plan.changes, object),
        findings: page.of(&plan.findings, object),
        predicted: page.of(&plan.predicted, object),
        warnings: plan.warnings.clone(),
        notes: plan.notes.clone(),
        receipt: stored.receipt.as_ref().map(object),
    };
    let state = state.as_str().unwrap_or_default();
    Ok((format!("{plan_id} is {state}; {}", answer.changes.said("change")), answer))
}

fn get_receipt_tool() -> HouseTool {
    let about = About::read(
        "get_receipt",
        "A receipt",
        "The receipt of an applied plan: revision, changes applied and left out, each prediction with the \
         measured value (`within` tolerance or not), and how a host `played` it next.",
        Category::Organize,
        json!({"plan_id": "plan_0123456789ab"}),
    );
    reads(about, get_receipt)
}

fn get_receipt(
    params: ReceiptParams,
    bridge: &Bridge,
) -> Result<(String, Map<String, Value>), ToolError> {
    let id = params.plan_id;
    let stored = bridge.plans.get(id).ok_or_else(|| no_plan(id))?;
    let Some(receipt) = &stored.receipt else {
        let state = written(&stored.state);
        let message = format!("{id} has no receipt: it is {}", state.as_str().unwrap_or_default());
        return Err(ToolError::prepare(Code::NoTarget, message, "a plan that was applied has one"));
    };
    let missed = receipt.measured.iter().filter(|measured| !measured.within).count();
    let (measured, revision) = (receipt.measured.len(), receipt.revision);
    let played = match receipt.plays_as_promised() {
        None => "",
        Some(true) => "; the host plays it as promised",
        Some(false) => {
            "; the host plays other than promised: something before Deskhand in its chain changed"
        }
    };
    let summary = format!("revision {revision}; {measured} measured, {missed} missed{played}");
    Ok((summary, object(receipt)))
}

/// Plain data with named fields, as JSON.
fn object(value: &impl Serialize) -> Map<String, Value> {
    match written(value) {
        Value::Object(fields) => fields,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}
