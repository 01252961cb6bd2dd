//! Where something is coded: "… as Budget in micA", "… as Budget but not in Interview 2".

use super::codes;
use super::placed::is_assembly;
use super::said::{One, Said};
use super::spoken::plain;
use crate::draft::Draft;
use crate::lexer::{Token, TokenKind};
use crate::reading::RequestKind;
use crate::resolve::{Resolved, Trouble, Want, list};
use deskhand_session::{Clip, ObjectId, Session, Source, SourceId};
use std::collections::BTreeSet;

/// What may stand behind the code of a sentence.
pub(super) const WITHIN: &str = "[only|just? in|on|within {place}] ,? [everywhere? but|except|excluding|without not? in|on|from? {without}]";

/// A call on what is said, held to what is named or to all but that.
pub(super) fn limited(said: &Said<'_>, mut draft: Draft) -> One {
    let found = match (said.sound("place", Want::Sound)?, said.sound("without", Want::Sound)?) {
        (None, None) => return no_place(said).map_or(Ok(draft), Err),
        (Some(found), None) => found,
        (found, Some(without)) => others(said.session(), found, &without.ids)?,
    };
    if let RequestKind::Call { params, .. } = &mut draft.kind {
        params["targets"] = found.param;
    }
    Ok(Draft { targets: found.ids, ..draft })
}

/// Why a place that is named is none: "Budget in micB" is no new code where there is a code "Budget".
fn no_place(said: &Said<'_>) -> Option<Trouble> {
    let session = said.session();
    let text = said.code_name("code").ok()?;
    let (code, place) = text.split_once(" in ")?;
    if !codes::meant(session, &text).is_empty() || codes::meant(session, code).is_empty() {
        return None;
    }
    let reason = format!("\"{place}\" is no track, clip or source here");
    let (ahead, _) = said.context.scope.text.rsplit_once(place)?;
    let names = said.context.scope.track_names().into_iter();
    Some(Trouble::new(reason, names.map(|track| format!("{ahead}{track}"))))
}

/// Whether tokens are the names of tracks, clips or sources.
pub(super) fn is_place(tokens: &[Token], session: &Session) -> bool {
    let is_joint = |token: &Token| token.kind == TokenKind::Comma || token.is("and");
    let mut parts = tokens.split(is_joint);
    is_name(tokens, session) || parts.all(|part| part.is_empty() || is_name(part, session))
}

fn is_name(tokens: &[Token], session: &Session) -> bool {
    let word = |token: &Token| match &token.kind {
        TokenKind::Word(word) => Some(word.clone()),
        TokenKind::Number { value, .. } => Some(value.to_string()),
        TokenKind::Quote(text) => Some(plain(text)),
        _ => None,
    };
    let words: Vec<String> = tokens.iter().filter_map(word).collect();
    let words = bare(&words).join(" ");
    let tracks = session.tracks.values().map(|track| &track.name);
    let clips = session.clips.values().map(|clip| &clip.name);
    let is_called = |name: &String| plain(name) == words;
    let is_of = |source: &Source| {
        let file = plain(file_of(source));
        file == words || file.rsplit_once(' ').is_some_and(|(stem, _)| stem == words)
    };
    let mut sources = session.sources.values();
    let names = sources.clone().map(|source| &source.name);
    !words.is_empty() && (tracks.chain(clips).chain(names).any(is_called) || sources.any(is_of))
}

/// The name of the file of a source, with its ending.
pub(super) fn file_of(source: &Source) -> &str {
    source.path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// A name without what it is.
fn bare(mut words: &[String]) -> &[String] {
    const KINDS: [&str; 6] = ["the", "track", "clip", "file", "source", "recording"];
    let is_kind = |word: &String| KINDS.contains(&word.as_str());
    while let [first, rest @ ..] = words
        && is_kind(first)
    {
        words = rest;
    }
    match words {
        [rest @ .., last] if is_kind(last) => rest,
        all => all,
    }
}

/// What is written down, in what is named or anywhere, without these.
fn others(
    session: &Session,
    among: Option<Resolved>,
    without: &[ObjectId],
) -> Result<Resolved, Trouble> {
    let told: BTreeSet<SourceId> = session
        .segments
        .values()
        .filter(|segment| !segment.words.is_empty())
        .map(|segment| segment.source)
        .collect();
    let is_in = |clip: &(ObjectId, &Clip), named: &[ObjectId]| {
        let names = [clip.0, clip.1.track.into(), clip.1.source.into()];
        names.iter().any(|id| named.contains(id))
    };
    // What an assembly plays is on the tracks of the recordings too.
    let clips = session.clips.iter().map(|(id, clip)| (ObjectId::from(*id), clip));
    let clips = clips.filter(|(_, clip)| told.contains(&clip.source));
    let clips: Vec<_> = clips.filter(|(_, clip)| !is_assembly(session, clip.track)).collect();
    let among = among.map(|found| found.ids);
    let is_meant = |clip: &(ObjectId, &Clip)| among.as_ref().is_none_or(|ids| is_in(clip, ids));
    let (out, left): (Vec<_>, Vec<_>) =
        clips.into_iter().filter(is_meant).partition(|clip| is_in(clip, without));
    let gone: BTreeSet<SourceId> = out.iter().map(|(_, clip)| clip.source).collect();
    let is_shared = left.iter().any(|(_, clip)| gone.contains(&clip.source));
    let is_gone = |id: &SourceId| gone.contains(id) || without.contains(&(*id).into());
    let ids: Vec<ObjectId> = match is_shared || among.is_some() {
        true => left.into_iter().map(|(id, _)| id).collect(),
        false => told.into_iter().filter(|id| !is_gone(id)).map(Into::into).collect(),
    };
    match ids.is_empty() {
        false => Ok(Resolved { param: list(&ids), ids }),
        true => Err(Trouble::new("nothing is left that is written down", ["show the transcript"])),
    }
}
