//! Decides which plans need no card: what a person does with the mouse shows on the desk and in the
//! history.

use crate::action::Gesture;
use crate::card::measure_again::AGAIN;
use crate::tools::Tools;
use deskhand_session::{Author, PlanId, PlanState, StoredPlan};
use std::collections::BTreeSet;

/// Gestures without a card, besides commands: each shows its result where it acts.
const CARDLESS: [Gesture; 3] = [Gesture::CodeRegion, Gesture::Uncode, Gesture::SetImportance];

/// Whether a plan was applied by hand and has no card. A waiting plan, such as one from a terminal, needs a
/// card. A part and a rejected plan had one.
pub(super) fn is_told(tools: &Tools, stored: &StoredPlan) -> bool {
    let tool = stored.plan.tool.as_str();
    let is_done = !matches!(stored.state, PlanState::Waiting | PlanState::Rejected);
    let is_whole = stored.plan.derived_from.is_none();
    let is_own = stored.author == Author::User;
    let has_none =
        tools.is_command(tool) || CARDLESS.iter().any(|gesture| tools.is(tool, *gesture));
    is_done && is_whole && is_own && has_none
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
