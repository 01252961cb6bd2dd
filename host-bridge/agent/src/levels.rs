//! Levels: a number with its unit, and the loudness standards that people call by name.

use crate::lexer::Token;
use crate::numbers::{Number, number_at};

/// A level or a level difference as it was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    /// The number.
    pub value: f64,
    /// Whether a sign was said.
    pub signed: bool,
    /// Its unit.
    pub unit: Unit,
}

/// The unit of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Loudness.
    Lufs,
    /// Loudness difference.
    Lu,
    /// True peak.
    Dbtp,
    /// Level relative to full scale: a sample peak unless RMS is said.
    Dbfs,
    /// RMS relative to full scale.
    Rms,
    /// "dB": a difference, a fader position, or a level that lacks its reference.
    Db,
}

/// A delivery standard: integrated loudness and true-peak ceiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standard {
    /// Target in LUFS.
    pub lufs: f64,
    /// Ceiling in dBTP.
    pub dbtp: f64,
}

/// EBU R 128.
pub(crate) const BROADCAST: Standard = Standard { lufs: -23.0, dbtp: -1.0 };
/// ATSC A/85.
pub(crate) const ATSC: Standard = Standard { lufs: -24.0, dbtp: -2.0 };
/// What Spotify, `YouTube` and others play at.
pub(crate) const STREAMING: Standard = Standard { lufs: -14.0, dbtp: -1.0 };
/// What podcast directories (and Apple Music) ask for.
pub(crate) const PODCAST: Standard = Standard { lufs: -16.0, dbtp: -1.0 };

/// Units, longest first.
const UNITS: &[(&[&str], Unit)] = &[
    (&["db", "true", "peak"], Unit::Dbtp),
    (&["dbfs", "rms"], Unit::Rms),
    (&["db", "fs", "rms"], Unit::Rms),
    (&["db", "rms"], Unit::Rms),
    (&["dbrms"], Unit::Rms),
    (&["rms"], Unit::Rms),
    (&["lufs"], Unit::Lufs),
    (&["lkfs"], Unit::Lufs),
    (&["loudness", "units", "full", "scale"], Unit::Lufs),
    (&["lu"], Unit::Lu),
    (&["dbtp"], Unit::Dbtp),
    (&["db", "tp"], Unit::Dbtp),
    (&["decibels", "true", "peak"], Unit::Dbtp),
    (&["dbfs"], Unit::Dbfs),
    (&["db", "fs"], Unit::Dbfs),
    (&["db", "full", "scale"], Unit::Dbfs),
    (&["db"], Unit::Db),
    (&["dbs"], Unit::Db),
    (&["decibel"], Unit::Db),
    (&["decibels"], Unit::Db),
    (&["deebees"], Unit::Db),
];

/// Every word of a unit.
pub(crate) fn unit_words() -> impl Iterator<Item = &'static str> {
    UNITS.iter().flat_map(|(words, _)| words.iter().copied())
}

fn unit_at(tokens: &[Token], at: usize) -> Option<(Unit, usize)> {
    let fits = |words: &[&str]| {
        (0..words.len()).all(|i| tokens.get(at + i).is_some_and(|t| t.is(words[i])))
    };
    let best =
        UNITS.iter().filter(|(words, _)| fits(words)).max_by_key(|(words, _)| words.len())?;
    Some((best.1, at + best.0.len()))
}

/// The level that starts at `at`: "-16 LUFS", "minus one dBTP", "a decibel", "half a dB".
pub(crate) fn level_at(tokens: &[Token], at: usize) -> Option<(Level, usize)> {
    let (number, next) = number_at(tokens, at).or_else(|| article_at(tokens, at))?;
    let (unit, mut next) = unit_at(tokens, next)?;
    let half = ["and", "a", "half"];
    let mut value = number.value;
    if (0..3).all(|i| tokens.get(next + i).is_some_and(|token| token.is(half[i]))) {
        value += if value < 0.0 { -0.5 } else { 0.5 };
        next += 3;
    }
    let signed = number.signed;
    Some((Level { value, signed, unit }, next))
}

/// "a", "one", "half a", "a couple of" in front of a unit.
pub(crate) fn article_at(tokens: &[Token], at: usize) -> Option<(Number, usize)> {
    const FORMS: &[(&[&str], f64)] = &[
        (&["a", "couple", "of"], 2.0),
        (&["a", "couple"], 2.0),
        (&["half", "a"], 0.5),
        (&["a", "half"], 0.5),
        (&["half"], 0.5),
        (&["a"], 1.0),
        (&["an"], 1.0),
    ];
    let fits = |words: &[&str]| {
        (0..words.len()).all(|i| tokens.get(at + i).is_some_and(|t| t.is(words[i])))
    };
    let (words, value) = FORMS.iter().find(|(words, _)| fits(words))?;
    let number = Number { value: *value, signed: false };
    Some((number, at + words.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn level(text: &str) -> Option<(f64, Unit)> {
        let tokens = lex(text);
        let (level, next) = level_at(&tokens, 0)?;
        (next == tokens.len()).then_some((level.value, level.unit))
    }

    #[test]
    fn units_are_told_apart() {
        let cases = [
            ("-16 LUFS", (-16.0, Unit::Lufs)),
            ("-16LKFS", (-16.0, Unit::Lufs)),
            ("minus one dBTP", (-1.0, Unit::Dbtp)),
            ("-1 dB true peak", (-1.0, Unit::Dbtp)),
            ("-20 dBFS RMS", (-20.0, Unit::Rms)),
            ("-3 dBFS", (-3.0, Unit::Dbfs)),
            ("two and a half decibels", (2.5, Unit::Db)),
            ("a decibel and a half", (1.5, Unit::Db)),
            ("half a dB", (0.5, Unit::Db)),
            ("a couple of dB", (2.0, Unit::Db)),
            ("2 LU", (2.0, Unit::Lu)),
        ];
        for (text, expected) in cases {
            assert_eq!(level(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_number_without_unit_is_no_level() {
        assert_eq!(level("-16"), None);
        assert_eq!(level("3 bananas"), None);
    }
}
