//! What a front end says.

use crate::event::CallId;
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Plan, PlanId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that a front end asks for. Every submission is answered by events with its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Chosen by the front end, unique on its connection.
    pub id: CallId,
    /// What it asks for.
    pub op: Op,
}

/// What a front end can ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Call a tool or a command.
    Call {
        /// Its name.
        tool: String,
        /// Its parameters.
        params: Value,
        /// Whether the policy may apply the plan at once.
        apply: Apply,
    },
    /// Decide on a waiting plan. Only a person can.
    Decide {
        /// The plan.
        plan: PlanId,
        /// The decision.
        decision: Decision,
    },
    /// Bring in a plan from a file, to be decided like any other. Only a person can.
    AddPlan {
        /// The plan.
        plan: Box<Plan>,
    },
    /// Take back the last step.
    Undo,
    /// Do the last undone step again.
    Redo,
    /// Stop a running call.
    Cancel {
        /// The id of its submission.
        call: CallId,
    },
}

/// Whether a plan may be applied without asking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apply {
    /// As trust and policy say.
    #[default]
    ByPolicy,
    /// Never: the plan waits, whatever it is.
    Never,
    /// At once: the person decides with the call itself. On any other connection it is `by_policy`.
    Now,
}

/// A person's decision on a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// Apply all of it.
    Apply,
    /// Apply a part, or with edited values; what is taken becomes a plan of its own.
    ApplyPart {
        /// The changes to take, with what they need; all when absent.
        only: Option<Vec<String>>,
        /// Values to apply instead of the planned ones.
        set: Vec<ValueEdit>,
    },
    /// Do not apply it.
    Reject {
        /// Why, for the model and for later.
        reason: String,
    },
}
