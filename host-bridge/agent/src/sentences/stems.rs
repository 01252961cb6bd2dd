//! Sentences about stems: into which a recording is split, and which one is wanted or not.

use super::said::{Built, One, Params, Said};
use crate::lexer::{Token, TokenKind};
use crate::resolve::Trouble;
use serde_json::json;

/// What people call stems, and what a split calls them; nothing for what is left anyway.
const STEMS: &[(&str, Option<&str>)] = &[
    ("vocals", Some("vocals")),
    ("vocal", Some("vocals")),
    ("voice", Some("vocals")),
    ("voices", Some("vocals")),
    ("singing", Some("vocals")),
    ("drums", Some("drums")),
    ("drum", Some("drums")),
    ("bass", Some("bass")),
    ("accompaniment", None),
    ("music", None),
    ("instrumental", None),
    ("instruments", None),
    ("backing", None),
    ("other", None),
    ("others", None),
    ("rest", None),
];
/// What may stand between them.
const BETWEEN: &[&str] = &["and", "the", "a", "an", "track", "tracks", "stem", "stems"];

fn stem(word: &str) -> Option<Option<&'static str>> {
    STEMS.iter().find(|(name, _)| *name == word).map(|(_, stem)| *stem)
}

/// Whether tokens name stems of a split, and nothing else.
pub(super) fn are_stems(tokens: &[Token]) -> bool {
    let fits = |token: &Token| match token.word() {
        Some(word) => stem(word).is_some() || BETWEEN.contains(&word),
        None => token.kind == TokenKind::Comma,
    };
    let named = |token: &Token| token.word().is_some_and(|word| stem(word).is_some());
    tokens.iter().all(fits) && tokens.iter().any(named)
}

/// "split the song into vocals and drums". What is not named is one more stem.
pub(super) fn split(said: &Said<'_>) -> One {
    let tokens = said.tokens("stems").unwrap_or_default();
    let mut stems: Vec<&str> = Vec::new();
    for found in tokens.iter().filter_map(Token::word).filter_map(stem).flatten() {
        if !stems.contains(&found) {
            stems.push(found);
        }
    }
    let params = if stems.is_empty() { Params::new() } else { vec![("stems", json!(stems))] };
    said.on("targets", "tool_separate_stems", params)
}

/// Taking a stem out is a split and a mute: what plays afterwards is chosen by ear.
pub(super) fn without(said: &Said<'_>) -> Built {
    let name = said.text("on").unwrap_or_else(|| "it".into());
    let reason = "a sound is taken out of a recording by splitting it and muting that stem";
    Err(Trouble::new(reason, [format!("split {name} into stems")]))
}
