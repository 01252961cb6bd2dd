//! Reads plain requests by what the tools declare: small, strict, and never a wrong edit. The planner asks this reader
//! first. If a part is not understood, the older grammar reads the request, or it is refused.

mod clause;
mod clauses;
pub(crate) mod colors;
mod explain;
mod files;
mod forbidden;
mod guard;
pub(crate) mod hints;
mod item_groups;
mod items;
mod kinds;
pub(crate) mod lexicon;
mod names;
mod numbers;
mod own;
pub(crate) mod quantity;
mod remarks;
mod said_words;
mod schema_words;
mod spans;
mod spare;
mod texts;
mod told;
mod vocabulary;

use crate::draft::Draft;
use crate::in_time;
use crate::lexer::{Token, TokenKind, lex};
use crate::names::Names;
use crate::reading::{Reading, Request, RequestKind, Target, Unclear};
use crate::resolve::{Context, Trouble};
use crate::targets::Scope;
use clauses::{Before, Found, Outcome};
use deskhand_session::{ObjectId, Session};
use items::{Item, Kind, items_of};
pub(crate) use items::{is_question, verbs};
use serde_json::Value;
use std::rc::Rc;
pub use vocabulary::Vocabulary;

/// Reads words by the tools' declarations alone; `None` if they do not explain all words. [`crate::plan_words`] asks
/// this first.
#[must_use]
pub fn understand(words: &str, session: &Session, vocabulary: &Vocabulary) -> Option<Reading> {
    let (names, tokens) = (Names::new(session), lex(words));
    read(Scope { text: words, session, names: &names, tokens: &tokens, nested: false }, vocabulary)
}

/// The requests, if all words are understood; `None` if they are about something else.
pub(crate) fn read(scope: Scope<'_>, vocabulary: &Vocabulary) -> Option<Reading> {
    let is_question = is_question(scope.text, scope.tokens);
    let items = items_of(scope);
    if let Some(trouble) = forbidden::half_said(scope.tokens, &items).filter(|_| !is_question) {
        return Some(refused(scope, &items, trouble));
    }
    if items.iter().any(|item| matches!(item.kind, Kind::Except | Kind::But)) {
        return None;
    }
    let context = Context::of(scope);
    let before = Before { is_question, ..Before::default() };
    match clauses::read(&items, vocabulary, &context, &before) {
        Outcome::Requests(found) => requests(scope, &items, found),
        Outcome::Refused(trouble) if !is_question => Some(refused(scope, &items, trouble)),
        Outcome::Refused(_) | Outcome::Unsaid(_) | Outcome::Other => None,
    }
}

/// Reads request by request, after all other readers: what is understood, and why the rest is not.
pub(crate) fn read_each(context: &Context<'_>, vocabulary: &Vocabulary) -> Reading {
    let scope = context.scope;
    let items = items_of(scope);
    if let Some(trouble) = forbidden::half_said(scope.tokens, &items) {
        return refused(scope, &items, trouble);
    }
    let mut reading = Reading::default();
    let segments = clauses::segments(&items);
    let (mut previous, mut mentioned) = (context.previous.clone(), context.mentioned.clone());
    let meanings = Rc::default();
    for part in &segments {
        let context = Context {
            alone: context.alone && segments.len() == 1,
            previous: previous.clone(),
            mentioned: mentioned.clone(),
            is_last: true,
            ..context.clone()
        };
        let own = items.get(part.clone()).unwrap_or_default();
        let is_question = is_question(scope.text, with_stop(own, scope.tokens));
        let others = items[..part.start].iter().chain(&items[part.end..]);
        let has_place = others.into_iter().any(clauses::is_place);
        let meanings = Rc::clone(&meanings);
        let before = Before { is_question, has_place, meanings, ..Before::default() };
        let found = match clauses::read(own, vocabulary, &context, &before) {
            Outcome::Requests(found) => requests(scope, own, found),
            Outcome::Refused(trouble) | Outcome::Unsaid(trouble) => {
                Some(refused(scope, own, trouble))
            }
            Outcome::Other => None,
        };
        let found =
            found.unwrap_or_else(|| refused(scope, own, told::why(own, vocabulary, &context)));
        let targets = found.understood.iter().flat_map(|request| &request.targets);
        previous = targets.map(|target| target.id).collect();
        mentioned.extend(&previous);
        reading.understood.extend(found.understood);
        reading.unclear.extend(found.unclear);
    }
    reading
}

fn requests(scope: Scope<'_>, items: &[Item], found: Vec<Found>) -> Option<Reading> {
    if !found.iter().all(|it| guard::holds(it, items, scope.session)) {
        return None;
    }
    let mut reading = Reading::default();
    for Found { draft, tokens, each, in_time, .. } in found {
        let text = text_of(scope, tokens);
        match in_time::held(draft, &in_time, scope.session) {
            Ok(draft) => {
                let drafts: Vec<Draft> =
                    in_calls(draft, each.as_deref()).into_iter().flat_map(own::requests).collect();
                if drafts.is_empty() {
                    return None;
                }
                let request = |draft| request(&text, draft, scope.session);
                reading.understood.extend(drafts.into_iter().map(request));
            }
            Err(trouble) => return Some(refused(scope, items, trouble)),
        }
    }
    Some(reading)
}

/// A call for each of several things that a parameter takes one at a time.
fn in_calls(draft: Draft, each: Option<&str>) -> Vec<Draft> {
    let list = match (&draft.kind, each) {
        (RequestKind::Call { params, .. }, Some(each)) => {
            params.get(each).and_then(Value::as_array)
        }
        _ => None,
    };
    let (Some(list), Some(each)) = (list, each) else { return vec![draft] };
    let call = |(at, value): (usize, &Value)| {
        let targets =
            draft.targets.get(at).map(|id| vec![*id]).unwrap_or_else(|| draft.targets.clone());
        let mut one = Draft { targets, ..draft.clone() };
        if let RequestKind::Call { params, .. } = &mut one.kind {
            params[each] = value.clone();
        }
        one
    };
    list.iter().enumerate().map(call).collect()
}

/// The tokens of items, and the full stop or question mark behind them.
fn with_stop<'a>(items: &[Item], tokens: &'a [Token]) -> &'a [Token] {
    let ends = items.first().zip(items.last());
    let range = ends.map(|(first, last)| first.tokens.0..(last.tokens.1 + 1).min(tokens.len()));
    range.and_then(|range| tokens.get(range)).unwrap_or_default()
}

/// A draft with its words.
pub(crate) fn request(text: &str, draft: Draft, session: &Session) -> Request {
    let target = |id: ObjectId| Target { id, name: session.name_of(id) };
    let targets = draft.targets.into_iter().map(target).collect();
    Request { text: text.to_owned(), kind: draft.kind, targets }
}

fn refused(scope: Scope<'_>, items: &[Item], trouble: Trouble) -> Reading {
    let Trouble { reason, suggestions, is_understood } = trouble;
    let ends = items.first().zip(items.last());
    let token = |at: usize| scope.tokens.get(at);
    let span = ends.and_then(|(first, last)| {
        Some((token(first.tokens.0)?.start, token(last.tokens.1 - 1)?.end))
    });
    let is_rest = |last: &Item| {
        scope.tokens.iter().skip(last.tokens.1).all(|token| token.kind == TokenKind::Stop)
    };
    let is_whole = ends.is_none_or(|(first, last)| first.tokens.0 == 0 && is_rest(last));
    let (start, end) = span.filter(|_| !is_whole).unwrap_or_else(|| {
        let start = scope.text.len() - scope.text.trim_start().len();
        (start, scope.text.trim_end().len().max(start))
    });
    let text = scope.text.get(start..end).unwrap_or_default().to_owned();
    let place = |item: &Item| {
        let (from, to) = (token(item.own)?, token(item.tokens.1 - 1)?);
        Some((from.start.checked_sub(start)?, to.end.checked_sub(start)?))
    };
    let is_open =
        |item: &&Item| matches!(item.kind, Kind::Names(_) | Kind::Unknown | Kind::Quantity(_));
    let open = items.iter().filter(is_open).filter_map(place).collect();
    Reading {
        understood: Vec::new(),
        unclear: vec![Unclear { text, reason, is_understood, suggestions, open }],
    }
}

fn text_of(scope: Scope<'_>, (from, to): (usize, usize)) -> String {
    let ends = scope.tokens.get(from).zip(scope.tokens.get(to - 1));
    let text = ends.and_then(|(first, last)| scope.text.get(first.start..last.end));
    text.unwrap_or(scope.text).trim().to_owned()
}
