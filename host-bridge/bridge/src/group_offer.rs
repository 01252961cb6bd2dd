//! Tracks that were recorded together and come in: whether they shall be a group is asked once, when they come. Tracks
//! that are out of sync are no group yet: how to bring them into sync is said.

use deskhand_dsp::Frames;
use deskhand_protocol::News;
use deskhand_session::change::Edit;
use deskhand_session::{
    Author, Change, Evidence, Group, GroupId, IdSeed, OutOfSync, PlannedChange, RecordedTogether,
    RevisionId, Session, SourceId, TrackId, out_of_sync, recorded_together,
};
use std::collections::BTreeSet;

/// What the person may answer.
pub(crate) const GROUP: &str = "Group and keep in sync";
pub(crate) const LEAVE: &str = "Leave them as they are";
/// The most tracks to name; more are counted.
const NAMED: usize = 3;
/// The longest name of a group that is made of names of tracks, in letters.
const LONGEST: usize = 60;

/// Whether tracks that were recorded together shall be a group.
pub(crate) fn question(session: &Session, set: &RecordedTogether) -> String {
    let (names, why) = (names_of(session, &set.tracks), why(set.evidence));
    format!("{names} {why}. Group them, so that every edit keeps them in sync?")
}

/// That tracks which a plan brings were recorded together, and how to group them or bring them into sync.
pub(crate) fn note_recorded(session: &Session, changes: &[PlannedChange]) -> Vec<String> {
    let bare = || changes.iter().map(|planned| &planned.change);
    let came = recordings(bare());
    let after = if came.is_empty() { None } else { session.with(bare()).ok() };
    let Some(after) = after else { return Vec::new() };
    let note = |set: RecordedTogether| {
        let (names, all) = (names_of(&after, &set.tracks), every_name(&after, &set.tracks));
        let why = why(set.evidence);
        format!("{names} {why}. To keep them in sync, say: group {all} as \"Talk\"")
    };
    let apart = apart(&after, &came).into_iter().map(|pair| bring_into_sync(&after, &pair));
    free_sets(&after, &came).into_iter().map(note).chain(apart).collect()
}

/// The step that makes a group of the tracks that a notice asked about.
pub(crate) fn grouped(
    session: &Session,
    notice_id: &str,
    next: RevisionId,
    tracks: Vec<TrackId>,
) -> (String, Change) {
    let name = names_of(session, &tracks).replace('"', "");
    let name: String = name.chars().take(LONGEST).collect();
    let label = format!("Group {name}");
    let id = IdSeed::new("group offer", notice_id, next.0).next_bits();
    (label, Change::SetGroup(Edit::create(GroupId::new(id), Group { name, tracks })))
}

/// The tracks of which some news tell something new: recordings that a person imports or records, not what hosts capture;
/// cross-talk that was found on them; and clips with the same sound as others that were moved, perhaps into sync.
pub(crate) fn came(news: &[(Author, News)], session: &Session) -> BTreeSet<TrackId> {
    let moved = news.iter().filter_map(|(author, news)| match (author, news) {
        (Author::User | Author::Agent, News::Moved { changes, .. }) => Some(changes),
        _ => None,
    });
    let tracks = |changes: &Vec<Change>| {
        let mut tracks = recordings(changes.iter());
        tracks.extend(with_cross_talk(changes, session));
        tracks.extend(moved_with_same_sound(changes, session));
        tracks
    };
    moved.flat_map(tracks).collect()
}

/// The tracks that play a source on which another microphone's speaker was found.
fn with_cross_talk<'a>(
    changes: &[Change],
    session: &'a Session,
) -> impl Iterator<Item = TrackId> + use<'a> {
    let is_found = |change: &Change| match change {
        Change::SetSegment(edit) => {
            let found = edit.after.as_ref().filter(|segment| segment.is_bleed());
            found.map(|segment| segment.source)
        }
        _ => None,
    };
    let sources: BTreeSet<SourceId> = changes.iter().filter_map(is_found).collect();
    let clips = session.clips.values().filter(move |clip| sources.contains(&clip.source));
    clips.map(|clip| clip.track)
}

/// The tracks of moved clips in whose sources the same sound is heard as in others.
fn moved_with_same_sound<'a>(
    changes: &[Change],
    session: &'a Session,
) -> impl Iterator<Item = TrackId> + use<'a> {
    let is_moved = |change: &Change| match change {
        Change::MoveClip(edit) => Some(edit.target),
        _ => None,
    };
    let moved: Vec<_> = changes.iter().filter_map(is_moved).collect();
    let clips = moved.into_iter().filter_map(|id| session.clips.get(&id));
    let is_shared = |source: SourceId| {
        let Some(source) = session.sources.get(&source) else { return false };
        session.sources.values().any(|other| source.began_later_than(other).is_some())
    };
    clips.filter(move |clip| is_shared(clip.source)).map(|clip| clip.track)
}

/// The tracks that get clips of sources which come with them, and are tracks of people: not those that a tool made.
fn recordings<'a>(changes: impl Iterator<Item = &'a Change> + Clone) -> BTreeSet<TrackId> {
    let sources: BTreeSet<SourceId> = changes
        .clone()
        .filter_map(|change| match change {
            Change::AddSource(edit) if edit.after.as_ref().is_some_and(|it| !it.is_made()) => {
                Some(edit.target)
            }
            _ => None,
        })
        .collect();
    let clips = changes.filter_map(|change| match change {
        Change::AddClip(edit) => edit.after.as_ref(),
        _ => None,
    });
    clips.filter(|clip| sources.contains(&clip.source)).map(|clip| clip.track).collect()
}

/// The sets that have one of some tracks, and none of a group. Copies of one recording are no set to ask about.
pub(crate) fn free_sets(session: &Session, came: &BTreeSet<TrackId>) -> Vec<RecordedTogether> {
    let mut sets = recorded_together(session);
    sets.retain(|set| {
        set.evidence != Evidence::SameRecording
            && set.tracks.iter().any(|track| came.contains(track))
            && set.tracks.iter().all(|track| session.group_of(*track).is_none())
    });
    sets
}

/// The pairs out of sync that have one of some tracks, and none of a group.
pub(crate) fn apart(session: &Session, came: &BTreeSet<TrackId>) -> Vec<OutOfSync> {
    let mut pairs = out_of_sync(session);
    pairs.retain(|pair| {
        let tracks = [pair.reference, pair.track];
        tracks.iter().any(|track| came.contains(track))
            && tracks.iter().all(|track| session.group_of(*track).is_none())
    });
    pairs
}

/// That tracks are out of sync, and what brings them into sync. The one that is early moves, which is always possible.
pub(crate) fn bring_into_sync(session: &Session, pair: &OutOfSync) -> String {
    let names = every_name(session, &[pair.reference, pair.track]);
    let early = if pair.late > Frames::ZERO { pair.reference } else { pair.track };
    let early = session.name_of(early.into());
    let seconds = pair.late.seconds(session.rate).0.abs();
    format!(
        "{names} were recorded together, but \"{early}\" plays {seconds:.1} s too early. To bring them into sync, \
         say: move all clips of \"{early}\" {seconds:.3} seconds later"
    )
}

fn why(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::SameRecording => "play the same recording",
        Evidence::OneFile => "were recorded together: they are channels of one file",
        Evidence::TimeStamp => "were recorded together: their time stamps fit",
        Evidence::CrossTalk => "were recorded together: their microphones hear the same sound",
        Evidence::StartAndLength => {
            "seem to have been recorded together: they start together and are about as long"
        }
    }
}

fn names_of(session: &Session, tracks: &[TrackId]) -> String {
    match tracks.len() {
        ..=NAMED => every_name(session, tracks),
        more => format!("{more} tracks"),
    }
}

fn every_name(session: &Session, tracks: &[TrackId]) -> String {
    let name = |track: &TrackId| format!("\"{}\"", session.name_of((*track).into()));
    let names: Vec<String> = tracks.iter().map(name).collect();
    let (last, first) = names.split_last().map_or(("", &names[..]), |(last, first)| (last, first));
    format!("{} and {last}", first.join(", "))
}
