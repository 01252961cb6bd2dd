//! Words of a person's own in a request, such as a new name, what is looked for, a code or a phrase: which items they
//! cover, and whether they may go on as something else.

use super::clause::Clause;
use super::items::{Item, Kind};
use crate::lexer::{Token, TokenKind};
use crate::meanings::{Meaning, meaning};
use crate::resolve::{Context, Trouble};
use crate::times::unit_of;
use deskhand_session::intent::{Intent, TextKind, TextSlot};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

/// The longest name that is taken from words without quotes.
const MOST_WORDS: usize = 6;

/// The most ways to share the words of a request among its slots that are tried.
const MOST_CHOICES: usize = 300;

/// Words behind which a name has ended, and something else is said.
const GOES_ON: [&str; 10] =
    ["so", "because", "since", "if", "unless", "when", "while", "until", "please", "thanks"];
/// More words of the same kind: "as Intro with the code keep".
const FURTHER: [&[&str]; 2] = [&["with", "the", "code"], &["with", "code"]];

/// Prepositions that tell something by what is said in it: no words go on behind them.
const RELATIVE: [&str; 4] = ["containing", "like", "starting with", "ending with"];

/// The kind of words, and their tokens.
type Key = (Discriminant<TextKind>, usize, usize);

/// What words of a request mean, of each kind: many ways to ask look for the same.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    known: RefCell<HashMap<Key, Option<Result<Meaning, Trouble>>>>,
}

impl Meanings {
    /// What tokens mean as words of a kind; `None` if they are nothing of the kind.
    fn of(
        &self,
        kind: TextKind,
        tokens: Range<usize>,
        context: &Context<'_>,
    ) -> Option<Result<Meaning, Trouble>> {
        let key = (discriminant(&kind), tokens.start, tokens.end);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = context.scope.tokens.get(tokens).and_then(|it| meaning(kind, it, context));
        self.known.borrow_mut().insert(key, found.clone());
        found
    }
}

/// Words of a slot that are said.
#[derive(Clone)]
pub(super) struct Said<'a> {
    pub slot: &'a TextSlot,
    /// What they mean, or why they mean nothing here.
    pub meaning: Result<Meaning, Trouble>,
    text: String,
    /// The items that they cover.
    pub items: Range<usize>,
    /// Their tokens.
    pub tokens: (usize, usize),
    is_quoted: bool,
    begins_with_quote: bool,
    /// Whether no preposition is in front of them.
    is_bare: bool,
}

/// Every way to share the words of a request among the slots, the longest texts first.
pub(super) fn choices<'a>(
    intent: &'a Intent,
    clause: &Clause<'_>,
    context: &Context<'_>,
) -> Vec<Vec<Said<'a>>> {
    let mut choices: Vec<Vec<Said<'a>>> = vec![Vec::new()];
    let slots = || intent.texts.iter().filter(|slot| slot.kind != TextKind::Color);
    for slot in slots() {
        let others: Vec<&str> = slots()
            .filter(|other| other.param != slot.param)
            .flat_map(|other| &other.preps)
            .map(String::as_str)
            .filter(|prep| !slot.preps.iter().any(|own| own == prep))
            .collect();
        let is_alone = intent.texts.len() == 1;
        let mut found = candidates(slot, (&others, is_alone), clause, context);
        // A quote that another slot takes says nothing about this one.
        let is_for_other = |it: &TextSlot| it.kind == TextKind::Quote && it.param != slot.param;
        let is_free = slot.kind == TextKind::Name || slot.kind.is_free();
        if is_free && found.iter().any(|it| it.is_quoted) && !slots().any(is_for_other) {
            found.retain(|said| said.begins_with_quote);
        }
        let has = |sets: &[(String, Value)]| sets.iter().any(|(param, _)| *param == slot.param);
        let is_needed = intent.lacks.is_empty()
            && !intent.flags.iter().any(|flag| has(&flag.sets))
            && intent.needs.iter().any(|set| set.len() == 1 && set[0] == slot.param);
        let with = |before: &Vec<Said<'a>>| {
            let more = found.iter().filter(|said| is_beside(before, said));
            let mut more: Vec<_> =
                more.map(|said| [&before[..], std::slice::from_ref(said)].concat()).collect();
            if !is_needed {
                more.push(before.clone());
            }
            more
        };
        choices = choices.iter().flat_map(with).take(MOST_CHOICES).collect();
    }
    choices
}

/// The texts that a slot could find, the longest first.
fn candidates<'a>(
    slot: &'a TextSlot,
    (others, is_alone): (&[&str], bool),
    clause: &Clause<'_>,
    context: &Context<'_>,
) -> Vec<Said<'a>> {
    let items = &clause.items[..];
    let is_open = |prep: &str| slot.preps.iter().any(|it| it == prep);
    let is_quote = |item: &Item| matches!(item.kind, Kind::Text(_));
    let is_word = |item: &Item| context.scope.tokens.get(item.own).and_then(Token::word).is_some();
    let follows = |at: usize| at > 0 && is_name(items[at - 1]) && is_word(items[at]);
    let is_name_slot = slot.kind == TextKind::Name && is_alone;
    // "as anything about rent": a preposition in front of another one.
    let leads = |at: usize| {
        let dangling = at.checked_sub(1).map(|at| items[at]);
        dangling.is_some_and(|item| slot.preps.iter().any(|prep| prep != "-" && item.is(prep)))
    };
    // Words that nobody knows stand together: no text begins or ends among them.
    let is_run = matches!(slot.kind, TextKind::Words | TextKind::CodeName | TextKind::NewCode);
    let goes_on = |at: usize| {
        let is_unknown = |at: usize| items.get(at).is_some_and(|item| item.kind == Kind::Unknown);
        is_run && at > 0 && is_unknown(at - 1) && is_unknown(at) && items[at].prep.is_none()
    };
    let starts = |at: &usize| match items[*at].prep {
        _ if leads(*at) => true,
        _ if goes_on(*at) => false,
        // "everything about money": a preposition may be a part of what a phrase is called by.
        Some(prep) => is_open(prep) || slot.kind.is_phrase() && is_open("-"),
        None => is_open("-") && (!is_name_slot || is_quote(items[*at]) || follows(*at)),
    };
    let from_here = |from: usize| {
        let ends = (from + 1..=items.len()).rev().filter(|end| !goes_on(*end));
        ends.filter_map(move |end| {
            // What stands behind the preposition of another slot is for that.
            let is_others = |item: &&Item| {
                item.prep.is_some_and(|prep| others.contains(&prep) || RELATIVE.contains(&prep))
            };
            let is_free = slot.kind.is_free()
                && slot.kind != TextKind::Text
                && items[from + 1..end].iter().any(is_others);
            let lead = usize::from(leads(from));
            (!is_free).then(|| said(slot, clause, from - lead..end, lead, context))?
        })
    };
    let mut found: Vec<Said<'a>> = (0..items.len()).filter(starts).flat_map(from_here).collect();
    found.extend((0..items.len()).filter_map(|at| unread(slot, at, items, context)));
    found
}

fn is_quote(first: &Item, last: &Item) -> bool {
    matches!(first.kind, Kind::Text(_)) && first.own == last.own
}

fn is_name(item: &Item) -> bool {
    matches!(item.kind, Kind::Names(_))
}

/// The first token of a text; a preposition that is not one of the slot belongs to it.
fn start_of(slot: &TextSlot, items: &[&Item], range: &Range<usize>, lead: usize) -> usize {
    let first = items[range.start + lead];
    let is_inside = first.prep.is_some_and(|prep| !slot.preps.iter().any(|it| it == prep));
    match lead {
        0 if is_inside => first.tokens.0,
        0 => first.own,
        _ => items[range.start].tokens.1,
    }
}

/// Whether a text overlaps no other one. Of two of a kind the first is that of the first slot: "money" should be "honey".
fn is_beside(others: &[Said<'_>], said: &Said<'_>) -> bool {
    let is_second = |it: &Said<'_>| it.is_bare && said.is_bare && it.slot.kind == said.slot.kind;
    others.iter().all(|it| {
        it.items.end <= said.items.start || said.items.end <= it.items.start && !is_second(it)
    })
}

/// Whether another request begins inside items: behind "and" or a comma.
fn has_request(items: &[&Item], context: &Context<'_>) -> bool {
    let is_joint = |token: &Token| token.word().is_none_or(|word| word == "and");
    let begins = |pair: &[&Item]| {
        let between = context.scope.tokens.get(pair[0].tokens.1..pair[1].tokens.0);
        pair[1].is_verb() && between.unwrap_or_default().iter().any(is_joint)
    };
    items.windows(2).any(begins)
}

/// The token behind a text that goes on: "everything Ben says as important", where a verb stands as the preposition of what
/// follows, and "take A", where the last word says nothing elsewhere.
fn longer_end(items: &[&Item], range: &Range<usize>, context: &Context<'_>) -> Option<usize> {
    match items.get(range.end) {
        Some(next) => next.prep.map(|_| next.own),
        None => {
            let tokens = context.scope.tokens;
            tokens.iter().rposition(|it| it.kind != TokenKind::Stop).map(|at| at + 1)
        }
    }
}

/// The words of some items as a text; `None` if another request begins inside them, or they are nothing of the kind.
fn said<'a>(
    slot: &'a TextSlot,
    clause: &Clause<'_>,
    range: Range<usize>,
    lead: usize,
    context: &Context<'_>,
) -> Option<Said<'a>> {
    let items = &clause.items[..];
    let (first, last) = (items[range.start + lead], items[range.end - 1]);
    let own = start_of(slot, items, &range, lead);
    if slot.kind.is_free()
        && !is_quote(first, last)
        && !may_be_free(slot.kind, items, &range, context)
    {
        return None;
    }
    // "Find the phrases": a request begins with what it asks for, and no phrase does.
    let is_asking = range.start == 0 && slot.kind.is_phrase() && first.is_verb();
    if is_asking || has_request(&items[range.clone()], context) {
        return None;
    }
    let scope = context.scope;
    let (start, end) = (scope.tokens.get(own)?, scope.tokens.get(last.tokens.1 - 1)?);
    let quoted = match &start.kind {
        TokenKind::Quote(text) if first.own + 1 == last.tokens.1 => Some(text.clone()),
        _ => None,
    };
    let is_quoted = quoted.is_some();
    let text = quoted.or_else(|| Some(scope.text.get(start.start..end.end)?.to_owned()))?;
    let meaning = match slot.kind {
        TextKind::Name | TextKind::Color => Ok(Meaning::plain(text.clone())),
        kind => clause.meanings.of(kind, own..last.tokens.1, context).or_else(|| {
            let end = longer_end(items, &range, context)
                .filter(|end| !kind.is_free() && *end > last.tokens.1)?;
            clause.meanings.of(kind, own..end, context)
        })?,
    };
    let tokens = (items[range.start].tokens.0, last.tokens.1);
    Some(Said {
        slot,
        meaning,
        text,
        items: range,
        tokens,
        is_quoted,
        begins_with_quote: matches!(first.kind, Kind::Text(_)),
        is_bare: lead == 0 && first.prep.is_none(),
    })
}

impl Said<'_> {
    /// The parameters that they set.
    pub(super) fn sets(&self, meaning: &Meaning) -> Vec<(String, Value)> {
        let param = &self.slot.param;
        match (self.slot.kind, meaning.value.as_array().map(Vec::as_slice)) {
            (TextKind::PhraseSpan, Some([from, to])) => {
                vec![(param.clone(), from.clone()), (param.replace("from", "to"), to.clone())]
            }
            _ => vec![(param.clone(), meaning.value.clone())],
        }
    }

    /// Why a name is asked about: it may go on as something else.
    pub(super) fn trouble(&self, context: &Context<'_>) -> Option<Trouble> {
        if self.is_quoted || self.slot.kind != TextKind::Name {
            return None;
        }
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let is_joint =
            |at: &usize| words[*at] == "and" && names_something(context, &words[at + 1..]);
        let is_further = |at: &usize| FURTHER.iter().any(|it| words[*at..].starts_with(it));
        let goes_on = |at: &usize| GOES_ON.contains(&words[*at]) || is_joint(at) || is_further(at);
        let reason = match (1..words.len()).find(goes_on).map(|at| words[at]) {
            Some(word) => format!(
                "it is not clear whether \"{word}\" is part of the name; put the name in quotes"
            ),
            None if words.len() > MOST_WORDS => {
                "the name is long; put it in quotes if it is meant so".to_owned()
            }
            None => return None,
        };
        let before = context.scope.text.split(&self.text).next().unwrap_or_default();
        Some(Trouble::new(reason, [format!("{before}\"{}\"", self.text)]))
    }
}

/// Whether items can be words of any kind: a request begins with what it asks for, numbers alone are no words, and what
/// is left out is said of something else.
fn may_be_free(
    kind: TextKind,
    items: &[&Item],
    range: &Range<usize>,
    context: &Context<'_>,
) -> bool {
    let own = &items[range.clone()];
    let is_number = |item: &&Item| matches!(item.kind, Kind::Quantity(_));
    let is_color = |item: &&Item| kind == TextKind::NewCode && matches!(item.kind, Kind::Color(_));
    let leaves_out = |item: &&Item| matches!(&item.kind, Kind::Names(it) if !it.except.is_empty());
    let ends = own.first().zip(own.last()).map(|(first, last)| first.own..last.tokens.1);
    let tokens = ends.and_then(|range| context.scope.tokens.get(range)).unwrap_or_default();
    let excepts =
        |token: &Token| ["but", "except", "should", "must"].iter().any(|word| token.is(word));
    const ASKING: [&str; 8] = ["what", "who", "whose", "where", "when", "which", "how", "why"];
    let asks = kind == TextKind::Words
        && tokens.first().is_some_and(|first| ASKING.iter().any(|word| first.is(word)));
    let is_unit = |token: &Token| {
        token.word().is_none_or(|word| word == "-")
            || unit_of(std::slice::from_ref(token)).is_some()
    };
    // "What does she say twice?" looks for takes, and for no words.
    let is_twice = kind == TextKind::Words && own.last().is_some_and(|last| last.is("twice"));
    range.start > 0
        && !is_twice
        && !own.iter().all(is_number)
        && !tokens.iter().all(is_unit)
        && !asks
        && !own.iter().any(|item| is_color(item) || leaves_out(item))
        && (kind == TextKind::Text || !tokens.iter().any(excepts))
}

/// "search for thank you", "change welcome to hello in phrase 1": words behind a preposition that say nothing elsewhere.
fn unread<'a>(
    slot: &'a TextSlot,
    at: usize,
    items: &[&Item],
    context: &Context<'_>,
) -> Option<Said<'a>> {
    let (item, next) = (items[at], items.get(at + 1));
    let is_free = matches!(slot.kind, TextKind::Words | TextKind::Text);
    let fits = |prep: &String| match prep.as_str() {
        "-" => next.is_none() && item.is_verb() && slot.kind == TextKind::Words,
        prep => item.is(prep),
    };
    let is_prep = is_free && slot.preps.iter().any(fits);
    let scope = context.scope;
    let last = || scope.tokens.iter().rposition(|token| token.kind != TokenKind::Stop);
    let end = next.map_or_else(|| last().map(|at| at + 1), |next| Some(next.tokens.0))?;
    let tokens = scope.tokens.get(item.tokens.1..end).filter(|it| is_prep && !it.is_empty())?;
    let tokens = Some(tokens).filter(|it| it.iter().all(|token| token.word().is_some()))?;
    let text = scope.text.get(tokens.first()?.start..tokens.last()?.end)?.to_owned();
    let meaning = meaning(slot.kind, tokens, context)?;
    Some(Said {
        slot,
        meaning,
        text,
        items: if item.is_verb() { at + 1..at + 1 } else { at..at + 1 },
        tokens: (item.tokens.0, end),
        is_quoted: false,
        begins_with_quote: false,
        is_bare: false,
    })
}

/// Whether words begin with the name of a track or a clip: "Room and Kick_01 to Kick Main".
fn names_something(context: &Context<'_>, words: &[&str]) -> bool {
    let text = words.join(" ").to_lowercase();
    let session = context.scope.session;
    let tracks = session.tracks.values().map(|track| &track.name);
    let mut names = tracks.chain(session.clips.values().map(|clip| &clip.name));
    names.any(|name| text.starts_with(&format!("{} ", name.to_lowercase())))
}

/// The colors that are said: the one for a slot of that kind.
pub(super) fn color(intent: &Intent, left: &[(usize, &Item)]) -> Option<(String, usize, String)> {
    let slot = intent.texts.iter().find(|slot| slot.kind == TextKind::Color)?;
    left.iter().find_map(|(at, item)| match &item.kind {
        Kind::Color(hex) => Some((slot.param.clone(), *at, hex.clone())),
        _ => None,
    })
}
