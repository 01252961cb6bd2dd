//! Plans: inert proposals, in the one written form `deskhand.plan/1`.

mod file;
mod part;
mod refusal;
mod remaining_plan;
mod steps;
mod stored;

pub use file::PlanFileError;
pub use part::{Narrowed, PartError, ValueEdit};
pub use refusal::Refusal;
pub use steps::{Row, Step};
pub use stored::StoredPlan;

use crate::change::Change;
use crate::history::RevisionId;
use crate::ids::{ObjectId, PlanId, SessionId};
use crate::measure::{Finding, Measure};
use crate::reads::Read;
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The format of plans.
pub const FORMAT: &str = "deskhand.plan/1";

/// A change of a plan, with what people want to know about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedChange {
    /// Its id in the plan: `c1`, `c2`, …
    pub id: String,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The name of its target.
    #[serde(default)]
    pub name: String,
    /// The unit of its values.
    #[serde(default)]
    pub unit: Option<String>,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// Ids of changes without which it makes no sense.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Nobody should take it unheard: a card begins without its tick, and whoever hears it in place ticks it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_hear: bool,
    /// What it cuts out of speech, if it represents a cut ([`Step::head`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<CutOut>,
}

/// The removed stretch of a cut in talk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutOut {
    /// The kind of the cut.
    pub kind: CutKind,
    /// What it is, for people: `"um,"`.
    pub what: String,
    /// Where it begins on the timeline before the plan.
    pub at: Frames,
    /// How long it is.
    pub length: Frames,
    /// The last word before it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The first word after it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The kinds of cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutKind {
    /// "Um".
    Filler,
    /// "I think I think".
    FalseStart,
    /// What a pause has too much.
    Pause,
    /// Nothing sounds.
    Silence,
}

/// When a prediction is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// Right after applying, on the same audio through the same engine.
    #[default]
    Now,
    /// The same, and once more when the host plays the same time next.
    Playback,
}

/// A measurement that is taken once the plan is applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The object.
    pub target: ObjectId,
    /// Which quantity.
    pub measure: Measure,
    /// The promised value.
    pub value: f64,
    /// How far the measurement may differ.
    pub tolerance: f64,
    /// Unit of both.
    pub unit: String,
    /// The changes it follows from.
    pub from: Vec<String>,
    /// When it is checked.
    #[serde(default)]
    pub verify: Verify,
}

/// A file that a plan made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// Path relative to the session folder.
    pub path: String,
    /// Size.
    pub bytes: u64,
}

/// A row of a plan as a person would name it: changes that are taken or left as one, or what can be requested
/// alone, such as one phrase of many whose takes it finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanPart {
    /// Its id in the plan: `p1`, `p2`, …
    pub id: String,
    /// What it is, for people.
    pub name: String,
    /// The ids of its changes, the one that represents it first. They need each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// The parameters that ask for it alone, in place of the plan's: lists, which several parts join.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, Vec<Value>>,
}

/// What a person can do about a warning of a plan: a call that makes the next plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanOffer {
    /// The warning that it is for, as the plan has it.
    pub warning: String,
    /// The action, as a button's text: "Group and keep in sync".
    pub label: String,
    /// The tool that is called.
    pub tool: String,
    /// The parameters of that call.
    pub params: Value,
    /// What becomes of the plan.
    #[serde(default, skip_serializing_if = "OfferStep::is_first")]
    pub step: OfferStep,
}

/// What becomes of a plan when a person takes one of its offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferStep {
    /// The offered call is made and applied, then the plan's own call is made again.
    #[default]
    First,
    /// The plan of the offered call takes its place.
    Instead,
    /// The plan of the offered call waits beside it.
    Beside,
}

impl OfferStep {
    fn is_first(&self) -> bool {
        *self == Self::First
    }
}

/// An inert proposal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// [`FORMAT`].
    pub format: String,
    /// Identity in its session.
    pub id: PlanId,
    /// BLAKE3 of the canonical JSON without `id`, `digest` and `session`.
    pub digest: String,
    /// The tool that made it.
    pub tool: String,
    /// The parameters of the call.
    pub params: Value,
    /// The session it is for.
    pub session: SessionId,
    /// The revision it was measured on.
    pub base_revision: RevisionId,
    /// One sentence.
    pub summary: String,
    /// What it changes, in order.
    pub changes: Vec<PlannedChange>,
    /// Its rows, if several changes make one, or the parts that can be requested alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PlanPart>,
    /// What it relies on.
    #[serde(default)]
    pub reads: Vec<Read>,
    /// The measurements.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// What will be measured.
    #[serde(default)]
    pub predicted: Vec<Prediction>,
    /// Files it made.
    #[serde(default)]
    pub artifacts: Vec<Artifact>,
    /// Points to check before applying.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Facts to know before applying; nothing needs a fix.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What can be done about its warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<PlanOffer>,
    /// The plan it is a part or an edit of.
    #[serde(default)]
    pub derived_from: Option<PlanId>,
}

/// What became of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanState {
    /// Waits for a decision.
    Waiting,
    /// Is being applied.
    Applying,
    /// Applied.
    Applied,
    /// Applied and taken back, because a prediction was missed.
    RolledBack,
    /// Rejected with a reason.
    Rejected,
    /// Applied and undone.
    Undone,
    /// Refused, because the session moved on.
    Conflict,
}

impl PlannedChange {
    /// The `number`th change of a plan, from 1.
    #[must_use]
    pub fn new(number: usize, change: Change, name: String, reason: String) -> Self {
        let unit = change.unit().map(str::to_owned);
        let id = format!("c{number}");
        Self { id, change, name, unit, reason, needs: Vec::new(), to_hear: false, cut: None }
    }
}

impl PlanPart {
    /// The parts of a plan for one list parameter, each with a name and the list item that requests it. A
    /// single item is the plan itself, and no part.
    #[must_use]
    pub fn each(parameter: &str, items: Vec<(String, Value)>) -> Vec<Self> {
        if items.len() < 2 {
            return Vec::new();
        }
        let part = |(at, (name, item)): (usize, (String, Value))| Self {
            id: format!("p{}", at + 1),
            name,
            changes: Vec::new(),
            params: BTreeMap::from([(parameter.to_owned(), vec![item])]),
        };
        items.into_iter().enumerate().map(part).collect()
    }
}

impl PlanOffer {
    /// An offer for `warning`, with the text of its button.
    #[must_use]
    pub fn new(
        warning: &str,
        label: impl Into<String>,
        step: OfferStep,
        call: (&str, Value),
    ) -> Self {
        let (tool, params) = (call.0.to_owned(), call.1);
        Self { warning: warning.to_owned(), label: label.into(), tool, params, step }
    }

    /// The same call as the plan's, with other values of some parameters. The plan adds its own when it is made.
    #[must_use]
    pub fn again(warning: &str, label: impl Into<String>, params: Value) -> Self {
        Self::new(warning, label, OfferStep::Instead, ("", params))
    }

    /// The offer in a plan of this call.
    #[must_use]
    pub fn of_call(mut self, tool: &str, params: &Value) -> Self {
        if self.tool.is_empty() {
            let mut all = params.as_object().cloned().unwrap_or_default();
            all.extend(self.params.as_object().cloned().unwrap_or_default());
            (self.tool, self.params) = (tool.to_owned(), all.into());
        }
        self
    }
}

impl Prediction {
    /// A prediction that is checked right after applying.
    #[must_use]
    pub fn now(
        target: impl Into<ObjectId>,
        measure: Measure,
        value: f64,
        tolerance: f64,
        from: Vec<String>,
    ) -> Self {
        let unit = measure.unit().into();
        Self { target: target.into(), measure, value, tolerance, unit, from, verify: Verify::Now }
    }
}

impl Plan {
    /// A plan of no changes by `tool`, without a digest.
    #[must_use]
    pub fn empty(id: PlanId, tool: &str, session: SessionId, base_revision: RevisionId) -> Self {
        Self {
            format: FORMAT.into(),
            id,
            digest: String::new(),
            tool: tool.to_owned(),
            params: Value::Object(serde_json::Map::new()),
            session,
            base_revision,
            summary: String::new(),
            changes: Vec::new(),
            parts: Vec::new(),
            reads: Vec::new(),
            findings: Vec::new(),
            predicted: Vec::new(),
            artifacts: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            offers: Vec::new(),
            derived_from: None,
        }
    }

    /// The parts that can be requested alone.
    pub fn requests(&self) -> impl Iterator<Item = &PlanPart> {
        self.parts.iter().filter(|part| !part.params.is_empty())
    }

    /// The changes alone.
    pub fn bare_changes(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().map(|planned| &planned.change)
    }

    /// Sets `digest` to the digest of the content.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.digest = self.computed_digest();
        self
    }

    /// The digest of the content.
    #[must_use]
    pub fn computed_digest(&self) -> String {
        serde_json::to_value(self).map(|json| crate::digest::plan_digest(&json)).unwrap_or_default()
    }
}
