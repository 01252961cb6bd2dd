//! Which tracks' time moves alike: the one answer for every edit that closes or opens time.
//!
//! The set of a track is its group, else all tracks that were recorded with it, else all. The tracks of an assembly are
//! a set of their own, since what they were made of stays as it was recorded.

use crate::assembly;
use crate::commands::group::group_offer;
use deskhand_session::text::names;
use deskhand_session::{
    GroupId, PlanOffer, RecordedTogether, Session, TrackId, TrackKind, recorded_together,
};
use deskhand_toolkit::Draft;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// The `set` (the group, else tracks recorded together, else all tracks), or only the `named` tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the schema would repeat each of them")]
pub enum Sync {
    #[default]
    Set,
    Named,
}

/// Why tracks move alike, in order of increasing reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// A track by itself.
    Named,
    /// They are a group.
    Group(GroupId),
    /// They play the assembly.
    Assembly,
    /// They were recorded together.
    Recorded,
    /// Nothing says that any of them may move by itself.
    All,
}

/// Tracks that move alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncSet {
    /// Audio tracks, in the order of tracks.
    pub tracks: Vec<TrackId>,
    /// Why they do.
    pub why: Why,
}

/// The sets that move when time closes or opens on the tracks `meant`, without overlap. Buses and tracks
/// without clips count only if there are no others.
pub fn sets(session: &Session, meant: &[TrackId], sync: Sync) -> Vec<SyncSet> {
    let finder = Finder::new(session);
    let mut sets: Vec<SyncSet> = Vec::new();
    let with_clips: Vec<TrackId> =
        meant.iter().copied().filter(|id| finder.has_clips(*id)).collect();
    let meant = if with_clips.is_empty() { meant } else { &with_clips };
    for track in meant {
        if sets.iter().all(|set| !set.tracks.contains(track)) {
            let set = match sync {
                Sync::Set => finder.set_of(*track),
                Sync::Named => finder.named(*track),
            };
            join(&mut sets, set);
        }
    }
    let place = |id: &TrackId| session.track_order.iter().position(|it| it == id);
    for set in &mut sets {
        set.tracks.sort_by_key(place);
    }
    sets.sort_by_key(|set| set.tracks.first().and_then(place));
    sets
}

/// The set of a track without those included only for safety: its group, tracks recorded with it, or
/// itself.
pub fn close_set(session: &Session, track: TrackId) -> SyncSet {
    let finder = Finder::new(session);
    let set = finder.set_of(track);
    if set.why == Why::All { finder.named(track) } else { set }
}

/// All tracks of some sets.
pub fn tracks_of(sets: &[SyncSet]) -> Vec<TrackId> {
    sets.iter().flat_map(|set| set.tracks.iter().copied()).collect()
}

/// Puts a set with those that it has tracks in common with.
fn join(sets: &mut Vec<SyncSet>, mut set: SyncSet) {
    sets.retain(|other| {
        let is_apart = other.tracks.iter().all(|track| !set.tracks.contains(track));
        if !is_apart {
            let more = other.tracks.iter().filter(|track| !set.tracks.contains(track)).copied();
            set.tracks.extend(more.collect::<Vec<_>>());
            set.why = set.why.max(other.why);
        }
        is_apart
    });
    sets.push(set);
}

/// The facts about a session that decide the sets of its tracks.
struct Finder<'a> {
    session: &'a Session,
    recorded: Vec<RecordedTogether>,
    assembly: Vec<TrackId>,
    originals: Vec<TrackId>,
}

impl<'a> Finder<'a> {
    fn new(session: &'a Session) -> Self {
        let originals = assembly::ids::originals(session).into_values().collect();
        let (recorded, assembly) = (recorded_together(session), assembly::tracks(session));
        Self { session, recorded, assembly, originals }
    }

    fn has_clips(&self, track: TrackId) -> bool {
        self.session.clips.values().any(|clip| clip.track == track)
    }

    /// A track by itself, or its group.
    fn named(&self, track: TrackId) -> SyncSet {
        if self.assembly.contains(&track) {
            return SyncSet { tracks: self.assembly.clone(), why: Why::Assembly };
        }
        let Some((id, group)) = self.session.group_of(track) else {
            return SyncSet { tracks: vec![track], why: Why::Named };
        };
        let is_audio = |id: &TrackId| {
            self.session.tracks.get(id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        let audio: Vec<TrackId> = group.tracks.iter().copied().filter(is_audio).collect();
        let tracks = if audio.contains(&track) { audio } else { vec![track] };
        SyncSet { tracks, why: Why::Group(id) }
    }

    fn set_of(&self, track: TrackId) -> SyncSet {
        let group = self.named(track);
        if group.why != Why::Named {
            return group;
        }
        let with = self.recorded.iter().find(|set| set.tracks.contains(&track));
        let with = with.map(|set| set.tracks.iter().copied()).into_iter().flatten();
        let with: Vec<TrackId> = with.filter(|id| !self.assembly.contains(id)).collect();
        if with.len() > 1 {
            return SyncSet { tracks: self.with_groups(with), why: Why::Recorded };
        }
        let all = self.session.tracks_in_order().map(|(id, _)| id);
        let all = all.filter(|id| self.has_clips(*id) && self.is_beside(track, *id));
        let all: Vec<TrackId> = all.collect();
        match all.len() {
            0 | 1 => group,
            _ => SyncSet { tracks: self.with_groups(all), why: Why::All },
        }
    }

    /// Whether two tracks play at the same time: the originals of an assembly do not where it plays.
    fn is_beside(&self, track: TrackId, other: TrackId) -> bool {
        let is_original = self.originals.contains(&track);
        let out = if is_original { &self.assembly } else { &self.originals };
        track == other || !out.contains(&other)
    }

    /// Tracks with all of their groups, which move as a whole.
    fn with_groups(&self, tracks: Vec<TrackId>) -> Vec<TrackId> {
        let mut all: Vec<TrackId> = Vec::new();
        for track in tracks.iter().flat_map(|track| self.named(*track).tracks) {
            if !all.contains(&track) {
                all.push(track);
            }
        }
        all
    }
}

/// The warnings about tracks that move along with `meant`, or that stay, and how to ask for the other.
pub fn told(session: &Session, sets: &[SyncSet], meant: &[TrackId], sync: Sync) -> Told {
    let mut told = Told::default();
    match sync {
        Sync::Set => {
            told.warnings.extend(sets.iter().filter_map(|set| along(session, set, meant)));
            let alone = |it: &String| PlanOffer::again(it, "Move alone", json!({"sync": "named"}));
            told.offers.extend(told.warnings.iter().map(alone));
        }
        Sync::Named => {
            if let Some((warning, tracks)) = left(session, sets) {
                told.offers.extend(group_offer(session, &tracks, &warning));
                told.warnings.push(warning);
            }
        }
    }
    told
}

/// Facts for a person, and the possible actions.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Warnings of the plan.
    pub warnings: Vec<String>,
    offers: Vec<PlanOffer>,
}

impl Told {
    /// Puts it into a draft.
    pub fn put(self, draft: &mut Draft) {
        draft.warnings.extend(self.warnings);
        draft.offers.extend(self.offers);
    }
}

fn along(session: &Session, set: &SyncSet, meant: &[TrackId]) -> Option<String> {
    let named = |is_meant: bool| {
        let own = set.tracks.iter().filter(|track| meant.contains(track) == is_meant);
        own.map(|track| session.name_of((*track).into())).collect::<Vec<_>>()
    };
    let (own, others) = (named(true), named(false));
    if others.is_empty() {
        return None;
    }
    let (own, moves) = (names(&own), moves(&others));
    match set.why {
        // Grouped tracks, and those of an assembly, are known to move alike.
        Why::Named | Why::Group(_) | Why::Assembly => None,
        Why::Recorded => Some(format!("{moves} along: recorded together with {own}.")),
        Why::All => Some(format!("{moves} along, so that all tracks stay in sync.")),
    }
}

fn moves(tracks: &[String]) -> String {
    let verb = if tracks.len() == 1 { "moves" } else { "move" };
    format!("{} {verb}", names(tracks))
}

/// What would have moved along and does not, and the tracks that would all be in sync.
fn left(session: &Session, sets: &[SyncSet]) -> Option<(String, Vec<TrackId>)> {
    let moved = tracks_of(sets);
    let all = tracks_of(&self::sets(session, &moved, Sync::Set));
    let stays = all.iter().filter(|id| !moved.contains(id));
    let stays: Vec<String> = stays.map(|id| session.name_of((*id).into())).collect();
    let moved: Vec<String> = moved.iter().map(|id| session.name_of((*id).into())).collect();
    let verb = if stays.len() == 1 { "stays" } else { "stay" };
    let told = || {
        format!(
            "{} {verb}, and will not be in sync with {} any more.",
            names(&stays),
            names(&moved)
        )
    };
    (!stays.is_empty()).then(|| (told(), all))
}
