//! Phrases that are fine enough to be put in another order: none goes on behind the end of a sentence or a
//! pause.

use super::{Phrase, fit};
use crate::mel::RATE;

/// A longer pause ends a phrase: 0.5 s, in samples.
const PAUSE: usize = RATE as usize / 2;
/// What ends a sentence.
const ENDS: &str = ".?!…。？！";
/// What may stand behind that.
const CLOSING: &str = "\"'”’)]»";
/// Words with a point that end no sentence.
const SHORT: [&str; 16] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "etc", "no", "vol", "e.g", "i.e",
    "z.b", "approx",
];

/// The phrase in parts.
pub(crate) fn split(phrase: Phrase) -> Vec<Phrase> {
    let mut parts = vec![Phrase { words: Vec::new(), ..phrase.clone() }];
    let mut words = phrase.words.into_iter().peekable();
    while let Some(word) = words.next() {
        let ends = words.peek().is_some_and(|next| {
            next.range.start.saturating_sub(word.range.end) > PAUSE || ends(&word.text, &next.text)
        });
        if let Some(part) = parts.last_mut() {
            part.words.push(word);
        }
        if ends {
            let part = parts.last().map(|part| Phrase { words: Vec::new(), ..part.clone() });
            parts.extend(part);
        }
    }
    parts.iter_mut().for_each(fit);
    parts
}

/// Whether a sentence ends with `word`, when `next` follows.
fn ends(word: &str, next: &str) -> bool {
    let word = word.trim_end_matches(|c| CLOSING.contains(c));
    let Some(stem) = word.strip_suffix(|c| ENDS.contains(c)) else { return false };
    let goes_on = next.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    if goes_on || !word.ends_with('.') {
        return !goes_on;
    }
    let stem = stem.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_initial =
        stem.chars().count() == 1 && stem.chars().all(char::is_alphabetic) && stem != "i";
    !is_initial && !SHORT.contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listen::HeardWord;
    use proptest::prelude::*;

    fn phrase(text: &str, pauses: &[usize]) -> Phrase {
        let mut at = 0;
        let word = |(index, text): (usize, &str)| {
            let start = at + if pauses.contains(&index) { PAUSE + 1 } else { 100 };
            at = start + 1_000;
            HeardWord { text: text.into(), range: start..at, confidence: None }
        };
        let words: Vec<HeardWord> = text.split(' ').enumerate().map(word).collect();
        Phrase { range: 0..at, words, language: "en".into(), likelihood: -0.2, silence: 0.0 }
    }

    fn parts(said: &str, pauses: &[usize]) -> Vec<String> {
        let text = |part: Phrase| {
            let words: Vec<String> = part.words.into_iter().map(|word| word.text).collect();
            words.join(" ")
        };
        split(phrase(said, pauses)).into_iter().map(text).collect()
    }

    #[test]
    fn sentences_and_pauses_end_phrases() {
        assert_eq!(
            parts("Did Mr. Dashwood call? \"Yes.\" He did. At 3.5 and so", &[]),
            ["Did Mr. Dashwood call?", "\"Yes.\"", "He did.", "At 3.5 and so"]
        );
        assert_eq!(parts("J. S. Bach wrote it, e.g. here... and there", &[]).len(), 1);
        assert_eq!(parts("one two three", &[2]), ["one two", "three"]);
        let split = split(phrase("one two three", &[2]));
        assert_eq!((split[0].range.clone(), split[1].range.start), (100..2_200, 2_200 + PAUSE + 1));
    }

    proptest! {
        #[test]
        fn no_word_is_lost(
            said in "[a-zA-Z.?!\"' ]{1,60}",
            pauses in prop::collection::vec(0usize..20, 0..4),
        ) {
            prop_assert_eq!(parts(&said, &pauses).join(" "), said.as_str());
            let all = split(phrase(&said, &pauses));
            prop_assert!(all.iter().all(|part| !part.words.is_empty()));
            prop_assert!(all.windows(2).all(|two| two[0].range.end <= two[1].range.start));
        }
    }
}
