//! Removes phrases that Whisper invented by repeating earlier text, where sound continues and nobody
//! speaks.

use super::phrase::{HeardWord, Phrase};
use super::window::TICK;
use crate::mel::RATE;

/// At least this many words in a row without duration were not spoken.
const LEAST: usize = 2;
/// Nobody speaks faster than a letter in 30 ms, in samples.
const A_LETTER: usize = RATE as usize * 30 / 1000;
/// The number of letters that count as recent text: two or three sentences.
const RECENT: usize = 200;

/// Marks the phrases that nobody said, which are of two kinds:
/// - the phrase repeats the phrase before it, and one of its words has no duration;
/// - the phrase is too short to be spoken, and most of its words have no duration and repeat `told` or recent text.
pub(super) fn echoes(phrases: &[Phrase], told: &str) -> Vec<bool> {
    let (mut recent, mut ahead) = (last(letters(told)), None::<String>);
    let is_echo = |phrase: &Phrase| {
        let own = said(&phrase.words);
        let is_same =
            ahead.as_ref() == Some(&own) && phrase.words.iter().any(|word| word.range.is_empty());
        let is_echo = is_same || passed_by(phrase).is_some_and(|words| recent.contains(&words));
        if !is_echo {
            recent = last(format!("{recent}{own}"));
            ahead = Some(own);
        }
        is_echo
    };
    phrases.iter().map(is_echo).collect()
}

/// The longest run of words without duration, if it is at least half of a phrase that is too short to be spoken.
fn passed_by(phrase: &Phrase) -> Option<String> {
    let has_none = |word: &HeardWord| word.range.len() <= TICK;
    let runs = phrase.words.chunk_by(|one, next| has_none(one) == has_none(next));
    let run = runs.filter(|run| run.iter().all(has_none)).max_by_key(|run| run.len())?;
    let is_most = run.len() >= LEAST && run.len() * 2 >= phrase.words.len();
    let is_too_fast = phrase.range.len() < said(&phrase.words).chars().count() * A_LETTER;
    (is_most && is_too_fast).then(|| said(run))
}

/// The words as letters and digits only.
fn said(words: &[HeardWord]) -> String {
    words.iter().map(|word| letters(&word.text)).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn last(text: String) -> String {
    let more = text.chars().count().saturating_sub(RECENT);
    text.chars().skip(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    /// A phrase of words with their times.
    fn phrase(words: &[(&str, Range<usize>)]) -> Phrase {
        let word = |(text, range): &(&str, Range<usize>)| HeardWord {
            text: (*text).into(),
            range: range.clone(),
            confidence: None,
        };
        Phrase {
            range: words[0].1.start..words[words.len() - 1].1.end,
            words: words.iter().map(word).collect(),
            language: "en".into(),
            likelihood: -0.2,
            silence: 0.1,
            is_spread: false,
        }
    }

    #[test]
    fn what_is_said_again_in_no_time_was_not_said() {
        let said = phrase(&[("Speed", 0..400), ("dial.", 400..900)]);
        let again = phrase(&[("Speed", 2000..2400), ("dial.", 2400..2900)]);
        let echo = phrase(&[("speed", 3000..3000), ("dial.", 3000..3600)]);
        let other = phrase(&[("Speed", 3000..3000), ("trap.", 3000..3600)]);
        assert_eq!(echoes(&[said.clone(), again.clone(), echo], ""), [false, false, true]);
        assert_eq!(echoes(&[said, again, other], ""), [false; 3], "words of its own are told");
    }

    /// A phrase of words with these lengths in ms, one after the other.
    fn spoken(words: &[(&'static str, usize)]) -> Phrase {
        let mut at = 0;
        let word = |(text, ms): &(&'static str, usize)| {
            let start = at;
            at += ms * RATE as usize / 1000;
            (*text, start..at)
        };
        let words: Vec<(&str, Range<usize>)> = words.iter().map(word).collect();
        phrase(&words)
    }

    #[test]
    fn what_is_over_before_anybody_could_say_it_and_was_just_told_was_not_said() {
        let echo =
            [("Had", 540), ("he", 180), ("been", 0), ("made", 0), ("amiable", 0), ("himself.", 0)];
        let told = " He might even have been made amiable himself.";
        assert_eq!(echoes(&[spoken(&echo)], told), [true]);
        let ahead = [("He", 280), ("had", 200), ("been", 200), ("made", 300), ("amiable", 500)];
        let ahead = [&ahead[..], &[("himself.", 500)][..]].concat();
        assert_eq!(echoes(&[spoken(&ahead), spoken(&echo)], ""), [false, true], "in one part");
        assert_eq!(echoes(&[spoken(&echo)], " Something else was said."), [false]);
        let slow = [("been", 0), ("made", 0), ("amiable", 700), ("himself.", 500)];
        let slow = [&echo[..2], &slow[..]].concat();
        assert_eq!(echoes(&[spoken(&slow)], told), [false], "there was time for it");
        let long_ago = format!("{told} {}", "And then other things were said. ".repeat(10));
        assert_eq!(echoes(&[spoken(&echo)], &long_ago), [false]);
    }

    #[test]
    fn what_is_said_twice_is_told_twice() {
        let stop = spoken(&[("Stop.", 300)]);
        assert_eq!(echoes(&[stop.clone(), stop], " Stop. Stop."), [false, false]);
        let again = spoken(&[("Go", 120), ("on.", 180)]);
        assert_eq!(echoes(&[again.clone(), again], " Go on."), [false, false]);
    }
}
