//! Which words have a meaning of their own.

use crate::numbers::is_number_word;
use crate::reader::{colors, lexicon};
use std::collections::HashSet;
use std::sync::LazyLock;

#[rustfmt::skip]
const POINTERS: &[&str] = &[
    "it", "them", "this", "that", "these", "those", "all", "every", "each", "both", "everything", "selection", "mix",
    "master", "but", "or", "if", "unless", "only", "percent", "last", "while", "until", "before", "after", "during",
    "like", "than",
];

static SINGLE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let alone = lexicon::forms().filter(|words| words.len() == 1).flatten().map(String::as_str);
    let units = crate::reader::quantity::unit_words().chain(crate::times::unit_words());
    alone.chain(units).chain(colors::names()).chain(POINTERS.iter().copied()).collect()
});

static ALL_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let words = lexicon::forms().flatten().map(String::as_str);
    words.chain(SINGLE.iter().copied()).collect()
});

/// Whether a word has a meaning of its own, so that alone it is no part of a name.
pub(crate) fn is_grammar(word: &str) -> bool {
    SINGLE.contains(word) || is_number_word(word)
}

/// Every word that occurs in the vocabulary.
pub(crate) fn grammar_words() -> impl Iterator<Item = &'static str> {
    ALL_WORDS.iter().copied()
}

/// Whether a word occurs in the vocabulary.
pub(crate) fn is_known(word: &str) -> bool {
    ALL_WORDS.contains(word) || is_number_word(word)
}
