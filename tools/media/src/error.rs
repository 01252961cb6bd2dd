//! Errors of opening or writing an audio file: the failure, and the fix.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Why a file cannot be used as audio. `file` is the path as shown to a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum OpenError {
    #[error("{file} does not exist; check the path, or where the file was moved to")]
    NotFound { file: String },
    #[error("{file} is a folder; name the audio files inside it")]
    IsDirectory { file: String },
    #[error("{file} is not a regular file; copy its audio into a file first")]
    NotAFile { file: String },
    #[error("{file} may not be read by this user; allow reading it, or copy it to your own folder")]
    Unreadable { file: String },
    #[error("{file} could not be read: {cause}; check the disk or the network folder it is on")]
    Io { file: String, cause: String },
    #[error("{file} is empty (0 bytes); copy or export it again")]
    Empty { file: String },
    #[error(
        "{file} is not audio in a known format; known are WAV, AIFF, FLAC, MP3, AAC, ALAC, Ogg \
         Vorbis, Opus, and the audio of MP4, MOV, MKV and WebM"
    )]
    NotAudio { file: String },
    #[error(
        "{file} holds {codec}, which Deskhand cannot decode; convert it first: ffmpeg -i {file}{} -c:a \
         pcm_s16le out.wav",
        chosen_track(*.track)
    )]
    UnsupportedCodec {
        file: String,
        codec: String,
        /// The number of the track from 0, where the file has several tracks of audio.
        #[serde(default)]
        track: Option<u16>,
    },
    #[error("{file} is damaged: {problem}; copy or export it again")]
    Damaged { file: String, problem: String },
    #[error(
        "{file} holds no audio: its length is 0. Nothing was recorded; record or export it again"
    )]
    NoFrames { file: String },
    #[error("{file} has a header but no data chunk, so no audio; copy it again from the recorder")]
    NoData { file: String },
    #[error("{file} has {channels} channels, at most 32 can be opened; split it into files")]
    TooManyChannels { file: String, channels: u64 },
    #[error(
        "{file} has a sample rate of {rate} Hz, 8000 to 768000 can be opened; convert it to 48000 \
         Hz first, or export it again if that rate is wrong"
    )]
    RateOutOfRange {
        file: String,
        /// Rate by the header in Hz.
        rate: u64,
    },
    #[error("{file} claims {hours} hours of compressed audio, at most 48 are opened; split it")]
    TooLong { file: String, hours: u64 },
    #[error(
        "{file} claims packets of {frames} frames, at most 65536 are opened; it is damaged or \
         made to do harm, export it again"
    )]
    PacketTooLarge {
        file: String,
        /// Frames by the header.
        frames: u64,
    },
    #[error(
        "{file} claims {frames} frames in {bytes} bytes, which no codec reaches; its header is \
         wrong, export it again"
    )]
    Implausible {
        file: String,
        /// Frames by the header.
        frames: u64,
        bytes: u64,
    },
    #[error("{file} cannot be resampled from {from} Hz to {to} Hz: {cause}; convert it first")]
    Resample {
        file: String,
        /// The file's rate in Hz.
        from: u32,
        /// The rate asked for in Hz.
        to: u32,
        cause: String,
    },
    #[error("decoding {file} failed: {problem}; the file is probably damaged, export it again")]
    Child { file: String, problem: String },
}

impl OpenError {
    pub(crate) fn unsupported(file: &str, codec: String) -> Self {
        Self::UnsupportedCodec { file: file.to_owned(), codec, track: None }
    }

    /// The same, for one of several tracks of audio.
    pub(crate) fn in_track(self, number: Option<u16>) -> Self {
        match self {
            Self::UnsupportedCodec { file, codec, .. } => {
                Self::UnsupportedCodec { file, codec, track: number }
            }
            other => other,
        }
    }
}

/// The option of ffmpeg that takes one of several tracks of audio.
fn chosen_track(number: Option<u16>) -> String {
    number.map(|number| format!(" -map 0:a:{number}")).unwrap_or_default()
}

/// Why audio could not be written. No file remains.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    #[error(
        "the disk is full while writing {file}; nothing was kept. Free some space, or choose another folder"
    )]
    DiskFull { file: String },
    #[error(
        "{file} cannot be written: {cause}; choose a folder that exists and that you may write to"
    )]
    Denied { file: String, cause: String },
    #[error("writing {file} failed: {cause}; nothing was kept. Check the disk and try again")]
    Io { file: String, cause: String },
    #[error(
        "{file} cannot have {channels} channels at {rate} Hz; use 1 to 32 channels and 8000 to 768000 Hz"
    )]
    Shape {
        file: String,
        channels: usize,
        /// Rate asked for in Hz.
        rate: u32,
    },
    #[error(
        "a block for {file} has slices of unequal number or length; this is a fault in Deskhand, please report it"
    )]
    Block { file: String },
}

impl WriteError {
    /// The cause, without the file name; for callers that keep the earlier part.
    #[must_use]
    pub fn cause(&self) -> String {
        match self {
            Self::DiskFull { .. } => "the disk is full".into(),
            Self::Denied { cause, .. } | Self::Io { cause, .. } => cause.clone(),
            Self::Shape { .. } | Self::Block { .. } => self.to_string(),
        }
    }

    pub(crate) fn from_io(path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let (file, cause) = (shown(path), error.to_string());
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull { file },
            ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::ReadOnlyFilesystem => Self::Denied { file, cause },
            _ => Self::Io { file, cause },
        }
    }
}

/// The path for a message: quoted, with line breaks and control characters escaped.
pub(crate) fn shown(path: &Path) -> String {
    let mut text = String::from("\"");
    for c in path.to_string_lossy().chars() {
        if c.is_control() {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
    text.push('"');
    text
}
