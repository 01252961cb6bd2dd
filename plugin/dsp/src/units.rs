//! Units as types: a level is never a bare number, a position is never a bare integer.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A position or a length in audio frames (one sample per channel) at the rate of its context.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Frames(pub i64);

/// A duration or position in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seconds(pub f64);

/// A gain or a level difference in dB, or a level relative to full scale (dBFS, dBTP).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Decibels(pub f64);

/// A loudness in LUFS (ITU-R BS.1770).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lufs(pub f64);

/// A sample rate in Hz, 8 kHz to 768 kHz in anything the project opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SampleRate(pub u32);

impl Frames {
    /// The position 0 and the empty length.
    pub const ZERO: Self = Self(0);

    /// This many frames at `rate`, in seconds.
    #[must_use]
    pub fn seconds(self, rate: SampleRate) -> Seconds {
        Seconds(self.0 as f64 / f64::from(rate.0))
    }

    /// As an index or a count; a negative value gives 0.
    #[must_use]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(0)
    }

    /// From a count; saturates at `i64::MAX`.
    #[must_use]
    pub fn from_index(count: usize) -> Self {
        Self(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl Seconds {
    /// The nearest frame at `rate`; saturates, and NaN gives 0.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "float to int casts saturate")]
    pub fn frames(self, rate: SampleRate) -> Frames {
        Frames((self.0 * f64::from(rate.0)).round() as i64)
    }
}

impl Decibels {
    /// No change of level.
    pub const UNITY: Self = Self(0.0);

    /// The amplitude factor `10^(dB / 20)`.
    #[must_use]
    pub fn amplitude(self) -> f64 {
        10f64.powf(self.0 / 20.0)
    }

    /// From an amplitude factor; `None` at or below zero.
    #[must_use]
    pub fn from_amplitude(amplitude: f64) -> Option<Self> {
        (amplitude > 0.0).then(|| Self(20.0 * amplitude.log10()))
    }

    /// Rounded to 0.001 dB, the resolution of plans.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self(round_to(self.0, 1000.0))
    }
}

impl Lufs {
    /// From a mean square that is already K-weighted and summed over channels; `None` at zero.
    ///
    /// BS.1770-5: `-0.691 + 10 log10(sum)`.
    #[must_use]
    pub fn from_energy(energy: f64) -> Option<Self> {
        (energy > 0.0).then(|| Self(-0.691 + 10.0 * energy.log10()))
    }

    /// Rounded to 0.01 LU, the resolution of plans.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self(round_to(self.0, 100.0))
    }
}

/// Rounds to `1 / steps`, never giving a negative zero (it would print as "-0").
fn round_to(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps + 0.0
}

macro_rules! linear {
    ($unit:ident) => {
        impl Add for $unit {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $unit {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl Neg for $unit {
            type Output = Self;
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
        impl AddAssign for $unit {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl SubAssign for $unit {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }
    };
}
linear!(Frames);
linear!(Seconds);
linear!(Decibels);

impl Add<Decibels> for Lufs {
    type Output = Self;
    fn add(self, gain: Decibels) -> Self {
        Self(self.0 + gain.0)
    }
}

impl Sub for Lufs {
    type Output = Decibels;
    fn sub(self, other: Self) -> Decibels {
        Decibels(self.0 - other.0)
    }
}

impl fmt::Display for Decibels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} dB", self.0)
    }
}

impl fmt::Display for Lufs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} LUFS", self.0)
    }
}

impl fmt::Display for SampleRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Hz", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decibels_and_amplitude_agree() {
        assert!((Decibels(-6.0206).amplitude() - 0.5).abs() < 1e-5);
        assert_eq!(Decibels::from_amplitude(0.0), None);
        assert_eq!(Decibels(-0.0001).rounded().0.to_bits(), 0f64.to_bits());
    }

    #[test]
    fn seconds_round_to_the_nearest_frame() {
        assert_eq!(Seconds(0.5).frames(SampleRate(44_101)), Frames(22_051));
        assert_eq!(Seconds(f64::NAN).frames(SampleRate(48_000)), Frames(0));
    }
}
