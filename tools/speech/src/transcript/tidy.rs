//! Fits phrases to a session: in order of time, inside the recording, and no phrase during another of the
//! same speaker or of an unnamed one. A phrase that does not fit is corrected and noted.

use super::estimated_times::spread;
use super::limits::{LONGEST_NAME, MOST_PHRASES, MOST_SPEAKERS, MOST_WORDS};
use super::phrases::{Said, TimedWord, Times, Transcript};
use super::problems::{Kind, Problem};
use super::{Micros, Place};
use std::collections::BTreeSet;

/// The shortest phrase, in us: files count milliseconds.
pub(crate) const LEAST: u64 = 1_000;
/// How much later than its recording a transcript may end, in microseconds: players and editors round.
const TOLERANCE: u64 = 500_000;

type Phrase = (Place, Said);

/// Puts right what a session does not take of a recording that ends there.
pub(super) fn tidy(transcript: &mut Transcript, last: Micros) {
    let problems = &mut transcript.problems;
    let mut phrases = std::mem::take(&mut transcript.phrases);
    phrases.retain_mut(|phrase| fits(phrase, last, problems));
    phrases.iter_mut().for_each(|phrase| clean(phrase, problems));
    few_speakers(&mut phrases, problems);
    sort(&mut phrases, problems);
    let (phrases, overlaps) = apart(phrases);
    problems.extend(overlaps);
    let mut phrases: Vec<Phrase> =
        phrases.into_iter().flat_map(|phrase| short(phrase, problems)).collect();
    for (place, said) in phrases.drain(MOST_PHRASES.min(phrases.len())..) {
        problems.push(Problem::at(place, Kind::TooMany, &said.text()));
    }
    transcript.phrases = phrases;
}

/// Whether a phrase is in the recording, shortened to it where it reaches out.
fn fits((place, said): &mut Phrase, last: Micros, problems: &mut Vec<Problem>) -> bool {
    let mut note = |kind| problems.push(Problem::at(*place, kind, &said.text()));
    if said.end <= said.start {
        note(Kind::NoLength);
        return false;
    }
    if said.start >= last {
        note(Kind::Outside);
        return false;
    }
    if said.end > last {
        if said.end.0 - last.0 > TOLERANCE {
            note(Kind::Clamped);
        }
        end_at(said, last);
    }
    true
}

/// Ends a phrase and its words earlier.
fn end_at(said: &mut Said, end: Micros) {
    said.end = end;
    match said.times {
        Times::Spread => said.words = spread(&said.text(), said.start, end),
        Times::Given => said.words.iter_mut().for_each(|word| {
            word.end = word.end.min(end);
            word.start = word.start.min(word.end);
        }),
    }
}

/// Cleans the words and the name as a session requires: no control characters, and not too long.
fn clean((place, said): &mut Phrase, problems: &mut Vec<Problem>) {
    let is_sound = |text: &String| {
        !text.chars().any(char::is_control)
            && (text.len() <= LONGEST_NAME || text.chars().count() <= LONGEST_NAME)
    };
    if said.words.iter().map(|word| &word.text).chain(&said.speaker).all(is_sound) {
        return;
    }
    problems.push(Problem::at(*place, Kind::LongWords, &said.text()));
    let visible = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    said.speaker =
        said.speaker.take().map(|name| visible(&name).chars().take(LONGEST_NAME).collect());
    said.speaker.take_if(|name| name.trim().is_empty());
    let words = std::mem::take(&mut said.words);
    said.words = words.into_iter().flat_map(|word| pieces(&visible(&word.text), &word)).collect();
    if said.times == Times::Spread {
        said.words = spread(&said.text(), said.start, said.end);
    }
}

/// A word, split into pieces that are not too long. Empty if no letter of it is visible.
fn pieces(text: &str, word: &TimedWord) -> Vec<TimedWord> {
    let letters: Vec<char> = text.chars().collect();
    let piece = |letters: &[char]| TimedWord { text: letters.iter().collect(), ..word.clone() };
    letters.chunks(LONGEST_NAME).map(piece).collect()
}

/// Removes the names of speakers beyond the limit.
fn few_speakers(phrases: &mut [Phrase], problems: &mut Vec<Problem>) {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (place, said) in phrases {
        let Some(name) = &said.speaker else { continue };
        if known.contains(name) {
            continue;
        }
        if known.len() < MOST_SPEAKERS {
            known.insert(name.clone());
        } else {
            problems.push(Problem::at(*place, Kind::Speakers, name));
            said.speaker = None;
        }
    }
}

fn sort(phrases: &mut [Phrase], problems: &mut Vec<Problem>) {
    let mut latest = Micros::default();
    for (place, said) in phrases.iter() {
        if said.start < latest {
            problems.push(Problem::at(*place, Kind::Sorted, &said.text()));
        }
        latest = latest.max(said.start);
    }
    phrases.sort_by_key(|(_, said)| said.start);
}

/// Phrases sorted by time, without overlaps that a file cannot express; and how the overlapping ones were
/// changed.
pub(crate) fn apart(phrases: Vec<Phrase>) -> (Vec<Phrase>, Vec<Problem>) {
    let mut apart = Apart::default();
    phrases.into_iter().for_each(|phrase| apart.take(phrase));
    let Apart { kept, problems, .. } = apart;
    let mut phrases: Vec<Phrase> = kept.into_iter().flatten().collect();
    phrases.sort_by_key(|(_, said)| said.start);
    (phrases, problems)
}

/// Phrases on their way.
#[derive(Default)]
struct Apart {
    /// In order; `None` if one was joined with another.
    kept: Vec<Option<Phrase>>,
    /// Which of them are still said.
    open: Vec<usize>,
    problems: Vec<Problem>,
}

impl Apart {
    fn take(&mut self, mut phrase: Phrase) {
        let start = phrase.1.start;
        let is_said = |one: &Option<Phrase>| one.as_ref().is_some_and(|(_, said)| said.end > start);
        self.open.retain(|at| self.kept.get(*at).is_some_and(is_said));
        let mut joined = Vec::new();
        for at in self.clashes(&phrase) {
            joined.extend(self.kept.get_mut(at).and_then(Option::take));
        }
        if !joined.is_empty() {
            self.problems.push(Problem::at(phrase.0, Kind::Joined, &phrase.1.text()));
            joined.push(phrase);
            phrase = as_one(joined);
            self.swallow(&mut phrase);
        }
        self.open.push(self.kept.len());
        self.kept.push(Some(phrase));
    }

    /// The open phrases that clash with one and cannot end where it starts.
    fn clashes(&mut self, (_, one): &Phrase) -> Vec<usize> {
        let mut clashes = Vec::new();
        for &at in &self.open {
            let Some(Some((place, before))) = self.kept.get_mut(at) else { continue };
            if !is_clash(before, one) {
                continue;
            }
            if shorten(before, one) {
                self.problems.push(Problem::at(*place, Kind::Shortened, &before.text()));
            } else {
                clashes.push(at);
            }
        }
        clashes
    }

    /// An unnamed phrase takes in the phrases said during it.
    fn swallow(&mut self, phrase: &mut Phrase) {
        if phrase.1.speaker.is_some() {
            return;
        }
        let mut inside = Vec::new();
        for one in self.kept.iter_mut().rev() {
            match one {
                Some((_, said)) if said.start < phrase.1.start => break,
                _ => inside.extend(one.take()),
            }
        }
        if !inside.is_empty() {
            inside.push(std::mem::replace(phrase, (Place::default(), nobody())));
            inside.sort_by_key(|(_, said)| said.start);
            *phrase = as_one(inside);
        }
    }
}

fn nobody() -> Said {
    let (start, end) = (Micros::default(), Micros::default());
    Said { start, end, speaker: None, words: Vec::new(), times: Times::Spread }
}

/// Whether a file could not tell that two speak at once.
fn is_clash(before: &Said, one: &Said) -> bool {
    let is_named = before.speaker.is_some() && one.speaker.is_some();
    !is_named || before.speaker == one.speaker
}

/// Ends a phrase where the next begins, if all of its words can begin before that.
fn shorten(before: &mut Said, next: &Said) -> bool {
    let fits = |at: Micros| at.0.saturating_add(LEAST) <= next.start.0;
    let is_before =
        before.times == Times::Spread || before.words.iter().all(|word| fits(word.start));
    let is_shortened = fits(before.start) && is_before;
    if is_shortened {
        end_at(before, next.start);
    }
    is_shortened
}

/// Makes one phrase of several in order; whose words are said when is not kept.
fn as_one(phrases: Vec<Phrase>) -> Phrase {
    let place = phrases.iter().map(|(place, _)| *place).next().unwrap_or_default();
    let (mut one, mut is_first) = (nobody(), true);
    for (_, said) in phrases {
        one.start = if is_first { said.start } else { one.start.min(said.start) };
        one.end = one.end.max(said.end);
        one.speaker = said.speaker.filter(|name| is_first || one.speaker.as_ref() == Some(name));
        // The first may be long by now, and is not copied.
        match is_first {
            true => one.words = said.words,
            false => one.words.extend(said.words),
        }
        is_first = false;
    }
    (place, one)
}

/// A phrase in parts that are not too long, with the times of its words where two were joined.
fn short((place, mut said): Phrase, problems: &mut Vec<Problem>) -> Vec<Phrase> {
    if !said.words.is_sorted_by_key(|word| word.start) {
        said.words = spread(&said.text(), said.start, said.end);
        said.times = Times::Spread;
    }
    if said.words.len() <= MOST_WORDS {
        return if said.words.is_empty() { Vec::new() } else { vec![(place, said)] };
    }
    problems.push(Problem::at(place, Kind::LongPhrase, &said.text()));
    let parts: Vec<Phrase> = said
        .words
        .chunks(MOST_WORDS)
        .filter_map(|words| {
            let (first, last) = (words.first()?, words.last()?);
            let (speaker, words) = (said.speaker.clone(), words.to_vec());
            let part =
                Said { start: first.start, end: last.end, speaker, words, times: said.times };
            (part.start < part.end).then_some((place, part))
        })
        .collect();
    parts
}
