//! Sources: immutable audio files, known by their content.

use deskhand_dsp::{Frames, SampleRate};
use serde::{Deserialize, Serialize};

/// BLAKE3 of a file's bytes, as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(pub String);

/// Where the audio of a source is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Media {
    /// The original file itself, which is a WAV or AIFF at the session rate.
    InPlace,
    /// A conformed copy, as a path relative to the session folder. While that file does not exist yet,
    /// the original is decoded.
    Conformed(String),
}

/// An immutable audio file. It may have clips or none: all sources together are the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Display name, from the file's name.
    pub name: String,
    /// Content of the original file.
    pub hash: ContentHash,
    /// The original file, absolute.
    pub path: String,
    /// Its size in bytes when it was imported.
    pub size: u64,
    /// Its modification time when it was imported, in ns since 1970.
    pub modified_ns: i64,
    /// Format and sample format, for people: "WAV 24 bit".
    pub format: String,
    /// Its own rate.
    pub rate: SampleRate,
    /// Number of channels.
    pub channels: u16,
    /// Channel of the original that this source is, when it was split on import (from 0).
    #[serde(default)]
    pub channel: Option<u16>,
    /// Length at the session rate.
    pub frames: Frames,
    /// Time stamp of the recording (BWF) at the session rate.
    #[serde(default)]
    pub origin: Option<Frames>,
    /// Where the audio is read.
    pub media: Media,
}

impl Source {
    /// Where a copy of a session keeps the original, relative to its folder, if the source is played from where
    /// that is. While nothing is there, it is played from [`Source::path`].
    #[must_use]
    pub fn kept(&self) -> Option<String> {
        match self.media {
            Media::Conformed(_) => None,
            Media::InPlace => {
                let ending = self.path.rsplit_once('.').map_or("", |(_, ending)| ending);
                let plain = ending.chars().all(|c| c.is_ascii_alphanumeric());
                let ending = if plain && (1..=4).contains(&ending.len()) { ending } else { "wav" };
                let hash: String =
                    self.hash.0.chars().filter(char::is_ascii_alphanumeric).collect();
                Some(format!("media/originals/{hash}.{}", ending.to_ascii_lowercase()))
            }
        }
    }
}
