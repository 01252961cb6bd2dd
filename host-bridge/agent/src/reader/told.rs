//! Why a request is not understood, and what could be said instead.

use super::clause::Clause;
use super::clauses::{self, Before};
use super::explain::left;
use super::items::{Item, Kind};
use super::vocabulary::Vocabulary;
use super::{hints, lexicon, own, said_words};
use crate::lexer::lex;
use crate::names::NameKind;
use crate::resolve::{Context, Trouble, Want};
use crate::speakers;
use crate::suggest::help_suggestions;
use std::rc::Rc;

/// So many examples stand ahead of the names of tracks.
const EXAMPLES: usize = 3;

/// Why no way to ask explains a request.
pub(super) fn why(items: &[Item], vocabulary: &Vocabulary, context: &Context<'_>) -> Trouble {
    if let Some(trouble) = said_words::asked(items, context).or_else(|| hints::of(items, context)) {
        return trouble;
    }
    let unknown: Vec<&Item> = items.iter().filter(|item| is_unknown(item)).collect();
    if !unknown.is_empty() {
        return not_known(items, &unknown, context);
    }
    if let Some(verb) = ["undo", "redo"].into_iter().find(|verb| items.iter().any(|it| it.is(verb)))
    {
        return own::no_step(verb);
    }
    if !items.iter().any(Item::is_verb) {
        return no_verb(items, context);
    }
    let ways = clauses::sayable(vocabulary, items, &Before::default());
    let (items_of, meanings) = (clauses::words_of(items), Rc::default());
    let clause = Clause { items: items_of, shared: None, is_beside_place: false, meanings };
    let leftovers = ways.iter().filter_map(|way| left(*way, &clause, context));
    match leftovers.min_by_key(Vec::len) {
        Some(rest) => {
            let rest: Vec<&Item> = rest.iter().map(|at| clause.items[*at]).collect();
            let reason = told(&rest, ["does not fit in here", "do not fit in here"], context);
            Trouble::not_understood(reason, nearest(items, &rest, context))
        }
        None => {
            let offers = nearest(items, &[], context);
            Trouble::not_understood("it does not say all that it needs", offers)
        }
    }
}

fn is_unknown(item: &Item) -> bool {
    matches!(item.kind, Kind::Unknown | Kind::Text(_) | Kind::Except | Kind::But)
}

/// What can be said instead: the request without what is not understood, if it still names something, and examples of
/// what it asks for.
fn nearest(items: &[Item], rest: &[&Item], context: &Context<'_>) -> Vec<String> {
    let is_rest = |item: &&Item| rest.iter().any(|it| it.tokens == item.tokens);
    let kept: Vec<&Item> = items.iter().filter(|item| !is_rest(item)).collect();
    let is_named = kept.iter().any(|item| matches!(item.kind, Kind::Names(_)));
    let texts = kept.iter().map(|item| between(item.tokens, context));
    let without = texts.collect::<Vec<_>>().join(" ");
    let examples = help_suggestions(&text_of(items, context));
    let says_verb = |example: &String| {
        let (_, concepts) = lexicon::at(&lex(example), 0);
        concepts
            .iter()
            .any(|it| lexicon::is_verb(it.name) && items.iter().any(|item| item.is(it.name)))
    };
    let (meant, others): (Vec<String>, Vec<String>) = examples.into_iter().partition(says_verb);
    let examples = if meant.is_empty() { others } else { meant };
    let without = Some(without).filter(|_| is_named && !rest.is_empty());
    without.into_iter().chain(examples).collect()
}

/// Words that nobody knows; where one thing is missing, what there is is offered.
fn not_known(items: &[Item], unknown: &[&Item], context: &Context<'_>) -> Trouble {
    let scope = context.scope;
    if let [only] = unknown
        && let Some(trouble) = speakers::on_a_track(&words(only, context), scope.session)
    {
        return trouble;
    }
    let reason = told(unknown, ["is not understood", "are not understood"], context);
    let mut offers = nearest(items, unknown, context);
    if items.iter().any(|item| matches!(item.kind, Kind::Names(_))) {
        return Trouble::not_understood(reason, offers);
    }
    offers.truncate(EXAMPLES);
    let is_said = |word: &str| items.iter().any(|item| item.is(word));
    if is_said("marker") {
        offers.extend(scope.names.of_kind(NameKind::Marker).map(|name| name.text.clone()));
    } else if is_said("remove") {
        // What is removed is named by who asks: "remove the mud" is no track.
        offers.push("list the tracks".into());
    } else {
        offers.extend(scope.track_names());
    }
    Trouble::not_understood(format!("{reason}, and nothing here is called so"), offers)
}

/// Neither a verb nor an amount says what to do.
fn no_verb(items: &[Item], context: &Context<'_>) -> Trouble {
    let phrase = items.iter().find_map(|item| match &item.kind {
        Kind::Names(phrase) => Some(phrase.clone()),
        _ => None,
    });
    let found = match phrase.map(|phrase| context.resolve(Some(phrase), Want::Any)) {
        Some(Err(trouble)) => return trouble,
        Some(Ok(found)) => found.ids.first().map(|id| context.scope.session.name_of(*id)),
        None => None,
    };
    let of = |name: String| {
        vec![
            format!("turn {name} down by 2 dB"),
            format!("mute {name}"),
            format!("normalize {name} to -16 LUFS"),
        ]
    };
    let offers = found.map_or_else(|| help_suggestions(&text_of(items, context)), of);
    Trouble::not_understood("it does not say what to do", offers)
}

/// Words in quotes, neighbors as one, with what is said of one or of several.
fn told(items: &[&Item], [one, several]: [&str; 2], context: &Context<'_>) -> String {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for item in items {
        match spans.last_mut().filter(|last| last.1 == item.tokens.0) {
            Some(last) => last.1 = item.tokens.1,
            None => spans.push(item.tokens),
        }
    }
    let quoted =
        spans.iter().map(|span| format!("\"{}\"", between(*span, context).trim_matches('"')));
    match &quoted.collect::<Vec<_>>()[..] {
        [only] => format!("{only} {one}"),
        [ahead @ .., last] => format!("{} and {last} {several}", ahead.join(", ")),
        [] => format!("it {one}"),
    }
}

fn words(item: &Item, context: &Context<'_>) -> String {
    between((item.own, item.tokens.1), context)
}

fn text_of(items: &[Item], context: &Context<'_>) -> String {
    let span = items.first().zip(items.last()).map(|(first, last)| (first.tokens.0, last.tokens.1));
    between(span.unwrap_or_default(), context)
}

fn between((from, to): (usize, usize), context: &Context<'_>) -> String {
    let tokens = context.scope.tokens;
    let ends = tokens.get(from).zip(to.checked_sub(1).and_then(|last| tokens.get(last)));
    let text = ends.and_then(|(first, last)| context.scope.text.get(first.start..last.end));
    text.unwrap_or_default().trim().to_owned()
}
