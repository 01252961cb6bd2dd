//! What a person chooses of an AAF, why it cannot be written, and how many tracks it has.

use super::super::timeline::{Timeline, Track};
use super::wave::WaveError;
use std::io;
use std::time::SystemTime;

/// What a person chooses of an AAF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AafOptions {
    /// Where the audio is.
    pub audio: AafAudio,
    /// When the file says it was made.
    pub created: SystemTime,
}

/// Where the audio of an AAF is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AafAudio {
    /// In the WAV files that it names.
    #[default]
    Linked,
    /// In the AAF: whole files, or what plays with its handles.
    Embedded,
}

/// Why an AAF cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum AafError {
    /// The file to write.
    #[error("the AAF cannot be written: {0}; choose another folder, or free some space")]
    Io(#[from] io::Error),
    /// A file to embed.
    #[error(transparent)]
    Audio(#[from] WaveError),
    /// A defect of the program.
    #[error(
        "the table of AAF names has no \"{0}\": this is a defect of Deskhand, please report it"
    )]
    Model(String),
}

/// How many mono tracks a track becomes: as many as its widest file has channels.
pub(in super::super) fn width(timeline: &Timeline, track: &Track) -> u16 {
    let media = track.clips.iter().filter_map(|clip| timeline.media.get(clip.media));
    let widths = media.map(|media| if media.channel.is_some() { 1 } else { media.channels });
    widths.max().unwrap_or(1).max(1)
}
