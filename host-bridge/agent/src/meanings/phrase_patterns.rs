//! How phrases are pointed at, as patterns.

use super::pattern::Pattern;
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

pub(super) static PATTERNS: LazyLock<Vec<(Way, Pattern)>> = LazyLock::new(|| {
    WAYS.iter().flat_map(|(way, all)| all.iter().map(|it| (*way, Pattern::read(it)))).collect()
});
