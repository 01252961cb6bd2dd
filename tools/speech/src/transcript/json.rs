//! JSON as Whisper and its relatives write it: `segments` with `start`, `end`, `text`, and `words`.

use super::{LONGEST_LINE, MOST_PHRASES, Micros, Said, TimedWord, Times, TranscriptError, spread};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use std::fmt;

#[derive(Deserialize)]
struct File {
    #[serde(deserialize_with = "bounded")]
    segments: Vec<Part>,
}

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

#[derive(Deserialize)]
struct Piece {
    #[serde(alias = "text", deserialize_with = "text")]
    word: String,
    #[serde(deserialize_with = "time")]
    start: Micros,
    #[serde(deserialize_with = "time")]
    end: Micros,
    #[serde(default, alias = "score", alias = "confidence")]
    probability: Option<f64>,
}

/// Seconds that are a time.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Micros, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    Micros::of_seconds(seconds).ok_or_else(|| D::Error::custom(format!("{seconds:e} s is no time")))
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
fn bounded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Part>, D::Error> {
    struct Parts;
    impl<'de> Visitor<'de> for Parts {
        type Value = Vec<Part>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of segments")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut parts = Vec::new();
            while let Some(part) = list.next_element()? {
                if parts.len() == MOST_PHRASES {
                    return Err(A::Error::custom(format!(
                        "there are more than {MOST_PHRASES} segments"
                    )));
                }
                parts.push(part);
            }
            Ok(parts)
        }
    }
    deserializer.deserialize_seq(Parts)
}

/// Reads segments; their line is that on which the one before ends, as far as it can be told.
pub(super) fn read(file: &str) -> Result<Vec<(usize, Said)>, TranscriptError> {
    let read: File = serde_json::from_str(file).map_err(|error| {
        let said = error.to_string();
        let problem = said.split(" at line ").next().unwrap_or(&said).to_owned();
        let way_out = "it should be JSON with `segments` of `start`, `end` and `text`";
        TranscriptError::at(error.line().max(1), problem, way_out)
    })?;
    let starts = lines_of_starts(file);
    let mut said = Vec::new();
    for (index, part) in read.segments.into_iter().enumerate() {
        let line = starts.get(index).copied().unwrap_or(1);
        if let Some(one) = phrase(line, part)? {
            said.push((line, one));
        }
    }
    Ok(said)
}

/// The line of each object in the list of segments: where the depth goes from two to three.
fn lines_of_starts(file: &str) -> Vec<usize> {
    let (mut line, mut depth, mut starts) = (1, 0usize, Vec::new());
    let (mut is_text, mut is_escaped) = (false, false);
    let list = file.find("\"segments\"").unwrap_or(0);
    for (at, byte) in file.bytes().enumerate() {
        line += usize::from(byte == b'\n');
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => {
                depth += 1;
                if depth == 3 && byte == b'{' && at > list {
                    starts.push(line);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    starts
}

fn phrase(line: usize, part: Part) -> Result<Option<Said>, TranscriptError> {
    let Part { start, end, text, speaker, words } = part;
    let speaker = speaker.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let given: Vec<TimedWord> = words.unwrap_or_default().into_iter().filter_map(word).collect();
    let (words, times) = match given.is_empty() {
        true => (spread(&text, start, end), Times::Spread),
        false => (given, Times::Given),
    };
    let mut before = start;
    for word in &words {
        let fits = before <= word.start && word.start <= word.end && word.end <= end;
        if !fits {
            let problem = format!(
                "the word at {} to {} does not fit into its segment ({start} to {end}) behind the word before",
                word.start, word.end
            );
            return Err(TranscriptError::at(line, problem, "correct the times"));
        }
        before = word.start;
    }
    Ok((!words.is_empty()).then_some(Said { start, end, speaker, words, times }))
}

fn word(piece: Piece) -> Option<TimedWord> {
    let text = piece.word.trim().to_owned();
    let confidence = piece.probability.filter(|share| (0.0..=1.0).contains(share));
    let Piece { start, end, .. } = piece;
    (!text.is_empty()).then_some(TimedWord { text, start, end, confidence })
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
