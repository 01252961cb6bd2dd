//! Subtitles: cues with times and text. SubRip, WebVTT and SBV have a line of times and lines of text; others have their
//! readers below.
//!
//! Sources: the W3C's "WebVTT: The Web Video Text Tracks Format"; SubRip has no specification, and is read as
//! players do.

mod cue;
mod lyrics;
mod marks;
mod rolling;
mod sami;
mod starts;
mod substation;
mod times;
mod ttml;

use super::lines::lines;
use super::markup::{JOINER, escaped, joined, plain, unstyled};
use super::phrases::{Said, Times, Transcript};
use super::problems::{Kind, Problem};
use super::{Format, Micros, Written, names};
use cue::{Cue, Line, Raw};
use std::fmt::Write;
use std::ops::Range;
use times::{ARROW, is_times, span};

/// Which format a text has, whatever its file is called.
pub(super) fn format_of(text: &str, format: Format) -> Format {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let begins = |with: &[&str]| {
        let is_it = |with: &&str| {
            first.get(..with.len()).is_some_and(|first| first.eq_ignore_ascii_case(with))
        };
        with.iter().any(is_it)
    };
    let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    match format {
        Format::Json => format,
        _ if is_header(first) => Format::Vtt,
        _ if begins(&["[Script Info]", "[V4", "[Events]", "Dialogue:"]) => Format::Ass,
        _ if begins(&["<SAMI"]) => Format::Smi,
        _ if begins(&["<?xml", "<tt ", "<tt>", "<tt:tt"]) => Format::Ttml,
        _ if begins(&["[INFORMATION]"]) => Format::Sbv,
        Format::Vtt => format,
        _ if is_number && is_times(second) => Format::Srt,
        // In plain text more times may follow a line of two times.
        Format::Text if span(first).is_some() && first.split_once(',').is_some_and(is_sbv) => {
            Format::Sbv
        }
        _ => format,
    }
}

/// Whether both parts of a line are whole times.
fn is_sbv((start, end): (&str, &str)) -> bool {
    Micros::parse(start).is_some() && Micros::parse(end).is_some()
}

/// Reads cues with the number of the line of their times; `speech` finds where somebody talks in the recording.
pub(super) fn read<E>(
    text: &str,
    format: Format,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    let mut transcript = Transcript::default();
    let problems = &mut transcript.problems;
    let (cues, told) = match format {
        Format::Ass => (substation::cues(text, problems), None),
        Format::Ttml => starts::of_one_language(ttml::cues(text, problems)),
        Format::Lrc => (starts::ended(lyrics::starts(text, problems), format, speech)?, None),
        Format::Smi => {
            let (starts, told) = starts::of_one_language(sami::starts(text, problems));
            (starts::ended(starts, format, speech)?, told)
        }
        _ => {
            let raw = rolling::once(blocks(&lines(text), format, problems), format);
            (raw.into_iter().filter_map(|raw| raw.read(format, problems)).collect(), None)
        }
    };
    transcript.warnings.extend(told);
    add_phrases(cues, format, &mut transcript);
    Ok(transcript)
}

/// Adds cues as phrases with their speakers and words.
fn add_phrases(mut cues: Vec<Cue>, format: Format, transcript: &mut Transcript) {
    // Where voices are named, a colon is one of the text.
    let has_voices = format != Format::Srt && cues.iter().any(|cue| cue.voice.is_some());
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
            // A single word needs no time but its cue's.
            times = Times::Given;
        }
        let speaker = voice.or(speaker);
        if !words.is_empty() {
            transcript.phrases.push((line.into(), Said { start, end, speaker, words, times }));
        }
    }
}

fn blocks<'a>(
    lines: &[(usize, &'a str)],
    format: Format,
    problems: &mut Vec<Problem>,
) -> Vec<Raw<'a>> {
    let mut rest = match format {
        Format::Vtt => behind_header(lines),
        Format::Sbv => behind_information(lines),
        _ => lines,
    };
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

/// The lines after SubViewer's header, which describes the film.
fn behind_information<'l, 'a>(lines: &'l [(usize, &'a str)]) -> &'l [(usize, &'a str)] {
    let first = lines.iter().map(|(_, line)| line.trim()).find(|line| !line.is_empty());
    let is_of_it = |(_, line): &&(usize, &str)| !is_times(line);
    let is_headed = first.is_some_and(|line| line.starts_with('['));
    let length = if is_headed { lines.iter().take_while(is_of_it).count() } else { 0 };
    lines.get(length..).unwrap_or_default()
}

/// Whether a cue ends at the first of these lines. An empty line ends it. A line of blanks is text, unless
/// the next cue follows it.
fn is_end(lines: &[(usize, &str)]) -> bool {
    let Some(((_, line), behind)) = lines.split_first() else { return true };
    let mut next = behind.iter().take(2).take_while(|(_, line)| !line.is_empty());
    let is_text = |next: &(usize, &str)| !is_times(next.1) && !is_note(next.1);
    line.trim().is_empty() && (line.is_empty() || !next.all(is_text))
}

/// Adds the cues of a block of lines to those before. Notes and styles add none. Text above the first time
/// of a block belongs to the cue before, which a blank line cut in two.
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

/// The lines of text among these of a block: those between the times of two cues.
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
        let Some(times) = times else {
            problems.push(Problem::at(line, Kind::NoTimes, &plain(&text, format).1));
            return None;
        };
        Some(Cue::of(Line { line, times, text: &text }, format))
    }
}

fn is_note(line: &str) -> bool {
    let behind = |kind: &'static str| line.strip_prefix(kind);
    let is_kind = |kind| behind(kind).is_some_and(|rest: &str| rest.trim().is_empty());
    let is_note = |rest: &str| rest.starts_with([' ', '\t']);
    ["NOTE", "STYLE", "REGION"].into_iter().any(is_kind) || behind("NOTE").is_some_and(is_note)
}

pub(super) fn write(said: &[Said], format: Written) -> String {
    let is_vtt = format == Written::Vtt;
    let mark = if is_vtt { '.' } else { ',' };
    let mut out = if is_vtt { "WEBVTT\n\n".to_owned() } else { String::new() };
    let has_voices = said.iter().any(|one| one.speaker.is_some());
    for (index, one) in said.iter().enumerate() {
        let text = one.text();
        let line = match (&one.speaker, is_vtt) {
            (Some(name), true) => format!("<v {}>{}", escaped(name), escaped(&text)),
            (None, true) if has_voices => untimed(&escaped(&text)),
            (None, true) => untimed(&escaped(&names::written(None, &text))),
            (speaker, false) => untagging(&names::written(speaker.as_deref(), &text)),
        };
        let (start, end) = (one.start.clock(mark), one.end.clock(mark));
        // Writing to a string does not fail.
        let _written = writeln!(out, "{}\n{start} {ARROW} {end}\n{line}\n", index + 1);
    }
    out
}

/// Text of WebVTT that is no line of times.
fn untimed(text: &str) -> String {
    if is_times(text) { text.replace(':', "&#58;") } else { text.into() }
}

/// Text of SubRip in which nothing is a tag, and which is no line of times.
fn untagging(text: &str) -> String {
    let text = unstyled(text, Format::Srt);
    let text = if is_times(&text) { text.replace(ARROW, &joined()) } else { text };
    if is_times(&text) { format!("{JOINER}{text}") } else { text }
}
