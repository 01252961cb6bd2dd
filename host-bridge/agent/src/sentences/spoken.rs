//! Which phrase of the assembly is meant: "phrase 3", "the last sentence", "the intro", "the part about money".

use super::pattern::Pattern;
use crate::lexer::{Token, TokenKind};
use crate::resolve::{Context, Trouble};
use deskhand_session::{PhraseId, Session};
use std::sync::LazyLock;

/// How a phrase is pointed at.
#[derive(Clone, Copy)]
enum Way {
    Number,
    Range,
    Pair,
    Ordinal,
    Last,
    /// By what it is in the piece, which other things are called too.
    Intro,
    /// The same.
    Outro,
    Words,
    /// Each in which something is said.
    Every,
}

/// The patterns of each way.
// tidy: table
#[rustfmt::skip]
const WAYS: &[(Way, &[&str])] = &[
    (Way::Pair, &["phrases|sentences|lines {n} and {m}", "the? {n} and {m} phrase|phrases|sentence|sentences|line|lines"]),
    (Way::Range, &["phrases|sentences|lines {n} to|through|until {m}"]),
    (Way::Number, &["the? phrase|sentence|line number? {n}"]),
    (Way::Last, &["the? last phrase|sentence|line"]),
    (Way::Outro, &["the? outro|ending|closing|goodbye"]),
    (Way::Intro, &["the? intro|introduction|opening"]),
    (Way::Ordinal, &["the? {n} phrase|sentence|line"]),
    (Way::Words, &[
        "the? phrase|sentence|line|passage about|with {text}", "the? part|bit|one about {text}",
        "the? phrase|sentence|line|passage|part|bit|one where {who} says|say|said|mentions|talks_about {text}",
        "where {who} says|said|mentions {text}", "the? {text} phrase|sentence|passage",
    ]),
    (Way::Every, &[
        "everything|all about {text}", "all? the? phrases|sentences|lines|passages|parts|bits about|with {text}",
        "every phrase|sentence|line|passage about|with {text}",
        "everything|all where {who} says|say|said|mentions|talks_about {text}", "all? the? {text} phrases|sentences|passages",
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
    let fits = |(way, pattern): &(Way, Pattern)| Some((*way, pattern.fit(tokens, &is_number)?));
    let Some((way, slots)) = PATTERNS.iter().find_map(fits) else {
        let text = text_of(without_article(tokens), context);
        return is_said(tokens, context.scope.session).then(|| by_words(&text, among, context));
    };
    let slot =
        |name: &str| slots.iter().find(|slot| slot.0 == name).map(|slot| &tokens[slot.1..slot.2]);
    let number = |name: &str| slot(name).and_then(number_of);
    let session = context.scope.session;
    let order = list(among, session);
    Some(match way {
        Way::Number | Way::Ordinal => at(&[number("n")?], order, session),
        Way::Pair => at(&[number("n")?, number("m")?], order, session),
        Way::Range => at(&(number("n")?..=number("m")?).collect::<Vec<_>>(), order, session),
        Way::Intro => at(&[1], order, session),
        Way::Last | Way::Outro => at(&[order.len()], order, session),
        Way::Words => by_words(&text_of(slot("text")?, context), among, context),
        Way::Every => all_by_words(&text_of(slot("text")?, context), among, context),
    })
}

/// Slots of numbers take numbers, others anything.
fn is_number(slot: &str, tokens: &[Token]) -> bool {
    !matches!(slot, "n" | "m") || number_of(tokens).is_some()
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

/// How clearly tokens point at phrases by their form.
pub(super) fn pointed(tokens: &[Token]) -> Pointed {
    if let [Token { kind: TokenKind::Quote(_), .. }] = tokens {
        return Pointed::Perhaps;
    }
    let fits = |(_, pattern): &&(Way, Pattern)| pattern.fit(tokens, &is_number).is_some();
    match PATTERNS.iter().find(fits) {
        None => Pointed::No,
        Some((Way::Intro | Way::Outro, _)) => Pointed::Perhaps,
        Some(_) => Pointed::Plainly,
    }
}

/// Whether tokens are words of a phrase, and nothing else in the session is called so: "the thank you".
pub(super) fn is_said(tokens: &[Token], session: &Session) -> bool {
    let words: Option<Vec<&str>> = without_article(tokens).iter().map(Token::word).collect();
    let Some(text) = words.map(|words| words.join(" ")).filter(|text| !text.is_empty()) else {
        return false;
    };
    let names = session.tracks.values().map(|track| &track.name);
    let names = names.chain(session.clips.values().map(|clip| &clip.name));
    let mut names = names.chain(session.markers.values().map(|marker| &marker.name));
    !names.any(|name| plain(name) == text)
        && session.phrases.keys().any(|id| says(*id, &text, session))
}

fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [article, rest @ ..] if article.is("the") => rest,
        all => all,
    }
}

/// Whether a phrase has these plain words in their order.
fn says(id: PhraseId, wanted: &str, session: &Session) -> bool {
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
fn number_of(tokens: &[Token]) -> Option<usize> {
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
    found.filter(|found| !found.is_empty()).ok_or_else(|| match order.len() {
        0 => no_phrases(session),
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
    let order = list(among, session).iter().copied();
    let found: Vec<PhraseId> = order.filter(|id| says(*id, &wanted, session)).collect();
    let order = list(among, session);
    match (found.is_empty(), order.is_empty()) {
        (false, _) => Ok(found),
        (true, true) => Err(no_phrases(session)),
        (true, false) => {
            Err(Trouble::new(format!("no phrase says \"{text}\""), quotes(order, session)))
        }
    }
}

/// Lower case, without punctuation, one space between words.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

fn quotes(ids: &[PhraseId], session: &Session) -> Vec<String> {
    ids.iter().map(|id| session.name_of((*id).into())).collect()
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
