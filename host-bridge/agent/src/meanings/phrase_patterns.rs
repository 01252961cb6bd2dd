//! How phrases are pointed at, as patterns.

use super::kinds;
use super::pattern::{Pattern, Slot};
use super::phrase_numbers::{number_of, numbers_of};
use super::transcripts::is_somebody;
use crate::lexer::{Token, TokenKind};
use std::sync::LazyLock;

/// How a phrase is pointed at.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Numbers,
    FirstSome,
    LastSome,
    Ordinal,
    LastButOne,
    Last,
    /// The one there is.
    Only,
    /// By what it is in the piece, which other things are called too.
    Intro,
    /// The same.
    Outro,
    /// By its words, called a part.
    Part,
    Words,
    /// By its words in quotes.
    Quoted,
    /// Each in which something is said.
    Every,
    /// Each that asks something.
    Asked,
    /// Each that is marked as important.
    Important,
    /// By nothing: "this phrase".
    Unsaid,
}

/// The patterns of each way.
// tidy: table
#[rustfmt::skip]
const WAYS: &[(Way, &[&str])] = &[
    (Way::Numbers, &[
        "the? phrase|sentence|line|phrases|sentences|lines number|numbers? {list}",
        "the? {list} phrase|phrases|sentence|sentences|line|lines",
    ]),
    (Way::Unsaid, &[
        "this|that|these|those|any|some|another phrase|phrases|sentence|sentences|line|lines|passage|passages",
        "the? next|previous|other|same|current phrase|sentence|line|passage",
    ]),
    (Way::Important, &["all? of? the? important phrases|sentences|lines|passages|parts|bits|ones"]),
    (Way::Asked, &["all|every|each of? the? question|questions", "the? questions"]),
    (Way::Quoted, &["the? phrase|sentence|line|passage {quoted}"]),
    (Way::FirstSome, &["the? first {n} phrases|sentences|lines"]),
    (Way::LastSome, &["the? last {n} phrases|sentences|lines"]),
    (Way::LastButOne, &["the? second_to_last|second_last|next_to_last|penultimate phrase|sentence|line"]),
    (Way::Last, &["the? last|final phrase|sentence|line"]),
    (Way::Outro, &["the? outro|ending|closing|goodbye [phrase|sentence|line]"]),
    (Way::Intro, &["the? intro|introduction|opening|opener [phrase|sentence|line]"]),
    (Way::Words, &[
        "the? phrase|sentence|line|passage about|with {text}", "the? part|bit|one about {text}",
        "the? phrase|sentence|line|passage|part|bit|one where {who} says|say|said|mentions|talks_about {text}",
        "the? phrase|sentence|line|passage|part|bit|one that|which says|mentions|begins_with|starts_with {text}",
        "where {who} says|said|mentions {text}", "the? {kind} phrase|sentence|passage|line",
    ]),
    (Way::Part, &["the? {kind} part|bit"]),
    (Way::Every, &[
        "everything|all about {text}", "all? the? phrases|sentences|lines|passages|parts|bits about|with {text}",
        "every phrase|sentence|line|passage about|with {text}",
        "everything|all where {who} says|say|said|mentions|talks_about {text}", "all? the? {kind} phrases|sentences|passages|lines",
    ]),
];

static PATTERNS: LazyLock<Vec<(Way, Pattern)>> = LazyLock::new(|| {
    WAYS.iter().flat_map(|(way, all)| all.iter().map(|it| (*way, Pattern::read(it)))).collect()
});

/// How tokens point at phrases by their form, with the slots of that.
pub(super) fn way_of(tokens: &[Token]) -> Option<(Way, Vec<Slot>)> {
    PATTERNS.iter().find_map(|(way, pattern)| Some((*way, pattern.fit(tokens, &is_number)?)))
}

/// Slots of numbers take numbers, others anything.
pub(super) fn is_number(slot: &str, tokens: &[Token]) -> bool {
    match slot {
        "n" | "m" => number_of(tokens).is_some(),
        "list" => numbers_of(tokens).is_some(),
        "who" => is_somebody(tokens),
        "quoted" => matches!(tokens, [Token { kind: TokenKind::Quote(_), .. }]),
        // "The bed behind phrase 2" is no phrase about "bed behind".
        "kind" => {
            let is_relation = |token: &Token| RELATIONS.iter().any(|word| token.is(word));
            let is_number = |token: &Token| matches!(token.kind, TokenKind::Number { .. });
            !kinds::only_point(tokens) && !tokens.iter().any(|it| is_relation(it) || is_number(it))
        }
        _ => true,
    }
}

/// Words that say where something goes.
const RELATIONS: [&str; 13] = [
    "before", "after", "behind", "between", "to", "from", "out", "off", "up", "down", "by", "at",
    "then",
];
