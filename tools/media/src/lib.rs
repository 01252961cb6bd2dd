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

mod compressed;
mod error;
mod file;
mod guard;
mod hash;
mod opener;
mod pcm;
mod probe;
mod stats;
mod writer;

pub use error::{OpenError, WriteError};
pub use hash::{ContentHash, content_hash, content_hash_with};
pub use opener::{ChildCommand, Decoding, Opener, open, probe};
pub use probe::{Placement, Probe};
pub use stats::ReadStats;
pub use writer::{BitDepth, WavWriter, Written};
