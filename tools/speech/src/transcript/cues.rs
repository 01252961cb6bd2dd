//! SubRip and WebVTT: cues with a line of times and lines of text.
//!
//! Sources: the W3C's "WebVTT: The Web Video Text Tracks Format"; SubRip has no specification, and is read as
//! players do.

mod marks;
mod rolling;

use super::markup::{escaped, joined, plain, unstyled};
use super::problems::{Kind, Problem};
use super::{Format, Micros, Said, Times, Transcript, lines, names};
use marks::{Mark, marks};
use std::fmt::Write;
use std::ops::Range;

/// What stands between two times.
const ARROW: &str = "-->";

/// A cue as it stands there.
struct Raw<'a> {
    line: usize,
    /// `None` where its times cannot be read.
    times: Option<Range<Micros>>,
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

/// Which of the two formats of cues a text has, whatever its file is called.
pub(super) fn format_of(text: &str, format: Format) -> Format {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    match format {
        Format::Srt | Format::Text if is_header(first) => Format::Vtt,
        Format::Text if is_number && text.lines().nth(1).is_some_and(is_times) => Format::Srt,
        _ => format,
    }
}

/// Reads cues with the number of the line of their times.
pub(super) fn read(text: &str, format: Format) -> Transcript {
    let mut transcript = Transcript::default();
    let raw = blocks(&lines(text), format, &mut transcript.problems);
    let mut cues: Vec<Cue> = Vec::with_capacity(raw.len());
    for raw in rolling::once(raw, format) {
        cues.extend(raw.read(format, &mut transcript.problems));
    }
    // Where voices are named, a colon is one of the text.
    let has_voices = format == Format::Vtt && cues.iter().any(|cue| cue.voice.is_some());
    let texts = cues.iter_mut().map(|cue| match has_voices || cue.voice.is_some() {
        true => String::new(),
        false => std::mem::take(&mut cue.text),
    });
    let named = names::named(texts.collect());
    let is_timed = cues.iter().any(|cue| !cue.marks.is_empty());
    for (cue, (speaker, text)) in cues.into_iter().zip(named) {
        let Cue { line, start, end, voice, text: own, marks } = cue;
        let text = if text.is_empty() { own } else { text };
        let (words, mut times, is_bent) = marks::timed(&text, start..end, &marks);
        if is_bent {
            transcript.problems.push(Problem::at(line, Kind::Words, &text));
        }
        if is_timed && words.len() == 1 {
            // A word by itself needs no time but that of its cue.
            times = Times::Given;
        }
        let speaker = voice.or(speaker);
        if !words.is_empty() {
            transcript.phrases.push((line.into(), Said { start, end, speaker, words, times }));
        }
    }
    transcript
}

/// The cues of the lines of a file.
fn blocks<'a>(
    lines: &[(usize, &'a str)],
    format: Format,
    problems: &mut Vec<Problem>,
) -> Vec<Raw<'a>> {
    let mut rest = if format == Format::Vtt { behind_header(lines) } else { lines };
    let mut cues = Vec::new();
    while !rest.is_empty() {
        let ends = |at: &usize| is_end(rest.get(*at..).unwrap_or_default());
        let length = (0..rest.len()).find(ends).unwrap_or(rest.len());
        let (block, behind) = rest.split_at(length);
        rest = behind.get(1..).unwrap_or_default();
        add(block, rest, format, &mut cues, problems);
    }
    cues
}

fn is_header(line: &str) -> bool {
    let rest = line.strip_prefix("WEBVTT");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn behind_header<'l, 'a>(lines: &'l [(usize, &'a str)]) -> &'l [(usize, &'a str)] {
    let is_headed = lines.first().is_some_and(|(_, line)| is_header(line));
    let is_of_it = |(_, line): &&(usize, &str)| !line.trim().is_empty() && !is_times(line);
    let length = if is_headed { lines.iter().take_while(is_of_it).count() } else { 0 };
    lines.get(length..).unwrap_or_default()
}

/// Whether a cue ends with the first of these lines. An empty one ends it; one of blanks is text, but where the next cue
/// stands behind it.
fn is_end(lines: &[(usize, &str)]) -> bool {
    let Some(((_, line), behind)) = lines.split_first() else { return true };
    let mut next = behind.iter().take(2).take_while(|(_, line)| !line.is_empty());
    let is_text = |next: &(usize, &str)| !is_times(next.1) && !is_note(next.1);
    line.trim().is_empty() && (line.is_empty() || !next.all(is_text))
}

/// Adds the cues of a block of lines to those before; none for notes and styles. What stands above the first time of a
/// block goes on with the cue before, which a blank line cut in two.
fn add<'a>(
    block: &[(usize, &'a str)],
    next: &[(usize, &str)],
    format: Format,
    cues: &mut Vec<Raw<'a>>,
    problems: &mut Vec<Problem>,
) {
    let blank = block.iter().take_while(|(_, line)| line.trim().is_empty()).count();
    let block = block.get(blank..).unwrap_or_default();
    let Some((_, line)) = block.first() else { return };
    let is_at = |at: &usize| block.get(*at).is_some_and(|(_, line)| is_times(line));
    let times: Vec<usize> = (0..block.len()).filter(is_at).collect();
    if format == Format::Vtt && times.is_empty() && is_note(line) {
        return;
    }
    let first = times.first().copied().unwrap_or(block.len());
    goes_on(&heads(block, first, next, format), cues, problems);
    for (index, at) in times.iter().enumerate() {
        let next = times.get(index + 1).copied().unwrap_or(block.len());
        let (line, times) = block.get(*at).copied().unwrap_or_default();
        cues.push(Raw { line, times: span(times), lines: text_of(block, at + 1..next) });
    }
}

/// The lines of a block above its first time that are text, and not the number or the name of its cue.
fn heads<'a>(
    block: &[(usize, &'a str)],
    first: usize,
    next: &[(usize, &str)],
    format: Format,
) -> Vec<(usize, &'a str)> {
    let mut heads = block.get(..first).unwrap_or_default();
    let is_number = |line: &str| line.trim().bytes().all(|byte| byte.is_ascii_digit());
    let mut behind = next.iter().map(|(_, line)| *line).skip_while(|line| line.trim().is_empty());
    let is_above_times = first < block.len() || behind.next().is_none_or(is_times);
    if let Some(((_, last), others)) = heads.split_last()
        && is_above_times
        && (is_number(last) || (format == Format::Vtt && first < block.len()))
    {
        heads = others;
    }
    heads.iter().copied().filter(|(_, line)| !line.trim().is_empty()).collect()
}

/// Adds lines of text to the last cue.
fn goes_on<'a>(text: &[(usize, &'a str)], cues: &mut [Raw<'a>], problems: &mut Vec<Problem>) {
    let Some((number, first)) = text.first() else { return };
    let kind = if cues.is_empty() { Kind::Heading } else { Kind::BlankLine };
    problems.push(Problem::at(*number, kind, first));
    if let Some(last) = cues.last_mut() {
        last.lines.extend(text.iter().map(|(_, line)| line.trim_end()));
    }
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
    fn read(self, format: Format, problems: &mut Vec<Problem>) -> Option<Cue> {
        let Self { line, times, lines } = self;
        let text = lines.join(" ");
        let Some(Range { start, end }) = times else {
            problems.push(Problem::at(line, Kind::NoTimes, &plain(&text, format).1));
            return None;
        };
        let marks = if format == Format::Vtt { marks(&text) } else { Vec::new() };
        let (voice, text) = plain(&text, format);
        Some(Cue { line, start, end, voice, text, marks })
    }
}

/// Whether a line is meant as times: one of both is, and nothing but a word stands before the arrow.
fn is_times(line: &str) -> bool {
    let is_clock = |text: &str| {
        text.contains(':') && text.chars().all(|c| c.is_ascii_digit() || ":,.-".contains(c))
    };
    line.split_once(ARROW).is_some_and(|(start, end)| {
        let (start, end) = (start.trim(), end.split_whitespace().next().unwrap_or_default());
        is_clock(start)
            || (!start.is_empty() && !start.contains(char::is_whitespace) && is_clock(end))
    })
}

fn is_note(line: &str) -> bool {
    let behind = |kind: &'static str| line.strip_prefix(kind);
    let is_kind = |kind| behind(kind).is_some_and(|rest: &str| rest.trim().is_empty());
    let is_note = |rest: &str| rest.starts_with([' ', '\t']);
    ["NOTE", "STYLE", "REGION"].into_iter().any(is_kind) || behind("NOTE").is_some_and(is_note)
}

/// The two times of a line; settings may follow them. What starts before the recording starts with it.
fn span(line: &str) -> Option<Range<Micros>> {
    let (start, rest) = line.split_once(ARROW)?;
    let time = |text: &str| match text.strip_prefix('-') {
        Some(before) => Micros::parse(before).map(|_| Micros::default()),
        None => Micros::parse(text),
    };
    Some(time(start.trim())?..time(rest.split_whitespace().next()?)?)
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

/// Text of SubRip in which nothing is a tag, and which is no line of times.
fn untagging(text: &str) -> String {
    unstyled(&if is_times(text) { text.replace(ARROW, &joined()) } else { text.into() })
}
