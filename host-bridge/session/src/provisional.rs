//! The findings of a run so far. They are drawn at once, and removed when the call ends and its revision
//! comes.

use crate::ids::ObjectId;
use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};

/// Something found while a call still runs. It is in no session and in no plan yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provisional {
    /// The clip or track where it was found.
    pub target: ObjectId,
    /// Where on the timeline.
    pub position: Frames,
    /// 0 for a point.
    #[serde(default)]
    pub length: Frames,
    /// A name of a word or two; empty if a line is enough.
    #[serde(default)]
    pub label: String,
}
