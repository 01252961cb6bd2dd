//! What a tool heard becomes changes of a plan: markers on the timeline, and facts of pieces of sources, without
//! repeating what the session knows already.

use crate::findings::{Finding, Mark};
use crate::run_folder::Part;
use deskhand_dsp::{Frames, Seconds};
use deskhand_session::{
    Change, Clip, ClipId, Description, Edit, Fact, IdSeed, Marker, MarkerId, Segment, SegmentId,
    Session, SourceId,
};
use deskhand_toolkit::Draft;
use std::collections::BTreeMap;

type Place = (SourceId, Frames, Frames);

/// Where things are noted.
pub(crate) struct Notes<'a> {
    pub(crate) session: &'a Session,
    /// The tool's name, which goes with everything that it says.
    pub(crate) tool: &'a str,
    /// The clips that it was given.
    pub(crate) parts: &'a [Part],
}

impl Notes<'_> {
    fn clip(&self, id: ClipId) -> Result<&Clip, String> {
        let part = self.parts.iter().find(|part| part.id == id);
        part.map(|part| &part.clip).ok_or_else(|| format!("it names {id}, which it was not given"))
    }

    /// Sets markers. Those that an earlier call of the tool set over the same clips are kept where they are the same,
    /// and taken away where they are not.
    ///
    /// # Errors
    /// When a marker names a clip that the tool was not given.
    pub(crate) fn marks(
        &self,
        marks: &[Mark],
        ids: &mut IdSeed,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let mut old = self.old_marks();
        for mark in marks {
            let marker = self.marker(mark)?;
            let same = old.iter().position(|(_, known)| *known == marker);
            if let Some(same) = same {
                old.swap_remove(same);
                continue;
            }
            let (name, reason) = (marker.name.clone(), format!("heard by {}", self.tool));
            let edit = Edit::create(MarkerId::new(ids.next_bits()), marker);
            draft.change(Change::AddMarker(edit), name, reason);
        }
        old.sort_by_key(|(id, marker)| (marker.position, *id));
        for (id, marker) in old {
            let name = marker.name.clone();
            let change = Change::RemoveMarker(Edit::remove(id, marker));
            draft.change(change, name, format!("set by {} before, and not now", self.tool));
        }
        Ok(())
    }

    fn marker(&self, mark: &Mark) -> Result<Marker, String> {
        let start = match mark.clip {
            Some(id) => self.clip(id)?.position,
            None => Frames::ZERO,
        };
        let frames = |seconds: f64| Seconds(seconds).frames(self.session.rate);
        Ok(Marker {
            name: mark.name.clone(),
            position: start + frames(mark.at_s),
            length: frames(mark.length_s),
            code: Some(self.tool.to_owned()),
        })
    }

    /// The tool's own markers within the given clips; all of them if it was given none.
    fn old_marks(&self) -> Vec<(MarkerId, Marker)> {
        let within = |at: Frames| {
            let holds = |part: &Part| {
                let clip = &part.clip;
                (clip.position..clip.position + clip.length).contains(&at)
            };
            self.parts.is_empty() || self.parts.iter().any(holds)
        };
        let own = self.session.markers.iter().filter(|(_, marker)| {
            marker.code.as_deref() == Some(self.tool) && within(marker.position)
        });
        own.map(|(id, marker)| (*id, marker.clone())).collect()
    }

    /// Writes findings down as facts of the pieces of the sources that they are about.
    ///
    /// # Errors
    /// When one names a clip that the tool was not given, or a time after its end.
    pub(crate) fn findings(
        &self,
        findings: Vec<Finding>,
        ids: &mut IdSeed,
        draft: &mut Draft,
    ) -> Result<(), String> {
        let mut by_place: BTreeMap<Place, (String, BTreeMap<String, Fact>)> = BTreeMap::new();
        for finding in findings {
            let clip = self.clip(finding.clip)?;
            let (start, length) = finding.place(clip.length, self.session.rate)?;
            let place = (clip.source, clip.start + start, length);
            let (_, facts) =
                by_place.entry(place).or_insert_with(|| (clip.name.clone(), BTreeMap::new()));
            let Finding { name, value, unit, confidence, .. } = finding;
            facts.insert(name, Fact { value, unit, confidence, by: self.tool.to_owned() });
        }
        for (place, (name, facts)) in by_place {
            self.write(place, name, facts, ids, draft);
        }
        Ok(())
    }

    fn write(
        &self,
        place: Place,
        name: String,
        facts: BTreeMap<String, Fact>,
        ids: &mut IdSeed,
        draft: &mut Draft,
    ) {
        let reason = format!("heard by {}", self.tool);
        let (source, start, length) = place;
        let is_there = |s: &Segment| {
            (s.source, s.start, s.length) == place && s.codings.is_empty() && s.band.is_none()
        };
        let known = self.session.segments.iter().find(|(_, segment)| is_there(segment));
        if let Some((id, segment)) = known {
            let mut after = segment.description.clone();
            after.facts.extend(facts);
            let edit = Edit::new(*id, segment.description.clone(), after);
            if edit.before != edit.after {
                draft.change(Change::SetDescription(edit), name, reason);
            }
            return;
        }
        let id = SegmentId::new(ids.next_bits());
        let description = Description { facts };
        let segment = Segment { description, ..Segment::new(source, start, length) };
        draft.change(Change::SetSegment(Edit::create(id, segment)), name, reason);
    }
}
