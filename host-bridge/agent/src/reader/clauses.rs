//! A sentence cut into requests: the fewest that are all explained. All of them or none.

use super::clause::{Clause, Heritage, Miss};
use super::explain::{Explained, explain, is_name, is_noun_alone};
use super::items::{Item, Kind};
use super::texts::Meanings;
use super::vocabulary::{Vocabulary, Way};
use super::{lexicon, own, spare};
use crate::draft::Draft;
use crate::in_time::InTime;
use crate::part::Phrase;
use crate::reading::RequestKind;
use crate::resolve::{Context, Trouble};
use deskhand_session::ObjectId;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

/// What was said before these items, by a request that they go on with.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    pub heritage: Option<Heritage>,
    /// What the requests around name.
    pub shared: Option<Phrase>,
    /// A question asks for nothing but what only listens: "are there any clicks on the guest mic?"
    pub is_question: bool,
    /// Whether a request around says where something is done.
    pub has_place: bool,
    /// What words of the whole sentence mean, as far as it was asked.
    pub meanings: Rc<Meanings>,
}

/// The most joints of a sentence: with more of them it is not read.
const MOST_JOINTS: usize = 8;

/// A request with its tokens.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub draft: Draft,
    pub tokens: (usize, usize),
    pub items: (usize, usize),
    pub heritage: Heritage,
    /// The tokens of words of a person's own.
    pub texts: Vec<(usize, usize)>,
    /// The parameter that takes one thing at a time.
    pub each: Option<String>,
    pub in_time: InTime,
}

/// What a sentence is found to be.
pub(super) enum Outcome {
    /// All of it is explained.
    Requests(Vec<Found>),
    /// It is told what it asks for, and that cannot be done.
    Refused(Trouble),
    /// It does not say on what, unless another reader knows.
    Unsaid(Trouble),
    /// It is about something else.
    Other,
}

/// Reads the items of a sentence.
pub(super) fn read(
    items: &[Item],
    vocabulary: &Vocabulary,
    context: &Context<'_>,
    before: &Before,
) -> Outcome {
    let session = context.scope.session;
    let mut ways = sayable(vocabulary, items, before);
    ways.retain(|way| own::has_answer(way.intent, session));
    let joints: Vec<usize> = places(items, &Kind::Join);
    let ends: Vec<usize> = places(items, &Kind::End);
    if items.is_empty() || joints.len() > MOST_JOINTS {
        return Outcome::Other;
    }
    let (mut trouble, mut unsaid) = (None, None);
    for count in 0..=joints.len() {
        let mut plans: Vec<Vec<Found>> = Vec::new();
        for cuts in choices(&joints, count) {
            match in_clauses(items, &[cuts, ends.clone()].concat(), &ways, context, before) {
                Outcome::Requests(found) if !plans.contains(&found) => plans.push(found),
                Outcome::Refused(why) => trouble = trouble.or(Some(why)),
                Outcome::Unsaid(why) => unsaid = unsaid.or(Some(why)),
                Outcome::Requests(_) | Outcome::Other => {}
            }
        }
        match plans.len() {
            0 => {}
            1 => return Outcome::Requests(plans.remove(0)),
            _ => return Outcome::Other,
        }
    }
    let refused = trouble.map(Outcome::Refused);
    refused.or(unsaid.map(Outcome::Unsaid)).unwrap_or(Outcome::Other)
}

/// The ranges of items that may be single requests: cut at full stops, and before each verb that is joined to others.
pub(super) fn segments(items: &[Item]) -> Vec<Range<usize>> {
    let begins = |at: &usize| match items[*at].kind {
        Kind::End => true,
        Kind::Join => items.get(at + 1).is_some_and(Item::is_verb),
        _ => false,
    };
    let cuts: Vec<usize> = (0..items.len()).filter(begins).collect();
    parts(items, &cuts).into_iter().map(|(from, to)| from..to).collect()
}

/// The ways to ask of which a verb is said, and each thing that they are about.
pub(super) fn sayable<'a>(
    vocabulary: &'a Vocabulary,
    items: &[Item],
    before: &Before,
) -> Vec<Way<'a>> {
    let concepts: HashSet<&str> = items.iter().flat_map(Item::concepts).copied().collect();
    let is_said = |words: &String| {
        words.split('+').all(|word| {
            concepts.contains(word.split_once(':').map_or(word, |(_, concept)| concept))
        })
    };
    let has_verb = |way: &Way<'a>| {
        let verbs = &way.intent.verbs;
        verbs.is_empty() || is_noun_alone(*way) || verbs.iter().any(is_said)
    };
    let has_things = |way: &Way<'a>| way.intent.about.iter().all(|set| set.iter().any(is_said));
    let asks = |way: &Way<'a>| {
        own::is_question(way.tool) || way.intent.verbs.iter().any(|verb| lexicon::asks(verb))
    };
    let is_open = |way: &Way<'a>| !before.is_question || asks(way);
    let goes_on = before.heritage.is_some();
    let ways = vocabulary.ways().filter(|way| goes_on || has_verb(way) && has_things(way));
    ways.filter(is_open).collect()
}

fn places(items: &[Item], kind: &Kind) -> Vec<usize> {
    let found = items.iter().enumerate().filter(|(_, item)| item.kind == *kind);
    found.map(|(at, _)| at).collect()
}

/// Every choice of so many of these.
fn choices(from: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let Some((first, rest)) = from.split_first() else { return Vec::new() };
    let with = choices(rest, count - 1).into_iter().map(|more| [vec![*first], more].concat());
    with.chain(choices(rest, count)).collect()
}

/// Reads a sentence that is cut at these items.
fn in_clauses(
    items: &[Item],
    cuts: &[usize],
    ways: &[Way<'_>],
    context: &Context<'_>,
    outside: &Before,
) -> Outcome {
    let is_spare = |(from, to): &(usize, usize)| spare::is_said(&items[*from..*to]);
    let (spared, parts): (Vec<_>, Vec<_>) = parts(items, cuts).into_iter().partition(is_spare);
    if parts.is_empty() {
        return Outcome::Unsaid(spare::nothing_to_do());
    }
    let kept = spared.iter().map(|(from, to)| spare::kept(&items[*from..*to], context));
    let kept = match kept.collect::<Result<Vec<_>, Trouble>>() {
        Ok(kept) => kept.concat(),
        Err(trouble) => return Outcome::Unsaid(trouble),
    };
    match in_parts(items, &parts, &kept, (ways, context, outside)) {
        Outcome::Requests(found) if !kept.is_empty() && found.iter().any(is_step) => {
            let reason = "undo takes back a whole revision and can leave nothing of it";
            Outcome::Refused(Trouble::new(reason, ["undo"]))
        }
        outcome => outcome,
    }
}

fn is_step(found: &Found) -> bool {
    matches!(&found.draft.kind, RequestKind::Call { tool, .. } if own::is_step(tool))
}

/// Reads requests one after another; what is `kept` stays as it is.
fn in_parts(
    items: &[Item],
    parts: &[(usize, usize)],
    kept: &[ObjectId],
    (ways, context, outside): (&[Way<'_>], &Context<'_>, &Before),
) -> Outcome {
    let mut before = outside.heritage.clone();
    let mut found: Vec<Found> = Vec::new();
    let (mut previous, mut mentioned) = (context.previous.clone(), context.mentioned.clone());
    mentioned.extend(kept);
    // If another request names something, the targets of a request without names would be a guess.
    let alone = context.alone && (parts.len() == 1 || !items.iter().any(names_anything));
    for (number, (from, to)) in parts.iter().enumerate() {
        let part = &items[*from..*to];
        let clause = clause(items, parts, number, outside);
        let context = Context {
            alone,
            previous: previous.clone(),
            mentioned: mentioned.clone(),
            protected: [&context.protected[..], kept].concat(),
            ..context.clone()
        };
        let has_verb = part.iter().any(Item::is_verb);
        // What takes over verb and names alike says nothing of its own: "pan the guitars left and right".
        if before.is_some() && !has_verb && !part.iter().any(is_name) {
            return Outcome::Other;
        }
        let inherited = before.as_ref().filter(|_| !has_verb);
        let reading = match best(candidates(ways, &clause, inherited, &context)) {
            // "high-pass the host, and a limiter on the drums": it may go on with a wish of its own.
            Best::None if inherited.is_some() => best(candidates(ways, &clause, None, &context)),
            reading => reading,
        };
        match reading {
            Best::One(explained, draft) => {
                previous.clone_from(&draft.targets);
                mentioned.extend(&draft.targets);
                before = Some(explained.heritage.clone());
                found.push(found_at(*explained, draft, items, (*from, *to)));
            }
            Best::Trouble(trouble) => return Outcome::Refused(trouble),
            Best::Unsaid(trouble) => return Outcome::Unsaid(trouble),
            Best::None => return Outcome::Other,
        }
    }
    Outcome::Requests(found)
}

/// A request, with the place of its items.
fn found_at(explained: Explained<'_>, draft: Draft, items: &[Item], at: (usize, usize)) -> Found {
    Found {
        draft,
        tokens: (items[at.0].tokens.0, items[at.1 - 1].tokens.1),
        items: at,
        each: explained.way.intent.each().map(str::to_owned),
        in_time: explained.way.in_time(),
        heritage: explained.heritage,
        texts: explained.texts,
    }
}

/// One of several requests.
fn clause<'a>(
    items: &'a [Item],
    parts: &[(usize, usize)],
    number: usize,
    outside: &Before,
) -> Clause<'a> {
    let (from, to) = parts[number];
    let mut others = items[..from].iter().chain(&items[to..]);
    let has_place = outside.has_place || others.any(is_place);
    Clause {
        items: words_of(&items[from..to]),
        shared: shared(items, parts, number).or_else(|| outside.shared.clone()),
        is_beside_place: !items[from..to].iter().any(is_name) && has_place,
        meanings: Rc::clone(&outside.meanings),
    }
}

/// The items between cuts, from and to; joints at their ends belong to none.
fn parts(items: &[Item], cuts: &[usize]) -> Vec<(usize, usize)> {
    let mut cuts = cuts.to_vec();
    cuts.sort_unstable();
    let starts = [0].into_iter().chain(cuts.iter().map(|cut| cut + 1));
    let ends = cuts.iter().copied().chain([items.len()]);
    let is_joint = |at: usize| matches!(items[at].kind, Kind::Join | Kind::End);
    let trimmed = |(mut from, mut to): (usize, usize)| {
        while from < to && is_joint(from) {
            from += 1;
        }
        while from < to && is_joint(to - 1) {
            to -= 1;
        }
        (from, to)
    };
    starts.zip(ends).map(trimmed).filter(|(from, to)| from < to).collect()
}

/// Whether an item names something by more than "it".
fn names_anything(item: &Item) -> bool {
    matches!(&item.kind, Kind::Names(phrase) if !phrase.is_it())
}

/// Whether an item names where something is done.
pub(super) fn is_place(item: &Item) -> bool {
    is_name(item) && matches!(item.prep, Some("on" | "in" | "from" | "for"))
}

/// The items of a request; joints inside it only list.
pub(super) fn words_of(part: &[Item]) -> Vec<&Item> {
    part.iter().filter(|item| item.kind != Kind::Join).collect()
}

/// What a request without names works on: what is named before it, or right behind it.
fn shared(items: &[Item], parts: &[(usize, usize)], number: usize) -> Option<Phrase> {
    let names = |(from, to): &(usize, usize)| {
        items[*from..*to].iter().find_map(|item| match &item.kind {
            Kind::Names(phrase) => Some(phrase.clone()),
            _ => None,
        })
    };
    let own = parts.get(number)?;
    if items[own.0..own.1].iter().any(is_name) {
        return None;
    }
    let before = parts[..number].iter().rev().find_map(names);
    // "Mute and solo the drums", "remove noise and hum from the guest".
    let is_verb_alone = own.1 - own.0 == 1;
    let goes_on = |(from, to): &&(usize, usize)| !items[*from..*to].iter().any(Item::is_verb);
    let next = parts.get(number + 1).filter(|next| is_verb_alone || goes_on(next));
    before.or_else(|| next.and_then(names))
}

/// What explains a request. Without a verb it goes on with the request before it, by a tool of the same parameters.
fn candidates<'a>(
    ways: &[Way<'a>],
    clause: &Clause<'_>,
    inherited: Option<&Heritage>,
    context: &Context<'_>,
) -> Vec<Explained<'a>> {
    let ways = ways.iter().filter(|way| match inherited {
        Some(heritage) => {
            let is_said = |word: &str| heritage.words.iter().any(|it| it == word);
            way.intent.verbs.iter().any(|verb| verb.split('+').all(is_said))
        }
        None => true,
    });
    ways.filter_map(|way| explain(*way, clause, inherited, context)).collect()
}

/// What a request is taken for.
enum Best<'a> {
    One(Box<Explained<'a>>, Draft),
    Trouble(Trouble),
    Unsaid(Trouble),
    None,
}

/// Explanations that are as close in score are both possible.
const MARGIN: u32 = 1;

/// The best explanation; two different ones of the same worth are a question.
fn best(mut candidates: Vec<Explained<'_>>) -> Best<'_> {
    candidates.sort_by_key(|it| (std::cmp::Reverse(it.score), it.free));
    let mut clear = candidates.iter().enumerate().filter(|(_, it)| it.call.is_ok());
    if let Some((at, first)) = clear.next() {
        let is_near = |it: &Explained<'_>| it.score + MARGIN >= first.score;
        let is_other = |it: &Explained<'_>| it.call.as_ref().ok() != first.call.as_ref().ok();
        // Of two ways to ask for a tool the one that understands more words is meant.
        let is_looser = |it: &Explained<'_>| it.way.tool == first.way.tool && it.free > first.free;
        if let Some((_, other)) =
            clear.find(|(_, it)| is_near(it) && is_other(it) && !is_looser(it))
        {
            return Best::Trouble(two_ways(first.way.title, other.way.title));
        }
        let first = candidates.swap_remove(at);
        if let Some(draft) = first.call.as_ref().ok().cloned() {
            return Best::One(Box::new(first), draft);
        }
    }
    let mut unsaid = None;
    for miss in candidates.into_iter().filter_map(|it| it.call.err()) {
        match miss {
            Miss::Trouble(trouble) => return Best::Trouble(trouble),
            Miss::Unsaid(trouble) => unsaid = unsaid.or(Some(trouble)),
            Miss::Other | Miss::Left(_) => {}
        }
    }
    unsaid.map_or(Best::None, Best::Unsaid)
}

fn two_ways(one: &str, other: &str) -> Trouble {
    let reason = format!("it could mean \"{one}\" or \"{other}\"");
    Trouble::new(reason, Vec::<String>::new())
}
