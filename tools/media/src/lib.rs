//! Audio files: probe, decode, resample, conform, write, hash.
//!
//! Thread: worker and disk threads. Everything here may block on the disk; nothing here may run on
//! the audio thread.
//!
//! Does not know: sessions, plans, the engine, devices. The only crate that names the decoders and
//! the resampler. Audio files are never memory-mapped (a file that shrinks would kill the process).
//!
//! Start at [`Opener`]: `probe` says what a file is, `open` reads it at its own rate, `open_at` at
//! the session's.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "foreign"),
    allow(dead_code, reason = "what guards the decoders of foreign formats has nothing to guard")
)]

mod align;
pub mod child;
mod chunks;
#[cfg(feature = "foreign")]
mod compressed;
#[cfg(not(feature = "foreign"))]
#[path = "without_decoders.rs"]
mod compressed;
mod conform;
mod duration_words;
mod error;
mod file;
mod frame;
mod guard;
mod hash;
mod layout;
mod measure;
mod opener;
mod pcm;
mod probe;
mod read_request;
mod resample;
mod scan;
mod signatures;
mod speakers;
mod spectrogram;
mod stats;
mod writer;

/// Endings of the names of files that hold audio, in small letters.
pub const AUDIO_ENDINGS: [&str; 17] = [
    "wav", "wave", "aif", "aiff", "flac", "mp3", "m4a", "mp4", "m4v", "mov", "mkv", "mka", "webm",
    "aac", "ogg", "oga", "opus",
];

pub use child::ChildCommand;
pub use conform::{ConformError, Conformed, conform};
pub use error::{OpenError, WriteError};
pub use hash::{ContentHash, content_hash, content_hash_with};
pub use measure::{Counted, MeasureError, Measured, OpenAgain, OpenCounted, Progress};
pub use measure::{build_peaks, measure_counted, measure_profile};
pub use opener::{Decoding, Opener, open, open_at, probe};
pub use probe::{AudioTrack, Placement, Probe};
pub use resample::resampled;
pub use spectrogram::{Spectrogram, build_spectrogram};
pub use stats::ReadStats;
pub use writer::{BitDepth, WavWriter, Written, recover};
