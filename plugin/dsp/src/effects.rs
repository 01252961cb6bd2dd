//! The built-in processors. Their settings are part of a session: plain values with ranges. [`Unit`] is a
//! processor that runs.

mod biquad;
mod compressor;
mod deesser;
mod equalizer;
mod gate;
mod glide;
mod limiter;
mod meter;
#[cfg(test)]
mod tests;
mod unit;

pub use biquad::{Biquad, HIGHEST};
pub use meter::{EffectColumn, EffectMeter, EffectReading, Loudest};
pub use unit::{Pace, Power, Unit};

use crate::Decibels;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// The most bands of an equalizer.
pub const MOST_BANDS: usize = 16;

/// One built-in processor with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// Parametric equalizer.
    Equalizer(Equalizer),
    /// Compressor.
    Compressor(Compressor),
    /// De-esser.
    DeEsser(DeEsser),
    /// Gate, or downward expander.
    Gate(Gate),
    /// True-peak limiter.
    Limiter(Limiter),
}

/// A parametric equalizer: its bands one after another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equalizer {
    /// At most [`MOST_BANDS`].
    pub bands: Vec<Band>,
}

/// One band of an equalizer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Its shape.
    pub shape: BandShape,
    /// Center, corner or cutoff, 10 to 24000 Hz.
    pub frequency_hz: f64,
    /// Boost or cut, -30 to 30 dB; low and high cuts and notches ignore it.
    #[serde(default)]
    pub gain: Decibels,
    /// Quality: center over the bandwidth between the half-gain points, 0.1 to 40.
    #[serde(default = "butterworth")]
    pub q: f64,
}

/// What a band does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BandShape {
    /// Boosts or cuts around the frequency.
    Bell,
    /// Boosts or cuts below.
    LowShelf,
    /// Boosts or cuts above.
    HighShelf,
    /// Removes frequencies below, 12 dB an octave.
    LowCut,
    /// Removes frequencies above, 12 dB an octave.
    HighCut,
    /// Takes away the frequency alone.
    Notch,
}

/// How a compressor listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detector {
    /// To the peaks.
    Peak,
    /// To the root of the mean square of 10 ms.
    #[default]
    Rms,
}

/// A compressor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compressor {
    /// Level above which it works, -80 to 0 dBFS.
    pub threshold: Decibels,
    /// Input over output above the threshold, 1 to 100.
    pub ratio: f64,
    /// Width of the bend around the threshold, 0 to 24 dB.
    #[serde(default)]
    pub knee_db: f64,
    /// 0.05 to 500 ms.
    pub attack_ms: f64,
    /// 5 to 5000 ms.
    pub release_ms: f64,
    /// Gain after it, -30 to 30 dB.
    #[serde(default)]
    pub makeup: Decibels,
    /// How it listens.
    #[serde(default)]
    pub detector: Detector,
}

/// A de-esser: lowers the band above a frequency while it is loud.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeEsser {
    /// Lower edge of the band, 1000 to 16000 Hz.
    pub frequency_hz: f64,
    /// Level of the band above which it works, -80 to 0 dBFS.
    pub threshold: Decibels,
    /// The most it takes away, 0 to 30 dB.
    pub range_db: f64,
}

/// A gate, or with a small ratio a downward expander.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Level below which it closes, -100 to 0 dBFS.
    pub threshold: Decibels,
    /// Output over input below the threshold, 1 to 100.
    pub ratio: f64,
    /// The most it takes away, 0 to 100 dB.
    pub range_db: f64,
    /// It opens at the threshold and closes this far below, 0 to 24 dB.
    #[serde(default)]
    pub hysteresis_db: f64,
    /// 0.05 to 500 ms.
    pub attack_ms: f64,
    /// How long it stays open, 0 to 5000 ms.
    #[serde(default)]
    pub hold_ms: f64,
    /// 5 to 5000 ms.
    pub release_ms: f64,
}

/// A limiter for true peaks, with look-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limiter {
    /// Gain before it, -30 to 30 dB.
    #[serde(default)]
    pub gain: Decibels,
    /// No true peak above it, -30 to 0 dBTP.
    pub ceiling: Decibels,
    /// 1 to 2000 ms.
    pub release_ms: f64,
}

/// The settings of a processor without a list in them: they cross to another thread by value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "it crosses threads by value, so nothing is boxed")]
pub enum Settings {
    /// Of an equalizer.
    Equalizer(Bands),
    /// Of a compressor.
    Compressor(Compressor),
    /// Of a de-esser.
    DeEsser(DeEsser),
    /// Of a gate.
    Gate(Gate),
    /// Of a limiter.
    Limiter(Limiter),
}

impl Settings {
    /// The settings of `effect`; for an equalizer the first [`MOST_BANDS`] bands.
    #[must_use]
    pub fn of(effect: &Effect) -> Self {
        match effect {
            Effect::Equalizer(it) => Self::Equalizer(Bands::of(&it.bands)),
            Effect::Compressor(it) => Self::Compressor(*it),
            Effect::DeEsser(it) => Self::DeEsser(*it),
            Effect::Gate(it) => Self::Gate(*it),
            Effect::Limiter(it) => Self::Limiter(*it),
        }
    }
}

/// The bands of an equalizer in a place of fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bands {
    bands: [Band; MOST_BANDS],
    count: usize,
}

impl Bands {
    fn of(bands: &[Band]) -> Self {
        let rest = Band {
            shape: BandShape::Bell,
            frequency_hz: 1000.0,
            gain: Decibels::UNITY,
            q: butterworth(),
        };
        let mut places = [rest; MOST_BANDS];
        places.iter_mut().zip(bands).for_each(|(place, band)| *place = *band);
        Self { bands: places, count: bands.len().min(MOST_BANDS) }
    }

    /// The bands, in order.
    #[must_use]
    pub fn get(&self) -> &[Band] {
        &self.bands[..self.count]
    }
}

fn butterworth() -> f64 {
    std::f64::consts::FRAC_1_SQRT_2
}

/// A setting that is out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EffectError {
    /// One number.
    #[error("a {what} of {value} is outside {} to {}", .range.start(), .range.end())]
    Range {
        /// The setting, with its unit.
        what: &'static str,
        /// What it was to be.
        value: f64,
        /// What it may be.
        range: RangeInclusive<f64>,
    },
    /// Too many bands.
    #[error("an equalizer has at most {MOST_BANDS} bands, not {0}")]
    Bands(usize),
}

impl Effect {
    /// Whether every setting is in its range.
    ///
    /// # Errors
    /// The first setting that is not.
    pub fn check(&self) -> Result<(), EffectError> {
        match self {
            Self::Equalizer(equalizer) => equalizer.check(),
            Self::Compressor(it) => all(&[
                ("threshold in dBFS", it.threshold.0, -80.0..=0.0),
                ("ratio", it.ratio, 1.0..=100.0),
                ("knee in dB", it.knee_db, 0.0..=24.0),
                ("attack in ms", it.attack_ms, 0.05..=500.0),
                ("release in ms", it.release_ms, 5.0..=5000.0),
                ("make-up gain in dB", it.makeup.0, -30.0..=30.0),
            ]),
            Self::DeEsser(it) => all(&[
                ("frequency in Hz", it.frequency_hz, 1000.0..=16_000.0),
                ("threshold in dBFS", it.threshold.0, -80.0..=0.0),
                ("range in dB", it.range_db, 0.0..=30.0),
            ]),
            Self::Gate(it) => all(&[
                ("threshold in dBFS", it.threshold.0, -100.0..=0.0),
                ("ratio", it.ratio, 1.0..=100.0),
                ("range in dB", it.range_db, 0.0..=100.0),
                ("hysteresis in dB", it.hysteresis_db, 0.0..=24.0),
                ("attack in ms", it.attack_ms, 0.05..=500.0),
                ("hold in ms", it.hold_ms, 0.0..=5000.0),
                ("release in ms", it.release_ms, 5.0..=5000.0),
            ]),
            Self::Limiter(it) => all(&[
                ("gain in dB", it.gain.0, -30.0..=30.0),
                ("ceiling in dBTP", it.ceiling.0, -30.0..=0.0),
                ("release in ms", it.release_ms, 1.0..=2000.0),
            ]),
        }
    }

    /// How people call it.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Equalizer(_) => "equalizer",
            Self::Compressor(_) => "compressor",
            Self::DeEsser(_) => "de-esser",
            Self::Gate(_) => "gate",
            Self::Limiter(_) => "limiter",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl Equalizer {
    fn check(&self) -> Result<(), EffectError> {
        if self.bands.len() > MOST_BANDS {
            return Err(EffectError::Bands(self.bands.len()));
        }
        self.bands.iter().try_for_each(|band| {
            all(&[
                ("frequency in Hz", band.frequency_hz, 10.0..=24_000.0),
                ("gain in dB", band.gain.0, -30.0..=30.0),
                ("Q", band.q, 0.1..=40.0),
            ])
        })
    }
}

fn all(settings: &[(&'static str, f64, RangeInclusive<f64>)]) -> Result<(), EffectError> {
    let wrong = settings.iter().find(|(_, value, range)| !range.contains(value));
    wrong.map_or(Ok(()), |(what, value, range)| {
        Err(EffectError::Range { what, value: *value, range: range.clone() })
    })
}
