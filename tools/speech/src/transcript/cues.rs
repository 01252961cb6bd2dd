//! SubRip and WebVTT: cues with a line of times and lines of text.
//!
//! Sources: the W3C's "WebVTT: The Web Video Text Tracks Format"; SubRip has no specification, and is read as
//! players do.

use super::{Format, Micros, Said, Times, TranscriptError, lines, named, spread};
use std::fmt::Write;

/// What stands between two times.
const ARROW: &str = "-->";

/// Reads cues with the number of the line of their times.
pub(super) fn read(text: &str, format: Format) -> Result<Vec<(usize, Said)>, TranscriptError> {
    let lines = lines(text)?;
    let mut rest = lines.as_slice();
    if format == Format::Vtt {
        rest = header(rest)?;
    }
    let mut said = Vec::new();
    while !rest.is_empty() {
        let length = rest.iter().take_while(|(_, line)| !line.trim().is_empty()).count();
        let (block, behind) = rest.split_at(length);
        rest = behind.get(1..).unwrap_or_default();
        if let Some(cue) = block_of(block, format)? {
            said.push(cue);
        }
    }
    Ok(said)
}

fn header<'a>(lines: &'a [(usize, &'a str)]) -> Result<&'a [(usize, &'a str)], TranscriptError> {
    let is_header = |line: &str| {
        line.strip_prefix("WEBVTT")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    };
    match lines.split_first() {
        Some(((_, line), _)) if is_header(line) => {
            let length = lines.iter().take_while(|(_, line)| !line.trim().is_empty()).count();
            Ok(lines.get(length..).unwrap_or_default())
        }
        _ => Err(TranscriptError::at(1, "it does not begin with WEBVTT", "is it another format?")),
    }
}

/// The cue of a block of lines; `None` for notes, styles and cues without text.
fn block_of(
    block: &[(usize, &str)],
    format: Format,
) -> Result<Option<(usize, Said)>, TranscriptError> {
    let Some((first, line)) = block.first() else { return Ok(None) };
    let is_note = ["NOTE", "STYLE", "REGION"].iter().any(|kind| line.starts_with(kind));
    if format == Format::Vtt && is_note && !line.contains(ARROW) {
        return Ok(None);
    }
    // A number or a name may stand ahead of the times.
    let times = block.iter().take(2).position(|(_, line)| line.contains(ARROW));
    let Some(times) = times else {
        let problem = "a cue has no line with its times".to_owned();
        return Err(TranscriptError::at(
            *first,
            problem,
            "it looks like 00:00:01,000 --> 00:00:02,500",
        ));
    };
    let (number, line) = block.get(times).copied().unwrap_or((*first, ""));
    let (start, end) = span(number, line)?;
    let text: Vec<&str> = block.iter().skip(times + 1).map(|(_, line)| line.trim()).collect();
    let (voice, text) = untagged(&text.join(" "), format);
    let (speaker, text) = match voice {
        Some(voice) => (Some(voice), text.as_str()),
        None => named(&text),
    };
    let words = spread(text, start, end);
    if words.is_empty() {
        return Ok(None);
    }
    Ok(Some((number, Said { start, end, speaker, words, times: Times::Spread })))
}

/// The two times of a line; settings may follow them.
fn span(number: usize, line: &str) -> Result<(Micros, Micros), TranscriptError> {
    let (start, rest) = line.split_once(ARROW).unwrap_or((line, ""));
    let end = rest.split_whitespace().next().unwrap_or("");
    let time = |text: &str| {
        let text = text.trim();
        Micros::parse(text).ok_or_else(|| {
            let shown: String = text.chars().take(30).collect();
            let problem = format!("\"{shown}\" is no time");
            TranscriptError::at(number, problem, "a time looks like 00:01:02,500")
        })
    };
    Ok((time(start)?, time(end)?))
}

/// Text without tags, and the voice that the first one names.
fn untagged(text: &str, format: Format) -> (Option<String>, String) {
    let (mut voice, mut plain, mut rest) = (None, String::new(), text);
    while let Some((ahead, behind)) = rest.split_once('<') {
        // Not every "<" opens a tag.
        let Some((tag, after)) = behind.split_once('>').filter(|(tag, _)| is_tag(tag)) else {
            plain.push_str(ahead);
            plain.push('<');
            rest = behind;
            continue;
        };
        plain.push_str(ahead);
        let is_voice = tag.split([' ', '.', '\t']).next() == Some("v");
        if voice.is_none() && is_voice {
            let name = tag.split_once([' ', '\t']).map_or("", |(_, name)| name);
            voice = Some(plain_text(name.trim(), format)).filter(|name| !name.is_empty());
        }
        rest = after;
    }
    plain.push_str(rest);
    (voice, plain_text(&plain, format))
}

/// Whether it is one of the tags of cues: `b`, `/i`, `v Name`, `c.red`, `00:01.000`.
fn is_tag(tag: &str) -> bool {
    let name = tag.trim_start_matches('/');
    let name = name.split([' ', '.', '\t']).next().unwrap_or("");
    ["b", "i", "u", "c", "v", "lang", "ruby", "rt", "font"].contains(&name)
        || Micros::parse(tag).is_some()
        || tag == "/"
}

fn plain_text(text: &str, format: Format) -> String {
    match format {
        Format::Vtt => text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&nbsp;", "\u{a0}")
            .replace("&lrm;", "\u{200e}")
            .replace("&rlm;", "\u{200f}")
            .replace("&amp;", "&"),
        Format::Srt | Format::Json | Format::Text => text.into(),
    }
}

/// Writes cues.
pub(super) fn write(said: &[Said], format: Format) -> String {
    let is_vtt = format == Format::Vtt;
    let mark = if is_vtt { '.' } else { ',' };
    let mut out = if is_vtt { "WEBVTT\n\n".to_owned() } else { String::new() };
    for (index, one) in said.iter().enumerate() {
        let text = one.text();
        let line = match (&one.speaker, is_vtt) {
            (Some(name), true) => format!("<v {}>{}", escaped(name), escaped(&text)),
            (None, true) => escaped(&text),
            (Some(name), false) => format!("{name}: {text}"),
            (None, false) => text,
        };
        let (start, end) = (one.start.clock(mark), one.end.clock(mark));
        // Writing to a string does not fail.
        let _written = writeln!(out, "{}\n{start} {ARROW} {end}\n{line}\n", index + 1);
    }
    out
}

/// WebVTT's marks as text; a text never holds an arrow.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
