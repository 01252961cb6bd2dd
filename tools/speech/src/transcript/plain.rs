//! Plain text: a line a phrase, with its times in brackets and its speaker ahead of a colon. A start alone ends at the
//! next; lines without any times are spread over where somebody talks.

use super::{
    Micros, Place, Said, TimedWord, Times, Transcript, TranscriptError, lines, names, over, spread,
};
use std::fmt::Write;
use std::ops::Range;

const WAY_OUT: &str = "a line looks like [00:00:01.250 --> 00:00:03.000] Name: text, or [00:00:01] Name: text, \
                       or all lines are without times";

/// The last phrase lasts so long at least, in us: speech is not always heard.
const LEAST: u64 = 500_000;

/// What a line says of its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clock {
    Both(Micros, Micros),
    Start(Micros),
    None,
}

/// A phrase whose times may not be known yet.
struct Line {
    number: usize,
    clock: Clock,
    speaker: Option<String>,
    text: String,
}

/// Reads phrases with the numbers of their lines; `speech` finds where somebody talks in the recording.
pub(super) fn read<E: From<TranscriptError>>(
    text: &str,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    let lines = phrases(text)?;
    let untimed = lines.iter().filter(|line| line.clock == Clock::None).count();
    if untimed == lines.len() && untimed > 0 {
        let said = placed(lines, &speech()?);
        let told = "the file has no times: its phrases and words are spread over where somebody talks, so all times \
                    are estimated";
        return Ok(Transcript { phrases: said, warnings: vec![told.into()], is_timeless: true });
    }
    if let Some(line) = lines.iter().find(|line| line.clock == Clock::None) {
        return Err(TranscriptError::at(line.number, "the line has no times", WAY_OUT).into());
    }
    let mut transcript = Transcript::default();
    if lines.iter().any(|line| matches!(line.clock, Clock::Start(_))) {
        let told = "the file has starts of phrases without their ends; each ends at the next";
        transcript.warnings.push(told.into());
    }
    transcript.phrases = timed(lines, speech)?;
    Ok(transcript)
}

/// The lines of a file that are not empty.
fn phrases(text: &str) -> Result<Vec<Line>, TranscriptError> {
    let (mut clocks, mut texts) = (Vec::new(), Vec::new());
    for (number, line) in lines(text)? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let (clock, text) = clock(number, line)?;
        clocks.push((number, clock));
        texts.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
    }
    let lines = clocks.into_iter().zip(names::named(texts));
    let line = |((number, clock), (speaker, text))| Line { number, clock, speaker, text };
    Ok(lines.map(line).collect())
}

/// The times of a line and what stands behind them. Not every bracket is one of times.
///
/// # Errors
/// Where it begins like a time and is none.
fn clock(number: usize, line: &str) -> Result<(Clock, &str), TranscriptError> {
    let closes =
        |open, close| line.strip_prefix(open).and_then(|line: &str| line.split_once(close));
    let Some((times, text)) = closes('[', ']').or_else(|| closes('(', ')')) else {
        return Ok((Clock::None, line));
    };
    let is_meant = times.contains("-->")
        || (times.contains(':')
            && times.chars().all(|c| c.is_ascii_digit() || ":,. -".contains(c)));
    if !is_meant {
        return Ok((Clock::None, line));
    }
    let wrong = || TranscriptError::at(number, "the line has no times", WAY_OUT);
    let time = |text: &str| Micros::parse(text.trim()).ok_or_else(wrong);
    let clock = match times.split_once("-->") {
        Some((start, end)) => Clock::Both(time(start)?, time(end)?),
        None => Clock::Start(time(times)?),
    };
    Ok((clock, text))
}

/// Lines with their times. Those that start at once share the time up to the next; the last ends with the speech.
fn timed<E>(
    lines: Vec<Line>,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Vec<(Place, Said)>, E> {
    let start = |line: &Line| match line.clock {
        Clock::Both(start, _) | Clock::Start(start) => start,
        Clock::None => Micros::default(),
    };
    let (mut said, mut rest) = (Vec::new(), lines.into_iter().peekable());
    while let Some(line) = rest.next() {
        if let Clock::Both(start, end) = line.clock {
            let words = spread(&line.text, start, end);
            let one = Said { start, end, speaker: line.speaker, words, times: Times::Spread };
            said.extend((!one.words.is_empty()).then_some((line.number.into(), one)));
            continue;
        }
        let from = start(&line);
        let mut shared = vec![line];
        while let Some(next) = rest.next_if(|next| next.clock == Clock::Start(from)) {
            shared.push(next);
        }
        let end = match rest.peek() {
            Some(next) => start(next),
            None => {
                let last = speech()?.last().map_or(from, |last| last.end);
                last.max(Micros(from.0 + LEAST))
            }
        };
        said.extend(placed(shared, &[from..end]));
    }
    Ok(said)
}

/// Lines as phrases, one after another over where somebody talks.
fn placed(lines: Vec<Line>, speech: &[Range<Micros>]) -> Vec<(Place, Said)> {
    let speech: Vec<Range<u64>> = speech.iter().map(|one| one.start.0..one.end.0).collect();
    let words = lines.iter().flat_map(|line| line.text.split_whitespace());
    let lengths: Vec<u64> = words.map(|word| word.chars().count() as u64 + 1).collect();
    let mut ranges = over(&speech, &lengths).into_iter();
    let said = lines.into_iter().filter_map(|line| {
        let count = line.text.split_whitespace().count();
        let texts = line.text.split_whitespace().zip(ranges.by_ref().take(count));
        let word = |(text, range): (&str, Range<u64>)| {
            let (start, end) = (Micros(range.start), Micros(range.end));
            TimedWord { text: text.into(), start, end, confidence: None }
        };
        let words: Vec<TimedWord> = texts.map(word).collect();
        let (start, end) = (words.first()?.start, words.last()?.end);
        let said = Said { start, end, speaker: line.speaker, words, times: Times::Spread };
        Some((line.number.into(), said))
    });
    said.collect()
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
