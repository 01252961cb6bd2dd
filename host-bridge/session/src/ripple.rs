//! Time removed from, or inserted into, all tracks of a group at once.

mod line;

use crate::clip::Clip;
use crate::ids::{ClipId, MarkerId, PhraseId, TrackId};
use crate::marker::Marker;
use crate::session::Session;
use deskhand_dsp::{EnvelopePoint, Fade, Frames};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One side of a ripple edit: `length` frames of time at `at`, and the clips that touch them.
///
/// Going from one side to the other replaces `clips` and shifts every later clip of the tracks by the
/// difference of the lengths. A deletion goes to a side of length 0, an insertion starts from one. Each is
/// the other's inverse, and neither stores the clips that only shift.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ripple {
    /// The tracks, which must be the group's.
    pub tracks: Vec<TrackId>,
    /// Where on the timeline.
    pub at: Frames,
    /// How much time this side has there.
    pub length: Frames,
    /// The clips that reach into that time on this side, and their pieces on the other. If none does, the
    /// first clip after it may be here; its place shows whether the change is done.
    pub clips: BTreeMap<ClipId, Clip>,
    /// Markers after the time, which shift with the clips. None is inside.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub markers: BTreeSet<MarkerId>,
    /// Markers that begin before this time and reach over all of it. They are longer on the side with more
    /// time.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub across: BTreeSet<MarkerId>,
    /// Gain over time of tracks and buses that moves along: the points of each on this side, from `at`
    /// until `ramp` after the time. Later points shift.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lines: BTreeMap<TrackId, Vec<EnvelopePoint>>,
    /// The length after the time of a ramp between two gains that meet at a cut; the same on both sides.
    #[serde(default, skip_serializing_if = "is_none")]
    pub ramp: Frames,
    /// Phrases of the assembly that play in this time only, each with its place in the order. Phrases that
    /// only the other side names are removed on this side.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phrases: BTreeMap<PhraseId, usize>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(length: &Frames) -> bool {
    *length == Frames::ZERO
}

impl Ripple {
    /// The side that a session has at a time: the clips that reach into it, or the first one after it.
    #[must_use]
    pub fn now(session: &Session, tracks: &[TrackId], at: Frames, length: Frames) -> Self {
        let mut side = Self { tracks: tracks.to_vec(), at, length, ..Self::default() };
        let members = session.clips.iter().filter(|(_, clip)| tracks.contains(&clip.track));
        let touched = members.clone().filter(|(_, clip)| side.touches(clip));
        let mut clips: BTreeMap<_, _> = touched.map(|(id, clip)| (*id, clip.clone())).collect();
        if clips.is_empty() {
            let behind = members.filter(|(_, clip)| clip.position >= side.end());
            let first = behind.min_by_key(|(_, clip)| clip.position);
            clips.extend(first.map(|(id, clip)| (*id, clip.clone())));
        }
        side.clips = clips;
        side
    }

    /// The first frame after the time.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.at + self.length
    }

    /// Whether a time lies inside of this side.
    pub(crate) fn holds(&self, time: Frames) -> bool {
        self.at <= time && time < self.end()
    }

    /// Whether a marker begins before this side's time and reaches over all of it.
    #[must_use]
    pub fn is_under(&self, marker: &Marker) -> bool {
        marker.position < self.at && self.end() <= marker.position + marker.length
    }

    /// Whether a clip reaches into the time of this side, or across its point if it has no length.
    #[must_use]
    pub fn touches(&self, clip: &Clip) -> bool {
        let reaches_in = if self.length == Frames::ZERO {
            clip.position < self.at
        } else {
            clip.position < self.end()
        };
        reaches_in && clip.end() > self.at
    }

    /// The other side after this time is deleted: each clip loses the part inside. A clip that reaches over
    /// both ends leaves two pieces; `new_id` names the second.
    #[must_use]
    pub fn closed(&self, mut new_id: impl FnMut() -> ClipId) -> Self {
        let mut clips = BTreeMap::new();
        for (id, clip) in &self.clips {
            if clip.position >= self.end() {
                clips.insert(*id, shifted(clip, Frames::ZERO - self.length));
                continue;
            }
            let left = self.piece_before(clip);
            let right = self.piece_behind(clip);
            let right_id = if left.is_some() && right.is_some() { new_id() } else { *id };
            clips.extend(left.map(|piece| (*id, piece)));
            clips.extend(right.map(|piece| (right_id, piece)));
        }
        Self { length: Frames::ZERO, clips, ..self.clone() }
    }

    /// The other side when `length` frames are inserted at this point: clips across it are split.
    #[must_use]
    pub fn opened(&self, length: Frames, mut new_id: impl FnMut() -> ClipId) -> Self {
        let mut clips = BTreeMap::new();
        for (id, clip) in &self.clips {
            if clip.position >= self.end() {
                clips.insert(*id, shifted(clip, length));
                continue;
            }
            clips.extend(self.piece_before(clip).map(|piece| (*id, piece)));
            let right = self.piece_behind(clip);
            clips.extend(right.map(|mut piece| {
                piece.position += length;
                (new_id(), piece)
            }));
        }
        Self { length, clips, ..self.clone() }
    }

    fn piece_before(&self, clip: &Clip) -> Option<Clip> {
        let length = self.at - clip.position;
        (length > Frames::ZERO).then(|| Clip {
            length,
            fade_in: shortened(clip.fade_in, length),
            fade_out: Fade::default(),
            ..clip.clone()
        })
    }

    /// The rest after the time, already moved up to `at`.
    fn piece_behind(&self, clip: &Clip) -> Option<Clip> {
        let length = clip.end() - self.end();
        (length > Frames::ZERO).then(|| Clip {
            start: clip.start + (clip.length - length),
            length,
            position: self.at,
            fade_in: Fade::default(),
            fade_out: shortened(clip.fade_out, length),
            ..clip.clone()
        })
    }
}

fn shifted(clip: &Clip, by: Frames) -> Clip {
    Clip { position: clip.position + by, ..clip.clone() }
}

fn shortened(fade: Fade, length: Frames) -> Fade {
    Fade { length: fade.length.min(length), ..fade }
}
