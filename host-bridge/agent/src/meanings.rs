//! What words of a person's own mean: words that are said, codes, speakers, takes, and phrases of the edit.

mod choose;
pub(crate) mod codes;
mod gone;
mod hear;
mod kinds;
mod meaning;
mod pattern;
mod phrase_numbers;
mod phrase_patterns;
mod placed;
mod pointer;
mod selected;
mod spoken;
mod stems;
mod text;
mod transcripts;
mod wanted;
mod word_cut;

pub(crate) use word_cut::{Wish, is_habit, phrases_named, where_said};

use crate::lexer::Token;
use deskhand_session::Session;
pub(crate) use meaning::{Meaning, meaning};
pub(crate) use placed::{is_assembly, longest_track, phrases_of};
pub(crate) use spoken::is_named;
use spoken::{Pointed, is_said, pointed, several};
pub(crate) use transcripts::is_stranger as is_voice;

/// What tokens name if they say what stays: "all but the intro".
fn left_of<'a>(tokens: &'a [Token], session: &Session) -> Option<(&'a [Token], bool)> {
    let left = spoken::all_but(tokens)?;
    Some((left, transcripts::is_stranger(left, session)))
}

/// Whether tokens point at phrases.
fn may_be_phrases(tokens: &[Token], session: &Session) -> bool {
    if let Some((left, is_speaker)) = left_of(tokens, session) {
        return is_speaker || may_be_phrases(left, session);
    }
    let is_one = |part: &[Token]| match pointed(part) {
        _ if kinds::speaker(part, session).is_some() => true,
        // "Up" alone is a direction, whoever says it.
        Pointed::No => is_said(part, session) && !spoken::is_plain_word(part),
        Pointed::Perhaps => !session.phrases.is_empty(),
        Pointed::Plainly => true,
    };
    !kinds::ask_which(tokens) && several(tokens, session).into_iter().all(is_one)
}

/// Whether tokens point at phrases, and at nothing else that is called so.
fn are_only_phrases(tokens: &[Token], session: &Session) -> bool {
    if let Some((left, is_speaker)) = left_of(tokens, session) {
        return is_speaker || are_only_phrases(left, session);
    }
    !kinds::ask_which(tokens) && are_phrases(tokens, session) && !codes::is_known(tokens, session)
}

/// Whether tokens say that they are phrases.
fn are_plainly_phrases(tokens: &[Token]) -> bool {
    pointed(tokens) == Pointed::Plainly
}

/// Whether tokens can be the name of a code.
fn may_be_code(tokens: &[Token], session: &Session) -> bool {
    !is_nothing(tokens) || codes::is_code(tokens, session)
}

/// Whether tokens are phrases where other things are meant as well; beside one that is plainly a phrase "the intro" is
/// one.
fn are_phrases(tokens: &[Token], session: &Session) -> bool {
    let parts = several(tokens, session);
    let is_list = parts.iter().any(|part| pointed(part) == Pointed::Plainly);
    parts.into_iter().all(|part| match pointed(part) {
        _ if is_all_beyond(part) => false,
        _ if kinds::speaker(part, session).is_some() => true,
        Pointed::Plainly => true,
        Pointed::Perhaps => is_list || spoken::is_phrase_here(part, session),
        Pointed::No => spoken::is_only_said(part, session),
    })
}

/// "everything after the money sentence": what is beyond a phrase is no phrase.
fn is_all_beyond(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).and_then(Token::word).unwrap_or_default();
    matches!(word(0), "everything" | "all" | "anything")
        && matches!(word(1), "after" | "behind" | "following" | "before" | "past" | "beyond")
}

/// Whether tokens are one word that needs another behind it.
fn is_nothing(tokens: &[Token]) -> bool {
    const OPEN: &[&str] =
        &["the", "a", "an", "all", "every", "each", "any", "some", "as", "with", "of", "it"];
    matches!(tokens, [only] if only.word().is_some_and(|word| OPEN.contains(&word)))
}
