//! How far a tool is trusted, and its category in lists.
//!
//! It is defined here because tools declare it and the protocol carries it, and neither knows the other.

use serde::{Deserialize, Serialize};

/// The trust in a tool's effect; the policy decides on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Reads and measures.
    Autonomous,
    /// Small and visible: applied at once and reported, with undo.
    Notify,
    /// Every other change: waits for a person.
    Suggest,
    /// Reaches outside the session: always waits, no rule lowers it.
    Require,
}

/// The category of a tool in lists.
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
