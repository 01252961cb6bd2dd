//! Units: tracks that are edited together, and the assembly tracks that stand for them.

use super::block::Block;
use super::extent::{Quiet, Stretch, extents, pieces};
use super::{ids, spans};
use deskhand_dsp::Frames;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, Edit, Group, GroupId, InsertOwner, PhraseId, PlacedInsert, Session, SourceId,
    Track, TrackId, TrackKind,
};
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use std::collections::BTreeSet;
use std::ops::Range;

/// The longest name of a track, in characters, ahead of " (assembly)".
const LONGEST_NAME: usize = 180;

/// Tracks that are cut and moved together: those of a group, or a single one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// The group.
    pub(crate) group: Option<GroupId>,
    /// Its audio tracks.
    pub(crate) tracks: Vec<TrackId>,
}

/// The units of `tracks`, in their order.
pub(crate) fn units(session: &Session, tracks: &BTreeSet<TrackId>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (id, _) in session.tracks_in_order().filter(|(id, _)| tracks.contains(id)) {
        let is_audio = |id: &TrackId| {
            session.tracks.get(id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        let unit = match session.group_of(id) {
            Some((group, members)) => {
                let tracks = members.tracks.iter().copied().filter(is_audio).collect();
                Unit { group: Some(group), tracks }
            }
            None => Unit { group: None, tracks: vec![id] },
        };
        if is_audio(&id) && !units.contains(&unit) {
            units.push(unit);
        }
    }
    units
}

/// The blocks of `wanted`, each from the first unit in which it is heard, and the changes that make the assembly
/// tracks of those units.
///
/// # Errors
/// When audio cannot be read, or the run is stopped.
pub(super) fn built(
    context: &PlanContext,
    session: &Session,
    units: &[Unit],
    mut wanted: BTreeSet<PhraseId>,
    draft: &mut Draft,
) -> Result<Vec<Block>, ToolError> {
    let mut order = session.track_order.clone();
    let mut blocks = Vec::new();
    for (done, unit) in units.iter().enumerate() {
        context.step(done, units.len(), "phrases")?;
        let own = unit.blocks(context, session, &wanted)?;
        if !own.is_empty() {
            unit.tracks(session, &mut order, draft);
        }
        wanted.retain(|id| !own.iter().any(|block| block.phrase == *id));
        blocks.extend(own);
    }
    Ok(blocks)
}

impl Unit {
    /// All clips of its tracks.
    pub(crate) fn clips<'a>(&'a self, session: &'a Session) -> impl Iterator<Item = &'a Clip> {
        self.tracks.iter().flat_map(|track| session.clips_on(*track)).map(|(_, clip)| clip)
    }

    /// From its first clip to its last.
    fn whole(&self, session: &Session) -> Range<Frames> {
        let start = self.clips(session).map(|clip| clip.position).min();
        let end = self.clips(session).map(Clip::end).max();
        start.unwrap_or_default()..end.unwrap_or_default()
    }

    /// Words on its tracks that are in none of `phrases`, on the timeline.
    fn others(
        &self,
        session: &Session,
        phrases: &[(PhraseId, Vec<deskhand_session::SegmentId>)],
    ) -> Vec<Stretch> {
        let used: BTreeSet<_> = phrases.iter().flat_map(|(_, segments)| segments).collect();
        let sources: BTreeSet<SourceId> = self.clips(session).map(|clip| clip.source).collect();
        let all = sources.into_iter().flat_map(|source| session.transcript_of(source));
        let free = all.filter(|(id, _)| !used.contains(id));
        free.filter_map(|(id, segment)| {
            spans::stretch(session, segment.source, &[id], &self.tracks)
        })
        .collect()
    }

    /// The blocks of those phrases among `wanted` that are said on its tracks. `phrases` are all that there are:
    /// a phrase is cut where its neighbors are not.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn blocks(
        &self,
        context: &PlanContext,
        session: &Session,
        wanted: &BTreeSet<PhraseId>,
    ) -> Result<Vec<Block>, ToolError> {
        let phrases: Vec<_> =
            session.phrases.iter().map(|(id, phrase)| (*id, phrase.segments.clone())).collect();
        let heard = phrases.iter().filter_map(|(id, segments)| {
            let source = session.segments.get(segments.first()?)?.source;
            Some((*id, spans::stretch(session, source, segments, &self.tracks)?))
        });
        let mut heard: Vec<_> = heard.collect();
        heard.sort_by_key(|(id, one)| (one.span.start, one.span.end, *id));
        if !heard.iter().any(|(id, _)| wanted.contains(id)) {
            return Ok(Vec::new());
        }
        let quiet = Quiet::new(context, &self.tracks)?;
        let others = self.others(session, &phrases);
        let extents = extents(&quiet, &heard, &others, &self.whole(session));
        let wanted = extents.into_iter().filter(|(id, _)| wanted.contains(id));
        let blocks = wanted.map(|(id, range)| self.block(session, id, &range));
        Ok(blocks.filter(|block| !block.clips.is_empty()).collect())
    }

    fn block(&self, session: &Session, phrase: PhraseId, range: &Range<Frames>) -> Block {
        let name = session.name_of(phrase.into());
        let mut clips = Vec::new();
        for original in &self.tracks {
            for (piece, clip) in pieces(session, *original, range).enumerate() {
                let id = ids::clip(phrase, *original, piece);
                let track = ids::track(*original);
                clips.push((id, Clip { name: name.clone(), track, ..clip }));
            }
        }
        // Where the tracks have gaps the block begins and ends with what is there.
        let first = clips.iter().map(|(_, clip)| clip.position).min().unwrap_or_default();
        for (_, clip) in &mut clips {
            clip.position -= first;
        }
        let length = clips.iter().map(|(_, clip)| clip.end()).max().unwrap_or_default();
        Block { phrase, length, clips }
    }

    /// Adds the changes that make its assembly tracks, with the strips of the originals, and mute these. `order`
    /// is the order of tracks as it grows.
    pub(super) fn tracks(&self, session: &Session, order: &mut Vec<TrackId>, draft: &mut Draft) {
        let last = self.tracks.iter().filter_map(|id| order.iter().position(|other| other == id));
        let mut index = last.max().map_or(order.len(), |last| last + 1);
        let made: Vec<TrackId> = self.tracks.iter().map(|id| ids::track(*id)).collect();
        for (original, new) in self.tracks.iter().zip(&made) {
            let Some(track) = session.tracks.get(original) else { continue };
            if !session.tracks.contains_key(new) {
                let placed = PlacedTrack { index, track: assembly_track(track) };
                order.insert(index, *new);
                index += 1;
                let name = placed.track.name.clone();
                let reason = format!("plays the phrases of \"{}\"", track.name);
                draft.change(Change::AddTrack(Edit::create(*new, placed)), name, reason);
                inserts(session, *original, *new, draft);
                let mute = Change::SetTrackMute(Edit::new(*original, track.mute, MUTED));
                if !mute.is_identity() {
                    let reason = "its assembly track plays in its place";
                    draft.change(mute, track.name.clone(), reason);
                }
            }
        }
        self.group(session, made, draft);
    }

    fn group(&self, session: &Session, tracks: Vec<TrackId>, draft: &mut Draft) {
        let Some((group, old)) = self.group.and_then(|id| Some((id, session.groups.get(&id)?)))
        else {
            return;
        };
        let id = ids::group(group);
        if !session.groups.contains_key(&id) {
            let name = assembly_name(&old.name);
            let new = Group { name: name.clone(), tracks };
            draft.change(Change::SetGroup(Edit::create(id, new)), name, "its tracks stay in sync");
        }
    }
}

/// A track that another one plays for.
const MUTED: bool = true;

/// Strip and color of the original; gain over time belongs to its timeline and stays there.
fn assembly_track(original: &Track) -> Track {
    Track {
        name: assembly_name(&original.name),
        mute: !MUTED,
        envelope: Vec::new(),
        ..original.clone()
    }
}

fn assembly_name(name: &str) -> String {
    let name: String = name.chars().take(LONGEST_NAME).collect();
    format!("{name} (assembly)")
}

fn inserts(session: &Session, from: TrackId, to: TrackId, draft: &mut Draft) {
    for (id, placed) in session.inserts_on(InsertOwner::Track(from)) {
        let copy = PlacedInsert { on: InsertOwner::Track(to), ..placed.clone() };
        let name = copy.effect.title().to_owned();
        let change = Change::SetInsert(Edit::create(ids::insert(id), copy));
        draft.change(change, name, "as on the original");
    }
}
