//! The vocabulary as it is looked up: phrases by their first word, and which words have a meaning.

use crate::numbers::is_number_word;
use crate::vocab::{COLORS, PHRASES, Word};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The words of a phrase, and what it means.
pub(crate) type Entry = (Vec<&'static str>, Word);

/// Phrases by their first word, longest first.
static BY_FIRST: LazyLock<HashMap<&'static str, Vec<Entry>>> = LazyLock::new(|| {
    let mut map: HashMap<&'static str, Vec<Entry>> = HashMap::new();
    for (word, phrases) in PHRASES {
        for phrase in *phrases {
            let words: Vec<&'static str> = phrase.split(' ').collect();
            map.entry(words[0]).or_default().push((words, *word));
        }
    }
    map.values_mut().for_each(|list| list.sort_by_key(|(words, _)| std::cmp::Reverse(words.len())));
    map
});

const POINTERS: &[&str] = &[
    "it",
    "them",
    "this",
    "that",
    "these",
    "those",
    "all",
    "every",
    "each",
    "both",
    "everything",
    "selection",
    "mix",
    "master",
    "but",
    "or",
    "if",
    "unless",
    "only",
    "percent",
    "last",
    "while",
    "until",
    "before",
    "after",
    "during",
    "like",
    "than",
];

static SINGLE: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let phrases = PHRASES.iter().flat_map(|(_, phrases)| phrases.iter().copied());
    let units = crate::levels::unit_words().chain(crate::times::unit_words());
    let colors = COLORS.iter().map(|(name, _)| *name);
    phrases
        .filter(|phrase| !phrase.contains(' '))
        .chain(units)
        .chain(colors)
        .chain(POINTERS.iter().copied())
        .collect()
});

static ALL_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let phrases =
        PHRASES.iter().flat_map(|(_, phrases)| phrases.iter().flat_map(|phrase| phrase.split(' ')));
    phrases.chain(SINGLE.iter().copied()).collect()
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

/// The phrases that start with a word, longest first.
pub(crate) fn phrases_from(word: &str) -> Option<&'static [Entry]> {
    BY_FIRST.get(word).map(Vec::as_slice)
}
