//! Plain text: a line a phrase, with its times in brackets and its speaker ahead of a colon.

use super::{Micros, Place, Said, Times, Transcript, TranscriptError, lines, names, spread};
use std::fmt::Write;

/// Reads phrases with the numbers of their lines.
pub(super) fn read(text: &str) -> Result<Transcript, TranscriptError> {
    let (mut spans, mut texts) = (Vec::new(), Vec::new());
    for (number, line) in lines(text)? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let wrong = || {
            let way_out = "a line looks like [00:00:01.250 --> 00:00:03.000] Name: text; without times, \
                           transcribe the recording and name its speakers there";
            TranscriptError::at(number, "the line has no times", way_out)
        };
        let (times, text) =
            line.strip_prefix('[').and_then(|line| line.split_once(']')).ok_or_else(wrong)?;
        let (start, end) = times.split_once("-->").ok_or_else(wrong)?;
        let start = Micros::parse(start.trim()).ok_or_else(wrong)?;
        let end = Micros::parse(end.trim()).ok_or_else(wrong)?;
        spans.push((number, start, end));
        texts.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
    }
    let named = spans.into_iter().zip(names::named(texts));
    let said = named.filter_map(|((number, start, end), (speaker, text))| {
        let words = spread(&text, start, end);
        let said = Said { start, end, speaker, words, times: Times::Spread };
        (!said.words.is_empty()).then_some((Place::from(number), said))
    });
    Ok(Transcript { phrases: said.collect(), warnings: Vec::new() })
}

/// Writes phrases.
pub(super) fn write(said: &[Said]) -> String {
    let mut out = String::new();
    for one in said {
        let text = names::written(one.speaker.as_deref(), &one.text());
        // Writing to a string does not fail.
        let _written = writeln!(out, "[{} --> {}] {text}", one.start, one.end);
    }
    out
}
