//! The tempo map: tempo and meter over time.

use deskhand_dsp::Frames;
use serde::{Deserialize, Serialize};

/// From `position` on, `bpm` quarter notes a minute.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TempoPoint {
    /// Timeline position.
    pub position: Frames,
    /// Quarter notes a minute, 10 to 999.
    pub bpm: f64,
}

/// A meter such as 4/4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meter {
    /// Beats in a bar, 1 to 64.
    pub numerator: u8,
    /// Note value of a beat: 1, 2, 4, 8, 16, 32.
    pub denominator: u8,
}

/// From `position` on, this meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeterPoint {
    /// Timeline position.
    pub position: Frames,
    /// The meter.
    pub meter: Meter,
}
