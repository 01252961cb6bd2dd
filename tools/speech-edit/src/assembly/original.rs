//! The order in which phrases were recorded.

use deskhand_dsp::Frames;
use deskhand_edit::assembly::ids;
use deskhand_session::{Clip, PhraseId, Session, TrackId};

/// Phrases as they were said: recording by recording, as their tracks stand.
pub(super) fn recorded(session: &Session, phrases: &[PhraseId]) -> Vec<PhraseId> {
    let made = ids::originals(session);
    let is_recorded = |clip: &&Clip| !made.contains_key(&clip.track);
    let clips: Vec<&Clip> = session.clips.values().filter(is_recorded).collect();
    let mut order = phrases.to_vec();
    order.sort_by_key(|id| place_of(session, &clips, *id));
    order
}

/// The place of the track that a phrase was recorded on, and when it is heard there.
fn place_of(session: &Session, clips: &[&Clip], phrase: PhraseId) -> (usize, Frames) {
    let Some(spoken) = session.spoken(phrase) else { return (usize::MAX, Frames::ZERO) };
    let is_there = |clip: &&&Clip| {
        clip.source == spoken.source
            && clip.start <= spoken.start
            && spoken.start < clip.start + clip.length
    };
    let at = |clip: &&Clip| clip.position + (spoken.start - clip.start);
    let heard = clips.iter().filter(is_there);
    let heard = heard.map(|clip| (place_of_track(session, clip.track), at(clip)));
    heard.min().unwrap_or((usize::MAX, spoken.start))
}

/// The place of a track; of a group, that of its first.
fn place_of_track(session: &Session, track: TrackId) -> usize {
    let place = |id: &TrackId| session.track_order.iter().position(|other| other == id);
    let group = session.group_of(track).map(|(_, group)| &group.tracks[..]);
    let tracks = group.unwrap_or_default().iter().chain([&track]);
    tracks.filter_map(place).min().unwrap_or(usize::MAX)
}
