//! Where a row of a plan is: when, and on which track.

use super::earlier_rows::{Ahead, Placed};
use crate::card::view::Card;
use crate::describe::{span_of, track_of};
use deskhand_dsp::Frames;
use deskhand_session::{Change, ClipId, ObjectId, Segment, Session, TrackId};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its first frame and the frame after its last; `None` for a change without a time.
    pub(crate) span: Option<(Frames, Frames)>,
    /// The track, or the first of them.
    pub(crate) track: Option<TrackId>,
}

impl Place {
    /// The place of a row of a card after the ticked rows before it, and the other rows that it needs.
    pub(crate) fn of(card: &Card, session: &Session, row: usize) -> Self {
        let changes = &card.stored.plan.changes;
        let Some(planned) = changes.get(row) else { return Self::default() };
        let mut ahead = Ahead::new(session);
        let own = [planned.id.clone()];
        let needed: BTreeSet<String> =
            card.stored.plan.closure(&own).unwrap_or_default().into_iter().collect();
        let is_done = |id: &String| !card.view.ticks.off.contains(id) || needed.contains(id);
        let done = changes[..row].iter().filter(|it| is_done(&it.id));
        done.for_each(|it| ahead.take(&it.change));
        Self::at(&planned.change, session, &ahead)
    }

    fn at(change: &Change, session: &Session, ahead: &Ahead<'_>) -> Self {
        let first = |tracks: &[TrackId]| tracks.first().copied();
        let whole = Self { span: span_of(change, session), track: track_of(change, session) };
        match change {
            Change::MoveClip(edit) => {
                let clip = ahead.clip(edit.target).map(|clip| clip.at(edit.after));
                clip.map_or(whole, Self::of_clip)
            }
            Change::TrimClip(edit) => {
                let clip = ahead.clip(edit.target);
                let track = clip.map(|clip| clip.track);
                let [from, to] =
                    [edit.before, edit.after].map(|it| (it.position, it.position + it.length));
                Self { span: Some((from.0.min(to.0), from.1.max(to.1))), track }
            }
            Change::RippleDelete(edit) | Change::RippleInsert(edit) => {
                Self { track: first(&edit.after.tracks), ..whole }
            }
            Change::SetGroup(edit) => {
                let group = edit.after.as_ref().or(edit.before.as_ref());
                Self { track: group.and_then(|group| first(&group.tracks)), ..whole }
            }
            Change::SetSegment(edit) => {
                let segment = edit.after.as_ref().or(edit.before.as_ref());
                segment.and_then(|it| Self::of_segment(it, session)).unwrap_or(whole)
            }
            other => match other.target() {
                ObjectId::Clip(id) => Self::of_id(id, ahead).unwrap_or(whole),
                ObjectId::Segment(id) => {
                    let segment = session.segments.get(&id);
                    segment.and_then(|it| Self::of_segment(it, session)).unwrap_or(whole)
                }
                ObjectId::Marker(id) if whole.span.is_none() => {
                    let at = ahead.marker(id).map(|marker| marker.position);
                    Self { span: at.map(|at| (at, at)), track: None }
                }
                _ => whole,
            },
        }
    }

    fn of_id(id: ClipId, ahead: &Ahead<'_>) -> Option<Self> {
        ahead.clip(id).map(Self::of_clip)
    }

    fn of_clip(clip: Placed<'_>) -> Self {
        Self { span: Some((clip.position, clip.end())), track: Some(clip.track) }
    }

    /// Where the first clip plays a piece of a source.
    fn of_segment(segment: &Segment, session: &Session) -> Option<Self> {
        let plays = session.clips.values().filter(|clip| {
            let end = clip.start + clip.length;
            clip.source == segment.source && clip.start < segment.end() && segment.start < end
        });
        let clip = plays.min_by_key(|clip| clip.position)?;
        let at = |frame: Frames| clip.position + (frame - clip.start);
        let from = at(segment.start.max(clip.start));
        let to = at(segment.end().min(clip.start + clip.length));
        Some(Self { span: Some((from, to)), track: Some(clip.track) })
    }
}
