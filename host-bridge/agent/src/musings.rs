//! Words about an edit that ask for none: questions whether it should be, or was, and reasons behind a wish.

use crate::lexer::{Token, TokenKind, lex};
use crate::reading::{Reading, RequestKind};
use crate::resolve::Trouble;
use crate::sentences::{Sentence, is_remark};
use deskhand_session::Session;

/// How questions begin that ask whether something should be done.
const WHETHER: &[&[&str]] = &[
    &["should", "i"],
    &["should", "we"],
    &["shall", "i"],
    &["shall", "we"],
    &["what", "happens", "if", "i"],
    &["what", "happens", "if", "you"],
    &["what", "happens", "if", "we"],
    &["what", "would", "happen", "if", "i"],
    &["what", "if", "i"],
    &["what", "if", "we"],
    &["what", "if", "you"],
];

/// How questions begin that ask whether something was done.
const ALREADY: &[&[&str]] = &[
    &["did", "you"],
    &["did", "i"],
    &["did", "we"],
    &["have", "you"],
    &["why", "did", "you"],
    &["why", "did", "we"],
    &["why", "did", "i"],
];

/// What is said of a question about an edit: it makes none.
pub(crate) fn asked(tokens: &[Token], words: &str, session: &Session) -> Option<Trouble> {
    let behind = |openings: &[&[&str]]| {
        let begins = |opening: &&&[&str]| {
            opening.iter().enumerate().all(|(i, word)| tokens.get(i).is_some_and(|it| it.is(word)))
        };
        let opening = openings.iter().find(begins)?;
        tokens.get(opening.len()..)
    };
    let (rest, is_done) = match (behind(WHETHER), behind(ALREADY)) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return None,
    };
    // "Did I say anything twice?" is a question of its own.
    let is_own = Sentence::of(tokens, session).is_some();
    Sentence::of(rest, session).filter(|_| !is_own)?;
    if is_done {
        let reason = "a question changes nothing; the history tells what was done";
        return Some(Trouble::new(reason, ["what did you just do?"]));
    }
    let end = rest.iter().rev().find(|token| token.kind != TokenKind::Stop)?.end;
    let wish = words.get(rest.first()?.start..end)?;
    let reason = "a question changes nothing; said as a wish, it is a plan to look at first";
    Some(Trouble::new(reason, [wish]))
}

/// The wish ahead of a reason that only says what is wrong: "turn the guest up a bit, it's too quiet".
pub(crate) fn without_reason(
    words: &str,
    whole: &Reading,
    read: &dyn Fn(&str) -> Reading,
) -> Option<Reading> {
    if whole.unclear.is_empty() {
        return None;
    }
    let tokens = lex(words);
    let is_joint = |token: &Token| matches!(token.kind, TokenKind::Comma | TokenKind::Stop);
    let opens = |at: usize| {
        let token = tokens.get(at)?;
        let from = if is_joint(token) { at + 1 } else { at };
        let is_said = is_joint(token) || token.is("because") || token.is("since");
        (is_said && is_remark(tokens.get(from..)?)).then_some(at)
    };
    let at = (1..tokens.len()).find_map(opens)?;
    let reading = read(words.get(..tokens.get(at)?.start)?);
    let is_call = |kind: &RequestKind| matches!(kind, RequestKind::Call { .. });
    let is_clear = reading.unclear.is_empty() && !reading.understood.is_empty();
    let are_calls = reading.understood.iter().all(|request| is_call(&request.kind));
    (is_clear && are_calls).then_some(reading)
}
