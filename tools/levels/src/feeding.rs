//! The signal flow: buses are set after the tracks that feed them.

use deskhand_session::{ObjectId, PlannedChange, Session, TrackId, TrackKind};

/// Whether a track is a bus.
pub(crate) fn is_bus(session: &Session, id: TrackId) -> bool {
    session.tracks.get(&id).is_some_and(|track| track.kind == TrackKind::Bus)
}

/// Puts whatever feeds a bus before it.
pub(crate) fn feeders_first(session: &Session, tracks: &mut [TrackId]) {
    tracks.sort_by_key(|id| std::cmp::Reverse(session.path_of(*id).count()));
    tracks.sort_by_key(|id| is_bus(session, *id));
}

/// Whether `id` is another track than `bus` and plays into it, also through other buses.
pub(crate) fn feeds(session: &Session, id: TrackId, bus: TrackId) -> bool {
    id != bus && session.path_of(id).any(|step| step == bus)
}

/// The ids of the changes of tracks that play into `bus`.
pub(crate) fn feeding(session: &Session, bus: TrackId, changes: &[PlannedChange]) -> Vec<String> {
    let feeds = |target: ObjectId| matches!(target, ObjectId::Track(id) if feeds(session, id, bus));
    changes.iter().filter(|c| feeds(c.change.target())).map(|c| c.id.clone()).collect()
}
