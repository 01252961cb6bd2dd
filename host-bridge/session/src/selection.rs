//! What the person has selected.

use crate::ids::{ClipId, TrackId};
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};

/// A range on the timeline, `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRange {
    /// First frame.
    pub start: Frames,
    /// The first frame after it.
    pub end: Frames,
}

/// Selected tracks, clips and time. It may name things that are gone; readers pass over them, so that
/// removing a selected clip and undoing that needs no second change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Selected tracks, in the order of selection.
    #[serde(default)]
    pub tracks: Vec<TrackId>,
    /// Selected clips, in the order of selection.
    #[serde(default)]
    pub clips: Vec<ClipId>,
    /// Selected time.
    #[serde(default)]
    pub range: Option<TimeRange>,
}
