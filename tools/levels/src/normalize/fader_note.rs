//! The level of a clip is measured before its track's fader. If the fader is not at 0 dB, the plan says so.

use deskhand_session::text::trimmed;
use deskhand_session::{ObjectId, Session, TrackId};
use deskhand_toolkit::Draft;
use std::collections::BTreeSet;

/// The note, after a draft's changes of clips, about the track faders that are not at 0 dB.
pub(super) fn of_faders(session: &Session, draft: &Draft) -> String {
    let track = |target: ObjectId| match target {
        ObjectId::Clip(id) => session.clips.get(&id).map(|clip| clip.track),
        _ => None,
    };
    let tracks = draft.changes.iter().filter_map(|planned| track(planned.change.target()));
    let tracks: BTreeSet<TrackId> = tracks.collect();
    let faders = tracks.iter().filter_map(|id| session.tracks.get(id)).map(|track| track.gain.0);
    let mut moved = faders.filter(|fader| *fader != 0.0);
    match (moved.next(), tracks.len()) {
        (None, _) => String::new(),
        (Some(fader), 1) => format!(", before the fader at {} dB", trimmed(fader, 1)),
        (Some(_), _) => ", before the faders".into(),
    }
}
