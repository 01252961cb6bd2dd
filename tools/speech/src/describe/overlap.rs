//! Finds speech that overlaps other speech.
//!
//! Two phrases overlap if they are said at the same time by two speakers. If nobody marked speakers, each
//! track counts as one speaker. Bleed from another speaker does not count for the track that picked it up.

use crate::speakers::levels::{Place, Placing, owners};
use deskhand_dsp::Frames;
use deskhand_session::{Segment, SegmentId, TrackId};
use deskhand_toolkit::{PlanContext, ToolError};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How much of each phrase somebody else talks in.
pub(super) struct Overlaps {
    shares: BTreeMap<SegmentId, f64>,
    is_known: bool,
}

/// The speaker of a phrase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Named(String),
    On(TrackId),
}

/// A phrase on the timeline.
struct Spoken {
    id: SegmentId,
    range: Range<Frames>,
    who: Who,
}

impl Overlaps {
    /// Measures the `wanted` segments against everything that is said in the session.
    pub(super) fn new(
        context: &PlanContext,
        wanted: impl Iterator<Item = SegmentId>,
    ) -> Result<Self, ToolError> {
        let spoken = spoken(context)?;
        let voices: BTreeSet<&Who> = spoken.iter().map(|spoken| &spoken.who).collect();
        let is_known = voices.len() > 1 || matches!(voices.first(), Some(Who::Named(_)));
        let longest = spoken.iter().map(|it| it.range.end - it.range.start).max();
        let longest = longest.unwrap_or(Frames::ZERO);
        let wanted: BTreeSet<SegmentId> = wanted.collect();
        let mut shares = BTreeMap::new();
        for own in spoken.iter().filter(|own| wanted.contains(&own.id)) {
            let first = spoken.partition_point(|it| it.range.start + longest <= own.range.start);
            let behind = spoken.partition_point(|it| it.range.start < own.range.end);
            let near = spoken.get(first..behind).unwrap_or_default();
            let share = share(own, near.iter().filter(|other| other.who != own.who));
            shares.insert(own.id, share);
        }
        Ok(Self { shares, is_known })
    }

    /// The overlapped share of a segment, 0 to 1. `None` if the speakers are not known.
    pub(super) fn share(&self, id: SegmentId) -> Option<f64> {
        self.shares.get(&id).copied().filter(|_| self.is_known)
    }

    /// Whether anybody is known from anybody else.
    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }
}

/// How much of `own` the others cover, 0 to 1. They come in order of their starts.
fn share<'a>(own: &Spoken, others: impl Iterator<Item = &'a Spoken>) -> f64 {
    let (mut covered, mut at) = (Frames::ZERO, own.range.start);
    for other in others {
        let (from, to) = (other.range.start.max(at), other.range.end.min(own.range.end));
        if from < to {
            covered += to - from;
            at = to;
        }
    }
    covered.0 as f64 / (own.range.end - own.range.start).0.max(1) as f64
}

/// All that is said and plays, in order of time, each by whom it is said.
fn spoken(context: &PlanContext) -> Result<Vec<Spoken>, ToolError> {
    let session = &*context.session;
    let said = session.segments.iter().filter(|(_, segment)| !segment.words.is_empty());
    let said = said.filter(|(_, segment)| !segment.is_bleed());
    let placing = Placing::new(session);
    let placed = said.filter_map(|(id, segment)| Some((*id, segment, placing.place(segment)?)));
    let placed: Vec<(SegmentId, &Segment, Place)> = placed.collect();
    let unnamed = placed.iter().filter(|(_, segment, _)| segment.speaker.is_none());
    let (unnamed, places): (Vec<SegmentId>, Vec<Place>) =
        unnamed.map(|(id, _, place)| (*id, place.clone())).unzip();
    let owners = owners(context, &places, &mut |_| context.check())?;
    let owners: BTreeMap<SegmentId, TrackId> = unnamed.into_iter().zip(owners).collect();
    let mut spoken = Vec::new();
    for (id, segment, place) in placed {
        let who = match &segment.speaker {
            Some(name) => Who::Named(name.clone()),
            None if owners.get(&id) != Some(&place.track) => continue,
            None => Who::On(place.track),
        };
        let shift = place.position - segment.start;
        let words = segment.words.first().zip(segment.words.last());
        let Some((first, last)) = words else { continue };
        let range = first.start + shift..last.end.max(first.start + Frames(1)) + shift;
        spoken.push(Spoken { id, range, who });
    }
    spoken.sort_by_key(|spoken| (spoken.range.start, spoken.id));
    Ok(spoken)
}
