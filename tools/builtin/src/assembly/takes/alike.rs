//! Which phrases say the same.

use crate::assembly::talk::{is_cut_off, is_filler, plain, repeated};
use deskhand_session::{Assembly, PhraseId, Session, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Phrases with fewer words are answers, not takes.
const LEAST_WORDS: usize = 3;
/// Share of common words from which two phrases are takes of one another.
const ALIKE: f64 = 0.6;
/// Share of the shorter one from which it is a take that broke off, when it begins the same.
const BEGUN: f64 = 0.8;
/// Pairs of words that more phrases have in common say nothing.
const COMMON: usize = 64;

/// The words of a phrase that count: without fillers, cut-off words and the first of what is begun again, which would make
/// a take that stumbles the fullest.
pub(super) fn tokens(session: &Session, phrase: PhraseId) -> Vec<String> {
    let segments = session.phrases.get(&phrase).map_or(&[][..], |phrase| &phrase.segments);
    let words = segments.iter().filter_map(|id| session.segments.get(id)).flat_map(|s| &s.words);
    let said = words.filter(|word| !is_filler(&word.text) && !is_cut_off(&word.text));
    let said: Vec<Word> = said.cloned().collect();
    let (mut tokens, mut at) = (Vec::with_capacity(said.len()), 0);
    while let Some(word) = said.get(at) {
        match repeated(&said, at) {
            0 => {
                tokens.push(plain(&word.text));
                at += 1;
            }
            first => at += first,
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens.dedup();
    tokens
}

/// Sets of takes among what plays, each in the order in which it plays.
pub(super) fn sets(session: &Session, assembly: &Assembly) -> Vec<Vec<PhraseId>> {
    let is_marked =
        |id: &PhraseId| assembly.duplicates.iter().any(|group| group.takes.contains(id));
    let playing = assembly.order.iter().filter(|id| !is_marked(id));
    let said: Vec<(PhraseId, Vec<String>)> = playing
        .map(|id| (*id, tokens(session, *id)))
        .filter(|(_, t)| t.len() >= LEAST_WORDS)
        .collect();
    let near = candidates(&said);
    let mut by_length: Vec<usize> = (0..said.len()).collect();
    by_length.sort_by_key(|at| (std::cmp::Reverse(said[*at].1.len()), *at));
    let mut taken = BTreeSet::new();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    // The fullest of those that are left leads, and takes with it all that say the same as it.
    for lead in by_length {
        if taken.contains(&lead) {
            continue;
        }
        let others = near.get(&lead).into_iter().flatten().copied();
        let own = others
            .filter(|other| !taken.contains(other) && are_takes(&said[lead].1, &said[*other].1));
        let mut set: Vec<usize> = own.chain([lead]).collect();
        if set.len() > 1 {
            set.sort_unstable();
            taken.extend(set.iter().copied());
            sets.push(set);
        }
    }
    sets.sort();
    sets.into_iter().map(|set| set.into_iter().map(|at| said[at].0).collect()).collect()
}

/// For each phrase those that have two words in a row in common with it.
fn candidates(said: &[(PhraseId, Vec<String>)]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut pairs: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, (_, tokens)) in said.iter().enumerate() {
        for pair in tokens.windows(2) {
            pairs.entry((&pair[0], &pair[1])).or_default().push(at);
        }
    }
    let mut near: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for phrases in pairs.values().filter(|phrases| phrases.len() <= COMMON) {
        for a in phrases {
            near.entry(*a).or_default().extend(phrases.iter().filter(|b| *b != a));
        }
    }
    near
}

/// Whether two phrases are takes of one another.
pub(super) fn are_takes(a: &[String], b: &[String]) -> bool {
    let common = common(a, b) as f64;
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let alike = 2.0 * common / (a.len() + b.len()) as f64;
    let begins = long.iter().zip(short).take(2).all(|(a, b)| same(a, b));
    alike >= ALIKE || (begins && common >= BEGUN * short.len() as f64)
}

/// The length of the longest sequence of words that both have, in order.
pub(super) fn common(a: &[String], b: &[String]) -> usize {
    let mut row = vec![0usize; b.len() + 1];
    for word in a {
        let mut diagonal = 0;
        for (at, other) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if same(word, other) { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// Whether two words are the same, or one is heard wrongly by a letter.
fn same(a: &str, b: &str) -> bool {
    a == b || (a.chars().count().min(b.chars().count()) >= 4 && is_one_off(a, b))
}

/// Whether one letter more, less or another makes one word the other.
fn is_one_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (long, short) = if a.len() >= b.len() { (&a, &b) } else { (&b, &a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    let behind = if long.len() == short.len() { same + 1 } else { same };
    long.get(same + 1..) == short.get(behind..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn takes_share_most_words_or_the_beginning() {
        let full = words("welcome to the show about old radios");
        assert!(are_takes(&full, &words("welcome to this show about old radio")));
        assert!(are_takes(&full, &words("welcome to the")));
        assert!(!are_takes(&full, &words("about the show we made")));
        assert!(!are_takes(&full, &words("thank you all for listening")));
    }

    #[test]
    fn a_letter_may_be_heard_wrongly_in_long_words() {
        assert!(same("radio", "radios") && same("color", "colur") && same("mister", "mistar"));
        assert!(!same("cat", "hat") && !same("radio", "ratios"));
        assert_eq!(common(&words("a b c d"), &words("b x d")), 2);
    }
}
