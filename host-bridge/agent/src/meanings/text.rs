//! Words as they are said, written and compared, and how phrases are called by them.

use crate::lexer::{Token, TokenKind};
use crate::resolve::Context;
use deskhand_session::{PhraseId, Session};

pub(super) fn without_article(tokens: &[Token]) -> &[Token] {
    match tokens {
        [article, rest @ ..] if article.is("the") => rest,
        all => all,
    }
}

/// Whether a phrase has these plain words in their order.
pub(super) fn says(id: PhraseId, wanted: &str, session: &Session) -> bool {
    let wanted: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
    let segments = session.phrases.get(&id).into_iter().flat_map(|phrase| &phrase.segments);
    let words = segments.filter_map(|id| session.segments.get(id)).flat_map(|it| &it.words);
    let said: Vec<&str> = words.flat_map(|word| words_in(&word.text)).collect();
    let is_same = |(one, other): (&&str, &&str)| same_word(one, other);
    let is_here = |part: &[&str]| part.iter().zip(&wanted).all(is_same);
    !wanted.is_empty() && said.windows(wanted.len()).any(is_here)
}

/// Lower case, without punctuation, one space between words.
pub(super) fn plain(text: &str) -> String {
    words_in(text).map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The words of a text without its punctuation.
fn words_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.filter(|word| !word.is_empty())
}

/// Whether two words differ at most in case.
fn same_word(one: &str, other: &str) -> bool {
    one.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase))
}

pub(super) fn quotes(ids: &[PhraseId], session: &Session) -> Vec<String> {
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
