//! What people call the stems of a recording.

use crate::lexer::{Token, TokenKind};

/// Names of stems, and what a split calls them; nothing for what is left anyway.
const STEMS: [(&str, Option<&str>); 4] = [
    ("vocals vocal voice voices singing", Some("vocals")),
    ("drums drum", Some("drums")),
    ("bass", Some("bass")),
    ("accompaniment music instrumental instruments backing other others rest", None),
];
/// What may stand between them.
const BETWEEN: [&str; 8] = ["and", "the", "a", "an", "track", "tracks", "stem", "stems"];

/// The stems that tokens name, if they name nothing else; if all of them are what is left, the vocals are taken out.
pub(super) fn named(tokens: &[Token]) -> Option<Vec<&'static str>> {
    let (mut stems, mut is_any) = (Vec::new(), false);
    for token in tokens {
        let word = token.word().unwrap_or_default();
        match STEMS.iter().find(|(names, _)| names.split(' ').any(|name| name == word)) {
            Some((_, stem)) => {
                is_any = true;
                stems.extend(stem.filter(|it| !stems.contains(it)));
            }
            None if token.kind == TokenKind::Comma || BETWEEN.contains(&word) => {}
            None => return None,
        }
    }
    if stems.is_empty() {
        stems.push("vocals");
    }
    is_any.then_some(stems)
}
