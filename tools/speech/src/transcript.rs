//! Files of transcripts: SubRip (`.srt`), WebVTT (`.vtt`), Whisper's JSON and plain text with speakers.
//!
//! A file is a stranger's: what it says of itself is checked, line by line, and refused with the number of the
//! line. Times are whole microseconds.

mod cues;
mod json;
mod names;
mod over;
mod place;
mod plain;
#[cfg(test)]
mod tests;
mod time;

pub(crate) use over::over;
pub use place::Place;
pub use time::Micros;

use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// The largest file that is read, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;
/// The longest line of a text file, in bytes.
const LONGEST_LINE: usize = 64 << 10;
/// The most phrases of a file: a hundred hours of short ones.
const MOST_PHRASES: usize = 200_000;
/// The most words of a phrase.
const MOST_WORDS: usize = 4_000;
/// The longest word or name, in characters, as a session takes it.
const LONGEST_NAME: usize = 200;
/// The most speakers of a file.
const MOST_SPEAKERS: usize = 1_000;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// SubRip: milliseconds, no speakers of its own ("Name: text").
    Srt,
    /// WebVTT: milliseconds, speakers as voices.
    Vtt,
    /// JSON as Whisper writes it, with the times of words; speakers as `speaker`.
    Json,
    /// A line a phrase: `[00:00:01.250 --> 00:00:03.000] Name: text`.
    Text,
}

impl Format {
    /// By the ending of a path.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "srt" => Some(Self::Srt),
            "vtt" => Some(Self::Vtt),
            "json" => Some(Self::Json),
            "txt" => Some(Self::Text),
            _ => None,
        }
    }
}

/// A word with its time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedWord {
    /// As it is written.
    pub text: String,
    /// When it begins.
    pub start: Micros,
    /// When it ends.
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

/// What one speaker says without a longer pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// When it begins.
    pub start: Micros,
    /// When it ends, behind the beginning.
    pub end: Micros,
    /// Who says it.
    pub speaker: Option<String>,
    /// What.
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

/// Why a file is no transcript.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}; {way_out}")]
pub struct TranscriptError {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub problem: String,
    /// What to do.
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
    /// The phrases and where they stand in the file.
    pub phrases: Vec<(Place, Said)>,
    /// What was left out of it, or is not in it.
    pub warnings: Vec<String>,
    /// Whether no phrase had a time.
    pub is_timeless: bool,
}

/// Reads a transcript with all its times in it.
///
/// # Errors
/// The first line that is wrong, with the way out.
pub fn read(file: &[u8], format: Format) -> Result<Transcript, TranscriptError> {
    read_of(file, format, &mut || {
        let way_out = "name the recording that it is of";
        Err(TranscriptError::at(1, "it does not say when its phrases end", way_out))
    })
}

/// Reads a transcript of a recording. `speech` finds the stretches in which somebody talks there, in order and at least
/// one; it is asked where the file has no times.
///
/// # Errors
/// The first line that is wrong, with the way out; what `speech` fails with.
pub fn read_of<E: From<TranscriptError>>(
    file: &[u8],
    format: Format,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    let text = text(file)?;
    let mut read = match format {
        Format::Srt | Format::Vtt => cues::read(&text, format)?,
        Format::Json => json::read(&text)?,
        Format::Text => plain::read(&text, speech)?,
    };
    names::in_one_spelling(read.phrases.iter_mut().filter_map(|(_, one)| one.speaker.as_mut()));
    let mut checked = Check::default();
    for (place, said) in &read.phrases {
        checked.take(*place, said)?;
    }
    Ok(read)
}

/// The text of a file.
fn text(file: &[u8]) -> Result<Cow<'_, str>, TranscriptError> {
    if let Some(most) = file.get(..MOST_BYTES as usize).filter(|most| most.len() < file.len()) {
        let problem = format!("{} MB end here, the most that is read", MOST_BYTES >> 20);
        return Err(TranscriptError::at(line_behind(most), problem, "split the file ahead of it"));
    }
    let text = std::str::from_utf8(file).map_err(|error| {
        let ahead = file.get(..error.valid_up_to()).unwrap_or_default();
        TranscriptError::at(line_behind(ahead), "it is not UTF-8", "save the file as UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Lines end as they did on an old Mac.
    let old = !text.contains('\n') && text.contains('\r');
    Ok(if old { Cow::Owned(text.replace('\r', "\n")) } else { Cow::Borrowed(text) })
}

/// The number of the line that goes on behind these bytes.
fn line_behind(bytes: &[u8]) -> usize {
    1 + bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Writes a transcript.
#[must_use]
pub fn write(said: &[Said], format: Format) -> String {
    match format {
        Format::Srt | Format::Vtt => cues::write(said, format),
        Format::Json => json::write(said),
        Format::Text => plain::write(said),
    }
}

/// The lines of a text with their numbers.
///
/// # Errors
/// The first line that is too long.
fn lines(text: &str) -> Result<Vec<(usize, &str)>, TranscriptError> {
    let numbered = text.lines().enumerate().map(|(index, line)| match line.len() {
        0..=LONGEST_LINE => Ok((index + 1, line)),
        bytes => {
            let problem = format!("the line has {bytes} bytes, the most is {LONGEST_LINE}");
            Err(TranscriptError::at(index + 1, problem, "it is no transcript, or break the line"))
        }
    });
    numbered.collect()
}

/// A text of a file as it is shown in an error: short, and without control characters.
fn shown(text: &str) -> String {
    let safe = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().take(30).map(safe).collect()
}

/// What goes through all phrases of a file.
#[derive(Default)]
struct Check {
    count: usize,
    /// When each speaker, and who is not named, ends at last.
    ends: BTreeMap<Option<String>, Micros>,
    last: Micros,
    start: Option<Micros>,
}

impl Check {
    fn take(&mut self, place: Place, said: &Said) -> Result<(), TranscriptError> {
        let wrong = |problem: String, way_out| Err(TranscriptError::at(place, problem, way_out));
        self.count += 1;
        if self.count > MOST_PHRASES {
            return wrong(format!("there are more than {MOST_PHRASES} phrases"), "split the file");
        }
        if said.end <= said.start {
            let problem =
                format!("it ends at {}, not behind its start at {}", said.end, said.start);
            return wrong(problem, "correct the times");
        }
        self.follow(place, said)?;
        let named = self.ends.len() - usize::from(self.ends.contains_key(&None));
        if named > MOST_SPEAKERS {
            return wrong(
                format!("there are more than {MOST_SPEAKERS} speakers"),
                "split the file",
            );
        }
        if said.words.len() > MOST_WORDS {
            return wrong(format!("it has {} words", said.words.len()), "break it into phrases");
        }
        let names = said.words.iter().map(|word| &word.text).chain(&said.speaker);
        for name in names {
            if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
                let problem = format!("\"{}…\" is no word and no name", shown(name));
                return wrong(
                    problem,
                    "a word has at most 200 characters and no control characters",
                );
            }
        }
        Ok(())
    }

    /// Phrases follow one another; only different speakers may talk at once.
    fn follow(&mut self, place: Place, said: &Said) -> Result<(), TranscriptError> {
        if let Some(start) = self.start.filter(|start| said.start < *start) {
            let problem =
                format!("it begins at {}, ahead of the one before at {start}", said.start);
            return Err(TranscriptError::at(place, problem, "sort the file by time"));
        }
        // Who is not named may be anybody.
        let unnamed = self.ends.get(&None).copied().unwrap_or_default();
        let end = match &said.speaker {
            None => self.last,
            Some(_) => self.ends.get(&said.speaker).copied().unwrap_or_default().max(unnamed),
        };
        if said.start < end {
            let problem =
                format!("it begins at {}, while the one before lasts to {end}", said.start);
            let way_out = "correct the times, or name the speakers";
            return Err(TranscriptError::at(place, problem, way_out));
        }
        self.start = Some(said.start);
        self.last = self.last.max(said.end);
        let end = self.ends.entry(said.speaker.clone()).or_default();
        *end = said.end.max(*end);
        Ok(())
    }
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
