//! Files of transcripts: SubRip (`.srt`), WebVTT (`.vtt`), Whisper's JSON and plain text with speakers; of other subtitles
//! those that are only read.
//!
//! A transcript file comes from elsewhere, so its content is checked line by line. If something is wrong,
//! it is corrected or left out, and noted with its line number. Only a file with nothing usable is refused.
//! Times are whole microseconds.

mod cues;
mod encoding;
mod format;
mod json;
mod markup;
mod names;
mod over;
mod place;
mod plain;
mod problems;
#[cfg(test)]
mod tests;
mod tidy;
mod time;
mod unsupported;

pub use format::{Format, Written, endings};
pub(crate) use over::over;
pub use place::Place;
pub(crate) use problems::{Problem, listed};
pub(crate) use tidy::{LEAST, apart};
pub use time::Micros;
pub(crate) use unsupported::by_ending;

use std::ops::Range;

/// The largest file that is read, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most phrases of a file: a hundred hours of short ones.
const MOST_PHRASES: usize = 200_000;
/// The most words of a phrase.
const MOST_WORDS: usize = 4_000;
/// The longest word or name, in characters, as a session takes it.
const LONGEST_NAME: usize = 200;
/// The most speakers of a file.
const MOST_SPEAKERS: usize = 1_000;

#[derive(Clone, Debug, PartialEq)]
pub struct TimedWord {
    pub text: String,
    pub start: Micros,
    pub end: Micros,
    /// How sure it is, 0 to 1.
    pub confidence: Option<f64>,
}

/// Where the times of words come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// The file has them.
    Given,
    /// The file has times of phrases only; words are spread over them by their length.
    Spread,
}

/// The text of one speaker without a longer pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub start: Micros,
    /// The end; always after the beginning.
    pub end: Micros,
    pub speaker: Option<String>,
    pub words: Vec<TimedWord>,
    /// Where the times of the words come from.
    pub times: Times,
}

impl Said {
    /// The words with spaces between them.
    #[must_use]
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}; {way_out}")]
pub struct TranscriptError {
    pub place: Place,
    pub problem: String,
    pub way_out: &'static str,
}

impl TranscriptError {
    fn at(place: impl Into<Place>, problem: impl Into<String>, way_out: &'static str) -> Self {
        Self { place: place.into(), problem: problem.into(), way_out }
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The phrases and their places in the file.
    pub phrases: Vec<(Place, Said)>,
    /// How it was read, where that is not plain.
    pub warnings: Vec<String>,
    /// What was corrected or left out.
    pub problems: Vec<Problem>,
    /// Whether no phrase had a time.
    pub is_timeless: bool,
}

/// Reads a transcript of a recording that ends at `last`. `speech` finds the stretches in which somebody talks there, in
/// order and at least one; it is asked where the file has no times.
///
/// # Errors
/// Where nothing in the file can be used, with the way out; what `speech` fails with.
pub fn read_of<E: From<TranscriptError>>(
    file: &[u8],
    format: Format,
    last: Micros,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    unsupported::may_be_read(file)?;
    let encoding::Decoded { text, guess, problems } = encoding::decoded(file)?;
    if format != Format::Json {
        unsupported::may_be_text(&text)?;
    }
    let mut read = match cues::format_of(&text, format) {
        Format::Json => json::read(&text)?,
        Format::Text => plain::read(&text, speech)?,
        format => cues::read(&text, format, speech)?,
    };
    read.warnings.extend(guess);
    read.problems.extend(problems);
    names::in_one_spelling(read.phrases.iter_mut().filter_map(|(_, one)| one.speaker.as_mut()));
    tidy::tidy(&mut read, last);
    match problems::nothing_left(&read.problems).filter(|_| read.phrases.is_empty()) {
        Some(error) => Err(error.into()),
        None => Ok(read),
    }
}

/// The number of the line that follows these bytes.
fn line_behind(bytes: &[u8]) -> usize {
    1 + bytes.iter().filter(|byte| **byte == b'\n').count()
}

#[must_use]
pub fn write(said: &[Said], format: Written) -> String {
    match format {
        Written::Srt | Written::Vtt => cues::write(said, format),
        Written::Json => json::write(said),
        Written::Text => plain::write(said),
    }
}

/// The lines of a text with their numbers.
fn lines(text: &str) -> Vec<(usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line)).collect()
}

/// A text of a file in the form for an error: short, and without control characters.
fn shown(text: &str) -> String {
    let safe = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().take(30).map(safe).collect()
}

/// Where what begins at `from` ends when nothing follows it: with the speech.
fn last_end<E>(
    from: Micros,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Micros, E> {
    /// It lasts so long at least, in us: speech is not always heard.
    const LEAST: u64 = 500_000;
    let last = speech()?.last().map_or(from, |last| last.end);
    Ok(last.max(Micros(from.0.saturating_add(LEAST))))
}

/// Words spread over a time by their lengths.
fn spread(text: &str, start: Micros, end: Micros) -> Vec<TimedWord> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let weight = |word: &&str| word.chars().count() as u64 + 1;
    let all: u64 = words.iter().map(weight).sum();
    let mut before = 0;
    let length = end.0.saturating_sub(start.0);
    let at = |part: u64| {
        let moved = u128::from(length) * u128::from(part) / u128::from(all.max(1));
        Micros(start.0.saturating_add(u64::try_from(moved).unwrap_or(length)))
    };
    let timed = words.iter().map(|word| {
        let from = at(before);
        before += weight(word);
        TimedWord { text: (*word).into(), start: from, end: at(before), confidence: None }
    });
    timed.collect()
}
