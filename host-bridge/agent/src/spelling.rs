//! Typing errors: a word that nobody knows becomes the one known word next to it.

use crate::known_words::{grammar_words, is_known};
use crate::lexer::{Token, TokenKind};
use crate::names::Names;
use crate::reader::hints;
use crate::roles::stem;
use std::collections::BTreeSet;

/// Shortest word of the language that is corrected: short ones are too near to each other ("mute", "mite").
const SHORTEST_WORD: usize = 6;
/// Shortest word of a name that is corrected.
const SHORTEST_NAME: usize = 4;

/// English words that lie next to a known word and mean something else; never corrected.
const OTHER_WORDS: &[&str] = &[
    "remote", "normal", "sounds", "chords", "horse", "choirs", "groove", "trick", "bread",
    "remain", "string", "spring", "strong", "lover", "power", "tower", "compress", "guest", "gust",
    "ghost", "post", "most", "cost", "base", "case", "mutes", "note", "notes", "clicks", "kicks",
    "pick", "lick", "licks", "chick", "share", "scare", "snares", "muse", "expect", "delay",
    "gained", "quietly", "loudly", "relative", "removal", "muted", "tracking", "boast", "boots",
    "boot", "head", "lead", "read", "load", "loads", "leads", "takes", "lakes", "makes", "tape",
    "tapes", "tale", "verse", "worse", "house", "horn", "bitter", "letter", "latter", "matter",
    "quitter", "counter", "renamed", "unmuted", "splice",
];

/// Replaces misspelled words in place, and says whether there were any; what was written stays readable through the
/// places of the tokens.
pub(crate) fn correct(tokens: &mut [Token], names: &Names) -> bool {
    let own = names.vocabulary();
    let mut is_changed = false;
    for token in tokens {
        let TokenKind::Word(word) = &token.kind else {
            continue;
        };
        let form = stem(word);
        let is_meant = is_known(word) || hints::is_word(word);
        if is_meant || own.contains(word) || own.contains(&form) || names.has_stem(&form) {
            continue;
        }
        if let Some(better) = nearest(word, &own) {
            token.kind = TokenKind::Word(better);
            is_changed = true;
        }
    }
    is_changed
}

/// The one word within reach; two with different meanings are none.
fn nearest(word: &str, own: &BTreeSet<String>) -> Option<String> {
    let length = word.chars().count();
    if length < SHORTEST_NAME
        || OTHER_WORDS.contains(&word)
        || !word.chars().all(char::is_alphabetic)
    {
        return None;
    }
    let grammar = grammar_words()
        .map(|known| -> &str { known })
        .filter(|known| length >= SHORTEST_WORD && known.len() >= SHORTEST_WORD);
    let own = own.iter().map(String::as_str).filter(|known| known.len() >= SHORTEST_NAME);
    let reach = if length >= 8 { 2 } else { 1 };
    let near = |known: &str| {
        let same_start = known.chars().next() == word.chars().next();
        let same_size = known.len().abs_diff(word.len()) <= reach;
        let distance = (same_start && same_size).then(|| strsim::osa_distance(known, word))?;
        (distance <= reach).then_some(distance)
    };
    let mut found: Vec<(usize, &str)> =
        grammar.chain(own).filter_map(|known| Some((near(known)?, known))).collect();
    found.sort_unstable();
    let (best, choice) = *found.first()?;
    let ties =
        found.iter().filter(|(distance, known)| *distance == best && stem(known) != stem(choice));
    (ties.count() == 0).then(|| choice.to_owned())
}
