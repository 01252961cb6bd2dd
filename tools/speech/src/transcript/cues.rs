//! SubRip and WebVTT: cues with a line of times and lines of text.
//!
//! Sources: the W3C's "WebVTT: The Web Video Text Tracks Format"; SubRip has no specification, and is read as
//! players do.

mod marks;
mod rolling;

use super::{Format, Micros, Said, Times, Transcript, TranscriptError, lines, names, shown};
use marks::{Mark, marks};
use std::fmt::Write;
use std::ops::Range;

/// What stands between two times.
const ARROW: &str = "-->";
/// Nobody sees it; behind a "<" that would open a tag of SubRip, and in an arrow, it says that those are words.
const JOINER: char = '\u{2060}';

/// A cue as it stands there.
struct Raw<'a> {
    line: usize,
    start: Micros,
    end: Micros,
    /// Its text, without empty lines.
    lines: Vec<&'a str>,
}

/// A cue as it is read.
struct Cue {
    line: usize,
    start: Micros,
    end: Micros,
    voice: Option<String>,
    text: String,
    /// Times inside of the text.
    marks: Vec<Mark>,
}

/// Reads cues with the number of the line of their times.
pub(super) fn read(text: &str, format: Format) -> Result<Transcript, TranscriptError> {
    let cues = rolling::once(blocks(&lines(text)?, format)?, format).into_iter();
    let mut cues: Vec<Cue> = cues.map(|raw| raw.read(format)).collect();
    // Where voices are named, a colon is one of the text.
    let has_voices = format == Format::Vtt && cues.iter().any(|cue| cue.voice.is_some());
    let texts = cues.iter_mut().map(|cue| match has_voices || cue.voice.is_some() {
        true => String::new(),
        false => std::mem::take(&mut cue.text),
    });
    let named = names::named(texts.collect());
    let is_timed = cues.iter().any(|cue| !cue.marks.is_empty());
    let mut transcript = Transcript::default();
    for (cue, (speaker, text)) in cues.into_iter().zip(named) {
        let Cue { line, start, end, voice, text: own, marks } = cue;
        let text = if text.is_empty() { own } else { text };
        let (words, mut times) = marks::timed(line, &text, start..end, &marks)?;
        if is_timed && words.len() == 1 {
            // A word by itself needs no time but that of its cue.
            times = Times::Given;
        }
        let speaker = voice.or(speaker);
        if !words.is_empty() {
            transcript.phrases.push((line.into(), Said { start, end, speaker, words, times }));
        }
    }
    Ok(transcript)
}

/// The cues of the lines of a file.
fn blocks<'a>(lines: &[(usize, &'a str)], format: Format) -> Result<Vec<Raw<'a>>, TranscriptError> {
    let mut rest = if format == Format::Vtt { header(lines)? } else { lines };
    let mut cues = Vec::new();
    while !rest.is_empty() {
        let ends = |at: &usize| is_end(rest.get(*at..).unwrap_or_default());
        let length = (0..rest.len()).find(ends).unwrap_or(rest.len());
        let (block, behind) = rest.split_at(length);
        rest = behind.get(1..).unwrap_or_default();
        cues.extend(cues_of(block, format)?);
    }
    Ok(cues)
}

fn header<'l, 'a>(
    lines: &'l [(usize, &'a str)],
) -> Result<&'l [(usize, &'a str)], TranscriptError> {
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

/// Whether a cue ends with the first of these lines. An empty one ends it; one of blanks is text, but where the next cue
/// stands behind it.
fn is_end(lines: &[(usize, &str)]) -> bool {
    let Some(((_, line), behind)) = lines.split_first() else { return true };
    let mut next = behind.iter().take(2).take_while(|(_, line)| !line.is_empty());
    let is_text = |next: &(usize, &str)| !is_times(next.1) && !is_note(next.1);
    line.trim().is_empty() && (line.is_empty() || !next.all(is_text))
}

/// The cues of a block of lines; none for notes and styles.
fn cues_of<'a>(
    block: &[(usize, &'a str)],
    format: Format,
) -> Result<Vec<Raw<'a>>, TranscriptError> {
    let blank = block.iter().take_while(|(_, line)| line.trim().is_empty()).count();
    let block = block.get(blank..).unwrap_or_default();
    let Some((first, line)) = block.first() else { return Ok(Vec::new()) };
    let mut times: Vec<usize> = (0..block.len())
        .filter(|at| block.get(*at).is_some_and(|(_, line)| is_times(line)))
        .collect();
    if format == Format::Vtt && times.is_empty() && is_note(line) {
        return Ok(Vec::new());
    }
    // A number or a name may stand ahead of the times, which may be wrong.
    let arrow = block.iter().take(2).position(|(_, line)| line.contains(ARROW));
    let Some(arrow) = arrow else {
        let problem = "a cue has no line with its times".to_owned();
        let way_out = "it looks like 00:00:01,000 --> 00:00:02,500";
        return Err(TranscriptError::at(*first, problem, way_out));
    };
    times.retain(|at| *at > arrow);
    times.insert(0, arrow);
    let mut cues = Vec::new();
    for (index, at) in times.iter().enumerate() {
        let next = times.get(index + 1).copied().unwrap_or(block.len());
        let (line, span_of) = block.get(*at).copied().unwrap_or((*first, ""));
        let (start, end) = span(line, span_of)?;
        cues.push(Raw { line, start, end, lines: text_of(block, at + 1..next) });
    }
    Ok(cues)
}

/// The lines of text among these of a block: what is left between the times of two cues.
fn text_of<'a>(block: &[(usize, &'a str)], range: Range<usize>) -> Vec<&'a str> {
    let mut text = block.get(range.clone()).unwrap_or_default();
    // Of the next cue, without an empty line between.
    if let Some(((_, number), ahead)) = text.split_last()
        && range.end < block.len()
        && number.trim().bytes().all(|byte| byte.is_ascii_digit())
    {
        text = ahead;
    }
    text.iter().map(|(_, line)| line.trim_end()).filter(|line| !line.is_empty()).collect()
}

impl Raw<'_> {
    fn read(self, format: Format) -> Cue {
        let Self { line, start, end, lines } = self;
        let text = lines.join(" ");
        let marks = if format == Format::Vtt { marks(&text) } else { Vec::new() };
        let (voice, text) = untagged(&text, format);
        Cue { line, start, end, voice, text, marks }
    }
}

/// Whether a line is meant as times: nothing but digits and their marks stands ahead of the arrow.
fn is_times(line: &str) -> bool {
    let is_clock = |text: &str| {
        text.contains(':') && text.chars().all(|c| c.is_ascii_digit() || ":,.-".contains(c))
    };
    line.split_once(ARROW).is_some_and(|(start, _)| is_clock(start.trim()))
}

fn is_note(line: &str) -> bool {
    let behind = |kind: &'static str| line.strip_prefix(kind);
    let is_kind = |kind| behind(kind).is_some_and(|rest: &str| rest.trim().is_empty());
    let is_note = |rest: &str| rest.starts_with([' ', '\t']);
    ["NOTE", "STYLE", "REGION"].into_iter().any(is_kind) || behind("NOTE").is_some_and(is_note)
}

/// The two times of a line; settings may follow them.
fn span(number: usize, line: &str) -> Result<(Micros, Micros), TranscriptError> {
    let (start, rest) = line.split_once(ARROW).unwrap_or((line, ""));
    let end = rest.split_whitespace().next().unwrap_or("");
    let time = |text: &str| {
        let text = text.trim();
        Micros::parse(text).ok_or_else(|| {
            let problem = format!("\"{}\" is no time", shown(text));
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
        Format::Srt => text.replace(&format!("<{JOINER}"), "<").replace(&joined(), ARROW),
        Format::Json | Format::Text => text.into(),
    }
}

/// Writes cues.
pub(super) fn write(said: &[Said], format: Format) -> String {
    let is_vtt = format == Format::Vtt;
    let mark = if is_vtt { '.' } else { ',' };
    let mut out = if is_vtt { "WEBVTT\n\n".to_owned() } else { String::new() };
    let has_voices = said.iter().any(|one| one.speaker.is_some());
    for (index, one) in said.iter().enumerate() {
        let text = one.text();
        let line = match (&one.speaker, is_vtt) {
            (Some(name), true) => format!("<v {}>{}", escaped(name), escaped(&text)),
            (None, true) if has_voices => escaped(&text),
            (None, true) => escaped(&names::written(None, &text)),
            (speaker, false) => untagging(&names::written(speaker.as_deref(), &text)),
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

/// An arrow in a text of SubRip.
fn joined() -> String {
    format!("--{JOINER}>")
}

/// Text of SubRip in which nothing is a tag, and which is no line of times.
fn untagging(text: &str) -> String {
    let text = if is_times(text) { text.replace(ARROW, &joined()) } else { text.into() };
    let (mut plain, mut rest) = (String::new(), text.as_str());
    while let Some((ahead, behind)) = rest.split_once('<') {
        plain.push_str(ahead);
        plain.push('<');
        plain.extend(behind.split_once('>').filter(|(tag, _)| is_tag(tag)).map(|_| JOINER));
        rest = behind;
    }
    plain + rest
}
