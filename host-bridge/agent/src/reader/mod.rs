//! Reads plain requests by what the tools declare: small, strict, and never a wrong edit. The planner asks this reader
//! first. If a part is not understood, the older grammar reads the request, or it is refused.

mod clauses;
mod explain;
mod files;
mod forbidden;
mod guard;
mod items;
mod lexicon;
mod names;
mod numbers;
mod quantity;
mod vocabulary;

use crate::in_time;
use crate::lexer::lex;
use crate::names::Names;
use crate::reading::{Reading, Request, Target, Unclear};
use crate::requests::Draft;
use crate::resolve::{Context, Phrase, Trouble};
use crate::targets::Scope;
use clauses::{Before, Found, Outcome};
use deskhand_session::{ObjectId, Session};
pub(crate) use explain::Heritage;
pub(crate) use items::is_question;
use items::{Item, Kind, items_of};
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
        return Some(refused(scope, &[], trouble));
    }
    if items.iter().any(|item| matches!(item.kind, Kind::Unknown | Kind::Except | Kind::But)) {
        return None;
    }
    let context = Context {
        scope,
        alone: true,
        previous: Vec::new(),
        mentioned: Vec::new(),
        protected: Vec::new(),
        verb: None,
    };
    let before = Before { is_question, ..Before::default() };
    match clauses::read(&items, vocabulary, &context, &before) {
        Outcome::Requests(found) => requests(scope, &items, found),
        Outcome::Refused(trouble) if !is_question => Some(refused(scope, &items, trouble)),
        Outcome::Refused(_) | Outcome::Unsaid(_) | Outcome::Other => None,
    }
}

/// How the declarations read one clause of a sentence whose other clauses the grammar reads.
pub(crate) enum Declared {
    /// Its calls, and what the next request may take over.
    Requests(Vec<Draft>, Heritage),
    Refused(Trouble),
    /// It does not say on what, unless another reader knows.
    Unsaid(Trouble),
    Other,
}

/// Reads one clause of a sentence whose other clauses the grammar reads.
pub(crate) fn read_one(
    context: &Context<'_>,
    vocabulary: &Vocabulary,
    heritage: Option<Heritage>,
    shared: Option<Phrase>,
) -> Declared {
    let items = items_of(context.scope);
    if items.iter().any(|item| matches!(item.kind, Kind::Unknown | Kind::Except | Kind::But)) {
        return Declared::Other;
    }
    match clauses::read(
        &items,
        vocabulary,
        context,
        &Before { heritage, shared, is_question: false },
    ) {
        Outcome::Requests(found) => {
            let is_held = found.iter().all(|it| guard::holds(it, &items, context.scope.session));
            let Some(last) = found.last().filter(|_| is_held) else { return Declared::Other };
            let heritage = last.heritage.clone();
            Declared::Requests(found.into_iter().map(|it| it.draft).collect(), heritage)
        }
        Outcome::Refused(trouble) => Declared::Refused(trouble),
        Outcome::Unsaid(trouble) => Declared::Unsaid(trouble),
        Outcome::Other => Declared::Other,
    }
}

fn requests(scope: Scope<'_>, items: &[Item], found: Vec<Found>) -> Option<Reading> {
    if !found.iter().all(|it| guard::holds(it, items, scope.session)) {
        return None;
    }
    let mut reading = Reading::default();
    for Found { draft, tokens, .. } in found {
        let text = text_of(scope, tokens);
        match in_time::held(draft, scope.session) {
            Ok(draft) => {
                let target = |id: ObjectId| Target { id, name: scope.session.name_of(id) };
                let targets = draft.targets.into_iter().map(target).collect();
                reading.understood.push(Request { text, kind: draft.kind, targets });
            }
            Err(trouble) => return Some(refused(scope, items, trouble)),
        }
    }
    Some(reading)
}

fn refused(scope: Scope<'_>, items: &[Item], trouble: Trouble) -> Reading {
    let Trouble { reason, suggestions, is_understood } = trouble;
    let text = scope.text.trim().to_owned();
    let start = scope.text.len() - scope.text.trim_start().len();
    let place = |item: &Item| {
        let first = item.tokens.0 + usize::from(item.prep.is_some());
        let (from, to) = (scope.tokens.get(first)?, scope.tokens.get(item.tokens.1 - 1)?);
        Some((from.start - start, to.end - start))
    };
    let names = items.iter().filter(|item| explain::is_name(item));
    let open = names.filter_map(place).collect();
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
