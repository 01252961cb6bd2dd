//! Search in spoken words: the words in order, also if one was slightly misheard.

use super::lines::Script;
use super::word_diff::plain;
use deskhand_session::Session;
use std::ops::Range;

/// The most places that are kept.
const MOST: usize = 10_000;

/// How many letters may differ: 0 in short words, then one in four.
fn slack(word: &str) -> usize {
    match word.chars().count() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Every word of a transcript in a form for comparison.
#[derive(Debug, Default)]
pub(super) struct Plain {
    words: Vec<String>,
    /// The numbers of the words, which some may be left out of.
    numbers: Vec<usize>,
}

impl Plain {
    pub(super) fn new(session: &Session, script: &Script) -> Self {
        let segments = script.parts.iter().filter_map(|part| session.segments.get(&part.id));
        let words = segments.flat_map(|segment| &segment.words).enumerate();
        let shown = words.filter(|(number, _)| !script.hidden.contains(number));
        let (numbers, words) = shown.map(|(number, word)| (number, plain(&word.text))).unzip();
        Self { words, numbers }
    }

    /// Where a query is said, in order: the numbers of the words. The last word may be begun only.
    pub(super) fn find(&self, query: &str) -> Vec<Range<usize>> {
        let query: Vec<String> = query.split_whitespace().map(plain).collect();
        let query: Vec<&String> = query.iter().filter(|word| !word.is_empty()).collect();
        let Some((last, ahead)) = query.split_last() else { return Vec::new() };
        let begins = |at: usize| {
            let ahead_fits =
                ahead.iter().zip(&self.words[at..]).all(|(wanted, word)| is_like(word, wanted));
            let end = at + ahead.len();
            ahead_fits && (self.words[end].starts_with(*last) || is_like(&self.words[end], last))
        };
        let starts = 0..self.words.len().saturating_sub(ahead.len());
        let found = starts.filter(|at| begins(*at));
        let numbers = |at: usize| self.numbers[at]..self.numbers[at + query.len() - 1] + 1;
        found.map(numbers).take(MOST).collect()
    }
}

/// Whether two plain words are the same but for a few letters.
fn is_like(word: &str, wanted: &str) -> bool {
    if word == wanted {
        return true;
    }
    let most = slack(wanted);
    // Bytes are at least as many as letters, and a letter is at most four of them.
    if most == 0 || word.len().abs_diff(wanted.len()) > most * 4 {
        return false;
    }
    apart(word, wanted, most)
}

/// Whether at most `most` letters differ, are missing or too many.
fn apart(a: &str, b: &str, most: usize) -> bool {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
        if row.iter().all(|cost| *cost > most) {
            return false;
        }
    }
    row[b.len()] <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Plain {
        let words: Vec<String> = text.split_whitespace().map(plain).collect();
        Plain { numbers: (0..words.len()).collect(), words }
    }

    #[test]
    fn words_are_found_with_small_mistakes_and_half_typed() {
        let said = said("So the Boats, could find their way. The goats find nothing: Dashwood!");
        let found = |query| -> Vec<(usize, usize)> {
            said.find(query).iter().map(|it| (it.start, it.end)).collect()
        };
        assert_eq!(found("boats could"), [(2, 4)]);
        assert_eq!(found("dashwod"), [(11, 12)]);
        assert_eq!(found("find"), [(4, 5), (9, 10)]);
        assert_eq!(found("find th"), [(4, 6)]);
        // Short words are not guessed, and nothing is everywhere.
        assert_eq!(found("thy"), []);
        assert_eq!(found("  ,"), []);
    }

    #[test]
    fn a_letter_apart_is_counted_in_letters_not_in_bytes() {
        assert!(is_like("müller", "muller"));
        assert!(!is_like("müller", "maler"));
    }
}
