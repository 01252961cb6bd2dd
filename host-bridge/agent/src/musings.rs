//! Words about an edit that ask for none: questions whether it should be, or was, and reasons behind a wish.

use crate::lexer::{Token, TokenKind, lex};
use crate::reader::hints::is_remark;
use crate::reader::{Vocabulary, is_question, lexicon, understand};
use crate::reading::{Reading, Request, RequestKind};
use crate::resolve::Trouble;
use deskhand_session::Session;

/// How questions begin that ask whether something should be done.
const WHETHER: &str = "should i|should we|shall i|shall we|what happens if i|what happens if you|\
    what happens if we|what would happen if i|what if i|what if we|what if you";

/// How questions begin that ask whether something was done.
const ALREADY: &str = "did you|did i|did we|have you|why did you|why did we|why did i";

/// Words that make a request depend on something, unless they stand in quotes or end what is said.
const CONDITIONS: &str = "if|unless|in case|provided|assuming|as long as";

/// So many words a condition has at least, behind the one that opens it.
const LEAST_CONDITION: usize = 2;

/// The tokens behind one of these openings.
fn behind<'t>(openings: &str, tokens: &'t [Token]) -> Option<&'t [Token]> {
    let rest = |opening: &str| {
        opening.split(' ').try_fold(tokens, |tokens, word| match tokens {
            [first, rest @ ..] if first.is(word) => Some(rest),
            _ => None,
        })
    };
    openings.split('|').find_map(rest)
}

/// What is said of words that ask for edits on a condition, or begin with "don't" in front of what is no verb: neither is
/// a plan.
pub(crate) fn conditional(words: &str, reading: &Reading) -> Option<Trouble> {
    let is_call = |request: &Request| matches!(request.kind, RequestKind::Call { .. });
    if !reading.understood.iter().any(is_call) {
        return None;
    }
    let tokens = lex(words);
    let depends = |at: usize| {
        let rest = behind(CONDITIONS, tokens.get(at..).unwrap_or_default()).unwrap_or_default();
        rest.iter().take_while(|token| token.word().is_some()).count() >= LEAST_CONDITION
    };
    let nothing: [&str; 0] = [];
    if (0..tokens.len()).any(depends) {
        let reason = "it depends on a condition; ask for it without one, and look at the plan";
        return Some(Trouble::new(reason, nothing));
    }
    // Behind a colon stands what is written down: "add a note to phrase 4: who says so?"
    // Of several sentences each is read by itself.
    let ends = |token: &Token| matches!(token.kind, TokenKind::Comma | TokenKind::Stop);
    let is_one = tokens.iter().position(ends).is_none_or(|at| at + 1 == tokens.len());
    let is_asked = is_one && is_question(words, &tokens) && !words.contains(": ");
    if is_asked && lexicon::has_verb_at(&tokens, 0) {
        let reason = "a question changes nothing; said as a wish, it is a plan to look at first";
        return Some(Trouble::new(reason, nothing));
    }
    forbids_nothing(&tokens).then(|| {
        let reason = "it begins with \"don't\", and does not say what must not be done";
        Trouble::not_understood(reason, nothing)
    })
}

/// Whether "don't" stands in front of what is no verb; "don't let any pause be" asks for something itself.
fn forbids_nothing(tokens: &[Token]) -> bool {
    let is_opening = |token: &&Token| token.is("please") || token.is("do");
    let at = tokens.iter().take_while(is_opening).count();
    let is_not = |token: &Token| token.is("not") || token.is("never");
    let is_inside = |from: usize| lexicon::verb_end(tokens, from).is_some_and(|end| end > at + 1);
    tokens.get(at).is_some_and(is_not)
        && !lexicon::has_verb_at(tokens, at + 1)
        && !(0..=at).any(is_inside)
}

/// What is said of a question about an edit: it makes none.
pub(crate) fn asked(
    tokens: &[Token],
    words: &str,
    session: &Session,
    vocabulary: &Vocabulary,
    read: &dyn Fn(&str) -> Reading,
) -> Option<Trouble> {
    let (rest, is_done) = match (behind(WHETHER, tokens), behind(ALREADY, tokens)) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return None,
    };
    let end = rest.iter().rev().find(|token| token.kind != TokenKind::Stop)?.end;
    let wish = words.get(rest.first()?.start..end)?;
    let is_request = |text: &str| {
        let reading = understand(text, session, vocabulary);
        reading.is_some_and(|reading| !reading.understood.is_empty())
    };
    let is_wish = || [wish, &format!("{wish}?")].iter().any(|it| !read(it).understood.is_empty());
    // "Did I say anything twice?" is a question of its own; "did you ...?" asks for what was done.
    let is_of_its_own = !tokens.iter().take(3).any(|it| it.is("you")) && is_request(words);
    if is_of_its_own || !is_wish() {
        return None;
    }
    if is_done {
        let reason = "a question changes nothing; the history tells what was done";
        return Some(Trouble::new(reason, ["what did you just do?"]));
    }
    let reason = "a question changes nothing; said as a wish, it is a plan to look at first";
    Some(Trouble::new(reason, [wish]))
}

/// The wish ahead of a reason that only says what is wrong: "turn the guest up a bit, it's too quiet".
pub(crate) fn without_reason(
    words: &str,
    whole: &Reading,
    read: &dyn Fn(&str) -> Reading,
) -> Option<Reading> {
    // What is wrong is a wish where nothing else is asked for.
    if whole.unclear.is_empty() && whole.understood.len() < 2 {
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
