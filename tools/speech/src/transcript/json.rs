//! JSON from Whisper and similar programs: `segments` with `start`, `end`, `text` and `words`; the same as
//! a bare list; words outside the segments or alone; and whisper.cpp's `transcription` with `offsets`.

mod file;
mod loose;
mod words;

use super::error::TranscriptError;
use super::estimated_times::spread;
use super::markup::{plain, unstyled};
use super::phrases::{Said, TimedWord, Times, Transcript};
use super::problems::{Kind, Problem};
use super::{Format, Micros, Place};
use file::{File, Part};
use loose::{Break, with_nulls};
use serde_json::json;

const WAY_OUT: &str = "it should be JSON with `segments` of `start`, `end` and `text`";

/// Reads segments. The line of a segment is the line where it begins, as far as this is known.
pub(super) fn read(file: &str) -> Result<Transcript, TranscriptError> {
    let file = with_nulls(file);
    let mut read = File::default();
    let breaks = read.fill(&file);
    let list = ["\"segments\"", "\"transcription\""].iter().find_map(|name| file.find(name));
    let starts = match file.trim_start().starts_with('[') {
        true => lines_of_starts(&file, 0, 2),
        false => lines_of_starts(&file, list.unwrap_or(0), 3),
    };
    if let Some(first) = breaks.first().filter(|_| read.is_empty()) {
        return Err(TranscriptError::at(first.line, "it is no JSON", WAY_OUT));
    }
    let mut transcript = Transcript::default();
    let noted = breaks.iter().map(|one| Problem::at(one.line, one.kind(), ""));
    transcript.problems.extend(noted);
    let mut bent = Vec::new();
    for (index, part) in parts(read)?.into_iter().enumerate() {
        let line = part.line.or_else(|| starts.get(index).copied()).unwrap_or(1);
        let place = Place { line, segment: Some(index + 1) };
        match phrase(part) {
            Ok(Some((one, fit))) => {
                bent.extend(std::iter::repeat_n(index + 1, fit.bent));
                if fit.is_spread {
                    transcript.problems.push(Problem::at(place, Kind::Words, &one.text()));
                }
                transcript.phrases.push((place, one));
            }
            Ok(None) => {}
            Err(text) => transcript.problems.push(Problem::at(place, Kind::NoTimes, &text)),
        }
    }
    transcript.warnings = moved(&bent).into_iter().collect();
    Ok(transcript)
}

impl Break {
    fn kind(&self) -> Kind {
        if self.is_last { Kind::Broken } else { Kind::Skipped }
    }
}

/// A note about words that were moved. The segments are counted from 1.
fn moved(bent: &[usize]) -> Option<String> {
    let first = bent.first()?;
    let why = "before the word before";
    Some(match bent.len() {
        1 => format!(
            "1 word began {why} it by more than 50 ms and was moved after its start, in segment {first}"
        ),
        more => format!(
            "{more} words began {why} them by more than 50 ms and were moved after its start, the \
             first in segment {first}"
        ),
    })
}

/// The segments of a file with their words.
fn parts(file: File) -> Result<Vec<Part>, TranscriptError> {
    let File { segments, transcription, words } = file;
    let segments = segments.or(transcription);
    match segments.filter(|parts| words.is_empty() || !parts.is_empty()) {
        Some(parts) => Ok(words::beside(parts, words)),
        None if words.is_empty() => {
            let problem = "it has no `segments`, no `words` and no `transcription`";
            Err(TranscriptError::at(1, problem, "is it a transcript of Whisper's kind?"))
        }
        None => words::alone(words),
    }
}

/// The line of each object at this depth after a place.
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

/// A segment as a phrase, and how its words fit into it; `None` if it has no words.
///
/// # Errors
/// Its text, where it has no times.
fn phrase(part: Part) -> Result<Option<(Said, words::Fit)>, String> {
    let Part { start, end, text, speaker, words, line: _ } = part;
    let (voice, text) = plain(&text, Format::Json);
    let speaker = speaker.or(voice);
    let speaker = speaker.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let text = match text.trim().is_empty() {
        true => words.iter().map(|word| word.word.as_str()).collect::<Vec<_>>().join(" "),
        false => text,
    };
    if text.trim().is_empty() {
        return Ok(None);
    }
    // What the segment does not say its words may.
    let start = start.or_else(|| words.iter().filter_map(|word| word.start).min());
    let end = end.or_else(|| words.iter().filter_map(|word| word.end).max());
    let (Some(start), Some(end)) = (start, end) else { return Err(text) };
    let mut fit = words::Fit::default();
    let given = words::timed(words, start..end).filter(|_| start < end);
    let fitted = given.and_then(|given| {
        let fitted = words::fitted(given, start..end);
        fit.is_spread = fitted.is_none();
        fitted
    });
    let (words, times) = match fitted {
        Some((given, bent)) => {
            fit.bent = bent;
            (given, Times::Given)
        }
        None => (spread(&text, start, end), Times::Spread),
    };
    Ok(Some((Said { start, end, speaker, words, times }, fit)))
}

/// Writes segments with their words.
pub(super) fn write(said: &[Said]) -> String {
    let word = |word: &TimedWord| {
        let (start, end) = (word.start.seconds(), word.end.seconds());
        let text = format!(" {}", unstyled(&word.text, Format::Json));
        let mut one = json!({"word": text, "start": start, "end": end});
        if let Some(confidence) = word.confidence {
            one["probability"] = json!(confidence);
        }
        one
    };
    let segment = |(id, one): (usize, &Said)| {
        let text = format!(" {}", unstyled(&one.text(), Format::Json));
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
