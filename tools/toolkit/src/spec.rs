//! What a tool says of itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// How far a tool's effect is trusted; the policy says what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Reads and measures.
    Autonomous,
    /// Small and visible: applied at once and told, with undo.
    Notify,
    /// Every other change: waits for a person.
    Suggest,
    /// Reaches outside the session: always waits, no rule lowers it.
    Require,
}

/// Where a tool stands in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Levels and loudness.
    Level,
    /// Cutting and fading.
    Edit,
    /// Tracks, names, colors, routing.
    Organize,
    /// Sources and files.
    Library,
    /// Markers, tempo and selection.
    Navigate,
}

/// What a tool says of itself to people and models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolSpec {
    /// `tool_…` or `cmd_…`.
    pub name: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What it does, when to use it, what it returns.
    pub description: String,
    /// Where it stands in lists.
    pub category: Category,
    /// How far it is trusted.
    pub trust: Trust,
    /// JSON Schema of the parameters.
    pub input_schema: Value,
    /// JSON Schema of the result.
    pub output_schema: Value,
    /// Parameters that work, for help texts.
    pub examples: Vec<Value>,
    /// How long a run may take.
    #[serde(skip)]
    pub timeout: Duration,
}
