//! Reading audio by position: what the engine's disk thread, the bounce and the tools read through.
//!
//! The trait is here and not in the engine, because media implements it and must not know the engine.

use crate::{Frames, SampleRate};

/// Audio that can be read from any position, as planar `f32`.
///
/// Reading may touch the disk and may allocate: never call it on the audio thread.
pub trait FrameReader: Send {
    /// Number of channels, 1 or more.
    fn channels(&self) -> usize;

    /// Total length.
    fn frames(&self) -> Frames;

    /// The rate at which `read` delivers.
    fn rate(&self) -> SampleRate;

    /// Reads from `at` on into `out`, one slice per channel and all of one length.
    ///
    /// Returns the number of frames written, less than asked only at the end (0 at or after it). Sequential
    /// reads are cheap; a read elsewhere seeks.
    ///
    /// # Errors
    /// When the file cannot be read or decoded, or changed since it was opened.
    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError>;
}

/// Why audio could not be read; the message is for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(pub String);
