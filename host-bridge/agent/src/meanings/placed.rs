//! Where phrases play: the clips of a phrase on the tracks of the assembly, and the phrase of a clip.

use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, ObjectId, PhraseId, Session, TrackId};
use std::collections::BTreeSet;
use std::ops::Range;

/// The end of the names of tracks that an assembly plays on.
const ASSEMBLY: &str = "(assembly)";

/// The phrase that a clip plays, where it is one of an assembly: those are called like their phrases.
pub(crate) fn phrase_of(session: &Session, clip: &Clip) -> Option<PhraseId> {
    let called = |id: &PhraseId| session.name_of((*id).into()) == clip.name;
    let called: Vec<PhraseId> = session.phrases.keys().copied().filter(called).collect();
    let own = called.iter().copied().find(|id| plays(session, clip, *id));
    own.or_else(|| beside(session, clip, &called))
}

/// Whether a clip plays a part of a phrase from its own recording.
fn plays(session: &Session, clip: &Clip, phrase: PhraseId) -> bool {
    session.spoken(phrase).is_some_and(|spoken| {
        spoken.source == clip.source
            && spoken.start < clip.start + clip.length
            && clip.start < spoken.end
    })
}

/// The phrase of a clip from another microphone: the one of them that plays at the same time.
fn beside(session: &Session, clip: &Clip, called: &[PhraseId]) -> Option<PhraseId> {
    if !is_assembly(session, clip.track) {
        return None;
    }
    let along = |other: &Clip| other.position < clip.end() && clip.position < other.end();
    let others: Vec<&Clip> =
        session.clips.values().filter(|it| it.name == clip.name && along(it)).collect();
    let is_there = |id: &PhraseId| others.iter().any(|other| plays(session, other, *id));
    called.iter().copied().find(is_there).or_else(|| called.first().copied())
}

/// Whether an assembly plays on a track.
pub(crate) fn is_assembly(session: &Session, track: TrackId) -> bool {
    session.tracks.get(&track).is_some_and(|track| track.name.ends_with(ASSEMBLY))
}

/// The clips of a phrase, in their order.
pub(super) fn clips_of(session: &Session, phrase: PhraseId) -> Vec<(ClipId, &Clip)> {
    let name = session.name_of(phrase.into());
    let named = session.clips.iter().filter(|(_, clip)| clip.name == name);
    let own = named.filter(|(_, clip)| phrase_of(session, clip) == Some(phrase));
    let mut own: Vec<_> = own.map(|(id, clip)| (*id, clip)).collect();
    own.sort_by_key(|(id, clip)| (clip.position, *id));
    own
}

/// From when to when a phrase is heard.
pub(super) fn heard(session: &Session, phrase: PhraseId) -> Option<Range<Frames>> {
    let clips = clips_of(session, phrase);
    let end = clips.iter().map(|(_, clip)| clip.end()).max()?;
    Some(clips.first()?.1.position..end)
}

/// The track of the assembly that ends last.
pub(crate) fn longest_track(session: &Session) -> Option<TrackId> {
    let phrases = session.assembly.order.iter();
    let names: BTreeSet<String> = phrases.map(|id| session.name_of((*id).into())).collect();
    let clips = session.clips.values().filter(|clip| names.contains(&clip.name));
    clips.max_by_key(|clip| clip.end()).map(|clip| clip.track)
}

/// The phrases of which these are the clips; none where one is no clip of an assembly, or only a piece of a phrase.
pub(crate) fn phrases_of(session: &Session, objects: &[ObjectId]) -> Option<Vec<PhraseId>> {
    let mut phrases: Vec<PhraseId> = Vec::new();
    let mut clips: BTreeSet<ClipId> = BTreeSet::new();
    for object in objects {
        let ObjectId::Clip(id) = object else { return None };
        let phrase = phrase_of(session, session.clips.get(id)?)?;
        clips.insert(*id);
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
    }
    // What is left of a phrase on the track of one of its pieces goes on to play.
    let is_whole = |phrase: &PhraseId| {
        let own = clips_of(session, *phrase);
        let on: BTreeSet<TrackId> =
            own.iter().filter(|(id, _)| clips.contains(id)).map(|(_, clip)| clip.track).collect();
        own.iter().all(|(id, clip)| !on.contains(&clip.track) || clips.contains(id))
    };
    (!phrases.is_empty() && phrases.iter().all(is_whole)).then_some(phrases)
}
