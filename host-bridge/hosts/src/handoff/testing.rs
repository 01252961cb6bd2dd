//! Timelines for the tests of the formats.

use super::timecode::FrameRate;
use super::timeline::{Clip, Marker, Media, Timeline, Track};
use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};

/// A clip of the first media from its start, without gain and fades.
pub(super) fn clip(position: i64, length: i64) -> Clip {
    Clip {
        name: "Take 1".into(),
        media: 0,
        start: Frames::ZERO,
        length: Frames(length),
        position: Frames(position),
        gain: Decibels::UNITY,
        fade_in: Fade::default(),
        fade_out: Fade::default(),
        mute: false,
    }
}

/// A file of ten minutes at the rate of the timeline.
pub(super) fn media(name: &str) -> Media {
    Media {
        name: name.into(),
        path: format!("/audio/{name}.wav"),
        rate: SampleRate(48_000),
        channels: 1,
        channel: None,
        frames: Frames(600 * 48_000),
        origin: Frames::ZERO,
    }
}

/// Two tracks with a crossfade, gains, fades, a mute, a stereo file at 44.1 kHz and two markers.
pub(super) fn small(frame_rate: FrameRate) -> Timeline {
    let second = 48_000;
    let fade = |length| Fade { length: Frames(length), curve: FadeCurve::Linear };
    let mut timeline = Timeline::new("Episode 1", SampleRate(48_000), frame_rate);
    timeline.start = frame_rate.frame("01:00:00:00").unwrap();
    let stereo = Media { rate: SampleRate(44_100), channels: 2, ..media("Guest & friend") };
    timeline.media = vec![media("Host talk"), stereo];
    let first = Clip {
        gain: Decibels(-3.0),
        fade_in: fade(second),
        fade_out: fade(second),
        ..clip(second, 5 * second)
    };
    let second_clip = Clip {
        name: "Take \"2\"".into(),
        start: Frames(20 * second),
        fade_in: fade(second),
        ..clip(5 * second, 4 * second)
    };
    let guest = Clip {
        name: "Guest".into(),
        media: 1,
        start: Frames(2 * second),
        ..clip(2 * second, 3 * second)
    };
    let muted = Clip { mute: true, ..guest.clone() };
    let muted = Clip { position: Frames(8 * second), ..muted };
    timeline.tracks = vec![
        Track { name: "Host".into(), clips: vec![first, second_clip], ..Track::default() },
        Track {
            name: "Guest".into(),
            gain: Decibels(-6.0),
            pan: -0.5,
            clips: vec![guest, muted],
            ..Track::default()
        },
    ];
    timeline.markers = vec![marker("Intro", second, 0), marker("A < B", 6 * second, 2 * second)];
    timeline
}

fn marker(name: &str, position: i64, length: i64) -> Marker {
    Marker { name: name.into(), position: Frames(position), length: Frames(length) }
}
