//! Sources: immutable audio files, known by their content.

use deskhand_dsp::{Frames, SampleRate};
use serde::{Deserialize, Serialize};

/// BLAKE3 of a file's bytes, as 64 hexadecimal digits. For one of several tracks of audio in the file, `#`
/// and its number from 1 follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(pub String);

impl ContentHash {
    /// The digits of the whole file.
    #[must_use]
    pub fn file(&self) -> &str {
        self.0.split_once('#').map_or(self.0.as_str(), |(file, _)| file)
    }

    /// The number of the audio track in the file, from 0; `None` for a file with only one.
    #[must_use]
    pub fn track(&self) -> Option<u16> {
        let (_, number) = self.0.split_once('#')?;
        number.parse::<u16>().ok()?.checked_sub(1)
    }

    /// The same file, and of it the track of audio with this number from 0.
    #[must_use]
    pub fn of_track(&self, track: u16) -> Self {
        Self(format!("{}#{}", self.file(), u32::from(track) + 1))
    }
}

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

/// A recording in which the same sound is heard as in another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SameSound {
    /// Content of the file of that recording.
    pub with: ContentHash,
    /// How much later than that recording this one began, at the session rate; negative for earlier.
    pub later: Frames,
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
    /// Recordings in which the same sound is heard, as it was measured on import: their microphones were in one room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_sound: Vec<SameSound>,
    /// Where the audio is read.
    pub media: Media,
}

impl Source {
    /// A WAV file in place of which only this is known yet. `path` is also its name, without folders and ending;
    /// `frames` is its length at the session rate.
    #[must_use]
    pub fn in_place(path: &str, rate: SampleRate, channels: u16, frames: Frames) -> Self {
        let file = path.rsplit('/').next().unwrap_or_default();
        Self {
            name: file.strip_suffix(".wav").unwrap_or(file).to_owned(),
            hash: ContentHash(String::new()),
            path: path.to_owned(),
            size: 0,
            modified_ns: 0,
            format: "WAV".into(),
            rate,
            channels,
            channel: None,
            frames,
            origin: None,
            same_sound: Vec::new(),
            media: Media::InPlace,
        }
    }

    /// Whether a tool made it of recordings: its original is the session's own file.
    #[must_use]
    pub fn is_made(&self) -> bool {
        matches!(&self.media, Media::Conformed(made) if self.path.ends_with(made))
    }

    /// How much later than `other` it began, at the session rate, where the same sound is heard in both.
    #[must_use]
    pub fn began_later_than(&self, other: &Self) -> Option<Frames> {
        let of = |source: &Self, with: &Self| {
            source.same_sound.iter().find(|same| same.with == with.hash).map(|same| same.later)
        };
        of(self, other).or_else(|| of(other, self).map(|later| Frames::ZERO - later))
    }

    /// The path of the original in a copied session, relative to its folder, if the source plays from the
    /// original. While that file is missing, it plays from [`Source::path`].
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

#[cfg(test)]
mod tests {
    use super::ContentHash;

    #[test]
    fn a_track_of_a_file_has_a_name_of_its_own() {
        let file = ContentHash("12ab".into());
        assert_eq!((file.file(), file.track()), ("12ab", None));
        let track = file.of_track(1);
        assert_eq!((track.0.as_str(), track.file(), track.track()), ("12ab#2", "12ab", Some(1)));
        assert_eq!(track.of_track(0).0, "12ab#1");
    }
}
