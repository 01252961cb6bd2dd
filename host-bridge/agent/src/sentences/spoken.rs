//! Which phrase of the assembly is meant: "phrase 3", "the last sentence", "the intro", "the part about money".

use super::Slot;
use super::kinds;
use super::pattern::Pattern;
use super::placed::phrase_of;
use super::wanted::wanted;
use crate::known_words::is_known;
use crate::lexer::{Token, TokenKind};
use crate::names::{role_of, words_of};
use crate::resolve::{Context, Trouble};
use crate::roles::stem;
use deskhand_session::{Duplicates, PhraseId, Session, Track};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// How a phrase is pointed at.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Numbers,
    FirstSome,
    LastSome,
    Ordinal,
    LastButOne,
    Last,
    /// The one there is.
    Only,
    /// By what it is in the piece, which other things are called too.
    Intro,
    /// The same.
    Outro,
    /// By its words, called a part.
    Part,
    Words,
    /// By its words in quotes.
    Quoted,
    /// Each in which something is said.
    Every,
    /// Each that asks something.
    Asked,
    /// Each that is marked as important.
    Important,
    /// By nothing: "this phrase".
    Unsaid,
}

/// The patterns of each way.
// tidy: table
#[rustfmt::skip]
const WAYS: &[(Way, &[&str])] = &[
    (Way::Numbers, &[
        "the? phrase|sentence|line|phrases|sentences|lines number|numbers? {list}",
        "the? {list} phrase|phrases|sentence|sentences|line|lines",
    ]),
    (Way::Unsaid, &[
        "this|that|these|those|any|some|another phrase|phrases|sentence|sentences|line|lines|passage|passages",
        "the? next|previous|other|same|current phrase|sentence|line|passage",
    ]),
    (Way::Important, &["all? of? the? important phrases|sentences|lines|passages|parts|bits|ones"]),
    (Way::Asked, &["all|every|each of? the? question|questions", "the? questions"]),
    (Way::Quoted, &["the? phrase|sentence|line|passage {quoted}"]),
    (Way::FirstSome, &["the? first {n} phrases|sentences|lines"]),
    (Way::LastSome, &["the? last {n} phrases|sentences|lines"]),
    (Way::LastButOne, &["the? second_to_last|second_last|next_to_last|penultimate phrase|sentence|line"]),
    (Way::Last, &["the? last|final phrase|sentence|line"]),
    (Way::Outro, &["the? outro|ending|closing|goodbye [phrase|sentence|line]"]),
    (Way::Intro, &["the? intro|introduction|opening|opener [phrase|sentence|line]"]),
    (Way::Words, &[
        "the? phrase|sentence|line|passage about|with {text}", "the? part|bit|one about {text}",
        "the? phrase|sentence|line|passage|part|bit|one where {who} says|say|said|mentions|talks_about {text}",
        "the? phrase|sentence|line|passage|part|bit|one that|which says|mentions|begins_with|starts_with {text}",
        "where {who} says|said|mentions {text}", "the? {text} phrase|sentence|passage|line",
    ]),
    (Way::Part, &["the? {text} part|bit"]),
    (Way::Every, &[
        "everything|all about {text}", "all? the? phrases|sentences|lines|passages|parts|bits about|with {text}",
        "every phrase|sentence|line|passage about|with {text}",
        "everything|all where {who} says|say|said|mentions|talks_about {text}", "all? the? {text} phrases|sentences|passages|lines",
    ]),
];

static PATTERNS: LazyLock<Vec<(Way, Pattern)>> = LazyLock::new(|| {
    WAYS.iter().flat_map(|(way, all)| all.iter().map(|it| (*way, Pattern::read(it)))).collect()
});

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];
const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// The most numbers that "2 to 400" stands for.
const MOST_NUMBERS: usize = 10_000;

/// Where phrases are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// Those that play.
    Playing,
    /// Those that were removed.
    Removed,
}

/// The phrases that `tokens` point at; none when they point at none by their form.
pub(super) fn phrases(
    tokens: &[Token],
    among: Among,
    context: &Context<'_>,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    if let [Token { kind: TokenKind::Quote(text), .. }] = tokens {
        return Some(by_words(text, among, context));
    }
    if let parts @ [_, _, ..] = &several(tokens)[..] {
        let each = parts.iter().map(|part| phrases(part, among, context));
        return each.collect::<Option<Result<Vec<_>, _>>>().map(|all| Ok(once(all?.concat())));
    }
    if let Some(speaker) = kinds::speaker(tokens, context.scope.session) {
        return Some(said_by(&speaker, among, context.scope.session));
    }
    let fits = |(way, pattern): &(Way, Pattern)| Some((*way, pattern.fit(tokens, &is_number)?));
    let Some((way, slots)) = PATTERNS.iter().find_map(fits) else {
        let text = text_of(without_article(tokens), context);
        return is_said(tokens, context.scope.session).then(|| by_words(&text, among, context));
    };
    match numberless(way, among, context.scope.session) {
        Some(trouble) => Some(Err(trouble)),
        None => by_way(way, tokens, &slots, among, context),
    }
}

fn by_way(
    way: Way,
    tokens: &[Token],
    slots: &[Slot],
    among: Among,
    context: &Context<'_>,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let slot =
        |name: &str| slots.iter().find(|slot| slot.0 == name).map(|slot| &tokens[slot.1..slot.2]);
    let number = |name: &str| slot(name).and_then(number_of);
    let session = context.scope.session;
    let order = list(among, session);
    let end = order.len();
    Some(match way {
        Way::Numbers => at(&numbers_of(slot("list")?)?, order, session),
        Way::FirstSome => at(&(1..=number("n")?).collect::<Vec<_>>(), order, session),
        Way::LastSome => {
            let first = (end + 1).saturating_sub(number("n")?);
            at(&(first..=end).collect::<Vec<_>>(), order, session)
        }
        Way::LastButOne => at(&[end.saturating_sub(1)], order, session),
        Way::Intro => at(&[1], order, session),
        Way::Outro if says_goodbye(tokens, order, session) => by_words("goodbye", among, context),
        Way::Ordinal => at(&[number("n")?], order, session),
        Way::Last | Way::Only | Way::Outro => at(&[end], order, session),
        Way::Words | Way::Part => by_words(&wanted(slot("text")?, context), among, context),
        Way::Quoted => by_words(&wanted(slot("quoted")?, context), among, context),
        Way::Asked => kinds::questions(order, session),
        Way::Important => kinds::important(order, session),
        Way::Unsaid => Err(Trouble::new("it does not say which phrase", ["show the phrases"])),
        Way::Every => all_by_words(&wanted(slot("text")?, context), among, context),
    })
}

/// All phrases that somebody says.
pub(super) fn said_by(
    speaker: &str,
    among: Among,
    session: &Session,
) -> Result<Vec<PhraseId>, Trouble> {
    match list(among, session) {
        [] => Err(no_phrases(session)),
        order => kinds::said_by(speaker, order, session),
    }
}

/// Each phrase where it is named first: "the intro and phrase 1" may be one.
fn once(mut ids: Vec<PhraseId>) -> Vec<PhraseId> {
    let mut seen = BTreeSet::new();
    ids.retain(|id| seen.insert(*id));
    ids
}

/// What was removed has no numbers: those of the others would be taken for theirs.
fn numberless(way: Way, among: Among, session: &Session) -> Option<Trouble> {
    let is_counted = !matches!(way, Way::Words | Way::Part | Way::Quoted | Way::Every);
    let removed = &session.assembly.removed;
    if among == Among::Playing || !is_counted || session.phrases.is_empty() {
        return None;
    }
    if removed.is_empty() {
        return Some(Trouble::new("nothing was removed", ["show the phrases"]));
    }
    let reason = "what was removed has no number; say which by its words";
    Some(Trouble::new(reason, back(removed, session)))
}

/// How the phrases that were removed are asked back.
pub(super) fn back(ids: &[PhraseId], session: &Session) -> Vec<String> {
    let restore = |text: String| match text.starts_with('"') {
        true => format!("restore {text}"),
        false => format!("restore \"{text}\""),
    };
    quotes(ids, session).into_iter().map(restore).collect()
}

/// Whether "the goodbye" is what a phrase says, not only the last of them.
fn says_goodbye(tokens: &[Token], order: &[PhraseId], session: &Session) -> bool {
    tokens.iter().any(|token| token.is("goodbye"))
        && order.iter().any(|id| says(*id, "goodbye", session))
}

/// Slots of numbers take numbers, others anything.
pub(super) fn is_number(slot: &str, tokens: &[Token]) -> bool {
    match slot {
        "n" | "m" => number_of(tokens).is_some(),
        "list" => numbers_of(tokens).is_some(),
        "who" => super::transcripts::is_somebody(tokens),
        "quoted" => matches!(tokens, [Token { kind: TokenKind::Quote(_), .. }]),
        _ => true,
    }
}

/// "3", "1, 2 and 5", "2 to 4".
fn numbers_of(tokens: &[Token]) -> Option<Vec<usize>> {
    let is_joint = |token: &Token| token.kind == TokenKind::Comma || token.is("and");
    let is_until = |token: &Token| {
        token.kind == TokenKind::Dash
            || ["to", "through", "until", "till", "thru", "-"].iter().any(|word| token.is(word))
    };
    let mut numbers = vec![number_of(tokens.get(..1)?)?];
    let mut at = 1;
    while at < tokens.len() {
        let spans = is_until(&tokens[at]);
        if !spans && !is_joint(&tokens[at]) {
            return None;
        }
        at += 1 + usize::from(!spans && tokens.get(at + 1).is_some_and(is_joint));
        at += usize::from(tokens.get(at).is_some_and(|token| token.is("the")));
        let number = number_of(tokens.get(at..=at)?)?;
        let first = numbers.last().copied().filter(|_| spans).map_or(number, |last| last + 1);
        if first > number || number - first > MOST_NUMBERS {
            return None;
        }
        numbers.extend(first..=number);
        at += 1;
    }
    Some(numbers)
}

/// How clearly tokens point at phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pointed {
    /// Not at all.
    No,
    /// In words that also mean clips and markers: "the intro", words in quotes.
    Perhaps,
    /// They say that it is a phrase.
    Plainly,
}

/// The phrases that are named one by one: "the intro, phrase 3 and the outro"; all as one where a part is none.
pub(super) fn several(tokens: &[Token]) -> Vec<&[Token]> {
    let fits =
        |tokens: &[Token]| PATTERNS.iter().find(|(_, it)| it.fit(tokens, &is_number).is_some());
    // "Phrases 1 and 2" and "the first and the last three" are lists of their own.
    if !matches!(fits(tokens), None | Some((Way::Words | Way::Part | Way::Every, _))) {
        return vec![tokens];
    }
    let is_joint = |token: &Token| token.kind == TokenKind::Comma || token.is("and");
    let parts: Vec<&[Token]> = tokens.split(is_joint).filter(|part| !part.is_empty()).collect();
    let is_phrase = |part: &&[Token]| pointed(part) != Pointed::No;
    if parts.len() > 1 && parts.iter().all(is_phrase) { parts } else { vec![tokens] }
}

/// How clearly tokens point at phrases by their form.
pub(super) fn pointed(tokens: &[Token]) -> Pointed {
    if let [Token { kind: TokenKind::Quote(_), .. }] = tokens {
        return Pointed::Perhaps;
    }
    let fits = |(_, pattern): &&(Way, Pattern)| pattern.fit(tokens, &is_number).is_some();
    match PATTERNS.iter().find(fits) {
        None => Pointed::No,
        Some((Way::Intro | Way::Outro | Way::Part | Way::Asked, _)) => Pointed::Perhaps,
        Some(_) => Pointed::Plainly,
    }
}

/// Whether tokens are words of a phrase, and nothing else in the session is called so: "the thank you".
pub(super) fn is_said(tokens: &[Token], session: &Session) -> bool {
    let words: Option<Vec<&str>> = without_article(tokens).iter().map(Token::word).collect();
    let words = words.filter(|words| !words.iter().all(|word| kinds::POINTING.contains(word)));
    let Some(text) = words.map(|words| words.join(" ")) else {
        return false;
    };
    session.phrases.keys().any(|id| says(*id, &text, session)) && !is_named(&text, session)
}

/// Whether words are a phrase's, and mean nothing else: no track, no kind of sound, nothing that is done to sound.
pub(super) fn is_only_said(tokens: &[Token], session: &Session) -> bool {
    let words = || without_article(tokens).iter().filter_map(Token::word);
    let in_track = |word: &str| {
        let stems = |track: &Track| words_of(&track.name).iter().any(|it| stem(it) == stem(word));
        session.tracks.values().filter(|track| !track.name.ends_with("(assembly)")).any(stems)
    };
    let means = |word: &str| is_known(word) || role_of(word).is_some() || in_track(word);
    is_said(tokens, session) && !words().any(means)
}

/// Whether "the intro" and words in quotes are a phrase: there is an assembly, and nothing else is called so.
pub(super) fn is_phrase_here(tokens: &[Token], session: &Session) -> bool {
    let text = match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => plain(text),
        words => {
            let words = without_article(words).iter().filter_map(Token::word);
            words.collect::<Vec<_>>().join(" ")
        }
    };
    !session.assembly.is_empty() && !is_named(&text, session)
}

/// Whether something other than a phrase is called so.
pub(crate) fn is_named(text: &str, session: &Session) -> bool {
    let clips = session.clips.values().filter(|clip| plain(&clip.name) == text);
    session.tracks.values().any(|track| plain(&track.name) == text)
        || session.markers.values().any(|marker| plain(&marker.name) == text)
        || clips.into_iter().any(|clip| phrase_of(session, clip).is_none())
}

fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [article, rest @ ..] if article.is("the") => rest,
        all => all,
    }
}

/// Whether a phrase has these plain words in their order.
pub(super) fn says(id: PhraseId, wanted: &str, session: &Session) -> bool {
    let spoken = session.spoken(id);
    spoken.is_some_and(|it| format!(" {} ", plain(&it.text)).contains(&format!(" {wanted} ")))
}

fn list(among: Among, session: &Session) -> &[PhraseId] {
    match among {
        Among::Playing => &session.assembly.order,
        Among::Removed => &session.assembly.removed,
    }
}

/// The number that one token says: 3, "three" or "third".
pub(super) fn number_of(tokens: &[Token]) -> Option<usize> {
    let [token] = tokens else {
        return None;
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and in range"
    )]
    match &token.kind {
        TokenKind::Number { value, .. } if value.fract() == 0.0 && (1.0..1e6).contains(value) => {
            Some(*value as usize)
        }
        TokenKind::Word(word) => {
            let named = |names: &[&str]| names.iter().position(|name| name == word);
            named(&ORDINALS).or_else(|| named(&NUMBERS)).map(|at| at + 1)
        }
        _ => None,
    }
}

fn at(numbers: &[usize], order: &[PhraseId], session: &Session) -> Result<Vec<PhraseId>, Trouble> {
    let found: Option<Vec<_>> =
        numbers.iter().map(|n| order.get(n.checked_sub(1)?).copied()).collect();
    found.map(once).filter(|found| !found.is_empty()).ok_or_else(|| match order.len() {
        0 => no_phrases(session),
        1 => Trouble::new("there is only one phrase there", quotes(order, session)),
        count => Trouble::new(format!("there are {count} phrases there"), quotes(order, session)),
    })
}

fn no_phrases(session: &Session) -> Trouble {
    let (reason, offer) = match session.phrases.is_empty() {
        true => ("no phrases were found yet", "find the phrases"),
        false => ("no phrase is there", "show the phrases"),
    };
    Trouble::new(reason, [offer])
}

/// The one phrase in which these words are said, in their order; punctuation and case do not count.
fn by_words(text: &str, among: Among, context: &Context<'_>) -> Result<Vec<PhraseId>, Trouble> {
    let found = all_by_words(text, among, context)?;
    match found[..] {
        [_] => Ok(found),
        _ => Err(Trouble::new(
            format!("more than one phrase says \"{text}\"; say which by its number"),
            quotes(&found, context.scope.session),
        )),
    }
}

/// All phrases in which these words are said, at least one.
fn all_by_words(text: &str, among: Among, context: &Context<'_>) -> Result<Vec<PhraseId>, Trouble> {
    let session = context.scope.session;
    let wanted = plain(text);
    let saying = |ids: &[PhraseId]| -> Vec<PhraseId> {
        ids.iter().copied().filter(|id| says(*id, &wanted, session)).collect()
    };
    let order = list(among, session);
    let found = saying(order);
    if !found.is_empty() {
        return Ok(found);
    }
    let takes: Vec<PhraseId> =
        session.assembly.duplicates.iter().flat_map(Duplicates::others).collect();
    let (removed, other_takes) = (saying(&session.assembly.removed), saying(&takes));
    match among {
        Among::Removed if !other_takes.is_empty() => Ok(other_takes),
        Among::Removed if order.is_empty() => {
            Err(Trouble::new("nothing was removed", ["show the phrases"]))
        }
        Among::Playing if !removed.is_empty() => {
            let reason = format!("no phrase that plays says \"{text}\"; one that was removed does");
            Err(Trouble::new(reason, back(&removed, session)))
        }
        Among::Playing if !other_takes.is_empty() => {
            let reason = format!("\"{text}\" is said in takes that do not play");
            Err(Trouble::new(reason, ["compare the takes"]))
        }
        Among::Playing if order.is_empty() => Err(no_phrases(session)),
        Among::Playing | Among::Removed => {
            Err(Trouble::new(format!("no phrase says \"{text}\""), quotes(order, session)))
        }
    }
}

/// Lower case, without punctuation, one space between words.
pub(super) fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

fn quotes(ids: &[PhraseId], session: &Session) -> Vec<String> {
    // The last word of a name that was shortened may be a part of one; the rest is no more than a part of the phrase.
    let whole = |name: String| match name.strip_suffix('…') {
        Some(cut) => format!("\"{}…\"", cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole)),
        None => name,
    };
    ids.iter().map(|id| whole(session.name_of((*id).into()))).collect()
}

/// The words of tokens as they were written.
pub(super) fn text_of(tokens: &[Token], context: &Context<'_>) -> String {
    match tokens {
        [Token { kind: TokenKind::Quote(text), .. }] => text.clone(),
        [first, .., last] => {
            context.scope.text.get(first.start..last.end).unwrap_or_default().to_owned()
        }
        [only] => context.scope.text.get(only.start..only.end).unwrap_or_default().to_owned(),
        [] => String::new(),
    }
}
