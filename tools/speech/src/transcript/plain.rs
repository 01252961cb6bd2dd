//! Plain text: a line a phrase, with its times in brackets and its speaker ahead of a colon.

use super::{Micros, Said, Times, TranscriptError, lines, named, spread};
use std::fmt::Write;

/// Reads phrases with the numbers of their lines.
pub(super) fn read(text: &str) -> Result<Vec<(usize, Said)>, TranscriptError> {
    let mut said = Vec::new();
    for (number, line) in lines(text)? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let wrong = || {
            let way_out = "a line looks like [00:00:01.250 --> 00:00:03.000] Name: text; without times, \
                           transcribe the recording instead";
            TranscriptError::at(number, "the line has no times", way_out)
        };
        let (times, text) =
            line.strip_prefix('[').and_then(|line| line.split_once(']')).ok_or_else(wrong)?;
        let (start, end) = times.split_once("-->").ok_or_else(wrong)?;
        let start = Micros::parse(start.trim()).ok_or_else(wrong)?;
        let end = Micros::parse(end.trim()).ok_or_else(wrong)?;
        let (speaker, text) = named(text.trim());
        let words = spread(text, start, end);
        if !words.is_empty() {
            said.push((number, Said { start, end, speaker, words, times: Times::Spread }));
        }
    }
    Ok(said)
}

/// Writes phrases.
pub(super) fn write(said: &[Said]) -> String {
    let mut out = String::new();
    for one in said {
        let speaker = one.speaker.as_ref().map_or_else(String::new, |name| format!("{name}: "));
        // Writing to a string does not fail.
        let _written = writeln!(out, "[{} --> {}] {speaker}{}", one.start, one.end, one.text());
    }
    out
}
