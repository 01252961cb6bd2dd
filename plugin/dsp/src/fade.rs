//! Fades at the edges of a clip.

use crate::Frames;
use serde::{Deserialize, Serialize};

/// The shape of a fade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FadeCurve {
    /// Amplitude in a straight line: keeps the level of a crossfade of equal material.
    Linear,
    /// Sine and cosine: keeps the power of a crossfade of different material.
    #[default]
    EqualPower,
}

/// A fade of `length` frames; a length of 0 is no fade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fade {
    /// Length in frames, 0 or more.
    pub length: Frames,
    /// Shape.
    #[serde(default)]
    pub curve: FadeCurve,
}

impl FadeCurve {
    /// The gain at `position` 0.0 (silent) to 1.0 (full) of a fade-in.
    #[must_use]
    pub fn gain(self, position: f64) -> f64 {
        let x = position.clamp(0.0, 1.0);
        match self {
            Self::Linear => x,
            Self::EqualPower => (x * std::f64::consts::FRAC_PI_2).sin(),
        }
    }
}
