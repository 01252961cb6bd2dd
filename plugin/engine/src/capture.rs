//! Recording: the audio thread sends its input to a disk thread without a lock, pass by pass.
//!
//! A recording is a stretch without a gap: its first timeline frame and everything that followed. A jump of
//! the transport, a pause, or a loss ends it. Frames that found no room are counted and reported, never
//! silently left out of the middle of a recording.
//!
//! Thread: any (the two ends say their own)

mod feed;
mod tap;
#[cfg(test)]
mod tests;

pub use feed::{CaptureSink, CaptureThread, Feed};
pub use tap::{MayWait, Pushed, Tap};

use deskhand_dsp::{Frames, SampleRate, Seconds};
use ringbuf::HeapRb;
use ringbuf::traits::Split;

/// The settings of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureConfig {
    /// Channels, 1 to 32.
    pub channels: usize,
    /// How much may wait for the disk thread, 1,024 frames to 2^24.
    pub ring: Frames,
}

impl CaptureConfig {
    /// Room for four seconds (1.5 MB for stereo at 48 kHz): a disk that sleeps wakes up within.
    #[must_use]
    pub fn at(rate: SampleRate, channels: usize) -> Self {
        Self { channels, ring: Seconds(4.0).frames(rate) }
    }
}

/// Why nothing can be recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// No channels, or too many.
    #[error("{0} channels cannot be recorded; use 1 to 32")]
    Channels(usize),
    /// Too little room, or too much.
    #[error("room for {} frames is out of range; use 1024 to 16777216", .0.0)]
    Ring(Frames),
}

/// Makes both ends of a recording.
///
/// # Errors
/// When a number in `config` is out of range.
pub fn capture(config: CaptureConfig) -> Result<(Tap, Feed), CaptureError> {
    let CaptureConfig { channels, ring } = config;
    if !(1..=32).contains(&channels) {
        return Err(CaptureError::Channels(channels));
    }
    if !(1024..=1 << 24).contains(&ring.0) {
        return Err(CaptureError::Ring(ring));
    }
    let (samples, other_samples) = HeapRb::new(ring.index() * channels).split();
    let (marks, other_marks) = HeapRb::new(MARKS).split();
    Ok((Tap::new(samples, marks, channels), Feed::new(other_samples, other_marks, channels)))
}

/// Beginnings, ends and losses that may wait for the disk thread.
const MARKS: usize = 1024;

/// Something that happens between two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// How many frames were pushed before it.
    after: u64,
    what: Event,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A pass begins at this timeline frame.
    Begin(i64),
    /// The pass ends.
    End,
    /// This many frames found no room.
    Lost(u64),
}
