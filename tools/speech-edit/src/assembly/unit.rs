//! Units: tracks that are edited together, and their assembly tracks.

use super::extent::{Extents, Quiet, Stretch, extents, pieces};
use super::parts::Parts;
use super::places::places;
use deskhand_dsp::Frames;
use deskhand_dsp::silence::union;
use deskhand_edit::assembly::block::{Block, crossfade};
use deskhand_edit::assembly::ids;
use deskhand_edit::sync::{SyncSet, Why, close_set};
use deskhand_session::text::count;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Change, Clip, Edit, Group, GroupId, InsertOwner, PhraseId, PlacedInsert, SegmentId, Session,
    SourceId, Track, TrackId, TrackKind,
};
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use std::collections::BTreeSet;
use std::ops::Range;

/// The longest name of a track, in characters, before " (assembly)".
const LONGEST_NAME: usize = 180;

/// The most tracks of a unit to name; more are counted.
const NAMED: usize = 3;

/// Tracks that are cut and moved together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// The group.
    pub(crate) group: Option<GroupId>,
    /// Its audio tracks.
    pub(crate) tracks: Vec<TrackId>,
}

/// The result for phrases of several units.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// The blocks.
    pub(super) blocks: Vec<Block>,
    /// What they take of the units that they are of.
    pub(super) taken: Vec<Taken>,
    /// The phrases whose parts are joined although others are said between them.
    pub(super) joined: Vec<PhraseId>,
}

/// The result for one unit.
#[derive(Debug)]
pub(super) struct Taken {
    /// Its number.
    pub(super) unit: usize,
    /// In order on the timeline, with the earlier ones.
    pub(super) stretches: Vec<Range<Frames>>,
}

impl From<&SyncSet> for Unit {
    fn from(set: &SyncSet) -> Self {
        let group = if let Why::Group(id) = set.why { Some(id) } else { None };
        Self { group, tracks: set.tracks.clone() }
    }
}

/// The units of `tracks`, in their order: their groups, else tracks that were recorded together and are
/// audible. A muted track that is not named only belongs to a unit if an assembly plays for it.
pub(super) fn units(session: &Session, tracks: &BTreeSet<TrackId>) -> Vec<Unit> {
    let originals: BTreeSet<TrackId> = ids::originals(session).into_values().collect();
    let plays =
        |id: &TrackId| !session.is_muted(*id) || tracks.contains(id) || originals.contains(id);
    let mut units: Vec<Unit> = Vec::new();
    for (id, track) in session.tracks_in_order().filter(|(id, _)| tracks.contains(id)) {
        let is_audio = track.kind == TrackKind::Audio;
        if !is_audio || units.iter().any(|unit| unit.tracks.contains(&id)) {
            continue;
        }
        let mut unit = Unit::from(&close_set(session, id));
        if unit.group.is_none() {
            unit.tracks.retain(plays);
        }
        units.push(unit);
    }
    units
}

/// The blocks of `wanted`, each from the first unit in which it is heard and from those in which the rest of it is, and the
/// changes that make the assembly tracks of those units.
///
/// # Errors
/// When audio cannot be read, or the run is stopped.
pub(super) fn built(
    context: &PlanContext,
    session: &Session,
    units: &[Unit],
    mut wanted: BTreeSet<PhraseId>,
    draft: &mut Draft,
) -> Result<Built, ToolError> {
    let (mut order, new) = (session.track_order.clone(), wanted.clone());
    let (mut built, mut parts) = (Built::default(), Parts::new(session));
    for (done, unit) in units.iter().enumerate() {
        context.step(done, units.len(), "phrases")?;
        let (blocks, extents) = unit.blocks(context, session, &wanted)?;
        let taken = blocks.into_iter().filter_map(|block| parts.take(block, &extents));
        let own: BTreeSet<PhraseId> = taken.collect();
        if own.is_empty() {
            continue;
        }
        unit.tracks(session, &mut order, draft);
        wanted.retain(|id| !own.contains(id) || parts.is_open(*id));
        built.joined.extend(own.iter().filter(|id| is_joined(&extents, **id)));
        // What another unit plays already is not taken of this one.
        let here = extents.into_iter().filter(|(id, _)| own.contains(id) || !new.contains(id));
        let stretches = union(here.flat_map(|(_, stretches)| stretches));
        built.taken.push(Taken { unit: done, stretches });
    }
    built.joined.extend(parts.joined());
    built.joined.sort_unstable();
    built.joined.dedup();
    built.blocks = parts.blocks();
    Ok(built)
}

/// Whether another phrase begins between two stretches of one.
fn is_joined(extents: &Extents, phrase: PhraseId) -> bool {
    let Some([first, .., last]) = extents.get(&phrase).map(Vec::as_slice) else { return false };
    let others = extents.iter().filter(|(id, _)| **id != phrase);
    let mut starts = others.flat_map(|(_, stretches)| stretches).map(|stretch| stretch.start);
    starts.any(|start| first.end <= start && start < last.start)
}

impl Unit {
    /// Its group, or its tracks.
    pub(crate) fn name(&self, session: &Session) -> String {
        if let Some(id) = self.group {
            return session.name_of(id.into());
        }
        let tracks = self.tracks.iter().map(|id| session.name_of((*id).into()));
        match self.tracks.len() {
            many if many > NAMED => count(many, "track"),
            _ => tracks.collect::<Vec<_>>().join(", "),
        }
    }

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
    fn others(&self, session: &Session, phrases: &[(PhraseId, &[SegmentId])]) -> Vec<Stretch> {
        let used: BTreeSet<_> = phrases.iter().flat_map(|(_, segments)| *segments).collect();
        let sources: BTreeSet<SourceId> = self.clips(session).map(|clip| clip.source).collect();
        let all = sources.into_iter().flat_map(|source| session.transcript_of(source));
        let free: Vec<[SegmentId; 1]> =
            all.filter(|(id, _)| !used.contains(id)).map(|(id, _)| [id]).collect();
        let each = free.iter().map(|one| (ids::phrase(one), one.as_slice()));
        let places = places(session, each, &self.tracks).into_iter();
        places.map(|(_, place)| place.stretch).collect()
    }

    /// The blocks of the `wanted` phrases on its tracks, and the stretches cut out for any phrase: a phrase
    /// ends where its neighbors begin.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn blocks(
        &self,
        context: &PlanContext,
        session: &Session,
        wanted: &BTreeSet<PhraseId>,
    ) -> Result<(Vec<Block>, Extents), ToolError> {
        let phrases = session.phrases.iter();
        let phrases: Vec<(PhraseId, &[SegmentId])> =
            phrases.map(|(id, phrase)| (*id, phrase.segments.as_slice())).collect();
        let heard = places(session, phrases.iter().copied(), &self.tracks).into_iter();
        let heard: Vec<(PhraseId, Stretch)> =
            heard.map(|(id, place)| (id, place.stretch)).collect();
        if !heard.iter().any(|(id, _)| wanted.contains(id)) {
            return Ok((Vec::new(), Extents::new()));
        }
        let quiet = Quiet::new(context, &self.tracks)?;
        let others = self.others(session, &phrases);
        let extents = extents(&quiet, &heard, &others, &self.whole(session));
        let own = extents.iter().filter(|(id, _)| wanted.contains(id));
        let blocks = own.map(|(id, stretches)| self.block(session, *id, stretches));
        let blocks = blocks.filter(|block| !block.clips.is_empty()).collect();
        Ok((blocks, extents))
    }

    fn block(&self, session: &Session, phrase: PhraseId, stretches: &[Range<Frames>]) -> Block {
        let name = session.name_of(phrase.into());
        let mut counts = vec![0; self.tracks.len()];
        let mut parts = Vec::new();
        for stretch in sounding(stretches, crossfade(session.rate)) {
            let mut clips = Vec::new();
            for (original, count) in self.tracks.iter().zip(&mut counts) {
                for clip in pieces(session, *original, stretch) {
                    let (id, track) = (ids::clip(phrase, *original, *count), ids::track(*original));
                    clips.push((id, Clip { name: name.clone(), track, ..clip }));
                    *count += 1;
                }
            }
            if !clips.is_empty() {
                parts.push(Block::new(phrase, clips));
            }
        }
        Block::of_parts(phrase, parts, session.rate)
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

/// The stretches longer than a crossfade; all if there is none. A part of a phrase that is said during a
/// longer one on another track plays along with it.
fn sounding(stretches: &[Range<Frames>], crossfade: Frames) -> Vec<&Range<Frames>> {
    let is_long = |stretch: &&Range<Frames>| stretch.end - stretch.start > crossfade;
    let long: Vec<&Range<Frames>> = stretches.iter().filter(is_long).collect();
    if long.is_empty() { stretches.iter().collect() } else { long }
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
