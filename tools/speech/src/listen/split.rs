//! Splits text into phrases that are short enough to reorder. A phrase ends at the end of a sentence and at
//! a pause. A long phrase is split at a comma or where the speaker breathes.

use super::phrase::{HeardWord, Phrase};
use crate::mel::RATE;

/// A longer pause ends a phrase: 0.5 s, in samples.
const PAUSE: usize = RATE as usize / 2;
/// A longer phrase, over 10 s, also ends at a comma or a breath. None of its parts is shorter than 2 s.
const LONG: usize = 10 * RATE as usize;
const LEAST: usize = 2 * RATE as usize;
/// A shorter gap is no breath: 0.2 s.
const BREATH: usize = RATE as usize / 5;
/// A phrase shorter than this, 20 ms, is not separate speech: the times of its words are wrong.
pub(crate) const SHORTEST: usize = RATE as usize / 50;
/// What ends a part of a sentence.
const COMMAS: &str = ",;:，；：、—–";
const ENDS: &str = ".?!…。？！";
/// Marks that may follow the end of a sentence.
const CLOSING: &str = "\"'”’)]»";
/// Words with a point that end no sentence.
const SHORT: [&str; 16] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "etc", "no", "vol", "e.g", "i.e",
    "z.b", "approx",
];

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
    joined(parts.into_iter().flat_map(shortened).collect())
}

/// Joins each phrase that is shorter than [`SHORTEST`] to a neighbor, if it has one.
pub(crate) fn joined(phrases: Vec<Phrase>) -> Vec<Phrase> {
    let mut joined: Vec<Phrase> = Vec::with_capacity(phrases.len());
    for phrase in phrases {
        let is_part = |last: &Phrase| {
            last.range.len().min(phrase.range.len()) < SHORTEST
                && phrase.range.start.saturating_sub(last.range.end) <= PAUSE
        };
        match joined.last_mut().filter(|last| is_part(last)) {
            Some(last) => {
                last.range.end = last.range.end.max(phrase.range.end);
                last.words.extend(phrase.words);
            }
            None => joined.push(phrase),
        }
    }
    joined
}

/// A part of a sensible length, or the parts of one that was too long.
fn shortened(part: Phrase) -> Vec<Phrase> {
    let Some(at) = best_break(&part) else { return vec![part] };
    let mut first = part;
    let mut second = Phrase { words: first.words.split_off(at), ..first.clone() };
    fit(&mut first);
    fit(&mut second);
    [first, second].into_iter().flat_map(shortened).collect()
}

/// The word before which a long phrase is split: after the comma nearest to its middle, or else in its
/// longest breath.
fn best_break(part: &Phrase) -> Option<usize> {
    let (start, end) = (part.words.first()?.range.start, part.words.last()?.range.end);
    if end.saturating_sub(start) <= LONG {
        return None;
    }
    let inside = (1..part.words.len()).filter_map(|at| {
        let (ahead, next) = (part.words.get(at - 1)?, part.words.get(at)?);
        let is_whole = ahead.range.end.saturating_sub(start) >= LEAST
            && end.saturating_sub(next.range.start) >= LEAST;
        is_whole.then_some((at, ahead, next))
    });
    let off = |at: usize| (2 * at).abs_diff(start + end);
    let is_comma = |word: &HeardWord| {
        word.text.trim_end_matches(|c| CLOSING.contains(c)).ends_with(|c| COMMAS.contains(c))
    };
    let commas = inside.clone().filter(|(_, ahead, _)| is_comma(ahead));
    let comma = commas.min_by_key(|(_, ahead, _)| off(ahead.range.end)).map(|(at, _, _)| at);
    let breaths = inside.map(|(at, ahead, next)| {
        (next.range.start.saturating_sub(ahead.range.end), std::cmp::Reverse(at))
    });
    let breath = breaths.filter(|(gap, _)| *gap >= BREATH).max();
    comma.or(breath.map(|(_, at)| at.0))
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

/// Makes the phrase as long as its words.
pub(super) fn fit(phrase: &mut Phrase) {
    if let (Some(first), Some(last)) = (phrase.words.first(), phrase.words.last()) {
        phrase.range = first.range.start..last.range.end.max(first.range.start + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ops::Range;

    fn of(words: Vec<HeardWord>) -> Phrase {
        let end = words.last().map_or(0, |word| word.range.end);
        Phrase {
            range: 0..end,
            words,
            language: "en".into(),
            likelihood: -0.2,
            silence: 0.0,
            is_spread: false,
        }
    }

    fn phrase(text: &str, pauses: &[usize]) -> Phrase {
        let mut at = 0;
        let word = |(index, text): (usize, &str)| {
            let start = at + if pauses.contains(&index) { PAUSE + 1 } else { 100 };
            at = start + 1_000;
            HeardWord { text: text.into(), range: start..at, confidence: None }
        };
        let words: Vec<HeardWord> = text.split(' ').enumerate().map(word).collect();
        of(words)
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

    /// Words of a second each.
    fn long(said: &str, gaps: &[(usize, usize)]) -> Vec<String> {
        let mut at = 0;
        let word = |(index, text): (usize, &str)| {
            let gap = gaps.iter().find(|(word, _)| *word == index).map_or(0, |(_, gap)| *gap);
            let start = at + gap;
            at = start + RATE as usize;
            HeardWord { text: text.into(), range: start..at, confidence: None }
        };
        let words: Vec<HeardWord> = said.split(' ').enumerate().map(word).collect();
        let all = of(words);
        let text = |part: Phrase| {
            let words: Vec<String> = part.words.into_iter().map(|word| word.text).collect();
            words.join(" ")
        };
        split(all).into_iter().map(text).collect()
    }

    #[test]
    fn a_long_phrase_ends_at_a_comma_or_a_breath() {
        let said = "so, one two three four five, six seven eight, nine ten eleven";
        let parts = ["so, one two three four five,", "six seven eight, nine ten eleven"];
        assert_eq!(long(said, &[]), parts);
        let plain = "one two three four five six seven eight nine ten eleven";
        assert_eq!(long(plain, &[]), [plain]);
        let breaths = [(4, BREATH), (7, BREATH + 10), (10, 2 * BREATH)];
        let parts = ["one two three four five six seven", "eight nine ten eleven"];
        assert_eq!(long(plain, &breaths), parts);
        assert_eq!(long("one, two three four", &[(2, BREATH)]).len(), 1);
    }

    #[test]
    fn what_is_too_short_to_be_said_by_itself_is_part_of_the_phrase_beside_it() {
        let word = |text: &str, start: usize, end: usize| HeardWord {
            text: text.into(),
            range: start..end,
            confidence: None,
        };
        let told = |words: Vec<HeardWord>| -> Vec<(String, Range<usize>)> {
            let text = |part: &Phrase| {
                part.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
            };
            split(of(words)).iter().map(|part| (text(part), part.range.clone())).collect()
        };
        let behind =
            vec![word("Press", 0, 4_000), word("one.", 4_000, 9_000), word("Two.", 9_000, 9_001)];
        assert_eq!(told(behind), [("Press one. Two.".to_owned(), 0..9_001)]);
        let ahead =
            vec![word("Two.", 100, 100), word("Press", 120, 4_000), word("one.", 4_000, 9_000)];
        assert_eq!(told(ahead), [("Two. Press one.".to_owned(), 100..9_000)]);
        let far = 9_000 + PAUSE + 1;
        let apart = vec![word("Press.", 0, 9_000), word("Two.", far, far)];
        let alone = [("Press.".to_owned(), 0..9_000), ("Two.".to_owned(), far..far + 1)];
        assert_eq!(told(apart), alone, "not over a pause");
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
