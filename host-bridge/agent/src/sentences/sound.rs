//! Sentences about what sounds: splits by method, marks at what is heard, and what is wrong.

use super::Job;
use super::said::{One, Said};
use crate::lexer::{Token, TokenKind};
use serde_json::json;

/// What a recording is looked through for.
const PROBLEMS: &[&str] = &[
    "clicks",
    "pops",
    "dropouts",
    "clipping",
    "glitches",
    "problems",
    "faults",
    "phase",
    "issues",
    "hum",
    "dc",
    "offset",
    "and",
    "or",
    "technical",
    "any",
];

/// Whether tokens name what can be wrong with a recording.
pub(super) fn are_problems(tokens: &[Token]) -> bool {
    tokens.iter().all(|token| {
        token.kind == TokenKind::Comma || token.word().is_some_and(|word| PROBLEMS.contains(&word))
    })
}

/// "split the piano into harmonic and percussive".
pub(super) fn split(job: Job, said: &Said<'_>) -> One {
    let method = if job == Job::SplitMidSide { "mid_side" } else { "harmonic_percussive" };
    said.on("targets", "tool_separate_stems", vec![("method", json!(method))])
}

/// "mark every hit in the drums".
pub(super) fn marked(tool: &str, said: &Said<'_>) -> One {
    said.on("targets", tool, vec![("as", json!("markers"))])
}
