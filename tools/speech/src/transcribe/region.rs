//! The regions of the sources that a call refers to.

use deskhand_dsp::Frames;
use deskhand_session::{ObjectId, Segment, SegmentId, Session, SourceId};
use deskhand_toolkit::text::is_same;
use deskhand_toolkit::{Code, Targets, ToolError};
use std::collections::BTreeSet;
use std::ops::Range;

/// A region of a source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    pub(crate) source: SourceId,
    /// Which frames of it, at the session rate.
    pub(crate) range: Range<Frames>,
    pub(crate) name: String,
    /// The clip on which results show, or the source.
    pub(crate) shown_on: ObjectId,
    /// The timeline position of frame 0 of the source, according to the clip.
    origin: Frames,
}

impl Region {
    pub(crate) fn length(&self) -> Frames {
        self.range.end - self.range.start
    }

    fn meets(&self, other: &Self) -> bool {
        let (one, two) = (&self.range, &other.range);
        self.source == other.source && one.start <= two.end && two.start <= one.end
    }

    /// The timeline position of a frame of the source.
    pub(crate) fn on_timeline(&self, at: Frames) -> Frames {
        self.origin + at
    }

    /// Segments with words that begin in it, in order of time.
    pub(crate) fn segments<'a>(
        &self,
        session: &'a Session,
    ) -> impl Iterator<Item = (SegmentId, &'a Segment)> + use<'a> {
        self.spoken(session, |segment| self.range.contains(&segment.start))
    }

    pub(crate) fn begins(&self, segment: &Segment) -> bool {
        segment.source == self.source && self.range.contains(&segment.start)
    }

    /// Segments with words that overlap the region, in order of time. A cut may go through one.
    pub(crate) fn touched<'a>(
        &self,
        session: &'a Session,
    ) -> impl Iterator<Item = (SegmentId, &'a Segment)> + use<'a> {
        let range = self.range.clone();
        self.spoken(session, move |it| it.start < range.end && range.start < it.end())
    }

    fn spoken<'a>(
        &self,
        session: &'a Session,
        is_meant: impl Fn(&Segment) -> bool,
    ) -> std::vec::IntoIter<(SegmentId, &'a Segment)> {
        let mut found: Vec<_> = session
            .segments
            .iter()
            .filter(|(_, segment)| segment.source == self.source && !segment.words.is_empty())
            .filter(|(_, segment)| is_meant(segment))
            .map(|(id, segment)| (*id, segment))
            .collect();
        found.sort_by_key(|(id, segment)| (segment.start, *id));
        found.into_iter()
    }

    /// The same, with all of the segments that a cut goes through.
    pub(crate) fn widened(&self, session: &Session) -> Self {
        let mut range = self.range.clone();
        for (_, segment) in self.touched(session) {
            range = range.start.min(segment.start)..range.end.max(segment.end());
        }
        Self { range, ..self.clone() }
    }
}

/// Segments with a word that plays in the regions, each once, with the number of its region. A cut may go
/// through a segment, so a segment may begin before its region.
pub(crate) fn spoken_in<'a>(
    regions: &[Region],
    session: &'a Session,
) -> Vec<(usize, SegmentId, &'a Segment)> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (number, region) in regions.iter().enumerate() {
        let plays = |segment: &Segment| {
            segment.words.iter().any(|word| region.range.contains(&word.middle()))
        };
        let touched = region.touched(session).filter(|(_, segment)| plays(segment));
        found.extend(touched.filter_map(|(id, it)| seen.insert(id).then_some((number, id, it))));
    }
    found
}

/// Regions of one source that meet as one: the phrase that a cut goes through is heard whole.
pub(crate) fn joined(regions: Vec<Region>) -> Vec<Region> {
    let mut kept: Vec<Region> = Vec::new();
    for mut region in regions {
        while let Some(at) = kept.iter().position(|other| other.meets(&region)) {
            let other = kept.remove(at);
            let range =
                other.range.start.min(region.range.start)..other.range.end.max(region.range.end);
            region = Region { range, ..other };
        }
        kept.push(region);
    }
    kept
}

/// The regions of the targets, each part of a source once.
pub(crate) fn regions(session: &Session, targets: &Targets) -> Result<Vec<Region>, ToolError> {
    let entries: Vec<String> = match targets {
        Targets::One(entry) => vec![entry.clone()],
        Targets::Many(entries) => entries.clone(),
    };
    let (mut regions, mut others) = (Vec::new(), Vec::new());
    for entry in entries {
        match source(session, &entry) {
            Some(id) => regions.extend(whole(session, id)),
            None => others.push(entry),
        }
    }
    if !others.is_empty() || regions.is_empty() {
        let sources: Vec<&str> = session.sources.values().map(|it| it.name.as_str()).collect();
        let clips = Targets::Many(others).clips_among(session, &sources)?;
        regions.extend(clips.into_iter().filter_map(|id| {
            let clip = session.clips.get(&id)?;
            Some(Region {
                source: clip.source,
                range: clip.start..clip.start + clip.length,
                name: clip.name.clone(),
                shown_on: id.into(),
                origin: clip.position - clip.start,
            })
        }));
    }
    let regions = apart(regions);
    if regions.is_empty() {
        let message = "there is nothing to listen to";
        return Err(ToolError::prepare(Code::NoTarget, message, "name clips or sources"));
    }
    Ok(regions)
}

/// The source with that id; by name only where no clip and no track is called so.
fn source(session: &Session, entry: &str) -> Option<SourceId> {
    let by_id = entry.parse::<SourceId>().ok().filter(|id| session.sources.contains_key(id));
    let is_taken = session.clips.values().any(|clip| is_same(&clip.name, entry))
        || session.tracks.values().any(|track| is_same(&track.name, entry));
    let by_name = || {
        let mut named = session.sources.iter().filter(|(_, source)| is_same(&source.name, entry));
        named.next().map(|(id, _)| *id).filter(|_| !is_taken && named.next().is_none())
    };
    by_id.or_else(by_name)
}

/// All of a source, shown on a clip that plays it if there is one.
fn whole(session: &Session, id: SourceId) -> Option<Region> {
    let source = session.sources.get(&id)?;
    let clip = session.clips.iter().find(|(_, clip)| clip.source == id);
    Some(Region {
        source: id,
        range: Frames::ZERO..source.frames,
        name: source.name.clone(),
        shown_on: clip.map_or(id.into(), |(id, _)| (*id).into()),
        origin: clip.map_or(Frames::ZERO, |(_, clip)| clip.position - clip.start),
    })
}

/// Without what an earlier region of the same source covers.
fn apart(regions: Vec<Region>) -> Vec<Region> {
    let mut kept: Vec<Region> = Vec::new();
    for region in regions {
        let mut parts = vec![region.range.clone()];
        for other in kept.iter().filter(|other| other.source == region.source) {
            let cut = |part: Range<Frames>| {
                let before = part.start..part.end.min(other.range.start);
                let behind = part.start.max(other.range.end)..part.end;
                [before, behind].into_iter().filter(|part| part.start < part.end)
            };
            parts = parts.into_iter().flat_map(cut).collect();
        }
        kept.extend(parts.into_iter().map(|range| Region { range, ..region.clone() }));
    }
    kept
}
