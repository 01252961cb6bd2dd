//! Clips and markers as the earlier rows of a plan leave them: a row may refer to what another one makes or
//! moves.

use deskhand_dsp::Frames;
use deskhand_session::{
    Change, Clip, ClipId, ClipPlace, ClipWindow, Edit, MarkerId, Ripple, Session, SplitState,
    TrackId,
};
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) clip: &'a Clip,
    pub(super) track: TrackId,
    /// First frame of its source.
    pub(super) start: Frames,
    pub(super) length: Frames,
    pub(super) position: Frames,
}

impl<'a> Placed<'a> {
    pub(super) fn of(clip: &'a Clip) -> Self {
        let Clip { track, start, length, position, .. } = *clip;
        Self { clip, track, start, length, position }
    }

    /// The frame after its last.
    pub(super) fn end(&self) -> Frames {
        self.position + self.length
    }

    pub(super) fn at(self, ClipPlace { track, position }: ClipPlace) -> Self {
        Self { track, position, ..self }
    }

    pub(super) fn showing(self, ClipWindow { start, length, position }: ClipWindow) -> Self {
        Self { start, length, position, ..self }
    }
}

/// A marker by its name and its place.
#[derive(Clone, Copy)]
pub(super) struct Flagged<'a> {
    pub(super) name: &'a str,
    pub(super) position: Frames,
}

/// The clips that rows made, moved or took away so far.
pub(super) struct Ahead<'a> {
    session: &'a Session,
    clips: BTreeMap<ClipId, Option<Placed<'a>>>,
    markers: BTreeMap<MarkerId, Flagged<'a>>,
    order: Vec<TrackId>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        let order = session.track_order.clone();
        Self { session, clips: BTreeMap::new(), markers: BTreeMap::new(), order }
    }

    /// The track that would be directly below a moved track; `None` if the moved track would be the last.
    pub(super) fn below(&self, edit: &Edit<TrackId, usize>) -> Option<TrackId> {
        let others = self.order.iter().filter(|id| **id != edit.target);
        let mut below = others.skip(edit.after);
        below.find(|id| self.session.tracks.contains_key(id)).copied()
    }

    fn place_track(&mut self, id: TrackId, index: Option<usize>) {
        self.order.retain(|known| *known != id);
        if let Some(index) = index {
            self.order.insert(index.min(self.order.len()), id);
        }
    }

    /// A clip in its current state; `None` if it does not exist.
    pub(super) fn clip(&self, id: ClipId) -> Option<Placed<'a>> {
        match self.clips.get(&id) {
            Some(known) => *known,
            None => self.session.clips.get(&id).map(Placed::of),
        }
    }

    /// A marker in its current state; `None` if it does not exist.
    pub(super) fn marker(&self, id: MarkerId) -> Option<Flagged<'a>> {
        let known = self.markers.get(&id).copied();
        known.or_else(|| {
            let marker = self.session.markers.get(&id)?;
            Some(Flagged { name: &marker.name, position: marker.position })
        })
    }

    /// Applies a row, so that the next one sees its result.
    pub(super) fn take(&mut self, change: &'a Change) {
        match change {
            Change::AddClip(edit) | Change::DuplicateClip(edit) => {
                self.clips.insert(edit.target, edit.after.as_ref().map(Placed::of));
            }
            Change::RemoveClip(edit) => drop(self.clips.insert(edit.target, None)),
            Change::MoveClip(edit) => {
                let moved = self.clip(edit.target).map(|clip| clip.at(edit.after));
                self.clips.insert(edit.target, moved);
            }
            Change::TrimClip(edit) => {
                let trimmed = self.clip(edit.target).map(|clip| clip.showing(edit.after));
                self.clips.insert(edit.target, trimmed);
            }
            Change::SplitClip(edit) => self.split(edit.target, &edit.after),
            Change::RippleDelete(edit) | Change::RippleInsert(edit) => self.pieces(&edit.after),
            Change::AddTrack(edit) | Change::RemoveTrack(edit) => {
                self.place_track(edit.target, edit.after.as_ref().map(|placed| placed.index));
            }
            Change::MoveTrack(edit) => self.place_track(edit.target, Some(edit.after)),
            Change::AddMarker(Edit { target, after: Some(marker), .. }) => {
                let made = Flagged { name: &marker.name, position: marker.position };
                self.markers.insert(*target, made);
            }
            Change::MoveMarker(edit) => {
                if let Some(marker) = self.marker(edit.target) {
                    let position = edit.after.position;
                    self.markers.insert(edit.target, Flagged { position, ..marker });
                }
            }
            Change::RenameMarker(edit) => {
                if let Some(marker) = self.marker(edit.target) {
                    self.markers.insert(edit.target, Flagged { name: &edit.after, ..marker });
                }
            }
            _ => {}
        }
    }

    fn split(&mut self, id: ClipId, after: &'a SplitState) {
        let (left, right_id, right) = match after {
            SplitState::Whole { clip, right_id } => (clip, right_id, None),
            SplitState::Parts { left, right_id, right } => (left, right_id, Some(right)),
        };
        self.clips.insert(id, Some(Placed::of(left)));
        self.clips.insert(*right_id, right.map(Placed::of));
    }

    /// Pieces that are new. Existing clips stay at their drawn places, with those that only shift.
    fn pieces(&mut self, after: &'a Ripple) {
        for (id, clip) in &after.clips {
            if self.clip(*id).is_none() {
                self.clips.insert(*id, Some(Placed::of(clip)));
            }
        }
    }
}
