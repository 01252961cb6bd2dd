//! Where one sentence ends and the next begins: at stops, at "then", and at "and" or a comma ahead of a verb.

use super::PATTERNS;
use crate::lexer::{Token, TokenKind};
use crate::reader::lexicon;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Words that open a sentence of the table. What also opens a thing, as in "the host and the guest", does not.
static OPENINGS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let all = PATTERNS.iter().flat_map(|(_, pattern)| pattern.openings());
    let opens_things = ["the", "a", "an", "all", "there", "is", "are", "it", "no", "kick"];
    all.filter(|word| !opens_things.contains(word)).collect()
});

/// Whether a request may begin here.
fn opens(tokens: &[Token], at: usize) -> bool {
    let word = tokens.get(at).and_then(Token::word).unwrap_or_default();
    word == "please" || OPENINGS.contains(word) || lexicon::begins_at(tokens, at)
}

/// How many tokens stand between two requests here; 0 where none ends.
fn joint(tokens: &[Token], at: usize) -> usize {
    let is = |ahead: usize, word: &str| tokens.get(at + ahead).is_some_and(|token| token.is(word));
    let comma =
        |ahead: usize| tokens.get(at + ahead).is_some_and(|token| token.kind == TokenKind::Comma);
    if tokens.get(at).is_some_and(|token| token.kind == TokenKind::Stop) {
        return usize::from(!is_inside(tokens, at));
    }
    // ", and then" and each part of it.
    let mut length = usize::from(comma(0));
    length += usize::from(is(length, "and") || is(length, "but"));
    let then = is(length, "then");
    length += usize::from(then);
    if length > 0 && (then || opens(tokens, at + length)) { length } else { 0 }
}

/// Whether a stop stands inside a word: "interview.wav".
fn is_inside(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let glued = |a: &Token, b: &Token| a.end == b.start;
    match (before, &tokens.get(at), tokens.get(at + 1)) {
        (Some(before), Some(stop), Some(behind)) => {
            glued(before, stop) && glued(stop, behind) && behind.word().is_some()
        }
        _ => false,
    }
}

/// Whether the token at `at` can go on a text that began at `from`.
pub(super) fn goes_on(tokens: &[Token], from: usize, at: usize) -> bool {
    let ends = joint(tokens, at) > 0 || tokens.get(at).is_some_and(|token| token.is("but"));
    at == from && !matches!(tokens[at].kind, TokenKind::Stop | TokenKind::Comma) || !ends
}

/// The requests, each with the place of its tokens.
pub(super) fn parts(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < tokens.len() {
        match joint(tokens, at) {
            0 => at += 1,
            length => {
                parts.push(from..at);
                at += length;
                from = at;
            }
        }
    }
    parts.push(from..tokens.len());
    parts.retain(|part| !part.is_empty());
    parts
}
