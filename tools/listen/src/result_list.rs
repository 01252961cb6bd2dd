//! The results of analysis: facts on pieces of sources, and markers on the timeline. It does not repeat
//! facts that the session has already.

use super::listen::Piece;
use deskhand_dsp::Frames;
use deskhand_session::{
    Change, Description, Edit, Fact, IdSeed, Marker, MarkerId, Segment, SegmentId, Session,
    SourceId,
};
use deskhand_toolkit::{Draft, PlanContext};
use serde_json::Value;
use std::collections::BTreeMap;

/// A region of a source.
type Place = (SourceId, Frames, Frames);

/// Facts to be written, by place.
pub(super) struct Book<'a> {
    session: &'a Session,
    tool: &'static str,
    ids: IdSeed,
    names: BTreeMap<Place, String>,
    facts: BTreeMap<Place, BTreeMap<String, Fact>>,
}

/// A fact without its author.
pub(super) fn fact(value: impl Into<Value>) -> Fact {
    Fact { value: value.into(), unit: None, confidence: None, by: String::new() }
}

/// A number with its unit, to `digits` decimals.
pub(super) fn number(value: f64, digits: i32, unit: &str) -> Fact {
    let scale = 10f64.powi(digits);
    Fact { unit: Some(unit.into()), ..fact((value * scale).round() / scale + 0.0) }
}

/// A fact that is only so sure.
pub(super) fn sure(fact: Fact, confidence: f64) -> Fact {
    let confidence = (confidence.clamp(0.0, 1.0) * 100.0).round() / 100.0;
    Fact { confidence: Some(confidence), ..fact }
}

impl<'a> Book<'a> {
    /// An empty book of a call.
    pub(super) fn new(context: &'a PlanContext) -> Self {
        let (names, facts) = (BTreeMap::new(), BTreeMap::new());
        Self { session: &context.session, tool: context.tool, ids: context.ids(), names, facts }
    }

    /// Notes facts of the whole of a piece.
    pub(super) fn whole(
        &mut self,
        piece: &Piece,
        facts: impl IntoIterator<Item = (&'static str, Fact)>,
    ) {
        self.part(piece, Frames::ZERO, piece.length, facts);
    }

    /// Notes facts of a part of a piece, in frames of its region.
    pub(super) fn part(
        &mut self,
        piece: &Piece,
        start: Frames,
        length: Frames,
        facts: impl IntoIterator<Item = (&'static str, Fact)>,
    ) {
        let place = (piece.source, piece.start + start, length);
        self.names.insert(place, piece.name.clone());
        let noted = self.facts.entry(place).or_default();
        let by = self.tool;
        noted.extend(
            facts.into_iter().map(|(name, fact)| (name.into(), Fact { by: by.into(), ..fact })),
        );
    }

    /// The id of the segment at each place, known or new, in the order of places; and the changes that write what
    /// the session does not say already.
    pub(super) fn write(mut self, draft: &mut Draft, reason: &str) -> Vec<SegmentId> {
        let facts = std::mem::take(&mut self.facts);
        let mut ids = Vec::new();
        for (place, facts) in facts {
            let name = self.names.get(&place).cloned().unwrap_or_default();
            let id = match self.known(place) {
                Some((id, before)) => {
                    let mut after = before.clone();
                    after.facts.extend(facts);
                    let edit = Edit::new(id, before, after);
                    if edit.before != edit.after {
                        draft.change(Change::SetDescription(edit), name, reason);
                    }
                    id
                }
                None => {
                    let id = SegmentId::new(self.ids.next_bits());
                    let (source, start, length) = place;
                    let description = Description { facts };
                    let segment = Segment { description, ..Segment::new(source, start, length) };
                    draft.change(Change::SetSegment(Edit::create(id, segment)), name, reason);
                    id
                }
            };
            ids.push(id);
        }
        ids
    }

    /// The first segment that is just there; a coded one is not what analysis writes to.
    fn known(&self, (source, start, length): Place) -> Option<(SegmentId, Description)> {
        let is_there = |s: &Segment| {
            (s.source, s.start, s.length) == (source, start, length) && s.codings.is_empty()
        };
        let found = self.session.segments.iter().find(|(_, segment)| is_there(segment));
        found.map(|(id, segment)| (*id, segment.description.clone()))
    }

    /// Removes segments in a piece that only this tool described, in an earlier call, and that this book
    /// does not find again.
    pub(super) fn replace(&self, draft: &mut Draft, piece: &Piece, reason: &str) {
        let end = piece.start + piece.length;
        let is_old = |segment: &Segment| {
            let place = (segment.source, segment.start, segment.length);
            let facts = &segment.description.facts;
            segment.source == piece.source
                && segment.start >= piece.start
                && segment.end() <= end
                && !self.facts.contains_key(&place)
                && segment.words.is_empty()
                && segment.speaker.is_none()
                && segment.codings.is_empty()
                && !segment.important
                && !facts.is_empty()
                && facts.values().all(|fact| fact.by == self.tool)
        };
        for (id, segment) in self.session.segments.iter().filter(|(_, s)| is_old(s)) {
            let edit = Edit::remove(*id, segment.clone());
            draft.change(Change::SetSegment(edit), piece.name.clone(), reason);
        }
    }
}

/// A marker to be set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) position: Frames,
    pub(super) length: Frames,
    pub(super) name: String,
}

/// Sets `marks` of one `code` over the length of `piece`. Markers of that code there that an earlier call set are
/// kept where they are the same and taken away where they are not. Gives the ids, in the order of `marks`.
pub(super) fn mark(
    session: &Session,
    ids: &mut IdSeed,
    draft: &mut Draft,
    piece: &Piece,
    code: &str,
    marks: Vec<Mark>,
) -> Vec<MarkerId> {
    let span = piece.position..piece.position + piece.length;
    let is_of = |m: &Marker| m.code.as_deref() == Some(code) && span.contains(&m.position);
    let mut old: BTreeMap<(Frames, Frames, String), MarkerId> = BTreeMap::new();
    for (id, marker) in session.markers.iter().filter(|(_, marker)| is_of(marker)) {
        old.insert((marker.position, marker.length, marker.name.clone()), *id);
    }
    let reason = format!("{code} found in \"{}\"", piece.name);
    let mut found = Vec::new();
    for Mark { position, length, name } in marks {
        if let Some(id) = old.remove(&(position, length, name.clone())) {
            found.push(id);
            continue;
        }
        let id = MarkerId::new(ids.next_bits());
        let marker = Marker { name: name.clone(), position, length, code: Some(code.into()) };
        draft.change(Change::AddMarker(Edit::create(id, marker)), name, &reason);
        found.push(id);
    }
    for id in old.into_values() {
        if let Some(marker) = session.markers.get(&id) {
            let edit = Edit::remove(id, marker.clone());
            draft.change(
                Change::RemoveMarker(edit),
                marker.name.clone(),
                "found before, and not now",
            );
        }
    }
    found
}
