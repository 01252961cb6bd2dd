//! The similarity of two texts by their trigrams, counted as in PostgreSQL's `pg_trgm`. Each word is split
//! into threes of letters, with two spaces before it and one after it. The result is the share of common
//! trigrams among all (Jaccard).

use deskhand_toolkit::text::folded;
use std::collections::BTreeSet;

/// The trigrams of a word or a text, each once, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trigrams(Vec<u64>);

impl Trigrams {
    /// The trigrams of all words of a text, without case and punctuation.
    pub(super) fn of(text: &str) -> Self {
        let mut found = Vec::new();
        for word in text.split_whitespace() {
            add(word, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        Self(found)
    }

    /// Whether there are none: no letter, no digit.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A char has 21 bits, so that three fit.
fn add(word: &str, found: &mut Vec<u64>) {
    let word = folded(word);
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    let mut last = [u64::from(b' '); 2];
    let mut any = false;
    for letter in letters.map(u64::from) {
        found.push(last[0] << 42 | last[1] << 21 | letter);
        last = [last[1], letter];
        any = true;
    }
    if any {
        found.push(last[0] << 42 | last[1] << 21 | u64::from(b' '));
    }
}

/// A text that others are compared with.
#[derive(Debug)]
pub(super) struct Query(Trigrams);

impl Query {
    pub(super) fn new(text: &str) -> Self {
        Self(Trigrams::of(text))
    }

    /// How alike the words together are, 0 to 1; `None` if it is less than `least`, or nothing is shared.
    pub(super) fn similarity(&self, words: &[Trigrams], least: f64) -> Option<f64> {
        let own = &self.0.0;
        let is_shared = |trigram: &u64| own.binary_search(trigram).is_ok();
        // An upper bound of the shared ones, which rejects most units.
        let most: usize =
            words.iter().map(|word| word.0.iter().filter(|t| is_shared(t)).count()).sum();
        if most == 0 || (most.min(own.len()) as f64) < least * own.len() as f64 {
            return None;
        }
        let theirs: BTreeSet<u64> = words.iter().flat_map(|word| word.0.iter().copied()).collect();
        let shared = theirs.iter().filter(|trigram| is_shared(trigram)).count();
        let all = own.len() + theirs.len() - shared;
        let score = shared as f64 / all as f64;
        (score >= least).then_some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn score(a: &str, b: &str) -> f64 {
        Query::new(a).similarity(&[Trigrams::of(b)], 0.0).unwrap_or(0.0)
    }

    #[test]
    fn scores_are_those_of_pg_trgm() {
        // select similarity('word', 'two words') = 0.363636, as its documentation says.
        assert!((score("word", "two words") - 4.0 / 11.0).abs() < 1e-9);
        assert!((score("Dashwood", "Dashwod,") - 0.7).abs() < 1e-9);
        assert_eq!(score("money", "tree"), 0.0);
        assert_eq!(score("Näh'", "näh"), 1.0);
    }

    proptest! {
        #[test]
        fn it_is_symmetric_between_0_and_1_and_1_for_the_same(a in "[a-c ]{1,12}", b in "[a-c ]{1,12}") {
            let (ab, ba) = (score(&a, &b), score(&b, &a));
            prop_assert_eq!(ab, ba);
            prop_assert!((0.0..=1.0).contains(&ab));
            if !Trigrams::of(&a).is_empty() {
                prop_assert_eq!(score(&a, &a), 1.0);
            }
        }

        #[test]
        fn words_apart_are_a_text_together(words in prop::collection::vec("[a-d]{1,5}", 1..6), text in "[a-d ]{1,20}") {
            let apart: Vec<Trigrams> = words.iter().map(|word| Trigrams::of(word)).collect();
            let together = Trigrams::of(&words.join(" "));
            let query = Query::new(&text);
            prop_assert_eq!(query.similarity(&apart, 0.0), query.similarity(&[together], 0.0));
        }
    }
}
