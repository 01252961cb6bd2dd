//! A clip that is whole, or split in two.

use crate::clip::Clip;
use crate::ids::ClipId;
use serde::{Deserialize, Serialize};

/// The value of a split: the whole clip, or its left part (which keeps the id) and the new right part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SplitState {
    /// One clip.
    Whole {
        /// The clip.
        clip: Clip,
        /// The id the right part has or had; it must be free.
        right_id: ClipId,
    },
    /// Two clips that touch.
    Parts {
        /// The part that keeps the id.
        left: Clip,
        /// The id of the other part.
        right_id: ClipId,
        /// The other part.
        right: Clip,
    },
}

impl SplitState {
    /// Splits `clip` at `at` frames from its start (more than 0, less than its length). The fade-in
    /// stays left, the fade-out right, each shortened to fit; the cut itself has no fades.
    #[must_use]
    pub fn parts(clip: &Clip, right_id: ClipId, at: deskhand_dsp::Frames) -> Self {
        let mut left = Clip { length: at, ..clip.clone() };
        let mut right = Clip {
            start: clip.start + at,
            length: clip.length - at,
            position: clip.position + at,
            ..clip.clone()
        };
        left.fade_out = deskhand_dsp::Fade::default();
        left.fade_in.length = left.fade_in.length.min(left.length);
        right.fade_in = deskhand_dsp::Fade::default();
        right.fade_out.length = right.fade_out.length.min(right.length);
        Self::Parts { left, right_id, right }
    }
}
