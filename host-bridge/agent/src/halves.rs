//! A wish of which only the first part is understood: "normalize everything to -16 LUFS and flibber the chords".

use crate::known_words::is_known;
use crate::lexer::{Token, TokenKind, lex};
use crate::names::{Names, role_of};
use crate::reading::{Reading, Request, RequestKind};
use crate::roles::stem;

/// Words that join requests.
const JOINTS: [&str; 2] = ["and", "then"];

/// Words behind which stands what is left as it is: what follows is more of that, until it is understood.
#[rustfmt::skip]
const SPARING: [&str; 10] = [
    "but", "except", "excepting", "excluding", "besides", "apart", "aside", "not", "only", "without",
];

/// The most places at which words are cut in two: each is a reading of its own.
const MOST: usize = 8;

/// The longest first part that is understood by itself, beside what is said of the rest; none where the reading of the
/// `whole` says as much.
///
/// The rest begins with a word that nobody knows, and says more than that word, so that it is a request of its own and
/// no part of the first: in "cut the ums and the drums" both are cut, and in "mute everything except the drums and
/// wobbles" both are heard.
pub(crate) fn understood(
    words: &str,
    whole: &Reading,
    names: &Names,
    read: &dyn Fn(&str) -> Reading,
) -> Option<Reading> {
    if whole.unclear.is_empty() {
        return None;
    }
    let tokens = lex(words);
    let spares = |token: &Token| token.word().is_some_and(|word| SPARING.contains(&word));
    let free = tokens.iter().position(spares).unwrap_or(tokens.len());
    let places = (1..free).rev().filter(|at| begins_anew(&tokens, *at, names));
    places.take(MOST).find_map(|at| {
        let end = tokens.get(..at)?.iter().rev().find(|token| !is_joint(token))?.end;
        let mut understood = calls(words.get(..end)?, read)?;
        let rest = read(words.get(tokens.get(at)?.start..)?);
        understood.extend(rest.understood);
        let is_half = understood.len() > whole.understood.len() && !rest.unclear.is_empty();
        is_half.then_some(Reading { understood, unclear: rest.unclear })
    })
}

/// The calls that words ask for, where they ask for nothing else.
fn calls(words: &str, read: &dyn Fn(&str) -> Reading) -> Option<Vec<Request>> {
    let Reading { understood, unclear } = read(words);
    let is_call = |request: &Request| matches!(request.kind, RequestKind::Call { .. });
    (unclear.is_empty() && understood.iter().all(is_call)).then_some(understood)
}

/// Whether a word that nobody knows stands here, ahead of others, and behind a word or a mark that joins requests.
fn begins_anew(tokens: &[Token], at: usize, names: &Names) -> bool {
    let is_joined = at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(is_joint);
    let word = tokens.get(at).and_then(Token::word);
    let is_unknown = |word: &str| {
        word.chars().all(char::is_alphabetic)
            && !is_known(word)
            && !names.has_stem(&stem(word))
            && role_of(word).is_none()
    };
    let goes_on =
        tokens.get(at + 1).is_some_and(|next| next.kind != TokenKind::Stop && !is_joint(next));
    is_joined && goes_on && word.is_some_and(is_unknown)
}

fn is_joint(token: &Token) -> bool {
    token.kind == TokenKind::Comma || token.word().is_some_and(|word| JOINTS.contains(&word))
}
