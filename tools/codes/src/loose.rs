//! Removes codings from segments. A segment that was made for a coding is removed with its last coding,
//! unless somebody added other facts to it.

use super::region_facts::REGION;
use deskhand_session::{Change, Coding, Edit, Segment, SegmentId, Session};
use std::collections::BTreeSet;

/// Takes codings off the segments of a session.
pub(super) struct Taker<'a> {
    session: &'a Session,
    /// What phrases are made of, which must stay.
    used: BTreeSet<SegmentId>,
}

impl<'a> Taker<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        let phrases = session.phrases.values();
        Self { session, used: phrases.flat_map(|phrase| phrase.segments.iter().copied()).collect() }
    }

    /// The segments that have codings which `goes` picks, with how many of those.
    pub(super) fn concerned(
        &self,
        goes: impl Fn(SegmentId, &Coding) -> bool,
    ) -> Vec<(SegmentId, &'a Segment, usize)> {
        let count = |id: SegmentId, segment: &Segment| {
            segment.codings.iter().filter(|coding| goes(id, coding)).count()
        };
        let segments = self.session.segments.iter();
        let counted = segments.map(|(id, segment)| (*id, segment, count(*id, segment)));
        counted.filter(|(_, _, count)| *count > 0).collect()
    }

    /// The change that leaves a segment with `codings`.
    pub(super) fn leave(&self, id: SegmentId, segment: &Segment, codings: Vec<Coding>) -> Change {
        let after = Segment { codings, ..segment.clone() };
        let goes = after.codings.is_empty() && self.is_bare(id, &after);
        Change::SetSegment(Edit::new(id, Some(segment.clone()), Some(after).filter(|_| !goes)))
    }

    /// Whether nothing is known of a segment but its place, and whose words were coded there.
    fn is_bare(&self, id: SegmentId, segment: &Segment) -> bool {
        segment.words.is_empty()
            && segment.description.facts.values().all(|fact| fact.by == REGION)
            && !segment.important
            && !self.used.contains(&id)
            && !self.session.memos.contains_key(&id.into())
    }
}
