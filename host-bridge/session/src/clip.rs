//! Clips: a region of a source, placed on a track.

use crate::ids::{SourceId, TrackId};
use deskhand_dsp::{Decibels, EnvelopePoint, Fade, Frames, Polarity};
use serde::{Deserialize, Serialize};

/// A region of a source on a track, with its own gain and fades. All frames at the session rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// Display name.
    pub name: String,
    /// The track it is on.
    pub track: TrackId,
    /// What it plays.
    pub source: SourceId,
    /// First frame in the source.
    pub start: Frames,
    /// Length, at least 1.
    pub length: Frames,
    /// Where it starts on the timeline, 0 or later.
    pub position: Frames,
    /// Clip gain, before the fader.
    #[serde(default)]
    pub gain: Decibels,
    /// Fade at the start.
    #[serde(default)]
    pub fade_in: Fade,
    /// Fade at the end.
    #[serde(default)]
    pub fade_out: Fade,
    /// Gain over time on top of `gain`, at frames of the source, so that it stays with its audio.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub envelope: Vec<EnvelopePoint>,
    /// Whether it plays with the other sign.
    #[serde(default, skip_serializing_if = "Polarity::is_normal")]
    pub polarity: Polarity,
    /// Not heard; it keeps its place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mute: bool,
}

impl Clip {
    /// The first `length` frames of `source` at the start of `track`: at unity gain, without fades.
    #[must_use]
    pub fn new(name: impl Into<String>, track: TrackId, source: SourceId, length: Frames) -> Self {
        Self {
            name: name.into(),
            track,
            source,
            start: Frames::ZERO,
            length,
            position: Frames::ZERO,
            gain: Decibels::UNITY,
            fade_in: Fade::default(),
            fade_out: Fade::default(),
            envelope: Vec::new(),
            polarity: Polarity::Normal,
            mute: false,
        }
    }

    /// The first frame on the timeline after the clip.
    #[must_use]
    pub fn end(&self) -> Frames {
        self.position + self.length
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> ClipPlace {
        ClipPlace { track: self.track, position: self.position }
    }

    /// What it shows of its source.
    #[must_use]
    pub fn window(&self) -> ClipWindow {
        ClipWindow { start: self.start, length: self.length, position: self.position }
    }

    /// Its fades.
    #[must_use]
    pub fn fades(&self) -> Fades {
        Fades { fade_in: self.fade_in, fade_out: self.fade_out }
    }
}

/// Track and position of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipPlace {
    /// The track.
    pub track: TrackId,
    /// Timeline position.
    pub position: Frames,
}

/// The region of a clip and where it starts on the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipWindow {
    /// First frame in the source.
    pub start: Frames,
    /// Length.
    pub length: Frames,
    /// Timeline position.
    pub position: Frames,
}

/// Both fades of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fades {
    /// At the start.
    #[serde(default)]
    pub fade_in: Fade,
    /// At the end.
    #[serde(default)]
    pub fade_out: Fade,
}

impl Fades {
    /// Shortened so that both fit into a clip of `length`. The fade out is shortened first.
    #[must_use]
    pub fn fitted(self, length: Frames) -> Self {
        let fade_in = self.fade_in.length.min(length);
        let fade_out = self.fade_out.length.min(length - fade_in);
        Self {
            fade_in: Fade { length: fade_in, ..self.fade_in },
            fade_out: Fade { length: fade_out, ..self.fade_out },
        }
    }
}
