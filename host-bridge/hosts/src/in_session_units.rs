//! A project's values in the units of a session: frames at the session's rate, and dB within its range. Opening uses
//! them as they are; writing compares them with the session, so that only what changed is written.

use crate::project::{FadeShape, ProjectClip, ProjectFade, ProjectMarker, ProjectTrack};
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, Polarity, SampleRate, Seconds};
use deskhand_session::{Clip, Color, Fades, Marker, Output, Source, SourceId, Track, TrackId};

/// The range of gains in a session, dB.
const GAIN: (f64, f64) = (-150.0, 48.0);
/// The longest name, characters.
const NAME: usize = 200;

/// The nearest frame.
pub(crate) fn frames(seconds: f64, rate: SampleRate) -> Frames {
    Seconds(seconds).frames(rate)
}

/// A gain within the range of a session.
pub(crate) fn gain(db: f64) -> Decibels {
    Decibels(if db.is_nan() { 0.0 } else { db.clamp(GAIN.0, GAIN.1) })
}

/// A name as a session takes it; `blank` if there is none.
fn name(of: &str, blank: &str) -> String {
    let plain = |it: char| if it.is_control() { ' ' } else { it };
    let name: String = of.chars().map(plain).take(NAME).collect();
    if name.trim().is_empty() { blank.to_owned() } else { name }
}

/// What an unnamed track at this place is called, as DAWs call it.
pub(crate) fn unnamed(place: usize) -> String {
    format!("Track {}", place + 1)
}

/// Whether a track is called as one without a name.
pub(crate) fn is_unnamed(name: &str) -> bool {
    name.strip_prefix("Track ").is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The name of a file without its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A clip as the session has it, as far as its source goes; `None` if it plays nothing of it.
pub(crate) fn clip(
    from: &ProjectClip,
    track: TrackId,
    (id, source): (SourceId, &Source),
    rate: SampleRate,
) -> Option<Clip> {
    let start = frames(from.start, rate).max(Frames::ZERO);
    let length = frames(from.length, rate).min(source.frames - start);
    if length <= Frames::ZERO {
        return None;
    }
    let fade = |fade: ProjectFade| Fade {
        length: frames(fade.length, rate).max(Frames::ZERO),
        curve: curve(fade.shape),
    };
    let fades = Fades { fade_in: fade(from.fade_in), fade_out: fade(from.fade_out) };
    let fades = fades.fitted(length);
    Some(Clip {
        position: frames(from.position, rate).max(Frames::ZERO),
        start,
        gain: gain(from.gain_db),
        fade_in: fades.fade_in,
        fade_out: fades.fade_out,
        polarity: if from.is_inverted { Polarity::Inverted } else { Polarity::Normal },
        mute: from.mute,
        ..Clip::new(name(&from.name, &name(stem(&from.file), "Clip")), track, id, length)
    })
}

fn curve(shape: FadeShape) -> FadeCurve {
    match shape {
        FadeShape::Linear => FadeCurve::Linear,
        FadeShape::EqualPower | FadeShape::Other => FadeCurve::EqualPower,
    }
}

/// A track or bus as the session has it, at this place of the project and playing to `output`.
pub(crate) fn track(from: &ProjectTrack, place: usize, output: Output) -> Track {
    let hex = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let kind = if from.is_bus { Track::bus } else { Track::audio };
    Track {
        gain: gain(from.gain_db),
        pan: if from.pan.is_nan() { 0.0 } else { from.pan.clamp(-1.0, 1.0) },
        mute: from.mute,
        solo: from.solo,
        color: from.color.and_then(|color| Color::try_from(hex(color)).ok()),
        output,
        ..kind(name(&from.name, &unnamed(place)))
    }
}

/// A marker as the session has it.
pub(crate) fn marker(from: &ProjectMarker, rate: SampleRate) -> Marker {
    Marker {
        name: name(&from.name, "Marker"),
        position: frames(from.position, rate).max(Frames::ZERO),
        length: frames(from.length, rate).max(Frames::ZERO),
        code: None,
    }
}
