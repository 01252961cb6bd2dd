//! The result of a submission, in the one shape that people, models and programs read.

use deskhand_session::tool_error::ToolError;
use deskhand_session::{Conflict, Plan, Receipt, RevisionId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a submission ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Done; nothing was to change.
    Ok,
    /// There is a plan that changes nothing, or that was asked to wait.
    Planned,
    /// It goes on; ask again.
    Running,
    /// A plan waits for a person.
    Waiting,
    /// A plan was applied.
    Applied,
    /// A plan was applied, missed its prediction, and was taken back.
    RolledBack,
    /// A plan was rejected.
    Rejected,
    /// The session moved on; nothing changed.
    Conflict,
    /// It failed; nothing changed.
    Error,
}

impl Status {
    /// Whether the request failed, and nothing changed.
    #[must_use]
    pub fn is_failure(self) -> bool {
        match self {
            Self::Conflict | Self::Error => true,
            Self::Ok
            | Self::Planned
            | Self::Running
            | Self::Waiting
            | Self::Applied
            | Self::RolledBack
            | Self::Rejected => false,
        }
    }
}

/// How a submission ended, and what it gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// How it ended.
    pub status: Status,
    /// One sentence.
    pub summary: String,
    /// The plan, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Box<Plan>>,
    /// What applying did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// The answer of a tool that only reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// Warnings about an answer. Those of a plan are in the plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The revision the session is at.
    pub revision: RevisionId,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none", flatten)]
    pub error: Option<ToolError>,
    /// What moved on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
}

impl ToolResult {
    /// A result with nothing but a sentence.
    #[must_use]
    pub fn new(status: Status, summary: impl Into<String>, revision: RevisionId) -> Self {
        Self {
            status,
            summary: summary.into(),
            plan: None,
            receipt: None,
            answer: None,
            warnings: Vec::new(),
            revision,
            error: None,
            conflicts: Vec::new(),
        }
    }

    /// A failure.
    #[must_use]
    pub fn failed(error: ToolError, revision: RevisionId) -> Self {
        let summary = error.message.clone();
        Self { error: Some(error), ..Self::new(Status::Error, summary, revision) }
    }
}
