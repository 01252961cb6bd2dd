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
    #[inline(always)]
    pub fn gain(self, position: f64) -> f64 {
        let x = position.clamp(0.0, 1.0);
        match self {
            Self::Linear => x,
            Self::EqualPower => quarter_sine(x),
        }
    }
}

/// `1 / ((2k)(2k + 1))` for k = 7..=1, in Horner's order.
const SERIES: [f64; 7] =
    [1.0 / 210.0, 1.0 / 156.0, 1.0 / 110.0, 1.0 / 72.0, 1.0 / 42.0, 1.0 / 20.0, 1.0 / 6.0];

/// `sin(x π / 2)` for 0.0..=1.0 by its Taylor series to the 15th power, within 1e-11.
///
/// Not the library's sine: this gives the same bits on every platform, and vectorizes.
#[inline(always)]
fn quarter_sine(x: f64) -> f64 {
    let angle = x * std::f64::consts::FRAC_PI_2;
    let square = angle * angle;
    let series = |sum, factor| 1.0 - sum * (square * factor);
    angle * SERIES.into_iter().fold(1.0, series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_power_is_a_quarter_of_a_sine() {
        for n in 0..=1000 {
            let x = f64::from(n) / 1000.0;
            let sine = (x * std::f64::consts::FRAC_PI_2).sin();
            assert!((FadeCurve::EqualPower.gain(x) - sine).abs() < 1e-11, "at {x}");
        }
    }
}
