//! The numbers that people read.

use crate::{Decibels, Lufs};
use serde::{Deserialize, Serialize};

/// Every level of a stretch of audio; `None` = below every gate, silent, or too short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Levels {
    /// Integrated loudness (BS.1770-5); needs 400 ms.
    pub integrated: Option<Lufs>,
    /// Loudness range in LU (Tech 3342); needs 3 s.
    pub range_lu: Option<f64>,
    /// Largest loudness of 400 ms, at each 10 ms (Tech 3341).
    pub max_momentary: Option<Lufs>,
    /// Largest loudness of 3 s, at each 10 ms (Tech 3341).
    pub max_short_term: Option<Lufs>,
    /// True peak in dBTP (BS.1770-5 annex 2), all channels.
    pub true_peak: Option<Decibels>,
    /// Largest sample in dBFS, all channels.
    pub sample_peak: Option<Decibels>,
    /// RMS in dBFS over time and channels; a sine at full scale reads -3.
    pub rms: Option<Decibels>,
    /// RMS in dBFS of the active parts ([`crate::level::ActivityGate::DEFAULT`]).
    pub active_rms: Option<Decibels>,
}
