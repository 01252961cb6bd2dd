//! Times of transcripts.

use std::fmt;

/// The latest time of a file: 1,000 hours.
const LATEST: u64 = 1_000 * 3_600 * 1_000_000;

/// Microseconds from the start of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(pub u64);

impl Micros {
    /// Seconds. `None` if the value is no number, below 0 or above 1,000 hours.
    #[must_use]
    pub fn of_seconds(seconds: f64) -> Option<Self> {
        let micros = (seconds * 1e6).round();
        (micros >= 0.0 && micros <= LATEST as f64).then_some(Self(micros as u64))
    }

    #[must_use]
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// `hh:mm:ss.mmm` or `mm:ss.mmm`, with a comma or a point; fractions of one to six digits. `hh:mm:ss:mmm` too; two
    /// digits there would be frames.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let by_colons = || {
            text.rsplit_once(':')
                .filter(|(clock, behind)| behind.len() == 3 && clock.matches(':').count() == 2)
        };
        let split = text.split_once([',', '.']).or_else(by_colons);
        let (clock, fraction) = split.unwrap_or((text, "0"));
        let parts: Vec<&str> = clock.split(':').collect();
        let (hours, minutes, seconds) = match parts.as_slice() {
            [hours, minutes, seconds] => (*hours, *minutes, *seconds),
            [minutes, seconds] => ("0", *minutes, *seconds),
            _ => return None,
        };
        // Without hours there may be more minutes than one has.
        let most = if parts.len() == 2 { 999 } else { 59 };
        let (hours, minutes, seconds) =
            (number(hours, 4)?, number(minutes, 3)?, number(seconds, 2)?);
        let digits = u32::try_from(fraction.len()).ok()?;
        let fraction = number(fraction, 6)? * 10u64.pow(6u32.checked_sub(digits)?);
        if minutes > most || seconds > 59 {
            return None;
        }
        let micros = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + fraction;
        (micros <= LATEST).then_some(Self(micros))
    }

    /// `hh:mm:ss.mmm`, rounded to a millisecond, with that mark.
    pub(super) fn clock(self, mark: char) -> String {
        let millis = (self.0 + 500) / 1000;
        let (seconds, millis) = (millis / 1000, millis % 1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{hours:02}:{minutes:02}:{seconds:02}{mark}{millis:03}")
    }
}

/// A number of 1 to `most` digits.
fn number(text: &str, most: usize) -> Option<u64> {
    let is_number =
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.clock('.'))
    }
}
