//! Parameters that are said by their own names, "release 120 ms", "128 kbps", "by transients": the schema of a tool is
//! vocabulary, too. What a way to ask lists is taken first.

use super::clause::{Miss, Taking};
use super::items::{Item, Kind};
use super::numbers;
use super::quantity::Quantity;
use super::vocabulary::Way;
use crate::lexer::Token;
use crate::resolve::Context;
use crate::times::rounded;
use deskhand_session::intent::Unit;
use serde_json::json;
use std::ops::Range;

/// The most words of the name of a parameter.
const MOST_WORDS: usize = 3;

/// Prepositions in front of a number that its noun has named already: "a hold of 200 ms".
const OF: [&str; 4] = ["of", "at", "to", "as"];

/// Prepositions in front of a parameter: "with a 120 ms release".
const WITH: [&str; 2] = ["with", "at"];

/// Takes numbers, choices and switches that are said with the name of their parameter.
pub(super) fn take(
    way: Way<'_>,
    context: &Context<'_>,
    taking: &mut Taking<'_>,
) -> Result<(), Miss> {
    for (param, property) in way.properties() {
        if taking.left().all(|(_, item)| !is_free(item)) {
            return Ok(());
        }
        if taking
            .params
            .keys()
            .any(|known| *known == param || known.starts_with(&format!("{param}.")))
        {
            continue;
        }
        let name = name_of(&param);
        match way.choices(property) {
            Some(choices) => choice(&param, &name, &choices, context, taking),
            None if way.is_number(&param) => number(way, &param, &name, context, taking)?,
            None if property.get("type") == Some(&json!("boolean")) => {
                switch(&param, &name, context, taking);
            }
            None => {}
        }
    }
    Ok(())
}

/// The name of a parameter as words, without its unit: `effect.release_ms` is "release".
fn name_of(param: &str) -> String {
    const UNITS: [&str; 10] =
        ["_ms", "_s", "_db", "_hz", "_lufs", "_lu", "_dbtp", "_dbfs", "_percent", "_semitones"];
    let last = param.rsplit('.').next().unwrap_or(param);
    let name = UNITS.iter().find_map(|unit| last.strip_suffix(unit)).unwrap_or(last);
    name.replace('_', " ")
}

/// Whether an item may be a word of a parameter: it asks for nothing and names nothing.
fn is_free(item: &Item) -> bool {
    matches!(item.kind, Kind::Unknown | Kind::Words(_)) && !item.is_verb()
}

/// Words that are not used yet and say this, in one or in several.
fn said(text: &str, context: &Context<'_>, taking: &Taking<'_>) -> Option<Range<usize>> {
    let count = taking.items.len();
    let ranges = (0..count)
        .flat_map(|from| (from + 1..=(from + MOST_WORDS).min(count)).map(move |to| from..to));
    let is_one = |items: &[&Item]| items.iter().skip(1).all(|item| item.prep.is_none());
    ranges.into_iter().find(|range| {
        let items = &taking.items[range.clone()];
        let is_open = |at: usize| !taking.used[at] && is_free(taking.items[at]);
        range.clone().all(is_open) && is_one(items) && is_same(&words_of(items, context), text)
    })
}

fn words_of(items: &[&Item], context: &Context<'_>) -> String {
    let scope = context.scope;
    let ends = items.first().zip(items.last());
    let tokens = ends.and_then(|(first, last)| scope.tokens.get(first.own..last.tokens.1));
    let is_article = |token: &&Token| token.is("a") || token.is("an") || token.is("the");
    let tokens = tokens.unwrap_or_default().iter().skip_while(is_article);
    let words = tokens.map(|token| {
        token
            .word()
            .map_or_else(|| scope.text[token.start..token.end].to_lowercase(), str::to_owned)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether two words are the same, plural aside.
fn is_same(one: &str, other: &str) -> bool {
    one.strip_suffix('s').unwrap_or(one) == other.strip_suffix('s').unwrap_or(other)
}

/// A number in front of the name, or behind it.
fn number(
    way: Way<'_>,
    param: &str,
    name: &str,
    context: &Context<'_>,
    taking: &mut Taking<'_>,
) -> Result<(), Miss> {
    let Some(noun) = said(name, context, taking) else { return Ok(()) };
    let before = noun.start.checked_sub(1).filter(|_| taking.items[noun.start].prep.is_none());
    let is_of = |at: &usize| taking.items[*at].prep.is_none_or(|prep| OF.contains(&prep));
    let behind = Some(noun.end).filter(|at| *at < taking.items.len() && is_of(at));
    let fits = |at: usize| Some((at, quantity(param, taking, at)?));
    let Some((at, value)) = before.and_then(fits).or_else(|| behind.and_then(fits)) else {
        return Ok(());
    };
    let value = rounded(value);
    if let Err(trouble) = numbers::within(way, param, value) {
        taking.trouble.get_or_insert(trouble);
    }
    let value = if way.is_whole(param) { numbers::whole(value) } else { Some(json!(value)) };
    use_up(taking, noun.chain(at..at + 1));
    taking.params.insert(param.to_owned(), value.ok_or(Miss::Other)?);
    Ok(())
}

/// A number that is not used yet, in the unit of a parameter.
fn quantity(param: &str, taking: &Taking<'_>, at: usize) -> Option<f64> {
    let item = taking.items.get(at).filter(|_| !taking.used[at])?;
    let Kind::Quantity(Quantity { value, unit, .. }) = item.kind else { return None };
    match (unit, Unit::of_param(param)) {
        (None, _) => Some(value),
        (Some(said), Some((own, scale))) => (said == own).then_some(value * scale),
        (Some(said), None) => said.is_level().then_some(value),
    }
}

/// One of several values: behind the name as a preposition, "by transients", or beside it, "16 bit".
fn choice(
    param: &str,
    name: &str,
    choices: &[String],
    context: &Context<'_>,
    taking: &mut Taking<'_>,
) {
    for choice in choices {
        let words = choice.replace('_', " ");
        let Some(value) = said(&words, context, taking).or_else(|| figure(&words, taking)) else {
            continue;
        };
        // "24 fps": the lexicon may know other words for the name.
        let other = || taking.left().find(|(_, item)| item.is(name)).map(|(at, _)| at..at + 1);
        let noun = said(name, context, taking)
            .or_else(other)
            .filter(|noun| noun.end == value.start || noun.start == value.end);
        let is_related = taking.items[value.start].prep == Some(name);
        if is_related || noun.is_some() {
            // The number of a choice is a text in the call: "16".
            taking.params_said.extend(value.clone().map(|at| taking.items[at].tokens));
            use_up(taking, value.chain(noun.into_iter().flatten()));
            taking.params.insert(param.to_owned(), choice.as_str().into());
            return;
        }
    }
}

/// A number that is the text of a choice, but for a letter behind it: "16", "32f".
fn figure(text: &str, taking: &Taking<'_>) -> Option<Range<usize>> {
    let wanted: f64 = text.trim_end_matches(char::is_alphabetic).parse().ok()?;
    let is_it = |(at, item): (usize, &Item)| match item.kind {
        Kind::Quantity(Quantity { value, unit: None, .. }) => (value == wanted).then_some(at),
        _ => None,
    };
    taking.left().find_map(is_it).map(|at| at..at + 1)
}

/// A switch that its name turns on: "with pseudonyms".
fn switch(param: &str, name: &str, context: &Context<'_>, taking: &mut Taking<'_>) {
    let is_with = |range: &Range<usize>| {
        taking.items[range.start].prep.is_none_or(|prep| WITH.contains(&prep))
    };
    if let Some(range) = said(name, context, taking).filter(is_with) {
        use_up(taking, range);
        taking.params.insert(param.to_owned(), true.into());
    }
}

fn use_up(taking: &mut Taking<'_>, items: impl Iterator<Item = usize>) {
    for at in items {
        taking.used[at] = true;
        if matches!(taking.items[at].kind, Kind::Unknown) {
            taking.params_said.push(taking.items[at].tokens);
        }
    }
    taking.score += 2;
}
