//! What applying a plan did.

use crate::history::RevisionId;
use crate::ids::{ObjectId, PlanId};
use crate::measure::Measure;
use crate::plan::PlanState;
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};

/// A prediction and what was measured after applying.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The object.
    pub target: ObjectId,
    /// Its name, for people.
    pub name: String,
    /// Which quantity.
    pub measure: Measure,
    /// What the plan promised.
    pub predicted: f64,
    /// What was measured; `null` for silence.
    pub measured: Option<f64>,
    /// How far they may differ.
    pub tolerance: f64,
    /// Unit of the three numbers.
    pub unit: String,
    /// Whether they agree.
    pub within: bool,
}

/// How what was promised played when its host played it next, over the time of both passes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// First frame of that time on the timeline.
    pub start: Frames,
    /// The frame behind its last.
    pub end: Frames,
    /// Promised is the level of what was recorded before, through the new gain; measured that of the new pass.
    pub measured: Measured,
}

/// What applying a plan did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The revision the session is at now.
    pub revision: RevisionId,
    /// The plan, or the plan derived from it for a part or an edited value.
    pub plan: PlanId,
    /// Its state now.
    pub state: PlanState,
    /// Ids of the changes that were applied.
    pub applied: Vec<String>,
    /// Ids of the changes that were left out.
    pub skipped: Vec<String>,
    /// Predictions against measurements.
    pub measured: Vec<Measured>,
    /// The same against what hosts played next; empty while they did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<Played>,
    /// Whether a missed prediction took everything back.
    pub rolled_back: bool,
    /// What undo would take back.
    pub undo_label: String,
    /// The person's rule by which it was applied without asking, such as `allow tool_normalize`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}
