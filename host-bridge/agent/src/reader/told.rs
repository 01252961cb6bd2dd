//! Why a request is not understood, and what could be said instead.

use super::clauses::{self, Before};
use super::explain::{Clause, left};
use super::items::{Item, Kind};
use super::own;
use super::texts::Meanings;
use super::vocabulary::Vocabulary;
use crate::names::NameKind;
use crate::resolve::{Context, Trouble, Want};
use crate::speakers;
use crate::suggest::help_suggestions;

/// So many examples stand ahead of the names of tracks.
const EXAMPLES: usize = 3;

/// Why no way to ask explains a request.
pub(super) fn why(items: &[Item], vocabulary: &Vocabulary, context: &Context<'_>) -> Trouble {
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
    let (items_of, meanings) = (clauses::words_of(items), Meanings::default());
    let clause = Clause { items: items_of, shared: None, is_beside_place: false, meanings };
    let nearest = ways.iter().filter_map(|way| left(*way, &clause, context));
    match nearest.min_by_key(Vec::len) {
        Some(rest) => {
            let rest: Vec<&Item> = rest.iter().map(|at| clause.items[*at]).collect();
            let reason = told(&rest, ["does not fit in here", "do not fit in here"], context);
            Trouble::not_understood(reason, help_suggestions(&text_of(items, context)))
        }
        None => {
            let offers = help_suggestions(&text_of(items, context));
            Trouble::not_understood("it does not say all that it needs", offers)
        }
    }
}

fn is_unknown(item: &Item) -> bool {
    matches!(item.kind, Kind::Unknown | Kind::Text(_) | Kind::Except | Kind::But)
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
    let mut offers = help_suggestions(&text_of(items, context));
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
