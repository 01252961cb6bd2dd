//! The properties of a file, before any of it is decoded.

use deskhand_dsp::{Frames, SampleRate};
use serde::{Deserialize, Serialize};

/// What a file holds. Lengths and positions are in frames at the file's own rate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Container for a person: "WAV", "AIFF", "FLAC", "MP3", "MP4", "Ogg", …
    pub format: String,
    /// How a sample is stored, for a person: "24-bit", "32-bit float", "MP3", "AAC", …
    pub sample_format: String,
    /// Number of channels, 1 to 32.
    pub channels: usize,
    /// The file's own rate.
    pub rate: SampleRate,
    /// Exact length, without encoder delay and padding.
    pub frames: Frames,
    /// Where it begins in a film or recording with several tracks.
    #[serde(default)]
    pub start: Frames,
    /// The recorder's clock at the first frame (BWF time reference).
    pub origin: Option<Frames>,
    /// Names of the channels in order ("L", "R", "C", "LFE", …); empty when unknown.
    pub channel_names: Vec<String>,
    /// Whether the file can be played from where it is.
    pub placement: Placement,
    /// The audio tracks of a film or a recording with several; this is one of them. Empty if there is only
    /// one. [`Opener::track`](crate::Opener::track) opens each.
    #[serde(default)]
    pub tracks: Vec<AudioTrack>,
    /// Problems that left the file usable, a sentence or two each.
    pub warnings: Vec<String>,
}

/// One of several tracks of audio in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AudioTrack {
    /// What the program that wrote the file called it.
    pub title: Option<String>,
    /// The code of its language, where not all tracks of the file have the same.
    #[serde(default)]
    pub language: Option<String>,
}

impl AudioTrack {
    /// Its title on one line, or "audio 2" with its language, where `index` counts from 0.
    #[must_use]
    pub fn name(&self, index: u16) -> String {
        const LONGEST: usize = 80;
        let title = self.title.iter().flat_map(|title| title.chars());
        let title: String = title.filter(|c| !c.is_control()).take(LONGEST).collect();
        let number = u32::from(index) + 1;
        match (title.trim(), &self.language) {
            ("", None) => format!("audio {number}"),
            ("", Some(language)) => format!("audio {number} ({language})"),
            (title, _) => title.to_owned(),
        }
    }
}

/// Whether a file can be streamed directly (when its rate is the session's).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// Uncompressed: read in place, seeking costs nothing.
    InPlace,
    /// Compressed: conformed once into the session's media folder.
    Convert,
}

impl Probe {
    /// True for uncompressed audio already at `session` rate.
    #[must_use]
    pub fn plays_in_place_at(&self, session: SampleRate) -> bool {
        self.placement == Placement::InPlace && self.rate == session
    }
}
