//! One way to ask for a tool, held against the items of one request: each item must be used exactly once.

use super::clause::{Clause, Heritage, Miss, Taking};
use super::items::{Item, Kind};
use super::numbers::Said;
use super::vocabulary::Way;
use super::{files, names, numbers, own, schema_words, texts};
use crate::draft::Draft;
use crate::resolve::{Context, Trouble};
use deskhand_session::intent::TextKind;
use serde_json::{Map, Value};

/// The most files of one request.
const MOST_FILES: usize = 100;

/// A request that one way to ask explains in full.
pub(super) struct Explained<'a> {
    pub way: Way<'a>,
    pub score: u32,
    /// The call, or why there is none; never [`Miss::Other`] or [`Miss::Left`].
    pub call: Result<Draft, Miss>,
    /// What the next request takes over, where it does not say it.
    pub heritage: Heritage,
    /// The tokens of words of a person's own.
    pub texts: Vec<(usize, usize)>,
    /// How many words mean nothing to Deskhand.
    pub free: usize,
}

/// Reads a request by one way to ask; `None` if that does not explain all of it.
pub(super) fn explain<'a>(
    way: Way<'a>,
    clause: &Clause<'_>,
    inherited: Option<&Heritage>,
    context: &Context<'_>,
) -> Option<Explained<'a>> {
    // "rename A to B and C to D": a name that goes on is asked about.
    let has_text = way.intent.texts.iter().any(|text| text.kind != TextKind::Color);
    let is_elsewhere = way.intent.in_edit && context.scope.session.assembly.is_empty();
    if inherited.is_some() && has_text || way.intent.is_last && !context.is_last || is_elsewhere {
        return None;
    }
    asked_for(way, inherited, &mut Taking::of(&clause.items)).ok()?;
    let choices = texts::choices(way.intent, clause, context).into_iter();
    let mut best: Option<Explained<'a>> = None;
    for said in choices.filter_map(|texts| explain_with(way, clause, inherited, context, texts)) {
        let worth = |it: &Explained<'_>| (it.call.is_ok(), it.score);
        if best.as_ref().is_none_or(|best| worth(&said) > worth(best)) {
            best = Some(said);
        }
    }
    best
}

/// The items that a way to ask leaves over, if it explains the rest of the request.
pub(super) fn left(way: Way<'_>, clause: &Clause<'_>, context: &Context<'_>) -> Option<Vec<usize>> {
    let mut taking = Taking::of(&clause.items);
    match take(way, clause, None, context, &mut taking) {
        Err(Miss::Left(left)) => Some(left),
        _ => None,
    }
}

/// Reads a request by one way to ask, with these words as texts.
fn explain_with<'a>(
    way: Way<'a>,
    clause: &Clause<'_>,
    inherited: Option<&Heritage>,
    context: &Context<'_>,
    texts: Vec<texts::Said<'_>>,
) -> Option<Explained<'a>> {
    let mut taking = Taking::of(&clause.items);
    let names_phrases =
        texts.iter().any(|text| text.slot.kind.is_phrase() && text.meaning.is_err());
    texts.iter().for_each(|text| take_text(text, context, &mut taking));
    let call = match take(way, clause, inherited, context, &mut taking) {
        Err(Miss::Other | Miss::Left(_)) => return None,
        // Where no phrases are laid out, another reader may know what is called so.
        Err(Miss::Trouble(trouble))
            if context.scope.session.assembly.is_empty() && names_phrases =>
        {
            Err(Miss::Unsaid(trouble))
        }
        call => call,
    };
    // A call has the parameters. What goes on with another request is no such call, and sets some, is about other things.
    let is_other = inherited.is_some() && !taking.params.is_empty();
    if is_other || call.is_ok() && taking.left().next().is_some() {
        return None;
    }
    let words = taking.words.into_iter().chain(inherited.iter().flat_map(|it| it.words.clone()));
    let heritage = Heritage { words: words.collect(), units: taking.units };
    let is_free = |text: &&texts::Said<'_>| text.slot.kind.is_free();
    let free = texts.iter().filter(is_free).map(|text| text.tokens.1 - text.tokens.0).sum();
    let texts = texts.iter().map(|text| text.tokens).chain(taking.params_said).collect();
    Some(Explained { way, score: taking.score, call, heritage, texts, free })
}

/// Takes words of a person's own.
fn take_text(text: &texts::Said<'_>, context: &Context<'_>, taking: &mut Taking<'_>) {
    taking.used[text.items.clone()].fill(true);
    taking.score += 2;
    // "phrases 2 and 3" are not phrase 2, and by how many it moves.
    if text.slot.kind.is_phrase() {
        taking.score += u32::try_from(text.items.len()).unwrap_or(1).saturating_sub(1);
    }
    match &text.meaning {
        Ok(meaning) => {
            for (param, value) in text.sets(meaning) {
                add(&mut taking.params, &param, &value);
            }
            taking.named.extend(&meaning.ids);
            if taking.trouble.is_none() {
                taking.trouble = text.trouble(context);
            }
        }
        Err(trouble) => {
            taking.params.insert(text.slot.param.clone(), Value::Null);
            taking.trouble.get_or_insert_with(|| trouble.clone());
        }
    }
}

/// Sets a parameter; two lists of one parameter are one: "swap the intro with the outro".
fn add(params: &mut Map<String, Value>, param: &str, value: &Value) {
    match (params.get_mut(param), value) {
        (Some(Value::Array(list)), Value::Array(more)) => list.extend(more.iter().cloned()),
        _ => {
            params.insert(param.to_owned(), value.clone());
        }
    }
}

fn take(
    way: Way<'_>,
    clause: &Clause<'_>,
    inherited: Option<&Heritage>,
    context: &Context<'_>,
    taking: &mut Taking<'_>,
) -> Result<Draft, Miss> {
    let intent = way.intent;
    asked_for(way, inherited, taking)?;
    flags(way, taking)?;
    taking.score += taking.all(&intent.also);
    let said = Said { way, inherited, session: context.scope.session };
    for slot in intent.slots.iter().filter(|slot| !slot.nouns.is_empty()) {
        numbers::take(slot, said, taking)?;
    }
    for slot in intent.slots.iter().filter(|slot| slot.nouns.is_empty()) {
        numbers::take(slot, said, taking)?;
    }
    schema_words::take(way, context, taking)?;
    if let Some((param, at, hex)) = texts::color(intent, &taking.left().collect::<Vec<_>>()) {
        taking.used[at] = true;
        taking.score += 2;
        taking.params.insert(param, hex.into());
    }
    let is_there = |set: &Vec<String>| set.iter().any(|param| taking.params.contains_key(param));
    if !intent.needs.iter().all(is_there) {
        let trouble = way.lacking().ok_or(Miss::Other)?;
        taking.trouble.get_or_insert(trouble);
    }
    if let Some(trouble) = reversed(&taking.params) {
        taking.trouble.get_or_insert(trouble);
    }
    for (param, value) in &intent.sets {
        match with_stem(way, param, value, &taking.params) {
            Some(named) => taking.params.insert(param.clone(), named),
            None => {
                Some(taking.params.entry(param.clone()).or_insert_with(|| value.clone()).clone())
            }
        };
    }
    file(way, taking)?;
    names::take(way, clause, context, taking)
}

/// A range that ends before it starts.
fn reversed(params: &Map<String, Value>) -> Option<Trouble> {
    let number = |param: &str| params.get(param).and_then(Value::as_f64);
    let is_reversed = |start: &String| {
        let end = match start.strip_suffix("from_s") {
            Some(outer) => format!("{outer}to_s"),
            None => start.replace("start_s", "end_s").replace("start_ms", "end_ms"),
        };
        end != *start && number(start).zip(number(&end)).is_some_and(|(from, to)| from >= to)
    };
    let reason = "the end is not after the start";
    params.keys().any(is_reversed).then(|| Trouble::new(reason, ["from 0:10 to 0:20"]))
}

/// The words of which one must be said.
fn asked_for(
    way: Way<'_>,
    inherited: Option<&Heritage>,
    taking: &mut Taking<'_>,
) -> Result<(), Miss> {
    let verbs = taking.all(&way.intent.verbs);
    taking.score += 2 * verbs;
    // "The vocals are muted" asks nothing.
    let states = |item: &&Item| item.is_verb() || item.is("is");
    let is_wish = || is_noun_alone(way) && !taking.items.iter().any(states);
    if verbs == 0 && !way.intent.verbs.is_empty() && inherited.is_none() && !is_wish() {
        return Err(Miss::Other);
    }
    for set in &way.intent.about {
        let found = taking.all(set);
        let is_inherited = |it: &&Heritage| set.iter().any(|word| it.words.contains(word));
        if found == 0 && inherited.filter(is_inherited).is_none() {
            return Err(Miss::Other);
        }
        taking.score += 3 * found;
    }
    Ok(())
}

/// Whether a thing that is named says what is wanted: "a limiter on the master", "RMS of both guitars".
pub(super) fn is_noun_alone(way: Way<'_>) -> bool {
    let asks = own::is_question(way.tool) && !way.intent.needs.is_empty();
    let is_wanted = way.intent.verbs.iter().any(|verb| verb == "want");
    asks || is_wanted && !way.intent.about.is_empty()
}

/// The files that are named, which a way to ask with a file needs.
fn file(way: Way<'_>, taking: &mut Taking<'_>) -> Result<(), Miss> {
    let Some(slot) = &way.intent.file else { return Ok(()) };
    let fits = |name: &str| files::ending(name).is_some_and(|it| slot.endings.contains(&it));
    let named = taking.left().filter_map(|(at, item)| match &item.kind {
        Kind::File(name) if fits(name) => Some((at, name.clone())),
        _ => None,
    });
    let named: Vec<(usize, String)> =
        named.take(if slot.is_list { MOST_FILES } else { 1 }).collect();
    named.iter().for_each(|(at, _)| taking.used[*at] = true);
    taking.score += 3 * u32::try_from(named.len()).unwrap_or(0);
    let mut names = named.into_iter().map(|(_, name)| Value::from(name));
    let value = match slot.is_list {
        true => names.clone().next().map(|_| names.collect()),
        false => names.next(),
    };
    let value = value.ok_or(Miss::Other)?;
    let ending = |path: &Value| path.as_str().and_then(files::ending);
    // "as a wav to mix.mp3" is no file.
    let fits = |before: &Value| ending(before) == ending(&value);
    match taking.params.insert(slot.param.clone(), value.clone()) {
        Some(before) if !fits(&before) => Err(Miss::Other),
        _ => Ok(()),
    }
}

/// Words that set parameters; two of them do not set one.
fn flags(way: Way<'_>, taking: &mut Taking<'_>) -> Result<(), Miss> {
    for flag in &way.intent.flags {
        let found = flag.words.iter().filter(|word| taking.word(word, true).is_some()).count();
        if found == 0 {
            continue;
        }
        for (param, value) in &flag.sets {
            if let Some(named) = with_stem(way, param, value, &taking.params) {
                taking.params.insert(param.clone(), named);
                continue;
            }
            let before = taking.params.insert(param.clone(), value.clone());
            if before.is_some_and(|before| before != *value) {
                return Err(Miss::Other);
            }
        }
        taking.score += 2;
    }
    Ok(())
}

/// The name of a file with the ending of the usual one, if it was said without an ending.
fn with_stem(
    way: Way<'_>,
    param: &str,
    usual: &Value,
    params: &Map<String, Value>,
) -> Option<Value> {
    let mut texts = way.intent.texts.iter();
    let is_stem = texts.any(|it| it.kind == TextKind::Stem && it.param == param);
    let said = params.get(param).and_then(Value::as_str);
    let stem = said.filter(|it| is_stem && !it.contains('.'))?;
    let ending = usual.as_str().and_then(files::ending)?;
    Some(format!("{stem}.{ending}").into())
}

/// Whether an item is a name.
pub(super) fn is_name(item: &Item) -> bool {
    matches!(item.kind, Kind::Names(_))
}
