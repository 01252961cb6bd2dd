//! Plain text in several layouts: a phrase on each line, with times in brackets and the speaker before a
//! colon; paragraphs with times and names in the style of other programs; or times after the text. A phrase
//! with only a start ends at the next one. Lines without times are spread over the speech.

mod line;
mod points;
mod stamp;

use super::estimated_times::{last_end, spread};
use super::lines::lines;
use super::markup::{plain, unstyled};
use super::phrases::{Said, Times, Transcript};
use super::problems::{Kind, Problem};
use super::{Format, Micros, Place, names};
use line::{Line, carried, placed};
use stamp::Clock;
use std::fmt::Write;
use std::ops::Range;

/// Reads phrases with the numbers of their lines; `speech` finds where somebody talks in the recording.
pub(super) fn read<E>(
    text: &str,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    let unstyled =
        lines(text).into_iter().map(|(number, line)| (number, plain(line, Format::Text).1));
    let unstyled: Vec<(usize, String)> = unstyled.collect();
    let lines = unstyled.iter().map(|(number, line)| (*number, line.trim()));
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
    let mut transcript = Transcript::default();
    if let Some(stamped) = points::stamped(&lines, &mut transcript.problems) {
        transcript.phrases = points::read(stamped, speech, &mut transcript.problems)?;
        let told = "the file has times after what is said: each ends the words before it, which begin at the time before";
        transcript.warnings.push(told.into());
        return Ok(transcript);
    }
    let mut lines = phrases(lines, &mut transcript.problems);
    let untimed = lines.iter().filter(|line| line.clock == Clock::None).count();
    if untimed == lines.len() && untimed > 0 {
        let marked = lines.iter().find_map(Line::marked);
        let told = "the file has no times: its phrases and words are spread over where somebody talks, so all times \
                    are estimated";
        transcript.phrases = placed(lines, &speech()?);
        transcript.warnings = std::iter::once(told.into()).chain(marked).collect();
        transcript.is_timeless = true;
        return Ok(transcript);
    }
    let heads = lines.iter().take_while(|line| line.clock == Clock::None).count();
    for head in lines.drain(..heads) {
        transcript.problems.push(Problem::at(head.number, Kind::Heading, &head.text));
    }
    if lines.iter().any(|line| matches!(line.clock, Clock::Start(_))) {
        let told = "the file has starts of phrases without their ends; each ends at the next";
        transcript.warnings.push(told.into());
    }
    transcript.phrases = timed(grouped(lines, &mut transcript.problems), speech)?;
    Ok(transcript)
}

/// The phrases of a file. A line without a time goes on with the one before, where that does not end by itself.
fn phrases(lines: Vec<(usize, &str)>, problems: &mut Vec<Problem>) -> Vec<Line> {
    let stamps = stamp::stamps(&lines, problems);
    let has_names = stamps.iter().any(|stamp| stamp.name.is_some());
    let texts = stamps.iter().map(|stamp| match stamp.name {
        // If names come before the times, a colon belongs to the text.
        None if has_names && stamp.clock == Clock::None => String::new(),
        None => stamp.text.strip_prefix(' ').unwrap_or(stamp.text).to_owned(),
        Some(_) if stamp.text.is_empty() => String::new(),
        Some(name) => format!("{name}:{}{}", names::MARK, stamp.text),
    });
    let named = names::named(texts.collect());
    let mut found: Vec<Line> = Vec::new();
    for (((number, whole), stamp), (speaker, text)) in lines.into_iter().zip(stamps).zip(named) {
        let speaker = stamp.name.map(str::to_owned).or(speaker);
        let line = Line { number, clock: stamp.clock, speaker, text };
        match found.last_mut().filter(|head| head.goes_on(&line)) {
            Some(head) => head.add(line, whole),
            None => found.push(line),
        }
    }
    carried(found)
}

/// Groups lines that share a time: those with the same start, and those without a time below them. The
/// groups are sorted by time if that is needed to find their ends.
fn grouped(lines: Vec<Line>, problems: &mut Vec<Problem>) -> Vec<Vec<Line>> {
    let mut groups: Vec<Vec<Line>> = Vec::new();
    let mut latest = Micros::default();
    for line in lines {
        if line.clock == Clock::None {
            problems.push(Problem::at(line.number, Kind::Untimed, &line.text));
        } else if line.start() < latest {
            problems.push(Problem::at(line.number, Kind::Sorted, &line.text));
        }
        latest = latest.max(line.start());
        let head = groups.last().and_then(|group| group.first()).map(|head| head.clock);
        let is_shared = |head| {
            line.clock == Clock::None || (head == line.clock && matches!(head, Clock::Start(_)))
        };
        match groups.last_mut().filter(|_| head.is_some_and(is_shared)) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    groups.sort_by_key(|group| group.first().map_or(Micros::default(), Line::start));
    groups
}

/// Lines with their times. The lines of a group share its time; the last group ends with the speech.
fn timed<E>(
    groups: Vec<Vec<Line>>,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Vec<(Place, Said)>, E> {
    let starts: Vec<Micros> =
        groups.iter().filter_map(|group| Some(group.first()?.start())).collect();
    let mut said = Vec::new();
    for mut lines in groups {
        let Some((clock, from)) = lines.first().map(|line| (line.clock, line.start())) else {
            continue;
        };
        let next = || starts.get(starts.partition_point(|start| *start <= from)).copied();
        let end = match (clock, lines.len()) {
            (Clock::Both(start, end), 1) => {
                said.extend(lines.pop().and_then(|line| whole(line, start, end)));
                continue;
            }
            (Clock::Both(_, end), _) => end,
            (Clock::Start(_) | Clock::None, _) => match next() {
                Some(next) => next,
                None => last_end(from, speech)?,
            },
        };
        said.extend(placed(lines, &[from..end]));
    }
    Ok(said)
}

/// A line that is said from one time to another.
fn whole(line: Line, start: Micros, end: Micros) -> Option<(Place, Said)> {
    let words = spread(&line.text, start, end);
    let one = Said { start, end, speaker: line.speaker, words, times: Times::Spread };
    (!one.words.is_empty()).then_some((line.number.into(), one))
}

pub(super) fn write(said: &[Said]) -> String {
    let mut out = String::new();
    for one in said {
        let text = unstyled(&names::written(one.speaker.as_deref(), &one.text()), Format::Text);
        // Writing to a string does not fail.
        let _written = writeln!(out, "[{} --> {}] {text}", one.start, one.end);
    }
    out
}
