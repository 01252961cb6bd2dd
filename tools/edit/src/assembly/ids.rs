//! Ids derived from the thing they represent, so that a later step finds what an earlier one made.

use deskhand_session::{
    ClipId, GroupId, IdSeed, InsertId, MarkerId, PhraseId, SegmentId, Session, TrackId, TrackKind,
};
use std::collections::BTreeMap;

/// The most pieces of a phrase on one track that are found by their ids. Others follow by their place.
const ANCHORS: usize = 4;

fn bits(kind: &str, of: impl std::fmt::Display) -> u64 {
    IdSeed::new(kind, &of.to_string(), 0).next_bits()
}

/// The phrase that is made of these segments.
pub fn phrase(segments: &[SegmentId]) -> PhraseId {
    let ids: Vec<String> = segments.iter().map(ToString::to_string).collect();
    PhraseId::new(bits("assembly phrase", ids.join(" ")))
}

/// The assembly track of a track.
pub fn track(original: TrackId) -> TrackId {
    TrackId::new(bits("assembly track", original))
}

/// The group of the assembly tracks of a group.
pub fn group(original: GroupId) -> GroupId {
    GroupId::new(bits("assembly group", original))
}

/// The processor on an assembly track that copies one on its original.
pub fn insert(original: InsertId) -> InsertId {
    InsertId::new(bits("assembly insert", original))
}

/// The `piece`th clip of a phrase on the assembly track of `original`, from 0.
pub fn clip(phrase: PhraseId, original: TrackId, piece: usize) -> ClipId {
    ClipId::new(bits("assembly clip", format_args!("{phrase} {original} {piece}")))
}

/// The ids by which the clips of a phrase on a track are found again.
pub fn anchors(phrase: PhraseId, original: TrackId) -> impl Iterator<Item = ClipId> {
    (0..ANCHORS).map(move |piece| clip(phrase, original, piece))
}

/// The marker for a phrase that does not play.
pub fn marker(phrase: PhraseId) -> MarkerId {
    phrase.marker()
}

/// The original of each assembly track that there is.
pub fn originals(session: &Session) -> BTreeMap<TrackId, TrackId> {
    let audio = session.tracks.iter().filter(|(_, track)| track.kind == TrackKind::Audio);
    let pairs = audio.map(|(id, _)| (track(*id), *id));
    pairs.filter(|(made, _)| session.tracks.contains_key(made)).collect()
}
