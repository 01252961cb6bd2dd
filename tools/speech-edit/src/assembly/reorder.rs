//! `tool_reorder_segments`: the phrases of the assembly in another order.

use super::state;
use super::steps::Resolved;
use deskhand_session::text::count;
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, Gesture, PlanContext, Reads, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_reorder_segments`.
pub(super) struct Reorder;

/// The new order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// Every playing phrase (`phr_…`) once, in the new order.
    ordered_group_ids: Vec<String>,
}

impl TypedTool for Reorder {
    type Params = Order;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_reorder_segments",
            "Reorder phrases",
            "Reorders the phrases of the assembly; the clips on the assembly tracks follow. Give every playing \
             phrase once. Unknown, missing or repeated ids are named and nothing changes.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"ordered_group_ids": ["phr_0123456789ab", "phr_ba9876543210"]})],
        )
        .command("assemble order", "Reorder the phrases; name every phrase that plays")
        .reads(Reads::AllPhrases, "PHRASES...", "ordered_group_ids", "")
        .offers(Gesture::ReorderPhrases)
    }

    fn resolve(params: Order, session: &Session) -> Result<Resolved, ToolError> {
        let after = state::reordered(session, &params.ordered_group_ids)?;
        let pairs = session.assembly.order.iter().zip(&after.order);
        let moved = pairs.filter(|(before, after)| before != after).count();
        let summary = format!("Reorder {}", count(moved, "phrase"));
        Ok(Resolved::new(session, after, summary, "plays at another place"))
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}
