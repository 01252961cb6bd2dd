//! The assembly as it is on the timeline, and what edits by hand leave of it. The tools that assemble are in
//! `speech-edit`.

pub mod block;
mod by_hand;
pub mod ids;
pub mod markers;
pub mod order;

pub use by_hand::{GONE, closing, gone_with, left_out, marked_gone, markers_out, with_markers};
use deskhand_session::{Marker, MarkerId, Session, TrackId};

/// The tracks of the assembly, in their order.
pub fn tracks(session: &Session) -> Vec<TrackId> {
    let originals = ids::originals(session);
    let ordered = session.tracks_in_order().map(|(id, _)| id);
    ordered.filter(|id| originals.contains_key(id)).collect()
}

/// The markers of an assembly on `tracks`; empty if these are not assembly tracks.
pub fn markers_of<'a>(session: &'a Session, tracks: &[TrackId]) -> Vec<(MarkerId, &'a Marker)> {
    let originals = ids::originals(session);
    if !tracks.iter().any(|track| originals.contains_key(track)) {
        return Vec::new();
    }
    let ids = session.phrases.keys().map(|id| ids::marker(*id));
    ids.filter_map(|id| Some((id, session.markers.get(&id)?))).collect()
}
