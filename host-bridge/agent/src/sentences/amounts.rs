//! Changes of level and lengths of time, as a slot of a sentence says them.

use super::said::{Said, length};
use crate::lexer::{Token, TokenKind};
use crate::reader::quantity::level_at;
use deskhand_session::intent::Unit;

/// A change of level that all of some tokens say, in dB.
pub(super) fn decibels(tokens: &[Token]) -> Option<f64> {
    let (level, end) = level_at(tokens, 0)?;
    (end == tokens.len() && matches!(level.unit, Some(Unit::Db | Unit::Lu))).then_some(level.value)
}

/// The change that a slot says, without its sign: the verb says where to.
pub(super) fn amount(said: &Said<'_>) -> Option<f64> {
    said.tokens("db").and_then(decibels).map(f64::abs)
}

/// Up or down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

impl Way {
    pub(super) fn of(self, amount: f64) -> f64 {
        match self {
            Self::Up => amount,
            Self::Down => -amount,
        }
    }
}

/// Whether tokens are a length of time, and nothing else.
pub(super) fn is_length(tokens: &[Token]) -> bool {
    length(tokens).is_some()
        && !matches!(tokens.first(), Some(Token { kind: TokenKind::Clock(_), .. }))
}
