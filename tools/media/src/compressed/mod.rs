//! Compressed audio through symphonia, and Opus through opus-decoder.
//!
//! What a header claims is checked before a decoder is made (FACTS: untrusted input), a panic in a
//! decoder is caught and becomes an error, and every sample is made finite.

mod chain;
mod codec;
mod codec_names;
mod flac;
mod input;
mod length;
mod listed_track;
mod mkv;
mod mp4;
mod ogg;
mod parts;
mod reader;
mod sample_entry;
mod stream;
mod tracks;
mod wav_tags;

pub(crate) use chain::open;

/// Runs foreign code; a panic in it is an error, never the end of the host.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|_| Panicked)
}

/// The decoder panicked; it must not be used again without a reset.
#[derive(Debug, Clone, Copy)]
struct Panicked;
