//! Markers: named times or ranges.

use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};

/// A named time (length 0) or range on the timeline, optionally with a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Display name.
    pub name: String,
    /// Timeline position.
    pub position: Frames,
    /// 0 for a point.
    #[serde(default)]
    pub length: Frames,
    /// An editorial or qualitative label.
    #[serde(default)]
    pub code: Option<String>,
}

impl Marker {
    /// Where it is.
    #[must_use]
    pub fn span(&self) -> MarkerSpan {
        MarkerSpan { position: self.position, length: self.length }
    }
}

/// Position and length of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerSpan {
    /// Timeline position.
    pub position: Frames,
    /// 0 for a point.
    #[serde(default)]
    pub length: Frames,
}
