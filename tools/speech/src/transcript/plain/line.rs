//! A line of plain text with its speaker and its times, as far as the file gives them.

use super::super::estimated_times::over;
use super::super::lines::shown;
use super::super::phrases::{Said, TimedWord, Times};
use super::super::{Micros, Place, names};
use super::stamp::{self, Clock};
use std::collections::BTreeMap;
use std::ops::Range;

/// A phrase whose times may not be known yet.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) clock: Clock,
    pub(super) speaker: Option<String>,
    pub(super) text: String,
}

impl Line {
    /// When it begins, where that is known.
    pub(super) fn start(&self) -> Micros {
        match self.clock {
            Clock::Both(start, _) | Clock::Start(start) => start,
            Clock::None => Micros::default(),
        }
    }

    /// A note about a word that looks like a time, in a file where times have another place.
    pub(super) fn marked(&self) -> Option<String> {
        let word = self.text.split_whitespace().find(|word| stamp::is_marked(word))?;
        let (number, word) = (self.number, shown(word));
        Some(format!("line {number}: \"{word}\" is taken for a word that is said, not for a time"))
    }

    /// The speaker, or a possible name on a line of its own.
    fn name(&self) -> Option<&str> {
        self.speaker.as_deref().or_else(|| self.heading())
    }

    /// The name above the text.
    fn heading(&self) -> Option<&str> {
        names::alone(&self.text).filter(|_| self.speaker.is_none())
    }

    /// Whether the next line, which has no time, is said at the time of this one too.
    pub(super) fn goes_on(&self, next: &Self) -> bool {
        let is_of_this = self.clock != Clock::None && next.clock == Clock::None;
        let is_empty = self.text.is_empty() || self.heading().is_some();
        let is_open = matches!(self.clock, Clock::Start(_)) && next.speaker.is_none();
        is_of_this && (is_empty || is_open)
    }

    /// Adds the next line, which is `whole` with the name in it.
    pub(super) fn add(&mut self, next: Self, whole: &str) {
        if let Some(name) = self.heading().map(str::to_owned) {
            self.speaker = Some(name);
            self.text.clear();
        }
        if self.speaker.is_none() && self.text.is_empty() {
            (self.speaker, self.text) = (next.speaker, next.text);
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(whole);
    }
}

/// A phrase without a name continues the last named speaker, also one named on a separate line. Phrases
/// with their own ends are written separately, so none takes a name.
pub(super) fn carried(lines: Vec<Line>) -> Vec<Line> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for name in lines.iter().filter_map(Line::name) {
        *times.entry(name.to_owned()).or_default() += 1;
    }
    let comes_again = |name: &&str| times.get(*name).is_some_and(|times| *times > 1);
    let (mut kept, mut last) = (Vec::with_capacity(lines.len()), None);
    for mut line in lines {
        let heading = line.heading().filter(|name| line.clock == Clock::None && comes_again(name));
        if heading.is_some() {
            last = heading.map(str::to_owned);
            continue;
        }
        let is_written = matches!(line.clock, Clock::Both(..));
        if line.speaker.is_none() && !is_written && !line.text.starts_with(names::MARK) {
            line.speaker.clone_from(&last);
        } else {
            last.clone_from(&line.speaker);
        }
        kept.push(line);
    }
    kept
}

/// Lines as phrases, one after another over where somebody talks.
pub(super) fn placed(lines: Vec<Line>, speech: &[Range<Micros>]) -> Vec<(Place, Said)> {
    let speech: Vec<Range<u64>> = speech.iter().map(|one| one.start.0..one.end.0).collect();
    let words = lines.iter().flat_map(|line| line.text.split_whitespace());
    let lengths: Vec<u64> = words.map(|word| word.chars().count() as u64 + 1).collect();
    let mut ranges = over(&speech, &lengths).into_iter();
    let said = lines.into_iter().filter_map(|line| {
        let count = line.text.split_whitespace().count();
        let texts = line.text.split_whitespace().zip(ranges.by_ref().take(count));
        let word = |(text, range): (&str, Range<u64>)| {
            let (start, end) = (Micros(range.start), Micros(range.end));
            TimedWord { text: text.into(), start, end, confidence: None }
        };
        let words: Vec<TimedWord> = texts.map(word).collect();
        let (start, end) = (words.first()?.start, words.last()?.end);
        let said = Said { start, end, speaker: line.speaker, words, times: Times::Spread };
        Some((line.number.into(), said))
    });
    said.collect()
}
