//! Sentences about transcripts: writing down, writing out, who speaks, and where something is said.

use super::text::plain;
use crate::lexer::{Token, TokenKind};
use deskhand_session::Session;
use std::collections::BTreeSet;

/// Who is meant among those who speak: by the whole name, or by one word of it that is no other's.
pub(super) fn voice(tokens: &[Token], session: &Session) -> Option<String> {
    let tokens = match tokens {
        [article, rest @ ..] if article.is("the") => rest,
        all => all,
    };
    let wanted = words(tokens)?;
    let speakers = session.segments.values().filter_map(|segment| segment.speaker.as_deref());
    let speakers: BTreeSet<&str> = speakers.collect();
    let whole = speakers.iter().find(|speaker| plain(speaker) == wanted);
    let has = |speaker: &&&str| plain(speaker).split(' ').any(|word| word == wanted);
    let mut partly = speakers.iter().filter(has);
    // "Speaker" alone is a kind, no name.
    let only = partly.next().filter(|_| wanted != "speaker" && partly.next().is_none());
    whole.or(only).map(|speaker| (*speaker).to_owned())
}

/// Somebody who speaks and after whom no track and no clip is called.
pub(crate) fn is_stranger(tokens: &[Token], session: &Session) -> bool {
    let Some(name) = voice(tokens, session).map(|name| plain(&name)) else { return false };
    let tracks = session.tracks.values().map(|track| &track.name);
    let mut names = tracks.chain(session.clips.values().map(|clip| &clip.name));
    !names.any(|other| format!(" {} ", plain(other)).contains(&format!(" {name} ")))
}

/// Words and numbers as they are written in names, in lower case.
fn words(tokens: &[Token]) -> Option<String> {
    let word = |token: &Token| match &token.kind {
        TokenKind::Word(word) => Some(word.clone()),
        TokenKind::Number { value, .. } => Some(value.to_string()),
        TokenKind::Quote(text) => Some(plain(text)),
        _ => None,
    };
    let words: Vec<String> = tokens.iter().map(word).collect::<Option<_>>()?;
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

/// Words for nobody in particular.
#[rustfmt::skip]
const ANYBODY: &[&str] = &[
    "he", "she", "they", "i", "we", "you", "it", "anyone", "anybody", "someone", "somebody", "people", "the speaker",
    "everyone", "everybody", "one",
];

/// Whether tokens can be who speaks: a pronoun stands alone, so that "she wobbly" is nobody.
pub(super) fn is_somebody(tokens: &[Token]) -> bool {
    let is_pronoun = |token: &Token| token.word().is_some_and(is_anybody);
    tokens.len() == 1 || !tokens.iter().any(is_pronoun)
}

/// Whether nobody in particular is meant.
pub(super) fn is_anybody(who: &str) -> bool {
    ANYBODY.contains(&who.to_lowercase().as_str())
}
