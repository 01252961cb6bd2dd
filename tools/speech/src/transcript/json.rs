//! JSON as Whisper and its relatives write it: `segments` with `start`, `end`, `text` and `words`; the same as a bare list;
//! words beside the segments or alone; and whisper.cpp's `transcription` with `offsets`.

mod words;

use super::{
    LONGEST_LINE, MOST_PHRASES, Micros, Place, Said, TimedWord, Times, Transcript, TranscriptError,
    spread,
};
use serde::de::{DeserializeOwned, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use std::fmt;
use std::marker::PhantomData;

#[derive(Default, Deserialize)]
struct File {
    #[serde(default, deserialize_with = "bounded")]
    segments: Option<Vec<Part>>,
    #[serde(default, deserialize_with = "bounded")]
    transcription: Option<Vec<Line>>,
    #[serde(default)]
    words: Option<Vec<Piece>>,
}

/// Segments without anything around them.
#[derive(Deserialize)]
struct List(#[serde(deserialize_with = "bounded")] Option<Vec<Part>>);

#[derive(Deserialize)]
struct Part {
    #[serde(deserialize_with = "time")]
    start: Micros,
    #[serde(deserialize_with = "time")]
    end: Micros,
    #[serde(default, deserialize_with = "text")]
    text: String,
    #[serde(default)]
    speaker: Option<String>,
    #[serde(default)]
    words: Option<Vec<Piece>>,
}

/// A segment of whisper.cpp.
#[derive(Deserialize)]
struct Line {
    offsets: Offsets,
    #[serde(default, deserialize_with = "text")]
    text: String,
}

/// Milliseconds.
#[derive(Deserialize)]
struct Offsets {
    #[serde(deserialize_with = "millis")]
    from: Micros,
    #[serde(deserialize_with = "millis")]
    to: Micros,
}

/// A word; one that could not be aligned has no times.
#[derive(Clone, Deserialize)]
struct Piece {
    #[serde(alias = "text", deserialize_with = "text")]
    word: String,
    #[serde(default, deserialize_with = "some_time")]
    start: Option<Micros>,
    #[serde(default, deserialize_with = "some_time")]
    end: Option<Micros>,
    #[serde(default, alias = "score", alias = "confidence")]
    probability: Option<f64>,
}

impl From<Line> for Part {
    fn from(line: Line) -> Self {
        let Line { offsets: Offsets { from, to }, text } = line;
        Self { start: from, end: to, text, speaker: None, words: None }
    }
}

/// Seconds that are a time.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Micros, D::Error> {
    seconds(f64::deserialize(deserializer)?)
}

fn some_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Micros>, D::Error> {
    Option::<f64>::deserialize(deserializer)?.map(seconds).transpose()
}

fn millis<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Micros, D::Error> {
    seconds(f64::deserialize(deserializer)? / 1000.0)
}

fn seconds<E: serde::de::Error>(seconds: f64) -> Result<Micros, E> {
    Micros::of_seconds(seconds).ok_or_else(|| E::custom(format!("{seconds:e} s is no time")))
}

/// Text that is not too long.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.len() {
        0..=LONGEST_LINE => Ok(text),
        bytes => {
            Err(D::Error::custom(format!("a text has {bytes} bytes, the most is {LONGEST_LINE}")))
        }
    }
}

/// Not more segments than there may be, told before memory is filled with them.
fn bounded<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    struct Parts<T>(PhantomData<T>);
    impl<'de, T: DeserializeOwned> Visitor<'de> for Parts<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of segments")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut parts = Vec::new();
            loop {
                let next = list.next_element();
                let of = |error: A::Error| {
                    A::Error::custom(format!("segment {}: {error}", parts.len() + 1))
                };
                let Some(part) = next.map_err(of)? else { return Ok(parts) };
                if parts.len() == MOST_PHRASES {
                    return Err(A::Error::custom(format!(
                        "there are more than {MOST_PHRASES} segments"
                    )));
                }
                parts.push(part);
            }
        }
    }
    deserializer.deserialize_seq(Parts(PhantomData)).map(Some)
}

/// Reads segments; their line is that on which they begin, as far as it can be told.
pub(super) fn read(file: &str) -> Result<Transcript, TranscriptError> {
    let wrong = |error: serde_json::Error| {
        let said = error.to_string();
        let problem = said.split(" at line ").next().unwrap_or(&said).to_owned();
        let way_out = "it should be JSON with `segments` of `start`, `end` and `text`";
        TranscriptError::at(error.line().max(1), problem, way_out)
    };
    let is_list = file.trim_start().starts_with('[');
    let read: File = match is_list {
        true => {
            let list: List = serde_json::from_str(file).map_err(wrong)?;
            File { segments: list.0, ..File::default() }
        }
        false => serde_json::from_str(file).map_err(wrong)?,
    };
    let starts = match (is_list, &read.segments) {
        (true, _) => lines_of_starts(file, 0, 2),
        (false, Some(_)) => lines_of_starts(file, file.find("\"segments\"").unwrap_or(0), 3),
        (false, None) => lines_of_starts(file, file.find("\"transcription\"").unwrap_or(0), 3),
    };
    let mut transcript = Transcript::default();
    let mut odd = Odd::default();
    for (index, part) in parts(read)?.into_iter().enumerate() {
        let line = starts.get(index).copied().unwrap_or(1);
        let place = Place { line, segment: Some(index + 1) };
        // Whisper sometimes ends a file with a segment that takes no time.
        if part.start == part.end {
            odd.empty.push(index + 1);
        } else if let Some((one, bent)) = phrase(place, part)? {
            odd.bent.extend(std::iter::repeat_n(index + 1, bent));
            transcript.phrases.push((place, one));
        }
    }
    transcript.warnings = odd.told();
    Ok(transcript)
}

/// What is taken otherwise than the file has it: the segments, counted from 1.
#[derive(Default)]
struct Odd {
    /// Those that take no time.
    empty: Vec<usize>,
    /// Those of words that are moved, once for each.
    bent: Vec<usize>,
}

impl Odd {
    fn told(&self) -> Vec<String> {
        let empty = self.empty.first().map(|first| match self.empty.len() {
            1 => format!("segment {first} takes no time and is left out"),
            more => format!(
                "{more} segments take no time and are left out, the first is segment {first}"
            ),
        });
        let bent = self.bent.first().map(|first| {
            let why = "ahead of the word before";
            match self.bent.len() {
                1 => format!(
                    "1 word began {why} it by more than 50 ms and was moved behind its start, in segment {first}"
                ),
                more => format!(
                    "{more} words began {why} them by more than 50 ms and were moved behind its start, the \
                     first in segment {first}"
                ),
            }
        });
        empty.into_iter().chain(bent).collect()
    }
}

/// The segments of a file with their words.
fn parts(file: File) -> Result<Vec<Part>, TranscriptError> {
    let File { segments, transcription, words } = file;
    let lines = || transcription.map(|lines| lines.into_iter().map(Part::from).collect());
    let words = words.unwrap_or_default();
    match segments.or_else(lines).filter(|parts: &Vec<Part>| words.is_empty() || !parts.is_empty())
    {
        Some(parts) => Ok(words::beside(parts, words)),
        None if words.is_empty() => {
            let problem = "it has no `segments`, no `words` and no `transcription`";
            Err(TranscriptError::at(1, problem, "is it a transcript of Whisper's kind?"))
        }
        None => words::alone(words),
    }
}

/// The line of each object of that depth behind a place.
fn lines_of_starts(file: &str, list: usize, deep: usize) -> Vec<usize> {
    let (mut line, mut depth, mut starts) = (1, 0usize, Vec::new());
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in file.bytes().enumerate() {
        line += usize::from(byte == b'\n');
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => {
                depth += 1;
                if depth == deep && byte == b'{' && at > list {
                    starts.push(line);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    starts
}

/// A segment as a phrase, and how many of its words were moved well behind the one before.
fn phrase(place: Place, part: Part) -> Result<Option<(Said, usize)>, TranscriptError> {
    let Part { start, end, text, speaker, words } = part;
    let speaker = speaker.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let words = words.unwrap_or_default();
    let text = match text.trim().is_empty() {
        true => words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" "),
        false => text,
    };
    let ((words, bent), times) = match words::timed(words, start..end) {
        Some(given) => (words::fitted(place, given, start..end)?, Times::Given),
        None => ((spread(&text, start, end), 0), Times::Spread),
    };
    Ok((!words.is_empty()).then_some((Said { start, end, speaker, words, times }, bent)))
}

/// Writes segments with their words.
pub(super) fn write(said: &[Said]) -> String {
    let word = |word: &TimedWord| {
        let (start, end) = (word.start.seconds(), word.end.seconds());
        let mut one = json!({"word": format!(" {}", word.text), "start": start, "end": end});
        if let Some(confidence) = word.confidence {
            one["probability"] = json!(confidence);
        }
        one
    };
    let segment = |(id, one): (usize, &Said)| {
        let text = format!(" {}", one.text());
        let (start, end) = (one.start.seconds(), one.end.seconds());
        let mut segment = json!({"id": id, "start": start, "end": end, "text": text});
        if let Some(speaker) = &one.speaker {
            segment["speaker"] = json!(speaker);
        }
        if one.times == Times::Given {
            segment["words"] = one.words.iter().map(word).collect();
        }
        segment
    };
    let segments: Vec<_> = said.iter().enumerate().map(segment).collect();
    let text: String = said.iter().map(|one| format!(" {}", one.text())).collect();
    let file = json!({"text": text, "segments": segments});
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}
