//! Words that are to be cut out of what is said, or not heard: "cut the word honey", "bleep 'price'".

use super::items::{Item, Kind};
use crate::meanings::{Wish, is_habit, phrases_named, where_said};
use crate::resolve::{Context, Trouble};
use std::ops::Range;

/// Verbs that take words away.
const GONE: [&str; 5] = ["remove", "cut", "drop", "no more", "trim"];
/// Verbs that leave them and their time, and do not let them be heard.
const SILENT: [&str; 2] = ["mute", "bleep"];
/// Prepositions in front of what the words are taken from, or replaced by.
const BEHIND: [&str; 5] = ["from", "in", "of", "with", "by"];

/// Where the words are heard, and what can be done there by time; `None` if no words of that kind are named.
pub(super) fn asked(items: &[Item], context: &Context<'_>) -> Option<Trouble> {
    let is_one = |words: &[&str]| items.iter().any(|it| words.iter().any(|word| it.is(word)));
    let is_covered = is_one(&["replace"]) && is_one(&["silence"]);
    let wish = match () {
        () if is_one(&SILENT) || is_covered => Wish::Silent,
        () if is_one(&GONE) || is_one(&["take"]) && is_one(&["out"]) => Wish::Gone,
        () => return None,
    };
    let words = words(items, context)?;
    let tokens = |range: Range<usize>| context.scope.tokens.get(range).unwrap_or_default();
    let place = |item: &Item| {
        let is_behind = item.prep.is_some_and(|prep| BEHIND.contains(&prep));
        let from = item.own;
        (is_behind && from >= words.end)
            .then(|| phrases_named(tokens(from..end_of(items)), context))?
    };
    let within = items.iter().find_map(place);
    Some(where_said(tokens(words), within.as_deref(), wish, context))
}

fn end_of(items: &[Item]) -> usize {
    items.last().map_or(0, |last| last.tokens.1)
}

/// The tokens of the words: in quotes, behind "the word", or said by habit.
fn words(items: &[Item], context: &Context<'_>) -> Option<Range<usize>> {
    let quote = items.iter().find(|item| matches!(item.kind, Kind::Text(_)));
    let behind = |at: usize| {
        let is_end = |item: &&Item| item.prep.is_some_and(|prep| BEHIND.contains(&prep));
        let end = items[at + 1..].iter().find(is_end).map_or(end_of(items), |item| item.tokens.0);
        let start = items[at].tokens.1;
        (start < end).then_some(start..end)
    };
    let noun = || (0..items.len()).find(|at| items[*at].is("word")).and_then(behind);
    let filler = || items.iter().find(|it| it.is("filler")).map(|it| it.own..it.tokens.1);
    let habit = || {
        let tokens = context.scope.tokens;
        let is = |range: &Range<usize>| tokens.get(range.clone()).is_some_and(is_habit);
        let runs = (0..tokens.len()).flat_map(|from| [from..from + 2, from..from + 1]);
        runs.into_iter().find(is)
    };
    quote.map(|it| it.own..it.tokens.1).or_else(noun).or_else(filler).or_else(habit)
}
