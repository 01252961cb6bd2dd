//! Times as Ardour writes them: `a` and ticks since version 7, samples before.

use crate::format::ReadError;
use crate::xml::Document;

const TICKS: f64 = 282_240_000.0;

/// How a session or a region counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clock {
    /// 282,240,000 a second, written with an `a`.
    Ticks,
    /// Samples at the session's rate.
    Samples(f64),
}

impl Clock {
    pub(super) fn seconds(self, count: f64) -> f64 {
        match self {
            Self::Ticks => count / TICKS,
            Self::Samples(rate) => count / rate,
        }
    }

    /// The text of a time.
    pub(super) fn text(self, seconds: f64) -> String {
        match self {
            Self::Ticks => format!("a{}", (seconds * TICKS).round()),
            Self::Samples(rate) => format!("{}", (seconds * rate).round()),
        }
    }

    /// The clock of a time that is written so; `None` where it counts beats.
    pub(super) fn of(text: &str, rate: f64) -> Option<Self> {
        match text.as_bytes().first() {
            Some(b'a') => Some(Self::Ticks),
            Some(b'b') => None,
            _ => Some(Self::Samples(rate)),
        }
    }
}

/// Seconds of an attribute, without what follows an `@`; `None` where it counts beats.
pub(super) fn seconds(
    document: &Document<'_>,
    element: usize,
    name: &str,
    rate: f64,
) -> Result<Option<f64>, ReadError> {
    let Some(text) = document.text(element, name) else { return Ok(Some(0.0)) };
    parse(text.split('@').next().unwrap_or_default(), rate).map_err(|()| {
        let what = format!("{name} is {text:?}, not a time");
        document.damaged_in(element, &what)
    })
}

pub(super) fn parse(text: &str, rate: f64) -> Result<Option<f64>, ()> {
    let Some(clock) = Clock::of(text, rate) else { return Ok(None) };
    let number = text.strip_prefix('a').unwrap_or(text).parse::<f64>().map_err(|_| ())?;
    match number.abs() <= 1e18 {
        true => Ok(Some(clock.seconds(number))),
        false => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_and_samples_read_and_write() {
        assert_eq!(parse("a564480000", 48000.0), Ok(Some(2.0)));
        assert_eq!(parse("96000", 48000.0), Ok(Some(2.0)));
        assert_eq!(parse("b1920", 48000.0), Ok(None));
        assert_eq!(parse("aNaN", 48000.0), Err(()));
        assert_eq!(Clock::Ticks.text(2.0), "a564480000");
        assert_eq!(Clock::Samples(44100.0).text(0.5), "22050");
    }
}
