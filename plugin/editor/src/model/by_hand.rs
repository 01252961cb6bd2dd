//! What a person does with the mouse is told by the desk and the history, not by a card.

use crate::card::parts::AGAIN;
use deskhand_session::{Author, PlanId, PlanState, StoredPlan};
use std::collections::BTreeSet;

/// Tools beside the commands that the person uses by hand: each tells at its place what it did.
const TOOLS: [&str; 3] = ["tool_code_region", "tool_uncode", "tool_set_importance"];

/// Whether a plan was applied by hand and has no card. What waits, as one that was asked for at a terminal, is for a
/// card, and so is what was taken of one, and what the person said no to: that was on one.
pub(super) fn is_told(stored: &StoredPlan) -> bool {
    let tool = stored.plan.tool.as_str();
    let is_done = !matches!(stored.state, PlanState::Waiting | PlanState::Rejected);
    let is_whole = stored.plan.derived_from.is_none();
    let is_own = stored.author == Author::User;
    is_done && is_whole && is_own && (tool.starts_with("cmd_") || TOOLS.contains(&tool))
}

/// The plans that others tell of: they took the place of one, or a part of them was taken. They waited on a card,
/// whatever became of them.
pub(super) fn named(plans: &[StoredPlan]) -> BTreeSet<PlanId> {
    let replaced = plans.iter().filter_map(|stored| {
        let by = stored.reason.as_deref()?.strip_prefix(AGAIN)?;
        by.trim_start_matches(" as ").parse::<PlanId>().ok()
    });
    replaced.chain(plans.iter().filter_map(|stored| stored.plan.derived_from)).collect()
}
