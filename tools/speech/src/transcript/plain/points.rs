//! Times after the text: `Name: text #00:00:01-5#`, as in f4, f5 and MAXQDA, and `Name: text [00:01]`.
//!
//! A stamp is a point in the text. Words before it are said until then, words after it from then on. So at
//! the end of a paragraph it is the paragraph's end, as the rules of Dresing and Pehl require ("Praxisbuch
//! Interview, Transkription & Analyse"). At the beginning it is the start. The digit after the dash is
//! tenths of a second.

use super::super::estimated_times::last_end;
use super::super::phrases::Said;
use super::super::problems::{Kind, Problem};
use super::super::{Micros, Place, names};
use super::line::{Line, carried, placed};
use super::stamp::{self, Clock};
use std::collections::BTreeMap;
use std::ops::Range;

/// The lines of a file, and its stamps apart from them.
pub(super) struct Stamped {
    /// Without stamps, with their numbers.
    lines: Vec<(usize, String)>,
    /// Of each line by its number, in order.
    points: BTreeMap<usize, Vec<Point>>,
}

struct Point {
    at: Micros,
    /// The number of words in its line after it.
    behind: usize,
}

/// A part of a line.
enum Part<'a> {
    /// A text, with the closing marks that follow its stamp.
    Text(&'a str, &'a str),
    /// A stamp as written; `None` if it only looks like one.
    Stamp(&'a str, Option<Clock>),
}

/// The stamps of a file, given its lines with their numbers and without outer blanks. `None` if its times
/// have another place, or it has none.
pub(super) fn stamped(lines: &[(usize, &str)], problems: &mut Vec<Problem>) -> Option<Stamped> {
    let parts: fn(&str) -> Vec<Part<'_>> = if lines.iter().any(|(_, it)| stamp::is_in_front(it)) {
        return None;
    } else if lines.iter().any(|(_, it)| hashed(it).len() > 1) {
        hashed
    } else if are_behind(lines) {
        bracketed
    } else {
        return None;
    };
    let mut stamped = Stamped { lines: Vec::with_capacity(lines.len()), points: BTreeMap::new() };
    for &(number, line) in lines {
        let (text, points) = apart(number, &parts(line), problems);
        stamped.lines.push((number, text));
        stamped.points.insert(number, points);
    }
    Some(stamped)
}

/// Whether times in brackets end the lines of a file, and not only a heading or one line of speech.
fn are_behind(lines: &[(usize, &str)]) -> bool {
    let ends = || lines.iter().filter(|(_, line)| ending(line).is_some());
    let sure = ends().filter(|(_, line)| !stamp::is_behind_name(line)).count();
    let all = ends().count();
    let are_most = all * 2 >= lines.len() && (all > 1 || lines.len() == 1);
    sure > 0 && sure * 2 >= all && are_most && !lines.iter().any(|(_, it)| stamp::is_bare(it))
}

/// A line at its stamps such as `#00:00:01-5#`.
fn hashed(line: &str) -> Vec<Part<'_>> {
    let marks: Vec<usize> = line.match_indices('#').map(|(at, _)| at).collect();
    let (mut parts, mut from) = (Vec::new(), 0);
    for (open, close) in marks.iter().zip(marks.iter().skip(1)) {
        let inner = line.get(open + 1..*close).filter(|inner| stamp::is_clock(inner));
        if let Some(inner) = inner.filter(|_| *open >= from) {
            let clock = Micros::parse(&inner.replacen('-', ".", 1)).map(Clock::Start);
            let text = line.get(from..*open).unwrap_or_default();
            let behind = line.get(close + 1..).filter(|_| !text.trim().is_empty());
            let closing = closing(behind.unwrap_or_default());
            parts.push(Part::Text(text, closing));
            parts.push(Part::Stamp(inner, clock));
            from = close + 1 + closing.len();
        }
    }
    parts.push(Part::Text(line.get(from..).unwrap_or_default(), ""));
    parts
}

/// The marks that follow a stamp and close the text before it: `so it is #0:01#.`
fn closing(behind: &str) -> &str {
    let end = behind.find(|c: char| !".,;:!?…".contains(c)).unwrap_or(behind.len());
    let (closing, rest) = behind.split_at(end);
    let is_apart = rest.is_empty() || rest.starts_with(char::is_whitespace);
    if is_apart { closing } else { "" }
}

/// A line, split before the brackets at its end.
fn bracketed(line: &str) -> Vec<Part<'_>> {
    match ending(line) {
        Some((text, times)) => vec![Part::Text(text, ""), Part::Stamp(times, stamp::clock(times))],
        None => vec![Part::Text(line, "")],
    }
}

/// A text and the times in brackets after it.
fn ending(line: &str) -> Option<(&str, &str)> {
    let closed = line.strip_suffix([']', ')'])?;
    let open = closed.rfind(['[', '('])?;
    let (text, times) = (closed.get(..open)?, closed.get(open + 1..)?);
    let is_time = times.starts_with(|c: char| c.is_ascii_digit()) && stamp::is_times(times);
    (is_time && !text.trim().is_empty()).then_some((text, times))
}

/// A line without its stamps, and those.
fn apart(number: usize, parts: &[Part<'_>], problems: &mut Vec<Problem>) -> (String, Vec<Point>) {
    let (mut texts, mut points, mut begins) = (Vec::new(), Vec::new(), None);
    let mut behind = 0;
    for part in parts.iter().rev() {
        match part {
            Part::Text(text, closing) => {
                behind += text.split_whitespace().count();
                let text = text.trim();
                texts.extend((!text.is_empty()).then(|| format!("{text}{closing}")));
            }
            Part::Stamp(_, Some(Clock::Start(at))) => points.push(Point { at: *at, behind }),
            Part::Stamp(_, Some(Clock::Both(start, end))) => {
                begins = Some(*start);
                points.push(Point { at: *end, behind });
            }
            Part::Stamp(text, Some(Clock::None) | None) => {
                problems.push(Problem::at(number, Kind::Untimed, text));
            }
        }
    }
    points.extend(begins.map(|at| Point { at, behind }));
    points.reverse();
    texts.reverse();
    (texts.join(" "), points)
}

/// The lines between two stamps, or before the first.
#[derive(Default)]
struct Stretch {
    from: Micros,
    lines: Vec<Line>,
}

/// The phrases. Those between two stamps share the time between them. The first begin with the recording.
/// Those after the last stamp end with the speech.
pub(super) fn read<E>(
    stamped: Stamped,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
    problems: &mut Vec<Problem>,
) -> Result<Vec<(Place, Said)>, E> {
    let (mut said, mut rest) = (Vec::new(), stretches(stamped, problems).into_iter().peekable());
    while let Some(Stretch { from, lines }) = rest.next() {
        let end = match (rest.peek(), lines.is_empty()) {
            (Some(next), _) => next.from,
            (None, false) => last_end(from, speech)?,
            (None, true) => from,
        };
        if end == from {
            let noted =
                lines.iter().map(|line| Problem::at(line.number, Kind::NoLength, &line.text));
            problems.extend(noted);
            continue;
        }
        said.extend(placed(lines, &[from..end]));
    }
    Ok(said)
}

fn stretches(stamped: Stamped, problems: &mut Vec<Problem>) -> Vec<Stretch> {
    let Stamped { lines, mut points } = stamped;
    let (numbers, texts): (Vec<usize>, Vec<String>) = lines.into_iter().unzip();
    let named = numbers.iter().zip(names::named(texts));
    let line = |(number, (speaker, text)): (&usize, (Option<String>, String))| Line {
        number: *number,
        clock: Clock::None,
        speaker,
        text,
    };
    let lines = carried(named.map(line).filter(|line| !line.text.is_empty()).collect());
    let mut lines: BTreeMap<usize, Line> =
        lines.into_iter().map(|line| (line.number, line)).collect();
    let mut stretches = vec![Stretch::default()];
    for number in numbers {
        let (line, points) = (lines.remove(&number), points.remove(&number).unwrap_or_default());
        let is_ahead = line.as_ref().is_some_and(|line| line.is_behind(&points));
        if let ([first], true) = (stretches.as_mut_slice(), is_ahead) {
            let noted = first.lines.drain(..);
            problems.extend(noted.map(|line| Problem::at(line.number, Kind::Heading, &line.text)));
        }
        cut(line, number, points, &mut stretches, problems);
    }
    shared(stretches)
}

/// If two stamps are the same, the text between them has no time of its own. It shares the time of the text
/// before it, or, in a file whose stamps are starts, of the text after it.
fn shared(all: Vec<Stretch>) -> Vec<Stretch> {
    let are_ends = all.first().is_some_and(|first| !first.lines.is_empty());
    let mut kept: Vec<Stretch> = Vec::with_capacity(all.len());
    let mut rest = all.into_iter().peekable();
    while let Some(mut one) = rest.next() {
        let same = rest.peek_mut().filter(|next| next.from == one.from);
        match (same, kept.last_mut()) {
            (Some(_), Some(last)) if are_ends => last.lines.append(&mut one.lines),
            (Some(next), _) if !are_ends && !next.lines.is_empty() => {
                one.lines.append(&mut next.lines);
                next.lines = one.lines;
            }
            _ => kept.push(one),
        }
    }
    kept
}

impl Line {
    /// Whether all the text of the line comes after a stamp.
    fn is_behind(&self, points: &[Point]) -> bool {
        let words = self.text.split_whitespace().count();
        points.first().is_some_and(|first| first.behind >= words)
    }
}

/// Adds a line to the last of the stretches; each of its stamps begins another.
fn cut(
    line: Option<Line>,
    number: usize,
    points: Vec<Point>,
    stretches: &mut Vec<Stretch>,
    problems: &mut Vec<Problem>,
) {
    let words: Vec<&str> = line.iter().flat_map(|line| line.text.split_whitespace()).collect();
    let said = |words: &[&str]| {
        let speaker = line.as_ref().and_then(|line| line.speaker.clone());
        let text = words.join(" ");
        (!words.is_empty()).then_some(Line { number, clock: Clock::None, speaker, text })
    };
    let mut rest = words.as_slice();
    for Point { at, behind } in points {
        let (ahead, left) = rest.split_at(rest.len().saturating_sub(behind));
        if let Some(last) = stretches.last_mut() {
            last.lines.extend(said(ahead));
        }
        rest = left;
        // A time before the previous one is invalid: its text continues the previous stretch.
        if stretches.last().is_some_and(|last| at < last.from) {
            let text = line.as_ref().map_or("", |line| line.text.as_str());
            problems.push(Problem::at(number, Kind::Untimed, text));
            continue;
        }
        stretches.push(Stretch { from: at, lines: Vec::new() });
    }
    if let Some(last) = stretches.last_mut() {
        last.lines.extend(said(rest));
    }
}
