//! A plan and its state.

use crate::history::Author;
use crate::ids::PlanId;
use crate::plan::{Plan, PlanState};
use crate::receipt::Receipt;
use serde::{Deserialize, Serialize};

/// A plan with its state, readable forever.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredPlan {
    /// The plan as it was made.
    pub plan: Plan,
    /// Its state now.
    pub state: PlanState,
    /// On whose behalf it was made.
    pub author: Author,
    /// Why it has this state: the words of a rejection, or what conflicts.
    pub reason: Option<String>,
    /// What applying did.
    pub receipt: Option<Receipt>,
    /// The plan that replaces it: a part of it, or the plan of a permitted call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<PlanId>,
    /// When it was made, ms since 1970.
    pub time_ms: i64,
    /// When it came into this state, ms since 1970; `None` while it waits for its first decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_ms: Option<i64>,
}
