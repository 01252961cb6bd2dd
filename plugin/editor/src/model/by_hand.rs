//! Decides which plans need no card: what a person does with the mouse shows on the desk and in the
//! history.

use crate::card::parts::AGAIN;
use deskhand_session::{Author, PlanId, PlanState, StoredPlan};
use std::collections::BTreeSet;

/// Tools, besides the commands, that the person uses by hand. Each shows its result where it acts.
const TOOLS: [&str; 3] = ["tool_code_region", "tool_uncode", "tool_set_importance"];

/// Whether a plan was applied by hand and has no card. A waiting plan, such as one from a terminal, needs a
/// card. A part and a rejected plan had one.
pub(super) fn is_told(stored: &StoredPlan) -> bool {
    let tool = stored.plan.tool.as_str();
    let is_done = !matches!(stored.state, PlanState::Waiting | PlanState::Rejected);
    let is_whole = stored.plan.derived_from.is_none();
    let is_own = stored.author == Author::User;
    is_done && is_whole && is_own && (tool.starts_with("cmd_") || TOOLS.contains(&tool))
}

/// The plans that other plans refer to, because they replaced one or were taken from it. They had a card
/// while they waited, whatever happened to them.
pub(super) fn named(plans: &[StoredPlan]) -> BTreeSet<PlanId> {
    let replaced = plans.iter().filter_map(|stored| {
        let by = stored.reason.as_deref()?.strip_prefix(AGAIN)?;
        by.trim_start_matches(" as ").parse::<PlanId>().ok()
    });
    replaced.chain(plans.iter().filter_map(|stored| stored.plan.derived_from)).collect()
}
