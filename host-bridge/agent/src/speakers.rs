//! Names of people who speak, said where a track is meant: "turn Anna up".

use crate::resolve::Trouble;
use deskhand_session::{Segment, Session, SourceId};
use std::collections::BTreeSet;

/// What is said of words that name no track but somebody who speaks on one; none where nobody is called so, or others
/// speak in the same recordings.
pub(crate) fn on_a_track(words: &str, session: &Session) -> Option<Trouble> {
    let name = words.trim().trim_matches('"').to_lowercase();
    let is_called = |segment: &&Segment| {
        segment.speaker.as_ref().is_some_and(|speaker| speaker.to_lowercase() == name)
    };
    let spoken: BTreeSet<SourceId> =
        session.segments.values().filter(is_called).map(|segment| segment.source).collect();
    let is_shared = |segment: &Segment| {
        spoken.contains(&segment.source) && segment.speaker.is_some() && !is_called(&segment)
    };
    if session.segments.values().any(is_shared) {
        return None;
    }
    let tracks = tracks_of(&spoken, session);
    let [track] = &tracks[..] else {
        return None;
    };
    let reason =
        format!("\"{}\" is who speaks on {track}, and no track is called so", words.trim());
    Some(Trouble::not_understood(reason, tracks))
}

/// The tracks on which these recordings play, without those of an assembly.
fn tracks_of(sources: &BTreeSet<SourceId>, session: &Session) -> Vec<String> {
    let clips = session.clips.values().filter(|clip| sources.contains(&clip.source));
    let ids: BTreeSet<_> = clips.map(|clip| clip.track).collect();
    let names = ids.iter().filter_map(|id| Some(session.tracks.get(id)?.name.clone()));
    names.filter(|name| !name.ends_with(ASSEMBLY)).collect()
}

/// The end of the names of tracks that an assembly plays on.
const ASSEMBLY: &str = "(assembly)";
