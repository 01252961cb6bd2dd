//! Words that are looked for in what is said, without those that only lead to them: "the word garden" is garden.

use super::text::text_of;
use crate::lexer::{Token, TokenKind};
use crate::resolve::Context;

/// Words that say that words follow.
const LEADING: &[&str] = &["word", "words", "term", "terms", "phrase", "expression"];

/// What tokens look for. Quotes are taken as they were written.
pub(super) fn wanted(tokens: &[Token], context: &Context<'_>) -> String {
    text_of(bare(tokens), context)
}

/// Tokens without an article, and without "word" ahead of what it is.
fn bare(tokens: &[Token]) -> &[Token] {
    let is_article = |token: &Token| ["the", "a", "an"].iter().any(|word| token.is(word));
    // "Who said that the price went up?"
    let tokens = match tokens {
        [that, rest @ ..] if that.is("that") && rest.len() > 1 => rest,
        all => all,
    };
    let (had_article, rest) = match tokens {
        [article, rest @ ..] if is_article(article) && !rest.is_empty() => (true, rest),
        all => (false, all),
    };
    let is_leading = |token: &Token| LEADING.iter().any(|word| token.is(word));
    match rest {
        [lead, next, ..] if is_leading(lead) => {
            let is_quote = matches!(next.kind, TokenKind::Quote(_));
            // "The words of the song" are none that follow.
            let leads = is_quote || had_article && !next.is("of");
            if leads { &rest[1..] } else { rest }
        }
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    #[test]
    fn articles_and_words_for_words_are_not_looked_for() {
        let shown = |text: &str| {
            let tokens = lex(text);
            let bare = bare(&tokens);
            text[bare[0].start..bare[bare.len() - 1].end].to_owned()
        };
        let same = ["the", "\"the price\"", "theme", "word of mouth", "words of the song", "a"];
        for text in same {
            assert_eq!(shown(text), text);
        }
        assert_eq!(shown("the price of the loan"), "price of the loan");
        assert_eq!(shown("an offer"), "offer");
        assert_eq!(shown("that the price went up"), "price went up");
        assert_eq!(shown("the word garden"), "garden");
        assert_eq!(shown("the words of the song"), "words of the song");
        assert_eq!(shown("word \"the price\""), "\"the price\"");
        assert_eq!(shown("the \"went up\""), "\"went up\"");
    }
}
