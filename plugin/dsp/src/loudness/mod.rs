//! Loudness after ITU-R BS.1770-5 and EBU R 128 (Tech 3341, Tech 3342), with true peak.
//!
//! A [`LoudnessMeter`] turns audio into a [`LoudnessProfile`]: the K-weighted energy of every 10 ms
//! and a few totals. Everything that needs gates is computed from the profile, so a gain can be
//! applied after the fact, and the profiles of chunks measured on different threads join to exactly
//! the profile of the whole. A [`LiveLoudness`] shows momentary and short-term values while audio
//! passes, a [`StripLoudness`] those of one strip of a mixer, and a [`LiveIntegrated`] the whole of
//! what passed.

mod gating;
mod hop;
mod integrated;
mod layout;
mod levels;
mod live;
mod meter;
mod profile;
mod profile_bytes;
mod strip;
mod together;
mod true_peak;
mod weighting;

pub use integrated::LiveIntegrated;
pub use layout::channel_weights;
pub use levels::Levels;
pub use live::LiveLoudness;
pub use meter::LoudnessMeter;
pub use profile::{JoinError, LoudnessProfile};
pub use profile_bytes::ProfileError;
pub use strip::{StripFilter, StripLoudness};

pub(crate) use true_peak::{HISTORY, Interpolator, TAPS};

use crate::SampleRate;

/// Hops per second: the resolution of every loudness value.
pub const HOPS_PER_SECOND: u32 = 100;

/// The audio before a chunk to pass to [`LoudnessMeter::warm`], in seconds. With it, the chunk's profile
/// joins as if measured in one piece. In that time the 38 Hz high-pass decays by 400 dB.
pub const WARM_SECONDS: f64 = 0.2;

/// Why a meter cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LoudnessError {
    /// The filters are not defined at this rate.
    #[error("cannot measure loudness at {0}: convert the audio to a rate from 8000 to 768000 Hz")]
    Rate(SampleRate),
    /// No channels, or too many.
    #[error(
        "cannot measure loudness of {0} channels: split the file into parts of 1 to 32 channels"
    )]
    Channels(usize),
}

/// The first frame of hop `index`: `index * rate / 100` rounded down, so that at every rate each
/// second has exactly 100 hops and no frame is lost.
pub(crate) fn hop_start(index: u64, rate: SampleRate) -> u64 {
    index * u64::from(rate.0) / u64::from(HOPS_PER_SECOND)
}
