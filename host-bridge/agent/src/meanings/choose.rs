//! Takes that are marked, by their number or by what they are: "take 2", "the last take of every line".

use super::kinds;
use super::phrase_numbers::number_of;
use super::spoken::{Among, phrases};
use super::text::{plain, says, text_of};
use super::word_cut::{FILLERS, is_filler};
use crate::lexer::Token;
use crate::resolve::{Context, Trouble};
use deskhand_session::{Duplicates, PhraseId, Session};

/// Which take is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Which<'a> {
    /// By its number, from 1.
    Nth(usize),
    Last,
    /// The one of two that does not play.
    Other,
    /// By what is measured.
    Best,
    /// By how long it is.
    Longest,
    Shortest,
    /// The only one in which this is said.
    With(&'a [Token]),
    /// The only one in which it is not.
    Without(&'a [Token]),
}

/// Words for a take by what it is.
const KINDS: &[(Which<'static>, &[&str])] = &[
    (Which::Last, &["last", "latest", "final", "newest"]),
    (Which::Other, &["other", "alternative", "alternate"]),
    (Which::Best, &["best", "better", "clean", "cleaner", "cleanest", "recommended", "fluent"]),
    (Which::Longest, &["longest", "longer"]),
    (Which::Shortest, &["shortest", "shorter"]),
];

/// "take 2", "take B", "the second take", "the other one".
fn which(tokens: &[Token]) -> Option<Which<'_>> {
    let bare = match tokens {
        [article, rest @ ..] if article.is("the") || article.is("my") => rest,
        all => all,
    };
    match bare {
        [noun, number] if is_take(noun) => {
            number_of(&bare[1..]).or_else(|| letter(number)).map(Which::Nth)
        }
        [noun, word, number] if is_take(noun) && word.is("number") => {
            number_of(std::slice::from_ref(number)).map(Which::Nth)
        }
        [noun, with, words @ ..] if is_take(noun) && with.is("with") => {
            told(words).map(Which::With)
        }
        [noun, without, words @ ..] if is_take(noun) && without.is("without") => {
            told(words).map(Which::Without)
        }
        [kind, noun] if is_take(noun) => kind_of(kind),
        [kind, noun] if noun.is("one") => {
            kind_of(kind).filter(|kind| matches!(kind, Which::Other | Which::Best))
        }
        _ => None,
    }
}

fn is_take(token: &Token) -> bool {
    token.is("take") || token.is("version") || token.is("attempt")
}

/// The words that a take is told by, as far as they are some.
fn told(words: &[Token]) -> Option<&[Token]> {
    let words = match words {
        [article, rest @ ..] if ["the", "an", "a"].iter().any(|word| article.is(word)) => rest,
        all => all,
    };
    (!words.is_empty()).then_some(words)
}

fn kind_of(token: &Token) -> Option<Which<'static>> {
    let by_word = || {
        let named = KINDS.iter().find(|(_, words)| words.iter().any(|word| token.is(word)));
        named.map(|(which, _)| *which)
    };
    number_of(std::slice::from_ref(token)).map(Which::Nth).or_else(by_word)
}

/// The place of a letter: the takes are lettered side by side.
fn letter(token: &Token) -> Option<usize> {
    let letter = token.word().filter(|word| word.len() == 1)?.bytes().next()?;
    letter.is_ascii_lowercase().then(|| usize::from(letter - b'a') + 1)
}

/// Which take, and of what.
struct Meant<'a> {
    which: Which<'a>,
    /// What the take was said with, without the phrases.
    told: &'a [Token],
    of: Of<'a>,
}

/// The phrases of which a take is meant.
#[derive(Clone, Copy)]
enum Of<'a> {
    /// Nothing is said: those of the only set.
    Only,
    /// Each set.
    Each,
    Phrases(&'a [Token]),
}

/// "take 2", "take 2 of the budget line", "the last take of every line".
fn meant(tokens: &[Token]) -> Option<Meant<'_>> {
    let is_of = |at: &usize| ["of", "for", "from", "in"].iter().any(|word| tokens[*at].is(word));
    let parted = |at: usize| Some((which(&tokens[..at])?, &tokens[..at], tokens.get(at + 1..)?));
    if let Some((which, told, of)) = (1..tokens.len()).filter(is_of).find_map(parted) {
        let of = if is_each(of) { Of::Each } else { Of::Phrases(of) };
        return Some(Meant { which, told, of });
    }
    match tokens {
        [told @ .., last] if last.is("everywhere") || last.is("throughout") => {
            Some(Meant { which: which(told)?, told, of: Of::Each })
        }
        told => Some(Meant { which: which(told)?, told, of: Of::Only }),
    }
}

/// "every line", "each of them", "everything".
fn is_each(of: &[Token]) -> bool {
    let is_every = |token: &Token| ["every", "each", "all"].iter().any(|word| token.is(word));
    let is_filling = |token: &Token| is_noun(token) || token.is("the") || token.is("of");
    match of {
        [all] if all.is("everything") => true,
        [every, rest @ ..] => is_every(every) && rest.iter().all(is_filling),
        [] => false,
    }
}

/// The takes that words mean; `None` if they are no take, or the best one.
pub(super) fn takes(
    tokens: &[Token],
    context: &Context<'_>,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let session = context.scope.session;
    let meant = meant(tokens).filter(|meant| meant.which != Which::Best)?;
    let sets = &session.assembly.duplicates[..];
    Some(match meant.of {
        _ if session.assembly.is_empty() => return None,
        Of::Each if !sets.is_empty() => {
            sets.iter().map(|set| take(set, meant.which, context)).collect()
        }
        _ => set(&meant, context).and_then(|set| Ok(vec![take(set, meant.which, context)?])),
    })
}

/// The take that words mean, where it plays; the others are heard side by side in the window.
pub(super) fn played(
    tokens: &[Token],
    context: &Context<'_>,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let meant = meant(tokens).filter(|_| !context.scope.session.assembly.is_empty())?;
    let of_set = |set: &Duplicates| {
        let is_best = meant.which == Which::Best;
        let found = if is_best { set.chosen } else { take(set, meant.which, context)? };
        let number = set.takes.iter().position(|id| *id == found).map_or(1, |at| at + 1);
        let offers = ["compare the takes".to_owned(), format!("use take {number}")];
        let reason = "that take does not play; the window plays the takes side by side";
        match found == set.chosen {
            true => Ok(vec![found]),
            false => Err(Trouble::new(reason, offers)),
        }
    };
    Some(set(&meant, context).and_then(of_set))
}

/// The phrases of which takes are meant: all that say the words.
pub(super) fn takes_of(
    tokens: &[Token],
    context: &Context<'_>,
) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let is_one = tokens.iter().any(is_take) || is_each(tokens) || kinds::only_point(tokens);
    let is_noun_alone = matches!(without_article(tokens), [only] if is_noun(only));
    if is_one || is_noun_alone { None } else { named(tokens, context) }
}

/// The takes of the only set, where "take" is said.
pub(super) fn only_set(tokens: &[Token], session: &Session) -> Option<Vec<PhraseId>> {
    match (without_article(tokens), &session.assembly.duplicates[..]) {
        ([take], [set]) if is_take(take) => Some(set.takes.clone()),
        _ => None,
    }
}

/// The set of takes that is meant: the only one, or the one of what is said.
fn set<'a>(meant: &Meant<'_>, context: &Context<'a>) -> Result<&'a Duplicates, Trouble> {
    let sets = &context.scope.session.assembly.duplicates;
    let found: Vec<&Duplicates> = match meant.of {
        Of::Only | Of::Each => sets.iter().collect(),
        Of::Phrases(tokens) => {
            let no_phrase = || Err(Trouble::new("that is no phrase", ["show the phrases"]));
            let named = named(tokens, context).unwrap_or_else(no_phrase)?;
            sets.iter().filter(|set| set.takes.iter().any(|take| named.contains(take))).collect()
        }
    };
    match found[..] {
        [one] => Ok(one),
        [] if sets.is_empty() => {
            Err(Trouble::new("no takes are marked yet", ["find the retakes", "show the phrases"]))
        }
        _ => {
            let reason = match found.len() {
                0 => "there is only one take of that".to_owned(),
                count => format!("there are takes of {count} phrases; say of which"),
            };
            let told = text_of(meant.told, context);
            let offers = sets.iter().map(|set| format!("use {told} of \"{}\"", start(&set.phrase)));
            Err(Trouble::new(reason, offers.collect::<Vec<_>>()))
        }
    }
}

/// The phrases that tokens name among all, takes that do not play included.
fn named(tokens: &[Token], context: &Context<'_>) -> Option<Result<Vec<PhraseId>, Trouble>> {
    let session = context.scope.session;
    let tokens = without_article(tokens);
    let text = match tokens {
        [rest @ .., noun] if is_noun(noun) && !rest.is_empty() => rest,
        all => all,
    };
    let text = plain(&text_of(text, context));
    let ids = session.phrases.keys().copied();
    let saying: Vec<PhraseId> = ids.filter(|id| says(*id, &text, session)).collect();
    match saying.is_empty() {
        false => Some(Ok(saying)),
        true => phrases(tokens, Among::Playing, context),
    }
}

fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [article, rest @ ..] if article.is("the") && !rest.is_empty() => rest,
        all => all,
    }
}

fn is_noun(token: &Token) -> bool {
    const NOUNS: [&str; 7] = ["line", "phrase", "sentence", "bit", "part", "passage", "one"];
    NOUNS.iter().any(|noun| token.is(noun) || token.is(&format!("{noun}s")))
}

/// The first words, as far as they are sure to be found again.
fn start(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(6).collect();
    words.join(" ").trim_end_matches(['.', ',', '!', '?', '…']).to_owned()
}

fn take(set: &Duplicates, which: Which<'_>, context: &Context<'_>) -> Result<PhraseId, Trouble> {
    let session = context.scope.session;
    let has = |id: &PhraseId, words: &[Token]| is_told(*id, words, context);
    let only = |wanted: &dyn Fn(&PhraseId) -> bool| {
        let mut found = set.takes.iter().copied().filter(|id| wanted(id));
        found.next().filter(|_| found.next().is_none())
    };
    let length = |id: &PhraseId| session.spoken(*id).map(|it| it.end - it.start);
    let mut others = set.others();
    let found = match which {
        Which::Nth(number) => number.checked_sub(1).and_then(|at| set.takes.get(at)).copied(),
        Which::Last => set.takes.last().copied(),
        Which::Other => others.next().filter(|_| others.next().is_none()),
        Which::Longest => set.takes.iter().copied().max_by_key(length),
        Which::Shortest => set.takes.iter().copied().min_by_key(length),
        Which::With(words) => only(&|id| has(id, words)),
        Which::Without(words) => only(&|id| !has(id, words)),
        Which::Best => None,
    };
    found.ok_or_else(|| unclear(set, session))
}

/// Whether a take says these words; of fillers, any.
fn is_told(take: PhraseId, words: &[Token], context: &Context<'_>) -> bool {
    let session = context.scope.session;
    match is_filler(words) {
        true => FILLERS.iter().any(|filler| says(take, filler, session)),
        false => says(take, &plain(&text_of(words, context)), session),
    }
}

/// Which of them: each by its number.
fn unclear(set: &Duplicates, session: &Session) -> Trouble {
    let of = match session.assembly.duplicates.len() {
        1 => String::new(),
        _ => format!(" of \"{}\"", start(&set.phrase)),
    };
    let reason = format!("there are {} takes of that; say which", set.takes.len());
    let one = |number: usize| format!("use take {number}{of}");
    Trouble::new(reason, (1..=set.takes.len()).map(one).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    #[test]
    fn takes_are_called_by_number_letter_and_kind() {
        let read = |text: &str, meant: Option<Which<'_>>| {
            assert_eq!(which(&lex(text)), meant, "{text}");
        };
        read("take 2", Some(Which::Nth(2)));
        read("take B", Some(Which::Nth(2)));
        read("the third take", Some(Which::Nth(3)));
        read("take number four", Some(Which::Nth(4)));
        read("the other one", Some(Which::Other));
        read("the cleanest take", Some(Which::Best));
        for other in ["the take", "the second one", "take the bass", "takes 1 and 2"] {
            read(other, None);
        }
    }
}
