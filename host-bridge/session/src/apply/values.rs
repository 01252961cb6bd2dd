//! What a value must be like by itself.

use crate::assembly::Assembly;
use crate::binding::Binding;
use crate::change::Edit;
use crate::code::Code;
use crate::ids::{GroupId, SessionId};
use crate::marker::{Marker, MarkerSpan};
use crate::ripple::Ripple;
use crate::segment::{Description, FrequencyBand, Word};
use crate::selection::Selection;
use crate::session::Session;
use crate::source::{Media, Source};
use crate::tempo::{MeterPoint, TempoPoint};
use crate::track::Track;
use deskhand_dsp::effects::Effect;
use deskhand_dsp::{Decibels, EnvelopePoint, Frames, SampleRate};

/// The longest name.
const NAME_CHARS: usize = 200;
/// The range of a gain: beyond it a slip of the keyboard is likelier than an intention.
const GAIN_DB: std::ops::RangeInclusive<f64> = -150.0..=48.0;
/// The largest position or length, about 100 days at 192 kHz: sums of a few cannot overflow.
const FAR: i64 = 1 << 41;
/// The most points of an envelope: a ride every 10 ms for more than an hour.
const MOST_POINTS: usize = 500_000;
/// The most facts in one description.
const MOST_FACTS: usize = 100;
/// The longest memo, description or summary.
const TEXT_BYTES: usize = 65_536;
/// Half of the highest rate of a session.
const HIGHEST_HZ: f64 = 384_000.0;
/// The longest fact.
const FACT_BYTES: usize = 16_384;

pub(super) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

pub(super) fn name(name: &str) -> Result<(), String> {
    let fits = !name.trim().is_empty() && name.chars().count() <= NAME_CHARS;
    ensure(fits && !name.chars().any(char::is_control), || {
        format!("a name has 1 to {NAME_CHARS} characters and no control characters")
    })
}

pub(super) fn gain(gain: Decibels) -> Result<(), String> {
    let (low, high) = (GAIN_DB.start(), GAIN_DB.end());
    ensure(GAIN_DB.contains(&gain.0), || {
        format!("a gain of {} dB is outside {low} to {high} dB", gain.0)
    })
}

pub(super) fn track(track: &Track) -> Result<(), String> {
    name(&track.name)?;
    gain(track.gain)?;
    envelope(&track.envelope)?;
    pan(track.pan)
}

pub(super) fn effect(effect: &Effect) -> Result<(), String> {
    effect.check().map_err(|error| error.to_string())
}

pub(super) fn envelope(points: &[EnvelopePoint]) -> Result<(), String> {
    ensure(points.len() <= MOST_POINTS, || {
        format!("an envelope has at most {MOST_POINTS} points, not {}", points.len())
    })?;
    for point in points {
        frames("point", point.position, 0)?;
        gain(point.gain)?;
        ensure((-1.0..=1.0).contains(&point.curve), || {
            format!("a curve of {} is outside -1 to 1", point.curve)
        })?;
    }
    let in_order = points.windows(2).all(|pair| pair[0].position <= pair[1].position);
    ensure(in_order, || "the points of an envelope follow one another in time".into())
}

pub(super) fn description(description: &Description) -> Result<(), String> {
    ensure(description.facts.len() <= MOST_FACTS, || {
        format!("a description has at most {MOST_FACTS} facts")
    })?;
    for (key, fact) in &description.facts {
        name(key)?;
        name(&fact.by)?;
        let bytes = fact.value.to_string().len();
        ensure(bytes <= FACT_BYTES, || {
            format!("the fact \"{key}\" has {bytes} bytes; the most is {FACT_BYTES}")
        })?;
        sure(fact.confidence)?;
    }
    Ok(())
}

pub(super) fn code(code: &Code) -> Result<(), String> {
    name(&code.name)?;
    text("description", &code.description)
}

pub(super) fn memo(memo: &str) -> Result<(), String> {
    ensure(!memo.trim().is_empty(), || "an empty memo is none: set it to null".into())?;
    text("memo", memo)
}

pub(super) fn binding(binding: &Binding) -> Result<(), String> {
    text("program", &binding.program)?;
    text("path", &binding.path)?;
    ensure(!binding.path.is_empty(), || "a project without a path".into())?;
    binding.objects.values().try_for_each(|object| text("id", &object.id))?;
    binding.left.iter().try_for_each(|left| text("note", left))
}

/// Checks the texts on the takes of an assembly.
pub(super) fn takes(assembly: &Assembly) -> Result<(), String> {
    for group in &assembly.duplicates {
        text("phrase", &group.phrase)?;
        text("reason", &group.reason)?;
    }
    text("summary", assembly.finished.as_deref().unwrap_or_default())
}

/// A text of several lines.
fn text(what: &str, text: &str) -> Result<(), String> {
    ensure(text.len() <= TEXT_BYTES, || {
        format!("the {what} has {} bytes; the most is {TEXT_BYTES}", text.len())
    })?;
    ensure(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), || {
        format!("the {what} has control characters: write plain text")
    })
}

pub(super) fn band(band: &FrequencyBand) -> Result<(), String> {
    let fits = band.low_hz >= 0.0 && band.low_hz < band.high_hz && band.high_hz <= HIGHEST_HZ;
    ensure(fits, || {
        let FrequencyBand { low_hz, high_hz } = band;
        format!("a band of {low_hz} to {high_hz} Hz is none: 0 <= low < high <= {HIGHEST_HZ}")
    })
}

/// The words of a segment that reaches from `start` to `end`.
pub(super) fn words(words: &[Word], start: Frames, end: Frames) -> Result<(), String> {
    for word in words {
        let inside = start <= word.start && word.start <= word.end && word.end <= end;
        ensure(inside, || format!("the word \"{}\" does not lie in its segment", word.text))?;
        name(&word.text)?;
        sure(word.confidence)?;
    }
    let in_order = words.windows(2).all(|pair| pair[0].start <= pair[1].start);
    ensure(in_order, || "the words of a segment follow one another in time".into())
}

fn sure(confidence: Option<f64>) -> Result<(), String> {
    let fits = confidence.is_none_or(|sure| (0.0..=1.0).contains(&sure));
    ensure(fits, || "a confidence is between 0 and 1".into())
}

pub(super) fn source(source: &Source) -> Result<(), String> {
    name(&source.name)?;
    frames("length", source.frames, 1)?;
    match &source.media {
        Media::InPlace => Ok(()),
        Media::Conformed(path) => conformed(path),
    }
}

/// The path is written to and read, so it must not lead out of the folder on any system.
fn conformed(path: &str) -> Result<(), String> {
    let plain = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.contains(|c: char| c == '\\' || c == ':' || c.is_control())
    };
    ensure(path.split('/').all(plain), || {
        format!("the conformed file {path:?} must be a path inside the session folder")
    })
}

pub(super) fn marker(marker: &Marker) -> Result<(), String> {
    name(&marker.name)?;
    marker.code.as_deref().map_or(Ok(()), name)?;
    span(&marker.span())
}

pub(super) fn span(span: &MarkerSpan) -> Result<(), String> {
    frames("position", span.position, 0)?;
    frames("length", span.length, 0)
}

pub(super) fn selection(selection: &Selection) -> Result<(), String> {
    let Some(range) = selection.range else {
        return Ok(());
    };
    frames("start", range.start, 0)?;
    frames("end", range.end, range.start.0)
}

/// An edit that makes something: nothing was there, and the value is checked.
pub(super) fn added<T, V>(
    edit: &Edit<T, Option<V>>,
    check: impl FnOnce(&V) -> Result<(), String>,
) -> Result<(), String> {
    match (&edit.before, &edit.after) {
        (None, Some(value)) => check(value),
        (Some(_), _) | (None, None) => {
            Err("before is null and after is the new value where something is added".into())
        }
    }
}

/// An edit that removes something.
pub(super) fn removed<T, V>(edit: &Edit<T, Option<V>>) -> Result<(), String> {
    ensure(edit.before.is_some() && edit.after.is_none(), || {
        "before is the value and after is null where something is removed".into()
    })
}

pub(super) fn this_session(session: &Session, target: SessionId) -> Result<(), String> {
    ensure(target == session.id, || {
        format!("the target is another session; this is {}", session.id)
    })
}

/// Both sides of a ripple, before their times are added up; `closed` is the one without time.
pub(super) fn ripple_times(edit: &Edit<GroupId, Ripple>, closed: &Ripple) -> Result<(), String> {
    ensure(closed.length == Frames::ZERO, || {
        "deleting ends, and inserting begins, with a length of 0".into()
    })?;
    for side in [&edit.before, &edit.after] {
        frames("position", side.at, 0)?;
        frames("length", side.length, 0)?;
        frames("ramp", side.ramp, 0)?;
        side.lines.values().try_for_each(|line| envelope(line))?;
        ensure(side.holds_its_lines(), || {
            "points of gain are there from the time until the end of the ramp".into()
        })?;
        let stranger = side.clips.values().find(|clip| !side.tracks.contains(&clip.track));
        ensure(stranger.is_none(), || {
            format!("the clip \"{}\" is not in the group", stranger.map_or("", |clip| &clip.name))
        })?;
    }
    Ok(())
}

pub(super) fn rate(rate: SampleRate) -> Result<(), String> {
    ensure((8_000..=768_000).contains(&rate.0), || {
        format!("a rate of {rate} is outside 8000 to 768000 Hz")
    })
}

pub(super) fn pan(pan: f64) -> Result<(), String> {
    ensure((-1.0..=1.0).contains(&pan), || {
        format!("a pan of {pan} is outside -1 (left) to 1 (right)")
    })
}

pub(super) fn index(index: usize, last: usize) -> Result<(), String> {
    ensure(index <= last, || format!("index {index} is after the last, {last}"))
}

pub(super) fn frames(what: &str, frames: Frames, least: i64) -> Result<(), String> {
    ensure((least..=FAR).contains(&frames.0), || {
        format!("a {what} of {} frames is outside {least} to {FAR}", frames.0)
    })
}

pub(super) fn tempo(points: &[TempoPoint]) -> Result<(), String> {
    for point in points {
        ensure((10.0..=999.0).contains(&point.bpm), || {
            format!("a tempo of {} is outside 10 to 999 bpm", point.bpm)
        })?;
    }
    ascending(points.iter().map(|point| point.position))
}

pub(super) fn meter(points: &[MeterPoint]) -> Result<(), String> {
    for MeterPoint { meter, .. } in points {
        let valid = (1..=64).contains(&meter.numerator)
            && meter.denominator.is_power_of_two()
            && meter.denominator <= 32;
        ensure(valid, || format!("{}/{} is no meter", meter.numerator, meter.denominator))?;
    }
    ascending(points.iter().map(|point| point.position))
}

fn ascending(positions: impl Iterator<Item = Frames>) -> Result<(), String> {
    let positions: Vec<_> = positions.collect();
    let valid = positions.first() == Some(&Frames::ZERO)
        && positions.windows(2).all(|pair| pair[0] < pair[1])
        && positions.iter().all(|position| position.0 <= FAR);
    ensure(valid, || "the first point is at 0 and the others follow in order".into())
}
