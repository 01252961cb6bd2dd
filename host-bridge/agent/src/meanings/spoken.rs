//! Which phrase of the assembly is meant: "phrase 3", "the last sentence", "the intro", "the part about money".

use super::gone::back;
use super::pattern::{Pattern, Slot};
use super::phrase_numbers::{LAST, number_of, numbers_of};
use super::phrase_patterns::{Way, way_of};
use super::placed::phrase_of;
use super::text::{plain, quotes, says, text_of, without_article};
use super::transcripts::{is_stranger, voice};
use super::wanted::wanted;
use super::{gone, kinds};
use crate::known_words::is_known;
use crate::lexer::{Token, TokenKind};
use crate::names::{role_of, words_of};
use crate::resolve::{Context, Trouble};
use crate::roles::stem;
use deskhand_session::{Duplicates, PhraseId, Session, Track};
use std::collections::BTreeSet;
use std::sync::LazyLock;

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
    if let Some(left) = all_but(tokens) {
        return without(left, among, context);
    }
    if let parts @ [_, _, ..] = &several(tokens, context.scope.session)[..] {
        let each = parts.iter().map(|part| phrases(part, among, context));
        return each.collect::<Option<Result<Vec<_>, _>>>().map(|all| Ok(once(all?.concat())));
    }
    if among == Among::Removed && gone::is_gone(tokens) {
        return Some(gone::gone(tokens, context.scope.session));
    }
    if let Some(speaker) = kinds::speaker(tokens, context.scope.session) {
        return Some(said_by(&speaker, among, context.scope.session));
    }
    let Some((way, slots)) = way_of(tokens) else {
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
    let text = || slot("text").or_else(|| slot("kind"));
    let number = |name: &str| slot(name).and_then(number_of);
    let session = context.scope.session;
    let order = list(among, session);
    let end = order.len();
    Some(match way {
        Way::Numbers => {
            let numbers = numbers_of(slot("list")?)?.into_iter();
            let numbers = numbers.map(|number| if number == LAST { end } else { number });
            at(&numbers.collect::<Vec<_>>(), order, session)
        }
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
        Way::Words | Way::Part => by_words(&wanted(text()?, context), among, context),
        Way::Quoted => by_words(&wanted(slot("quoted")?, context), among, context),
        Way::Asked => kinds::questions(order, session),
        Way::Important => kinds::important(order, session),
        Way::Unsaid => Err(Trouble::new("it does not say which phrase", ["show the phrases"])),
        Way::Every => all_by_words(&wanted(text()?, context), among, context),
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

/// Whether "the goodbye" is what a phrase says, not only the last of them.
fn says_goodbye(tokens: &[Token], order: &[PhraseId], session: &Session) -> bool {
    tokens.iter().any(|token| token.is("goodbye"))
        && order.iter().any(|id| says(*id, "goodbye", session))
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
pub(super) fn several<'a>(tokens: &'a [Token], session: &Session) -> Vec<&'a [Token]> {
    let way = way_of(tokens).map(|(way, _)| way);
    // "Phrases 1 and 2" and "the first and the last three" are lists of their own.
    if !matches!(way, None | Some(Way::Words | Way::Part | Way::Every)) {
        return vec![tokens];
    }
    // "The welcome and the goodbye" are two; "the phrase about the money and the price" is one.
    let is_called = |part: &[Token]| {
        way.is_none() && part.first().is_some_and(|it| it.is("the")) && is_said(part, session)
    };
    let is_joint = |token: &Token| token.kind == TokenKind::Comma || token.is("and");
    let parts: Vec<&[Token]> = tokens.split(is_joint).filter(|part| !part.is_empty()).collect();
    let is_phrase = |part: &&[Token]| pointed(part) != Pointed::No || is_called(part);
    if parts.len() > 1 && parts.iter().all(is_phrase) { parts } else { vec![tokens] }
}

/// Whether tokens would be phrases if any were in order.
pub(super) fn would_be_phrases(tokens: &[Token], session: &Session) -> bool {
    let is_phrase = |part: &[Token]| {
        let is_quote = matches!(part, [Token { kind: TokenKind::Quote(_), .. }]);
        !is_quote && pointed(part) != Pointed::No
    };
    several(tokens, session).into_iter().all(is_phrase)
}

/// Whether tokens mean each phrase in which something is said.
pub(super) fn is_every(tokens: &[Token]) -> bool {
    matches!(way_of(tokens), Some((Way::Every, _)))
}

/// How clearly tokens point at phrases by their form.
pub(super) fn pointed(tokens: &[Token]) -> Pointed {
    if let [Token { kind: TokenKind::Quote(_), .. }] = tokens {
        return Pointed::Perhaps;
    }
    match way_of(tokens) {
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

/// Whether tokens are words that mean something, without an article that would make them a name.
pub(super) fn is_plain_word(tokens: &[Token]) -> bool {
    !tokens.first().is_some_and(|token| token.is("the"))
        && tokens.iter().all(|token| token.word().is_none_or(is_known))
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

fn list(among: Among, session: &Session) -> &[PhraseId] {
    match among {
        Among::Playing => &session.assembly.order,
        Among::Removed => &session.assembly.removed,
    }
}

/// All phrases but those that tokens point at, or that somebody says.
fn without(
    tokens: &[Token],
    among: Among,
    context: &Context<'_>,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let session = context.scope.session;
    let left = match voice(tokens, session).filter(|_| is_stranger(tokens, session)) {
        Some(speaker) => said_by(&speaker, among, session),
        None => phrases(tokens, among, context)?,
    };
    let order = list(among, session).iter().copied();
    Some(left.map(|left| order.filter(|id| !left.contains(id)).collect()))
}

/// What is left out of "everything but the outro".
pub(super) fn all_but(tokens: &[Token]) -> Option<&[Token]> {
    static ALL_BUT: LazyLock<Pattern> = LazyLock::new(|| {
        Pattern::read(
            "everything|everyone|everybody|all|anything|every [of] [the] [phrase|phrases|sentence|sentences|line|lines|else|others|other_phrases] \
             but|except|apart_from|other_than|besides|than for? {left}",
        )
    });
    let slots = ALL_BUT.fit(tokens, &|_, _| true)?;
    slots.first().map(|slot| &tokens[slot.1..slot.2])
}

/// The phrases of a list of their numbers, "3, 1, 2 and 4" or "3 1 2 4": as they are said, each as often.
pub(super) fn in_order(
    tokens: &[Token],
    session: &Session,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let opens = |token: &&Token| {
        ["the", "phrases", "sentences", "lines", "numbers", "phrase", "is"]
            .iter()
            .any(|it| token.is(it))
    };
    let is_joint = |token: &&Token| token.kind != TokenKind::Comma && !token.is("and");
    let said = tokens.iter().skip_while(opens).filter(is_joint);
    let numbers: Vec<usize> =
        said.map(|token| number_of(std::slice::from_ref(token))).collect::<Option<_>>()?;
    let order = &session.assembly.order;
    let ids: Option<Vec<PhraseId>> =
        numbers.iter().map(|number| order.get(number.checked_sub(1)?).copied()).collect();
    (numbers.len() > 1).then(|| ids.ok_or_else(|| out_of_range(order, session)))
}

/// A place in the order from 1, where -1 is the last: "the third place", "position 5", "last".
pub(super) fn place(tokens: &[Token]) -> Option<i64> {
    static PLACES: LazyLock<[Pattern; 2]> = LazyLock::new(|| {
        [
            "the? very? {n} [one|phrase|sentence|line|place|position|spot|slot|thing]",
            "the? phrase|sentence|line|place|position|spot|slot|number number? {n}",
        ]
        .map(Pattern::read)
    });
    let end = |tokens: &[Token]| match tokens {
        [only] => match only.word()? {
            "start" | "beginning" | "front" | "top" | "opening" | "opener" => Some(1),
            "last" | "final" | "end" | "back" | "bottom" | "closing" | "closer" => Some(-1),
            _ => None,
        },
        _ => None,
    };
    let number = |tokens: &[Token]| number_of(tokens).and_then(|it| i64::try_from(it).ok());
    let read = |tokens: &[Token]| number(tokens).or_else(|| end(tokens));
    let fits = |pattern: &Pattern| pattern.fit(tokens, &|_, it| read(it).is_some());
    let slots = PLACES.iter().find_map(fits)?;
    slots.first().and_then(|slot| read(&tokens[slot.1..slot.2]))
}

fn at(numbers: &[usize], order: &[PhraseId], session: &Session) -> Result<Vec<PhraseId>, Trouble> {
    let found: Option<Vec<_>> =
        numbers.iter().map(|n| order.get(n.checked_sub(1)?).copied()).collect();
    found.map(once).filter(|found| !found.is_empty()).ok_or_else(|| out_of_range(order, session))
}

fn out_of_range(order: &[PhraseId], session: &Session) -> Trouble {
    match order.len() {
        0 => no_phrases(session),
        1 => Trouble::new("there is only one phrase there", quotes(order, session)),
        count => Trouble::new(format!("there are {count} phrases there"), quotes(order, session)),
    }
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
