//! Counts, names, levels and times as people and models read them: the one place for their form. Tools, front ends and the
//! bridge call it.

use crate::{Measure, Session, TrackId};
use deskhand_dsp::{Frames, SampleRate};

/// "1 clip", "3 clips".
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A number with at most `digits` decimals and no trailing zeros: "-16", "2.5".
#[must_use]
pub fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

/// A level with its unit: "-20.5 LUFS"; above zero with its sign: "+0.8 dBTP".
#[must_use]
pub fn level(measure: Measure, value: f64) -> String {
    let sign = if value >= 0.05 { "+" } else { "" };
    format!("{sign}{value:.1} {}", measure.unit())
}

/// A level that was asked for, as it was asked: "-16 LUFS".
#[must_use]
pub fn asked(measure: Measure, value: f64) -> String {
    format!("{} {}", trimmed(value, 3), measure.unit())
}

/// The unit of a difference of two levels.
#[must_use]
pub fn difference_unit(measure: Measure) -> &'static str {
    match measure.unit() {
        "LUFS" | "LU" => "LU",
        _ => "dB",
    }
}

/// The most characters of a name in a summary.
const LONGEST_NAME: usize = 40;

/// What a summary is about: one or two by name, more by number. "host", "Kick and \"Lead Vox\"",
/// "6 clips"; two of one name are `2 clips "Verse"`.
#[must_use]
pub fn subject(names: &[String], noun: &str) -> String {
    match names {
        [one] => named(one),
        [one, other] if one == other => format!("2 {noun}s {}", quoted(one)),
        [one, other] => format!("{} and {}", named(one), named(other)),
        _ => count(names.len(), noun),
    }
}

/// Tracks as a summary says them.
#[must_use]
pub fn tracks(session: &Session, ids: &[TrackId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| session.name_of((*id).into())).collect();
    subject(&names, "track")
}

/// A name within a sentence: plain when it cannot be taken for other words, else in quotes.
fn named(name: &str) -> String {
    let starts_plain = name.starts_with(char::is_alphabetic);
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if starts_plain && name.chars().all(is_plain) { shortened(name) } else { quoted(name) }
}

/// A name, or the first words of a text, in quotes.
#[must_use]
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", shortened(name))
}

/// One line of at most [`LONGEST_NAME`] characters.
fn shortened(name: &str) -> String {
    let line = one_line(name);
    if line.chars().count() <= LONGEST_NAME {
        return line;
    }
    let kept: String = line.chars().take(LONGEST_NAME - 1).collect();
    format!("{}…", kept.trim_end())
}

/// A text with a space for each line end and each other control character.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// At most `most` characters of a text; if it is longer, the last of them is "…".
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// At most three names, quoted: `"a", "b", "c" and 4 more`.
#[must_use]
pub fn names(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(3).map(|name| format!("\"{name}\"")).collect();
    let more = names.len().saturating_sub(shown.len());
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &tail
}

/// A position to the millisecond: "1:02.500".
#[must_use]
pub fn clock(position: Frames, rate: SampleRate) -> String {
    clock_of(position.seconds(rate).0)
}

/// The same of seconds.
#[must_use]
pub fn clock_of(seconds: f64) -> String {
    let ms = milliseconds(seconds);
    format!("{}.{:03}", minutes(ms), ms % 1000)
}

/// Seconds to a tenth: "1:02.5".
#[must_use]
pub fn tenths(seconds: f64) -> String {
    let tenths = (seconds.max(0.0) * 10.0).round() as u64;
    format!("{}.{}", minutes(tenths * 100), tenths % 10)
}

/// Whole seconds, without what is more: "1:02", and from an hour on "1:02:30".
#[must_use]
pub fn whole_seconds(seconds: f64) -> String {
    let all = seconds.max(0.0) as u64;
    match all / 3600 {
        0 => minutes(all * 1000),
        hours => format!("{hours}:{:02}:{:02}", all / 60 % 60, all % 60),
    }
}

/// A place on a scale with marks every `step` seconds, with as many decimals as the step has: "1:02", "1:02.5".
#[must_use]
pub fn mark(seconds: f64, step: f64) -> String {
    let ms = milliseconds(seconds);
    match step {
        step if step < 0.1 => format!("{}.{:03}", minutes(ms), ms % 1000),
        step if step < 1.0 => format!("{}.{}", minutes(ms), ms % 1000 / 100),
        _ => minutes(ms),
    }
}

/// A time as files of subtitles and chapters have it: "01:02:03.500", with the mark before the milliseconds.
#[must_use]
pub fn timestamp(seconds: f64, mark: char) -> String {
    let ms = milliseconds(seconds);
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}{mark}{:03}", ms % 1000)
}

/// Rounded; what is before 0 is 0.
fn milliseconds(seconds: f64) -> u64 {
    (seconds.max(0.0) * 1000.0).round() as u64
}

fn minutes(ms: u64) -> String {
    format!("{}:{:02}", ms / 60_000, ms / 1000 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_their_trailing_zeros() {
        assert_eq!(trimmed(-16.0, 3), "-16");
        assert_eq!(trimmed(2.50, 3), "2.5");
        assert_eq!(trimmed(-0.0001, 3), "0");
        assert_eq!(trimmed(100.0, 0), "100");
    }

    #[test]
    fn a_level_above_zero_has_its_sign() {
        let said = [-20.46, 0.0, 0.04, 0.84].map(|value| level(Measure::TruePeak, value));
        assert_eq!(said, ["-20.5 dBTP", "0.0 dBTP", "0.0 dBTP", "+0.8 dBTP"]);
    }

    #[test]
    fn one_or_two_are_named_and_more_are_counted() {
        let said = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
            subject(&names, "clip")
        };
        assert_eq!(said(&["dialogue-1.flac"]), "dialogue-1.flac");
        assert_eq!(said(&["Kick", "Lead Vox"]), "Kick and \"Lead Vox\"");
        assert_eq!(said(&["Verse", "Verse"]), "2 clips \"Verse\"");
        assert_eq!(said(&["808"]), "\"808\"");
        assert_eq!(said(&["a\nb"]), "\"a b\"");
        assert_eq!(said(&["a", "b", "c"]), "3 clips");
        assert_eq!(said(&[]), "0 clips");
    }

    #[test]
    fn a_long_name_is_cut_and_a_fitting_one_is_not() {
        let subject = |length: usize| subject(&["é".repeat(length)], "clip");
        assert_eq!(subject(40), "é".repeat(40));
        assert_eq!(subject(41), "é".repeat(39) + "…");
    }

    #[test]
    fn long_lists_are_cut() {
        let list: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        assert_eq!(names(&list), "\"a\", \"b\", \"c\" and 1 more");
        assert_eq!(names(&list[..1]), "\"a\"");
    }

    #[test]
    fn times_read_as_a_clock() {
        let rate = SampleRate(48_000);
        assert_eq!(clock(Frames(0), rate), "0:00.000");
        assert_eq!(clock(Frames(62 * 48_000 + 24_000), rate), "1:02.500");
        assert_eq!(clock(Frames(60 * 48_000 - 1), rate), "1:00.000");
        assert_eq!(clock_of(84.3504), "1:24.350");
        assert_eq!((tenths(62.46), tenths(59.96)), ("1:02.5".into(), "1:00.0".into()));
        assert_eq!((whole_seconds(62.9), whole_seconds(3750.0)), ("1:02".into(), "1:02:30".into()));
        let marks = [(62.5, 10.0), (62.5, 0.5), (62.5, 0.05)].map(|(at, step)| mark(at, step));
        assert_eq!(marks, ["1:02", "1:02.5", "1:02.500"]);
        assert_eq!(timestamp(3723.5, ','), "01:02:03,500");
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis_within_its_most() {
        assert_eq!((cut("seven", 5), cut("seven", 4)), ("seven".into(), "sev…".into()));
    }
}
