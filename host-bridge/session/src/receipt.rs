//! What applying a plan did.

use crate::history::RevisionId;
use crate::ids::{ObjectId, PlanId};
use crate::measure::Measure;
use crate::plan::PlanState;
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};

/// A prediction and its measurement after applying.
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
    /// The measured value; `null` for silence.
    pub measured: Option<f64>,
    /// How far they may differ.
    pub tolerance: f64,
    /// Unit of the three numbers.
    pub unit: String,
    /// Whether they agree.
    pub within: bool,
}

/// How a predicted value came out when its host played it next, over the common time of both recordings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// First frame of that time on the timeline.
    pub start: Frames,
    /// The frame after its last.
    pub end: Frames,
    /// Predicted: the level of the earlier recording through the new gain. Measured: the level of the new
    /// recording.
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
    /// The project of a DAW that got it too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landed: Option<Box<Landed>>,
}

/// The project of a DAW that got a step of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landed {
    /// The name of the DAW.
    pub program: String,
    /// The path of the project.
    pub path: String,
    /// The copy of the project as it was before; `None` if a copy was put back.
    pub copy: Option<String>,
}

impl Landed {
    /// The same in words.
    #[must_use]
    pub fn words(&self) -> String {
        let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
        match &self.copy {
            Some(copy) => format!("{} has it; as it was before: {}", name(&self.path), name(copy)),
            None => format!("{} is as it was before", name(&self.path)),
        }
    }
}

impl Receipt {
    /// Whether a host played `target` since, so that it could be compared.
    #[must_use]
    pub fn is_heard(&self, target: ObjectId) -> bool {
        self.played.iter().any(|played| played.measured.target == target)
    }

    /// Whether a host played `target` since, all of it as promised.
    #[must_use]
    pub fn is_kept(&self, target: ObjectId) -> bool {
        let of_target = |played: &&Played| played.measured.target == target;
        self.is_heard(target)
            && self.played.iter().filter(of_target).all(|played| played.measured.within)
    }

    /// Whether everything that hosts played since was as predicted; `None` while they played nothing.
    #[must_use]
    pub fn plays_as_promised(&self) -> Option<bool> {
        let is_kept = self.played.iter().all(|played| played.measured.within);
        (!self.played.is_empty()).then_some(is_kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_receipt_of_before_there_was_anything_played_is_read_and_written_as_it_was() {
        let old = json!({"revision": 3, "plan": PlanId::new(1), "state": "applied", "applied": ["c1"],
            "skipped": [], "measured": [], "rolled_back": false, "undo_label": "it"});
        let receipt: Receipt = serde_json::from_value(old.clone()).unwrap();
        assert_eq!(receipt.plays_as_promised(), None);
        assert_eq!(serde_json::to_value(receipt).unwrap(), old);
    }
}
