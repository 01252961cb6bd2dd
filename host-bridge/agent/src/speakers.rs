//! Names of people who speak, said where a track is meant: "turn Anna up".

use crate::lexer::{Token, lex};
use crate::meanings::is_assembly;
use crate::names::words_of;
use crate::offers::Ground;
use crate::reader;
use crate::reading::{Reading, Unclear};
use crate::resolve::Trouble;
use crate::targets::Scope;
use deskhand_session::{Segment, Session, SourceId, TrackId};
use std::collections::BTreeSet;

/// Where who speaks is said and no track is called so.
const WHO_SPEAKS: &str = "is who speaks on";

/// What is said of words that name no track but somebody who speaks on one; none where nobody is called so, or others
/// speak in the same recordings.
pub(crate) fn on_a_track(words: &str, session: &Session) -> Option<Trouble> {
    let said = words.trim();
    let (_, track) = track_of(said.trim_matches('"'), session)?;
    let reason = format!("\"{said}\" {WHO_SPEAKS} {track}, and no track is called so");
    Some(Trouble::not_understood(reason, [track]))
}

/// Whether words failed because they name who speaks on a track that is called otherwise.
fn are_named(unclear: &Unclear) -> bool {
    unclear.reason.contains(WHO_SPEAKS)
}

/// Replaces a speaker's name in `words` with the name of their track, in quotes, because a renamed track keeps its
/// speaker. None if no speaker or several are named, or the track is not heard.
fn by_track(words: &str, tokens: &[Token], session: &Session) -> Option<String> {
    let speakers = session.segments.values().filter_map(|segment| segment.speaker.as_deref());
    let speakers: BTreeSet<&str> = speakers.collect();
    let mut found = speakers.iter().flat_map(|name| {
        let named = words_of(name);
        let length = named.len().max(1);
        let is_name = move |window: &&[Token]| {
            let said = window.iter().map(|token| token.word().map(str::to_lowercase));
            !named.is_empty() && said.eq(named.iter().map(|word| Some(word.to_lowercase())))
        };
        tokens.windows(length).filter(is_name).map(move |window| (*name, window))
    });
    let (name, window) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let (id, track) = track_of(name, session)?;
    let (first, last) = (window.first()?, window.last()?);
    let (ahead, behind) = (words.get(..first.start)?, words.get(last.end..)?);
    (!session.is_muted(id) && !track.contains('"')).then(|| format!("{ahead}\"{track}\"{behind}"))
}

/// The only track on which somebody speaks, where nobody else does.
fn track_of(name: &str, session: &Session) -> Option<(TrackId, String)> {
    let name = name.to_lowercase();
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
    match &tracks_of(&spoken, session)[..] {
        [track] => Some(track.clone()),
        _ => None,
    }
}

/// The tracks on which these recordings play, without those of an assembly.
fn tracks_of(sources: &BTreeSet<SourceId>, session: &Session) -> Vec<(TrackId, String)> {
    let clips = session.clips.values().filter(|clip| sources.contains(&clip.source));
    let ids: BTreeSet<_> = clips.map(|clip| clip.track).collect();
    let named = ids.iter().filter_map(|id| Some((*id, session.tracks.get(id)?.name.clone())));
    named.filter(|(id, _)| !is_assembly(session, *id)).collect()
}

/// What is asked of who speaks, on the track where they do: "turn the guest down" where that is called "Anna" by now.
/// What takes something away, or names it, is offered instead.
pub(crate) fn on_their_track(words: &str, whole: &Reading, ground: &Ground<'_>) -> Option<Reading> {
    let Ground { session, names, read, .. } = *ground;
    if !whole.unclear.iter().any(are_named) {
        return None;
    }
    let said = by_track(words, &lex(words), session)?;
    let tokens = lex(&said);
    let scope = Scope { text: &said, session, names, tokens: &tokens, nested: false };
    if !reader::verbs(scope).iter().all(|verb| OF_SOUND.contains(verb)) {
        return None;
    }
    let reading = read(&said);
    reading.unclear.is_empty().then_some(reading)
}

/// Verbs that change how a track sounds, or choose it, and take nothing away.
#[rustfmt::skip]
const OF_SOUND: [&str; 26] = [
    "bring", "change", "denoise", "even out", "get", "give", "have", "knock", "level", "lower", "make", "match",
    "mute", "normalize", "pan", "pull", "push", "raise", "select", "set", "solo", "stage", "turn", "unmute", "unsolo",
    "want",
];
