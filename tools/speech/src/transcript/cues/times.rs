//! Lines of times: `00:00:01,000 --> 00:00:02,500`, and as people and programs write that.

use super::super::Micros;
use std::ops::Range;

/// The arrow between the two times of a cue.
pub(super) const ARROW: &str = "-->";

/// Whether a line holds the times of a cue: at least one side of the arrow is a time, and at most one word is before the
/// arrow. With another mark than the arrow, both sides must be times with fractions.
pub(super) fn is_times(line: &str) -> bool {
    let is_clock = |text: &str| {
        text.contains(':') && text.chars().all(|c| c.is_ascii_digit() || ":,.- ".contains(c))
    };
    let is_meant = line.split_once(ARROW).is_some_and(|(start, end)| {
        let (start, end) = (start.trim(), end.split_whitespace().next().unwrap_or_default());
        is_clock(start)
            || (!start.is_empty() && !start.contains(char::is_whitespace) && is_clock(end))
    });
    is_meant || marked_otherwise(line).is_some()
}

/// The two times of a line; settings may follow them. What starts before the recording starts with it.
pub(super) fn span(line: &str) -> Option<Range<Micros>> {
    if let Some(times) = marked_otherwise(line) {
        return Some(times);
    }
    let (start, rest) = line.split_once(ARROW)?;
    let rest = rest.strip_prefix('>').unwrap_or(rest);
    Some(time(start)?..time(rest)?)
}

/// The times of a line with another mark between them: `->`, `=>`, a letter, a dash, or the comma of SBV.
fn marked_otherwise(line: &str) -> Option<Range<Micros>> {
    if !line.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_clock = |c: char| c.is_ascii_digit() || ":,. ".contains(c);
    let (start, rest) = line.split_at(line.find(|c| !is_clock(c)).unwrap_or(line.len()));
    let whole = |text: &str| time(text).filter(|_| text.contains(['.', ',']));
    let by_arrow = || Some(whole(start)?..whole(behind_arrow(rest)?)?);
    let by_comma = || {
        let (start, end) = line.split_once(',').filter(|_| line.contains('.'))?;
        Some(whole(start)?..Micros::parse(end.trim())?)
    };
    by_arrow().or_else(by_comma)
}

/// What follows an arrow of any kind.
fn behind_arrow(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(next) = rest
        .strip_prefix("&gt;")
        .or_else(|| rest.strip_prefix(['-', '=', '>', ' ', '\u{2013}', '\u{2014}', '\u{2192}']))
    {
        rest = next;
    }
    (rest.len() < text.len()).then_some(rest)
}

/// The time at the beginning of a text. It may contain blanks.
fn time(text: &str) -> Option<Micros> {
    let text = text.trim();
    let (text, is_before) = text.strip_prefix('-').map_or((text, false), |text| (text, true));
    let is_clock = |c: char| c.is_ascii_digit() || ":,. ".contains(c);
    let clock = text.get(..text.find(|c| !is_clock(c)).unwrap_or(text.len()))?;
    let first = text.split_whitespace().next()?;
    let found = Micros::parse(first).or_else(|| {
        let clock: String = clock.split_whitespace().collect();
        Micros::parse(&clock).filter(|_| clock.len() > first.len())
    });
    found.map(|at| if is_before { Micros::default() } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_said_is_no_line_of_times() {
        for line in [
            "It is 1:30.",
            "10:30 -> 11:30",
            "9:00 - 10:00",
            "1,2",
            "10:30, 11:00.",
            "1.5 -> 2.5",
            "->",
        ] {
            assert!(!is_times(line), "{line}");
        }
        for line in [
            "0:0:1,5->0:0:2,5",
            "0:00:01.000,0:00:02.000",
            "00:01.5 - 00:02.5 line:0",
            "NaN --> 0:02",
        ] {
            assert!(is_times(line), "{line}");
        }
    }
}
