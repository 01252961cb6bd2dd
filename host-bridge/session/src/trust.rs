//! How far a tool is trusted and where it stands in lists.
//!
//! It stands here because tools say it and the wire carries it, and neither knows the other.

use serde::{Deserialize, Serialize};

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
