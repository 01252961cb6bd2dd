//! Tracks, buses and groups of tracks.

use crate::ids::TrackId;
use deskhand_dsp::{Decibels, EnvelopePoint};
use serde::{Deserialize, Serialize};

/// What a track is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrackKind {
    /// Plays clips.
    #[default]
    Audio,
    /// Sums the tracks whose output it is.
    Bus,
}

/// Where a track plays to: the master, or a bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The mix.
    #[default]
    Master,
    /// A track of kind bus.
    Bus(TrackId),
}

/// A display color, `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color(String);

impl TryFrom<String> for Color {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let hex = text.strip_prefix('#').unwrap_or_default();
        if hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(format!("\"{text}\" is no color: write #rrggbb, such as #4fc5fc"))
        }
    }
}

impl From<Color> for String {
    fn from(color: Color) -> Self {
        color.0
    }
}

/// A track or bus. Its place in the list is the key `index` of [`crate::Change::AddTrack`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Display name, not necessarily unique.
    pub name: String,
    /// Audio or bus.
    #[serde(default)]
    pub kind: TrackKind,
    /// Fader.
    #[serde(default)]
    pub gain: Decibels,
    /// -1 left, 0 center, 1 right.
    #[serde(default)]
    pub pan: f64,
    /// Silent in the mix.
    #[serde(default)]
    pub mute: bool,
    /// While any track is soloed, only soloed tracks sound.
    #[serde(default)]
    pub solo: bool,
    /// Color in the editor.
    #[serde(default)]
    pub color: Option<Color>,
    /// Where it plays to.
    #[serde(default)]
    pub output: Output,
    /// Gain over time on top of the fader, at frames of the timeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub envelope: Vec<EnvelopePoint>,
}

impl Track {
    /// An audio track at unity gain to the master.
    #[must_use]
    pub fn audio(name: impl Into<String>) -> Self {
        Self::new(name.into(), TrackKind::Audio)
    }

    /// A bus at unity gain to the master.
    #[must_use]
    pub fn bus(name: impl Into<String>) -> Self {
        Self::new(name.into(), TrackKind::Bus)
    }

    fn new(name: String, kind: TrackKind) -> Self {
        Self {
            name,
            kind,
            gain: Decibels::UNITY,
            pan: 0.0,
            mute: false,
            solo: false,
            color: None,
            output: Output::Master,
            envelope: Vec::new(),
        }
    }
}

/// A track together with its place in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedTrack {
    /// Place in the list, from 0.
    pub index: usize,
    /// The track.
    #[serde(flatten)]
    pub track: Track,
}

/// Tracks that are cut and moved together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Display name.
    pub name: String,
    /// Members; a track is in one group at most.
    pub tracks: Vec<TrackId>,
}
