//! Words that forbid, or begin to: what they leave open is asked, whoever reads the rest.

use super::items::{Item, Kind};
use super::lexicon::{self, Part};
use crate::lexer::Token;
use crate::resolve::Trouble;

/// What is said of "mute everything but", and of "don't mute the kick and solo the snare".
pub(super) fn half_said(tokens: &[Token], items: &[Item]) -> Option<Trouble> {
    let last = items.last().filter(|_| items.len() > 1)?;
    // `items_of` keeps these only where no name follows.
    if matches!(last.kind, Kind::Except | Kind::But | Kind::Unknown) && is_open(tokens) {
        return Some(Trouble::not_understood("it ends before it says what to leave out", NOTHING));
    }
    let reason = "\"don't\" may be meant of both requests; say them one by one";
    forbids_one_of_two(tokens).then(|| Trouble::not_understood(reason, NOTHING))
}

const NOTHING: [&str; 0] = [];

fn is_open(tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|token| ["but", "except", "not"].iter().any(|word| token.is(word)))
}

/// Whether a sentence begins with "don't" and joins a second request to that by "and".
fn forbids_one_of_two(tokens: &[Token]) -> bool {
    let spoken =
        tokens.iter().position(|token| !token.is("please") && !token.is("do")).unwrap_or(0);
    let is_not = |token: &Token| token.is("not") || token.is("never");
    if !tokens.get(spoken).is_some_and(is_not) {
        return false;
    }
    let is_verb = |at: usize| lexicon::at(tokens, at).1.iter().any(|it| it.part == Part::Verb);
    let joins = |at: usize| tokens[at].is("and") && is_verb(at + 1);
    is_verb(spoken + 1) && (spoken + 1..tokens.len()).any(joins)
}
