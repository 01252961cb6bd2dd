//! Waveforms for front ends that hold no audio: columns of a source, in pieces of bounded size.

use serde::{Deserialize, Serialize};

/// The most columns in one answer.
pub const MOST_COLUMNS: u32 = 4_096;

/// Frames in a column of level 0.
pub const COLUMN_FRAMES: u64 = 256;

/// Columns of a level that make one of the next.
pub const COLUMNS_JOINED: u64 = 4;

/// The coarsest level there is; a column of it is some three hours at 48 kHz.
pub const LAST_LEVEL: u32 = 10;

/// Steps of a stored amplitude from silence to full scale. The largest amplitude is four times full scale.
pub const FULL_SCALE: f32 = 16_384.0;

/// Frames of the source, at the session rate, in one column of `level`.
#[must_use]
pub fn frames_per_column(level: u32) -> u64 {
    COLUMN_FRAMES * COLUMNS_JOINED.pow(level.min(LAST_LEVEL))
}

/// The answer to [`crate::Read::Peaks`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeakColumns {
    /// Length of the source in frames at the session rate.
    pub frames: u64,
    /// Largest magnitude and root of the mean square of all channels, in steps; [`FULL_SCALE`] steps are
    /// full scale. Fewer columns than requested at the end of the source.
    pub columns: Vec<[u16; 2]>,
}
