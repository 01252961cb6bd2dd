//! The rest of a step that is undone or redone after recordings and moves of a host. What came since stays
//! as it is, and is named.

use crate::commits::Commits;
use crate::intake::records;
use deskhand_dsp::Frames;
use deskhand_session::change::Edit;
use deskhand_session::{
    ApplyError, Change, Clip, ClipId, Course, HeadMove, ObjectId, Revision, Session, SplitState,
};
use deskhand_store::PlanDecided;
use std::collections::BTreeSet;
use std::iter::once;
use std::sync::Arc;

/// The most things that are named; others are counted.
const NAMED: usize = 3;

/// Which way a step goes in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Back,
    Forth,
}

/// A step of the history as far as the session takes it.
pub(crate) struct Rest {
    /// The step, with the changes that fit.
    pub(crate) step: HeadMove,
    /// The session as it leaves it.
    pub(crate) session: Session,
    /// What is left out and why, in words; `None` if all fits.
    pub(crate) left_out: Option<String>,
}

/// A step of the history to go.
pub(crate) struct Walk {
    pub(crate) step: HeadMove,
    pub(crate) way: Direction,
    /// The session as it leaves it.
    pub(crate) session: Arc<Session>,
    /// The new state of the plan that proposed it.
    pub(crate) decided: Option<PlanDecided>,
}

/// The steps after it that stay, the newest first.
struct Since<'a>(Vec<&'a Revision>);

/// A change of the step.
struct Piece {
    change: Change,
    /// If a recording cut a clip in two, the change applies to one part, and the other loses nothing.
    is_of_cut: bool,
}

/// Applies changes in sequence, as far as they fit.
struct Fitting {
    session: Session,
    kept: Vec<Change>,
    left: Vec<Change>,
    /// Later recordings: no clip is laid over them.
    recorded: BTreeSet<ClipId>,
}

impl Commits {
    /// The step, as far as it fits the later changes. Along the tree all of it fits.
    pub(crate) fn rest_of(&self, step: HeadMove) -> Result<Rest, ApplyError> {
        if step.course == Course::Along {
            let session = self.session.with(&step.changes)?;
            return Ok(Rest { step, session, left_out: None });
        }
        let line = self.history.get(self.history.head());
        let line = std::iter::successors(line, |revision| self.history.get(revision.parent));
        let since = line.take_while(|revision| revision.id > step.named);
        let since = Since(since.filter(|revision| revision.is_stepped_over()).collect());
        let mut fitting = Fitting {
            session: Session::clone(&self.session),
            kept: Vec::new(),
            left: Vec::new(),
            recorded: since.recorded(),
        };
        fitting.take(&since.pieces(&step.changes));
        let Fitting { session, kept, left, .. } = fitting;
        if left.is_empty() {
            return Ok(Rest { step: HeadMove { changes: kept, ..step }, session, left_out: None });
        }
        let all = step.changes.len();
        let label = format!("{} ({} of {all} changes)", step.label, all - left.len());
        let left_out = Some(since.words(&left, &self.session));
        Ok(Rest { step: HeadMove { label, changes: kept, ..step }, session, left_out })
    }
}

impl Fitting {
    /// Splits a set that does not fit in halves, until the pieces that do not fit are found.
    fn take(&mut self, pieces: &[Piece]) {
        let Some((first, others)) = pieces.split_first() else { return };
        let next = self.session.with(pieces.iter().map(|piece| &piece.change)).ok();
        match next.filter(|next| !self.is_laid_over(next)) {
            Some(next) => {
                self.session = next;
                self.kept.extend(pieces.iter().map(|piece| piece.change.clone()));
            }
            None if others.is_empty() && first.is_of_cut => {}
            None if others.is_empty() => self.left.push(first.change.clone()),
            None => {
                let (front, back) = pieces.split_at(pieces.len() / 2);
                self.take(front);
                self.take(back);
            }
        }
    }

    /// Whether a clip reaches into a recording where none did.
    fn is_laid_over(&self, next: &Session) -> bool {
        let recorded: Vec<&Clip> =
            self.recorded.iter().filter_map(|id| next.clips.get(id)).collect();
        let mut others = next.clips.iter().filter(|(id, _)| !self.recorded.contains(id));
        others.any(|(id, clip)| {
            let before = self.session.clips.get(id);
            before != Some(clip)
                && recorded.iter().any(|take| {
                    meet(clip, take) && !before.is_some_and(|before| meet(before, take))
                })
        })
    }
}

fn meet(one: &Clip, other: &Clip) -> bool {
    one.track == other.track && one.position < other.end() && other.position < one.end()
}

impl Since<'_> {
    /// The clips that were recorded.
    fn recorded(&self) -> BTreeSet<ClipId> {
        let passes = self.0.iter().filter(|revision| records(revision));
        let added = passes.flat_map(|pass| &pass.changes).filter_map(|change| match change {
            Change::AddClip(edit) => Some(edit.target),
            _ => None,
        });
        added.collect()
    }

    /// The changes, each with those for the parts that were cut off its clip.
    fn pieces(&self, changes: &[Change]) -> Vec<Piece> {
        let of = |change: &Change| {
            let cut = self.cut_off(change.target()).into_iter();
            let cut = cut.filter_map(|clip| retargeted(change, clip));
            let cut = cut.map(|change| Piece { change, is_of_cut: true });
            let whole = Piece { change: change.clone(), is_of_cut: false };
            once(whole).chain(cut).collect::<Vec<_>>()
        };
        changes.iter().flat_map(of).collect()
    }

    /// The clips that recordings cut off one, and off those.
    fn cut_off(&self, clip: ObjectId) -> Vec<ClipId> {
        let mut parts = Vec::new();
        for change in self.0.iter().rev().flat_map(|revision| &revision.changes) {
            let Change::SplitClip(Edit { target, after, .. }) = change else { continue };
            let is_of_it = ObjectId::from(*target) == clip || parts.contains(target);
            if let (SplitState::Parts { right_id, .. }, true) = (after, is_of_it) {
                parts.push(*right_id);
            }
        }
        parts
    }

    /// The text about the left-out changes, and what is in their way.
    fn words(&self, left: &[Change], session: &Session) -> String {
        let mut reasons: Vec<String> = Vec::new();
        for change in left {
            let name = self.name(change.target(), session);
            let reason = match self.culprit(change) {
                Some(label) => format!("{name} ({label})"),
                None => name,
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let more = reasons.len().saturating_sub(NAMED);
        reasons.truncate(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("left as it is, for this came since: {}{more}", reasons.join(", "))
    }

    /// The name of an object, which may be covered by now.
    fn name(&self, object: ObjectId, session: &Session) -> String {
        let covered = self.0.iter().flat_map(|revision| &revision.changes);
        let name = covered.filter(|change| change.target() == object).find_map(|it| match it {
            Change::RemoveClip(Edit { before: Some(clip), .. }) => Some(clip.name.clone()),
            _ => None,
        });
        name.unwrap_or_else(|| session.name_of(object))
    }

    /// The newest step that came in the way of a change.
    fn culprit(&self, change: &Change) -> Option<&str> {
        let places = places_of(change);
        let is_in_way = |other: &Change| {
            other.target() == change.target()
                || places_of(other).iter().any(|it| places.iter().any(|own| overlap(own, it)))
        };
        let found = self.0.iter().find(|revision| revision.changes.iter().any(is_in_way));
        found.or(self.0.first()).map(|revision| revision.label.as_str())
    }
}

/// The track, and from where to where on it.
type Place = (ObjectId, Frames, Frames);

fn overlap(one: &Place, other: &Place) -> bool {
    one.0 == other.0 && one.1 < other.2 && other.1 < one.2
}

/// Where on the timeline a change puts clips, and for a track all of it.
fn places_of(change: &Change) -> Vec<Place> {
    let place = |clip: &Clip| (clip.track.into(), clip.position, clip.end());
    match change {
        Change::AddClip(edit) | Change::DuplicateClip(edit) | Change::RemoveClip(edit) => {
            edit.after.iter().map(place).collect()
        }
        Change::SplitClip(edit) => match &edit.after {
            SplitState::Whole { clip, .. } => vec![place(clip)],
            SplitState::Parts { left, right, .. } => vec![place(left), place(right)],
        },
        Change::AddTrack(edit) | Change::RemoveTrack(edit) => {
            vec![(edit.target.into(), Frames(i64::MIN), Frames(i64::MAX))]
        }
        _ => Vec::new(),
    }
}

/// The same for another clip, where it says nothing of the place of either.
fn retargeted(change: &Change, target: ClipId) -> Option<Change> {
    match change.clone() {
        Change::SetClipGain(edit) => Some(Change::SetClipGain(Edit { target, ..edit })),
        Change::SetClipEnvelope(edit) => Some(Change::SetClipEnvelope(Edit { target, ..edit })),
        Change::RenameClip(edit) => Some(Change::RenameClip(Edit { target, ..edit })),
        _ => None,
    }
}
