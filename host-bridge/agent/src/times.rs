//! Times: "1:30", "12.5 seconds", "two minutes and ten seconds", "a second and a half", "200 ms".

use crate::lexer::{Token, TokenKind};
use crate::numbers::{article_at, number_at};

/// A time as it was said, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Time {
    /// Seconds.
    pub seconds: f64,
    /// Whether it names a place on the timeline by itself: a clock time, a marker, the start.
    pub place: bool,
}

/// A minute, in seconds.
const MINUTE: f64 = 60.0;

/// Words for units, with the seconds of one.
const UNITS: [(&str, f64); 4] = [
    ("ms msec msecs millis millisecond milliseconds", 0.001),
    ("s sec secs second seconds", 1.0),
    ("m min mins minute minutes", MINUTE),
    ("h hour hours", 3600.0),
];

/// Every word of a unit.
pub(crate) fn unit_words() -> impl Iterator<Item = &'static str> {
    UNITS.iter().flat_map(|(words, _)| words.split(' '))
}

/// How long the unit is, in seconds, that tokens end with.
pub(crate) fn unit_of(tokens: &[Token]) -> Option<f64> {
    let unit = tokens.last()?.word()?;
    let is_it = |(words, _): &&(&str, f64)| words.split(' ').any(|word| word == unit);
    UNITS.iter().find(is_it).map(|(_, scale)| *scale)
}

/// The time that starts at `at`; never negative.
pub(crate) fn time_at(tokens: &[Token], at: usize) -> Option<(Time, usize)> {
    if let TokenKind::Clock(seconds) = tokens.get(at)?.kind {
        return clock(seconds).map(|time| (time, at + 1));
    }
    let (mut seconds, mut scale, mut next) = span_at(tokens, at)?;
    while let Some((more, smaller, behind)) = next_span(tokens, next) {
        if smaller >= scale {
            break;
        }
        (seconds, scale, next) = (seconds + more, smaller, behind);
    }
    if let Some((more, behind)) = bare_seconds(tokens, next).filter(|_| scale == MINUTE) {
        (seconds, next) = (seconds + more, behind);
    }
    let place = false;
    Some((Time { seconds, place }, next))
}

/// "two minutes ten": a number without a unit after minutes, where nothing follows that it may belong to.
fn bare_seconds(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let (number, next) = number_at(tokens, at).filter(|(number, _)| !number.signed)?;
    let goes_on = ["and", "then", "on", "in", "to", "of", "for", "as", "called", "named"];
    let is_free = |token: &Token| match token.word() {
        Some(word) => goes_on.contains(&word),
        None => matches!(token.kind, TokenKind::Comma | TokenKind::Stop),
    };
    let fits = (0.0..60.0).contains(&number.value) && tokens.get(next).is_none_or(is_free);
    fits.then_some((number.value, next))
}

fn clock(seconds: f64) -> Option<Time> {
    let time = Time { seconds, place: true };
    (seconds.is_finite() && seconds >= 0.0).then_some(time)
}

/// A further, smaller part: "and ten seconds".
fn next_span(tokens: &[Token], at: usize) -> Option<(f64, f64, usize)> {
    let skip = usize::from(tokens.get(at).is_some_and(|token| token.is("and")));
    span_at(tokens, at + skip)
}

/// One number and unit: seconds, seconds per unit, index behind.
fn span_at(tokens: &[Token], at: usize) -> Option<(f64, f64, usize)> {
    let (number, next) = number_at(tokens, at).or_else(|| article_at(tokens, at))?;
    let scale = unit_of(tokens.get(next..=next)?)?;
    let half = ["and", "a", "half"];
    let more = (0..3).all(|i| tokens.get(next + 1 + i).is_some_and(|token| token.is(half[i])));
    let value = number.value + if more { 0.5 } else { 0.0 };
    let behind = next + 1 + if more { 3 } else { 0 };
    let seconds = rounded(value * scale);
    (!number.signed && seconds.is_finite()).then_some((seconds, scale, behind))
}

/// A time as a clock shows it, to a millisecond: "1:30", "0:04.5".
pub(crate) fn clock_text(seconds: f64) -> String {
    let thousandths = (seconds * 1000.0).round();
    let minutes = (thousandths / 60_000.0).floor();
    let rest = (thousandths - minutes * 60_000.0) / 1000.0;
    let padding = if rest < 10.0 { "0" } else { "" };
    format!("{minutes}:{padding}{rest}")
}

/// To a microsecond, so that 200 ms is 0.2 s.
pub(crate) fn rounded(seconds: f64) -> f64 {
    let steps = seconds * 1e6;
    if steps.is_finite() { steps.round() / 1e6 } else { steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn seconds(text: &str) -> Option<f64> {
        let tokens = lex(text);
        let (time, next) = time_at(&tokens, 0)?;
        (next == tokens.len()).then_some(time.seconds)
    }

    #[test]
    fn clock_figures_and_words() {
        let cases = [
            ("1:30", 90.0),
            ("12.5 seconds", 12.5),
            ("200ms", 0.2),
            ("1m30s", 90.0),
            ("two minutes and ten seconds", 130.0),
            ("a second and a half", 1.5),
            ("half a second", 0.5),
            ("two and a half minutes", 150.0),
        ];
        for (text, expected) in cases {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_clock_is_read_as_it_is_shown() {
        let cases = [(90.0, "1:30"), (4.5, "0:04.5"), (30.857, "0:30.857"), (3661.0, "61:01")];
        for (time, shown) in cases {
            assert_eq!(clock_text(time), shown);
            assert_eq!(seconds(shown), Some(time), "{shown}");
        }
    }

    #[test]
    fn no_time_without_a_unit() {
        assert_eq!(seconds("90"), None);
        assert_eq!(seconds("-2 seconds"), None);
    }
}
