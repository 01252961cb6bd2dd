//! "in micA, mark every price as Money": a place that is said first is read as if it were said last.

use crate::lexer::{Token, TokenKind};
use crate::part::Pick;
use crate::reading::{Reading, Target};
use crate::targets::Scope;
use deskhand_session::ObjectId;

/// Relations in which a place is said first.
const RELATIONS: [&str; 2] = ["in", "on"];

/// Words that join requests: the place would be said of the last of them alone.
const JOINTS: [&str; 3] = ["and", "then", "but"];

/// What is asked, where it is one request that works on nothing but the place; none where it is not.
pub(crate) fn reading(scope: Scope<'_>, read: &dyn Fn(&str) -> Reading) -> Option<Reading> {
    let first = scope.tokens.first()?;
    let (part, next) = scope.part_at(1).filter(|_| RELATIONS.contains(&scope.word(0)))?;
    let comma = scope.tokens.get(next).filter(|token| token.kind == TokenKind::Comma)?;
    let Pick::Objects(ids) = part.pick else { return None };
    let rest = asked(scope.tokens.get(next + 1..)?)?;
    let request = scope.text.get(rest.first()?.start..rest.last()?.end)?;
    let place = scope.text.get(first.start..comma.start)?.trim_end();
    let reading = read(&format!("{request} {place}"));
    let is_there = |target: &Target| {
        let track = scope.session.track_of(target.id).map(ObjectId::from);
        ids.contains(&target.id) || track.is_some_and(|track| ids.contains(&track))
    };
    let [only] = &reading.understood[..] else { return None };
    let is_about_it = !only.targets.is_empty() && only.targets.iter().all(is_there);
    (reading.unclear.is_empty() && is_about_it).then_some(reading)
}

/// The tokens of one request, without the stops behind it; none where there may be several.
fn asked(tokens: &[Token]) -> Option<&[Token]> {
    let last = tokens.iter().rposition(|token| token.kind != TokenKind::Stop)?;
    let tokens = tokens.get(..=last)?;
    let joins = |token: &Token| {
        matches!(token.kind, TokenKind::Comma | TokenKind::Stop)
            || token.word().is_some_and(|word| JOINTS.contains(&word))
    };
    (!tokens.iter().any(joins)).then_some(tokens)
}
