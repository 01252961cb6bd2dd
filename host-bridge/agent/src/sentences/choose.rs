//! Sentences about takes: which of several plays.

use super::FILLERS;
use super::placed::heard;
use super::said::{Built, One, Params, Said, on_groups};
use super::spoken::{Among, number_of, plain, says, text_of};
use super::transport;
use crate::draft::Draft;
use crate::lexer::Token;
use crate::reading::{Question, RequestKind};
use crate::resolve::Trouble;
use deskhand_session::{Duplicates, PhraseId, Session};
use serde_json::json;

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
    let is_take = |token: &Token| token.is("take") || token.is("version") || token.is("attempt");
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

/// Whether tokens are a take, where there is an assembly.
pub(super) fn is_take(tokens: &[Token], session: &Session) -> bool {
    !session.assembly.is_empty() && which(tokens).is_some()
}

/// "use take 2 instead": all takes of its set are given, since a set is marked as a whole.
pub(super) fn choose(said: &Said<'_>) -> One {
    let which = which(said.tokens("take").unwrap_or_default());
    if which == Some(Which::Best) && said.session().assembly.duplicates.is_empty() {
        return match said.tokens("whose") {
            Some(_) => takes_of(said),
            None => Ok(Draft::call("tool_mark_duplicates", Vec::new())),
        };
    }
    chosen_of(set(said)?, which, said)
}

/// "use the last take of every line": a call for each set.
pub(super) fn choose_each(said: &Said<'_>) -> Built {
    let which = which(said.tokens("take").unwrap_or_default());
    match &said.session().assembly.duplicates[..] {
        [] => Err(Trouble::new("no takes are marked yet", ["find the retakes"])),
        sets => sets.iter().map(|set| chosen_of(set, which, said)).collect(),
    }
}

/// One take of a set, or the best of it.
fn chosen_of(set: &Duplicates, which: Option<Which<'_>>, said: &Said<'_>) -> One {
    let which = which.ok_or_else(|| unclear(set, said))?;
    let mut params = vec![("phrase", json!(set.phrase)), ("group_ids", json!(set.takes))];
    let chosen = (which != Which::Best).then(|| take(set, which, said)).transpose()?;
    if let Some(chosen) = chosen {
        params.push(("recommended_group_id", json!(chosen)));
        params.push(("reason", json!("as asked")));
    }
    let targets = chosen.map_or_else(|| set.takes.clone(), |chosen| vec![chosen]);
    let targets = targets.into_iter().map(Into::into).collect();
    Ok(Draft { targets, ..Draft::call("tool_mark_duplicates", params) })
}

/// The set of takes that is meant: the only one, or the one of what is said.
fn set<'a>(said: &'a Said<'_>) -> Result<&'a Duplicates, Trouble> {
    let session = said.session();
    let sets = &session.assembly.duplicates;
    let meant: Vec<&Duplicates> = match said.tokens("whose") {
        None => sets.iter().collect(),
        Some(tokens) => {
            let named = named(tokens, said)?;
            sets.iter().filter(|set| set.takes.iter().any(|take| named.contains(take))).collect()
        }
    };
    match meant[..] {
        [one] => Ok(one),
        [] if sets.is_empty() => {
            Err(Trouble::new("no takes are marked yet", ["find the retakes", "show the phrases"]))
        }
        _ => {
            let reason = match meant.len() {
                0 => "there is only one take of that".to_owned(),
                count => format!("there are takes of {count} phrases; say of which"),
            };
            let told = said.text("take").unwrap_or_else(|| "take 1".into());
            let offers = sets.iter().map(|set| format!("use {told} of \"{}\"", start(&set.phrase)));
            Err(Trouble::new(reason, offers.collect::<Vec<_>>()))
        }
    }
}

/// The phrases that tokens name among all, takes that do not play included.
fn named(tokens: &[Token], said: &Said<'_>) -> Result<Vec<PhraseId>, Trouble> {
    let text = match tokens {
        [article, rest @ ..] if article.is("the") && !rest.is_empty() => rest,
        all => all,
    };
    let text = match text {
        [rest @ .., noun] if is_noun(noun) && !rest.is_empty() => rest,
        all => all,
    };
    let text = plain(&text_of(text, said.context));
    let phrases = said.session().phrases.keys().copied();
    let saying: Vec<PhraseId> = phrases.filter(|id| says(*id, &text, said.session())).collect();
    match saying.is_empty() {
        false => Ok(saying),
        true => said.phrases("whose", Among::Playing),
    }
}

fn is_noun(token: &Token) -> bool {
    ["line", "phrase", "sentence", "bit", "part", "passage"].iter().any(|noun| token.is(noun))
}

/// The first words, as far as they are sure to be found again.
fn start(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(6).collect();
    words.join(" ").trim_end_matches(['.', ',', '!', '?', '…']).to_owned()
}

fn take(set: &Duplicates, which: Which<'_>, said: &Said<'_>) -> Result<PhraseId, Trouble> {
    let has = |id: &PhraseId, words: &[Token]| is_told(*id, words, said);
    let only = |wanted: &dyn Fn(&PhraseId) -> bool| {
        let mut found = set.takes.iter().copied().filter(|id| wanted(id));
        found.next().filter(|_| found.next().is_none())
    };
    let length = |id: &PhraseId| said.session().spoken(*id).map(|it| it.end - it.start);
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
    found.ok_or_else(|| unclear(set, said))
}

/// Whether a take says these words; of fillers, any.
fn is_told(take: PhraseId, words: &[Token], said: &Said<'_>) -> bool {
    let session = said.session();
    match super::is_filler(words) {
        true => FILLERS.iter().any(|filler| says(take, filler, session)),
        false => says(take, &plain(&text_of(words, said.context)), session),
    }
}

/// Which of them: each by its number.
fn unclear(set: &Duplicates, said: &Said<'_>) -> Trouble {
    let of = match said.session().assembly.duplicates.len() {
        1 => String::new(),
        _ => format!(" of \"{}\"", start(&set.phrase)),
    };
    let reason = format!("there are {} takes of that; say which", set.takes.len());
    let one = |number: usize| format!("use take {number}{of}");
    Trouble::new(reason, (1..=set.takes.len()).map(one).collect::<Vec<_>>())
}

/// What is known of the takes; where none are marked they are looked for.
pub(super) fn ask(said: &Said<'_>) -> One {
    if said.session().assembly.duplicates.is_empty() {
        return match said.tokens("whose") {
            Some(_) => takes_of(said),
            None => Ok(Draft::call("tool_mark_duplicates", Vec::new())),
        };
    }
    let takes = match said.tokens("whose") {
        Some(_) => set(said)?.takes.iter().map(|id| (*id).into()).collect(),
        None => Vec::new(),
    };
    Ok(Draft { kind: RequestKind::Question(Question::Takes), targets: takes })
}

/// "find the takes of the money line": they are looked for among all, and marked for that one.
pub(super) fn takes_of(said: &Said<'_>) -> One {
    let ids = named(said.tokens("whose").unwrap_or_default(), said)?;
    Ok(on_groups("tool_mark_duplicates", "among", &ids))
}

/// "which take of the money line is best": the takes that are marked are ranked, else they are looked for.
pub(super) fn rank(said: &Said<'_>) -> One {
    let ids = named(said.tokens("whose").unwrap_or_default(), said)?;
    let is_marked = |set: &Duplicates| set.takes.iter().any(|take| ids.contains(take));
    match said.session().assembly.duplicates.iter().any(is_marked) {
        true => chosen_of(set(said)?, Some(Which::Best), said),
        false => takes_of(said),
    }
}

/// "play take 2": the chosen one is on the timeline, the others are heard side by side in the window.
pub(super) fn play(said: &Said<'_>) -> Built {
    let which = which(said.tokens("take").unwrap_or_default());
    let set = set(said)?;
    let best = if which == Some(Which::Best) { Some(set.chosen) } else { None };
    let which = which.ok_or_else(|| unclear(set, said))?;
    let chosen = best.map_or_else(|| take(set, which, said), Ok)?;
    match heard(said.session(), chosen).filter(|_| chosen == set.chosen) {
        Some(span) => transport::play_from(json!(span.start.seconds(said.session().rate).0)),
        None => {
            let reason = "that take does not play; the window plays the takes side by side";
            let number = set.takes.iter().position(|id| *id == chosen).map_or(1, |at| at + 1);
            Err(Trouble::new(reason, ["compare the takes".into(), format!("use take {number}")]))
        }
    }
}

/// Two phrases of which one plays in place of the other, with the takes that either has already.
pub(super) fn keep_take(said: &Said<'_>) -> One {
    let (keep, other) = (said.phrase("p")?, said.phrase("q")?);
    let mut params = as_takes(&[keep, other], said);
    params.push(("recommended_group_id", json!(keep)));
    params.push(("reason", json!("as asked")));
    let targets = vec![keep.into(), other.into()];
    Ok(Draft { targets, ..Draft::call("tool_mark_duplicates", params) })
}

/// "phrases 2 and 3 are takes of the same line": the best of them plays.
pub(super) fn are_takes(said: &Said<'_>) -> One {
    let mut ids =
        said.phrases(if said.tokens("p").is_some() { "p" } else { "r" }, Among::Playing)?;
    if said.tokens("q").is_some() {
        ids.push(said.phrase("q")?);
    }
    if ids.len() < 2 {
        let reason = "one phrase alone is no take of another";
        return Err(Trouble::new(reason, ["phrases 2 and 3 are takes of the same line"]));
    }
    let targets = ids.iter().map(|id| (*id).into()).collect();
    Ok(Draft { targets, ..Draft::call("tool_mark_duplicates", as_takes(&ids, said)) })
}

/// Phrases as takes of the first of them, with the takes that each has already.
fn as_takes(ids: &[PhraseId], said: &Said<'_>) -> Params {
    let session = said.session();
    let spoken = ids.first().and_then(|id| session.spoken(*id)).map(|spoken| spoken.text);
    let sets = session.assembly.duplicates.iter();
    let known = sets.filter(|set| set.takes.iter().any(|take| ids.contains(take)));
    let mut takes = ids.to_vec();
    for take in known.flat_map(|set| &set.takes) {
        if !takes.contains(take) {
            takes.push(*take);
        }
    }
    vec![("phrase", json!(spoken.unwrap_or_default())), ("group_ids", json!(takes))]
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
