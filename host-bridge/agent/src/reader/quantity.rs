//! Numbers with their units: "3 dB", "a dB and a quarter", "three quarters of a second", "30 %", "1:30".

use crate::lexer::{Token, TokenKind};
use crate::numbers::{Number, article_at, number_at};
use crate::times::time_at;
use deskhand_session::intent::Unit;

/// A number as it was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quantity {
    pub value: f64,
    /// Whether a sign was said.
    pub is_signed: bool,
    pub unit: Option<Unit>,
}

/// How units are said, the longer forms first.
const UNITS: &[(&[&str], Unit, f64)] = &[
    (&["db", "fs", "rms"], Unit::Rms, 1.0),
    (&["dbfs", "rms"], Unit::Rms, 1.0),
    (&["db", "rms"], Unit::Rms, 1.0),
    (&["db", "true", "peak"], Unit::Dbtp, 1.0),
    (&["decibels", "true", "peak"], Unit::Dbtp, 1.0),
    (&["db", "full", "scale"], Unit::Dbfs, 1.0),
    (&["loudness", "units", "full", "scale"], Unit::Lufs, 1.0),
    (&["dbrms"], Unit::Rms, 1.0),
    (&["db", "tp"], Unit::Dbtp, 1.0),
    (&["dbtp"], Unit::Dbtp, 1.0),
    (&["db", "fs"], Unit::Dbfs, 1.0),
    (&["dbfs"], Unit::Dbfs, 1.0),
    (&["lufs"], Unit::Lufs, 1.0),
    (&["lkfs"], Unit::Lufs, 1.0),
    (&["lu"], Unit::Lu, 1.0),
    (&["db"], Unit::Db, 1.0),
    (&["dbs"], Unit::Db, 1.0),
    (&["decibel"], Unit::Db, 1.0),
    (&["decibels"], Unit::Db, 1.0),
    (&["deebees"], Unit::Db, 1.0),
    (&["percent"], Unit::Percent, 1.0),
    (&["hz"], Unit::Hertz, 1.0),
    (&["hertz"], Unit::Hertz, 1.0),
    (&["khz"], Unit::Hertz, 1000.0),
    (&["k"], Unit::Hertz, 1000.0),
    (&["kilohertz"], Unit::Hertz, 1000.0),
    (&["bpm"], Unit::Bpm, 1.0),
    (&["beats", "per", "minute"], Unit::Bpm, 1.0),
];

/// What may follow a unit: "a dB and a quarter".
const FRACTIONS: &[(&[&str], f64)] = &[
    (&["and", "a", "half"], 0.5),
    (&["and", "a", "quarter"], 0.25),
    (&["and", "three", "quarters"], 0.75),
];

/// Parts of one unit: "three quarters of a second".
const PARTS: &[(&[&str], f64)] = &[
    (&["three", "quarters", "of", "a"], 0.75),
    (&["a", "quarter", "of", "a"], 0.25),
    (&["a", "third", "of", "a"], 1.0 / 3.0),
    (&["half", "a"], 0.5),
];

fn form_at<'a, T>(
    forms: &'a [(&[&str], T)],
    tokens: &[Token],
    at: usize,
) -> Option<(&'a T, usize)> {
    let fits = |words: &[&str]| is_at(words, tokens, at);
    forms.iter().find(|(words, _)| fits(words)).map(|(words, value)| (value, at + words.len()))
}

fn is_at(words: &[&str], tokens: &[Token], at: usize) -> bool {
    words.iter().enumerate().all(|(i, word)| tokens.get(at + i).is_some_and(|it| it.is(word)))
}

/// Every word of a unit that is no time.
pub(crate) fn unit_words() -> impl Iterator<Item = &'static str> {
    UNITS.iter().flat_map(|(words, ..)| words.iter().copied())
}

/// The level that starts at a token, and the index behind it: "-16 LUFS", "half a dB".
pub(crate) fn level_at(tokens: &[Token], at: usize) -> Option<(Quantity, usize)> {
    self::at(tokens, at).filter(|(quantity, _)| quantity.unit.is_some_and(Unit::is_level))
}

/// The quantity that starts at a token, and the index behind it.
pub(super) fn at(tokens: &[Token], at: usize) -> Option<(Quantity, usize)> {
    if let Some((value, next)) = ratio_at(tokens, at) {
        return Some((Quantity { value, is_signed: false, unit: Some(Unit::Ratio) }, next));
    }
    if let TokenKind::Clock(value) = tokens.get(at)?.kind {
        return Some((Quantity { value, is_signed: false, unit: Some(Unit::Clock) }, at + 1));
    }
    if let Some((seconds, next)) = seconds_at(tokens, at) {
        let unit = Some(Unit::Seconds);
        return Some((Quantity { value: seconds, is_signed: false, unit }, next));
    }
    let parts = form_at(PARTS, tokens, at);
    let parts = parts.map(|(value, next)| (Number { value: *value, signed: false }, next));
    let article = || article_at(tokens, at);
    let with_unit = [parts, number_at(tokens, at), article()].into_iter().flatten();
    for (number, next) in with_unit {
        if let Some((unit, scale, next)) = unit_at(tokens, next) {
            let (more, next) =
                form_at(FRACTIONS, tokens, next).map_or((0.0, next), |(it, end)| (*it, end));
            let magnitude = number.value.abs() + more;
            let value = magnitude.copysign(number.value) * scale;
            return Some((Quantity { value, is_signed: number.signed, unit: Some(unit) }, next));
        }
    }
    let (number, next) = number_at(tokens, at)?;
    let unit = unit_of_range(tokens, next);
    Some((Quantity { value: number.value, is_signed: number.signed, unit }, next))
}

/// "ten to twenty seconds": both are seconds. The number before the unit says it for the one in front.
fn unit_of_range(tokens: &[Token], at: usize) -> Option<Unit> {
    let joins = |token: &Token| {
        token.kind == TokenKind::Dash || ["to", "until", "and"].iter().any(|word| token.is(word))
    };
    tokens.get(at).filter(|token| joins(token))?;
    let (time, _) = time_at(tokens, at + 1)?;
    let is_in_seconds = !time.place && tokens.get(at + 2).is_some_and(|it| it.is("seconds"));
    is_in_seconds.then_some(Unit::Seconds)
}

/// "4:1", which a clock would write as 4:01, and "4 to 1".
fn ratio_at(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let token = tokens.get(at)?;
    if let TokenKind::Clock(seconds) = token.kind {
        let many = (seconds - 1.0) / 60.0;
        let digits = format!("{many}:1").len();
        return (many.fract() == 0.0 && token.end - token.start == digits)
            .then_some((many, at + 1));
    }
    let (many, next) = number_at(tokens, at)?;
    tokens.get(next).filter(|token| token.is("to"))?;
    let (one, end) = number_at(tokens, next + 1)?;
    let is_bare = unit_at(tokens, end).is_none() && seconds_at(tokens, next + 1).is_none();
    (one.value == 1.0 && is_bare && many.value >= 1.0).then_some((many.value, end))
}

fn unit_at(tokens: &[Token], at: usize) -> Option<(Unit, f64, usize)> {
    let (words, unit, scale) = UNITS.iter().find(|(words, ..)| is_at(words, tokens, at))?;
    Some((*unit, *scale, at + words.len()))
}

/// A length of time.
fn seconds_at(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    if let Some((part, next)) = form_at(PARTS, tokens, at)
        && tokens.get(next).is_some_and(|token| token.is("second") || token.is("minute"))
    {
        let seconds = if tokens[next].is("minute") { part * 60.0 } else { *part };
        return Some((seconds, next + 1));
    }
    let (time, next) = time_at(tokens, at)?;
    (!time.place).then_some((time.seconds, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn read(text: &str) -> (f64, Option<Unit>) {
        let tokens = lex(text);
        let (found, next) = at(&tokens, 0).unwrap();
        assert_eq!(next, tokens.len(), "{text}");
        (found.value, found.unit)
    }

    #[test]
    fn numbers_in_figures_and_in_words() {
        let cases = [
            ("-16 LUFS", -16.0, Some(Unit::Lufs)),
            ("a dB and a quarter", 1.25, Some(Unit::Db)),
            ("minus two dB and a half", -2.5, Some(Unit::Db)),
            ("half a dB", 0.5, Some(Unit::Db)),
            ("three quarters of a second", 0.75, Some(Unit::Seconds)),
            ("two secs", 2.0, Some(Unit::Seconds)),
            ("20ms", 0.02, Some(Unit::Seconds)),
            ("40 %", 40.0, Some(Unit::Percent)),
            ("1.5 kHz", 1500.0, Some(Unit::Hertz)),
            ("1:30", 90.0, Some(Unit::Clock)),
            ("96 beats per minute", 96.0, Some(Unit::Bpm)),
            ("-1 dB true peak", -1.0, Some(Unit::Dbtp)),
            ("-20 dBFS RMS", -20.0, Some(Unit::Rms)),
            ("a couple of dB", 2.0, Some(Unit::Db)),
            ("three", 3.0, None),
            ("5k", 5000.0, Some(Unit::Hertz)),
            ("4:1", 4.0, Some(Unit::Ratio)),
            ("12:1", 12.0, Some(Unit::Ratio)),
            ("4:01", 241.0, Some(Unit::Clock)),
            ("three to one", 3.0, Some(Unit::Ratio)),
        ];
        for (text, value, unit) in cases {
            assert_eq!(read(text), (value, unit), "{text}");
        }
    }
}
