//! Numbers of phrases: "phrase 3", "the second one", "phrases 2 to 4".

use crate::lexer::{Token, TokenKind};
use crate::numbers::SMALL;

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];
/// The number of the last phrase, whichever that is.
pub(super) const LAST: usize = usize::MAX;

/// The most numbers that "2 to 400" stands for.
const MOST_NUMBERS: usize = 10_000;

/// "3", "1, 2 and 5", "2 to 4".
pub(super) fn numbers_of(tokens: &[Token]) -> Option<Vec<usize>> {
    let is_joint = |token: &Token| token.kind == TokenKind::Comma || token.is("and");
    let is_until = |token: &Token| {
        token.kind == TokenKind::Dash
            || ["to", "through", "until", "till", "thru", "-"].iter().any(|word| token.is(word))
    };
    let number_of = |tokens: &[Token]| {
        let is_last = matches!(tokens, [only] if only.is("last") || only.is("final"));
        is_last.then_some(LAST).or_else(|| number_of(tokens))
    };
    let mut numbers = vec![number_of(tokens.get(..1)?)?];
    let mut at = 1;
    while at < tokens.len() {
        let spans = is_until(&tokens[at]);
        if !spans && !is_joint(&tokens[at]) {
            return None;
        }
        at += 1 + usize::from(!spans && tokens.get(at + 1).is_some_and(is_joint));
        at += usize::from(tokens.get(at).is_some_and(|token| token.is("the")));
        let number = number_of(tokens.get(at..=at)?)?;
        let first = numbers.last().copied().filter(|_| spans).map_or(number, |last| last + 1);
        if first > number || number - first > MOST_NUMBERS {
            return None;
        }
        numbers.extend(first..=number);
        at += 1;
    }
    Some(numbers)
}

/// The number that one token says: 3, "three" or "third".
pub(super) fn number_of(tokens: &[Token]) -> Option<usize> {
    let [token] = tokens else {
        return None;
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and in range"
    )]
    match &token.kind {
        TokenKind::Number { value, .. } if value.fract() == 0.0 && (1.0..1e6).contains(value) => {
            Some(*value as usize)
        }
        TokenKind::Word(word) => {
            let named = |names: &[&str]| names.iter().position(|name| name == word);
            named(&ORDINALS).or_else(|| named(&SMALL[1..=12])).map(|at| at + 1)
        }
        _ => None,
    }
}
