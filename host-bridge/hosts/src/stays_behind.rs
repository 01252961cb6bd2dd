//! What of a session a DAW's project does not get.

use deskhand_session::text::count;
use deskhand_session::{Binding, ObjectId, Output, Session, Track, TrackId, TrackKind};

/// In plain words, each with its number; empty if all of it is written.
pub(crate) fn told(session: &Session, binding: &Binding) -> Vec<String> {
    let lines = session.clips.values().filter(|clip| !clip.envelope.is_empty()).count()
        + session.tracks.values().filter(|track| !track.envelope.is_empty()).count();
    let all = [
        (session.inserts.len(), "processor"),
        (lines, "gain line"),
        (session.groups.len(), "group"),
        (inner_settings(session, binding), "setting of the clips on a bus"),
    ];
    let some = all.into_iter().filter(|(number, _)| *number > 0);
    some.map(|(number, what)| count(number, what)).collect()
}

/// How many tracks have a fader, pan or mute of their own that are, in the project, the clips of a bus.
fn inner_settings(session: &Session, binding: &Binding) -> usize {
    let called = |id: TrackId| binding.objects.get(&ObjectId::Track(id));
    let is_inner = |id: TrackId, track: &Track| match track.output {
        Output::Bus(bus) => {
            track.kind == TrackKind::Audio && called(id).is_some() && called(id) == called(bus)
        }
        Output::Master => false,
    };
    let is_set = |track: &Track| {
        let plain = Track::audio(track.name.clone());
        (track.gain, track.pan, track.mute, track.solo)
            != (plain.gain, plain.pan, plain.mute, plain.solo)
    };
    let inner = session.tracks.iter().filter(|(id, track)| is_inner(**id, track));
    inner.filter(|(_, track)| is_set(track)).count()
}
