//! What of a session a DAW's project does not get.

use deskhand_session::Session;
use deskhand_session::text::count;

/// In plain words, each with its number; empty if all of it is written.
pub(crate) fn told(session: &Session) -> Vec<String> {
    let lines = session.clips.values().filter(|clip| !clip.envelope.is_empty()).count()
        + session.tracks.values().filter(|track| !track.envelope.is_empty()).count();
    let all = [
        (session.inserts.len(), "processor"),
        (lines, "gain line"),
        (session.groups.len(), "group"),
    ];
    let some = all.into_iter().filter(|(number, _)| *number > 0);
    some.map(|(number, what)| count(number, what)).collect()
}
