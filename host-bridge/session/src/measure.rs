//! Measured facts: what a level is called, its unit and its method.

use crate::ids::ObjectId;
use serde::{Deserialize, Serialize};

/// A quantity that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Gated loudness of the whole.
    IntegratedLoudness,
    /// Loudness range.
    LoudnessRange,
    /// Loudest 400 ms.
    MaxMomentary,
    /// Loudest 3 s.
    MaxShortTerm,
    /// Peak of the oversampled signal.
    TruePeak,
    /// Largest sample.
    SamplePeak,
    /// RMS of the whole.
    Rms,
    /// RMS of the parts above the gate.
    ActiveRms,
    /// Level of the quiet parts.
    NoiseFloor,
    /// Share of time that is silent.
    Silence,
    /// Mean of the samples.
    DcOffset,
    /// Fundamental of mains hum.
    HumFrequency,
    /// Level of mains hum with its harmonics.
    HumLevel,
    /// How late one recording is against another.
    Delay,
    /// How alike two recordings are at their best alignment.
    Correlation,
    /// How much faster one recorder's clock runs than another's.
    ClockDrift,
    /// Level within a band of frequencies; `method` names the band.
    BandLevel,
    /// How far phrases lie apart in loudness.
    PhraseSpread,
    /// How complete a take is, compared with all its takes together.
    Completeness,
    /// How freely a take is spoken: without fillers, repetitions and breaks.
    Fluency,
    /// How sure the words of a take are.
    WordConfidence,
}

impl Measure {
    /// The unit of its values.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::IntegratedLoudness | Self::MaxMomentary | Self::MaxShortTerm => "LUFS",
            Self::LoudnessRange | Self::PhraseSpread => "LU",
            Self::TruePeak => "dBTP",
            Self::SamplePeak
            | Self::Rms
            | Self::ActiveRms
            | Self::NoiseFloor
            | Self::HumLevel
            | Self::BandLevel => "dBFS",
            Self::Silence
            | Self::DcOffset
            | Self::Correlation
            | Self::Completeness
            | Self::Fluency
            | Self::WordConfidence => "%",
            Self::HumFrequency => "Hz",
            Self::Delay => "frames",
            Self::ClockDrift => "ppm",
        }
    }

    /// How it is measured.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Self::IntegratedLoudness => "ITU-R BS.1770-5",
            Self::LoudnessRange => "EBU Tech 3342",
            Self::MaxMomentary | Self::MaxShortTerm => "EBU Tech 3341",
            Self::TruePeak => "ITU-R BS.1770-5 Annex 2",
            Self::SamplePeak => "largest absolute sample",
            Self::Rms => "root of the mean square, a full-scale square wave is 0",
            Self::ActiveRms => "RMS of the 10 ms blocks above the gate",
            Self::NoiseFloor => "10th percentile of 10 ms RMS",
            Self::Silence => "share of 10 ms blocks below the threshold",
            Self::DcOffset => "mean of the samples, of full scale",
            Self::HumFrequency => "phase advance of the fundamental and its harmonics",
            Self::HumLevel => "RMS of the fundamental and its harmonics together",
            Self::Delay => "peak of the phase-weighted cross-correlation, interpolated",
            Self::Correlation => "normalized cross-correlation at the best alignment",
            Self::ClockDrift => "slope of local delays along the take",
            Self::BandLevel => "mean power of a third octave",
            Self::PhraseSpread => "loudest less softest phrase, ITU-R BS.1770-5",
            Self::Completeness => "words of the fullest take that are said, in order",
            Self::Fluency => "words less fillers, repetitions, cut-off words and long pauses",
            Self::WordConfidence => "mean confidence of the words",
        }
    }

    /// How people call it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::IntegratedLoudness => "integrated loudness",
            Self::LoudnessRange => "loudness range",
            Self::MaxMomentary => "max momentary loudness",
            Self::MaxShortTerm => "max short-term loudness",
            Self::TruePeak => "true peak",
            Self::SamplePeak => "sample peak",
            Self::Rms => "RMS",
            Self::ActiveRms => "active RMS",
            Self::NoiseFloor => "noise floor",
            Self::Silence => "silence",
            Self::DcOffset => "DC offset",
            Self::HumFrequency => "hum frequency",
            Self::HumLevel => "hum level",
            Self::Delay => "delay",
            Self::Correlation => "correlation",
            Self::ClockDrift => "clock drift",
            Self::BandLevel => "band level",
            Self::PhraseSpread => "spread of phrases",
            Self::Completeness => "completeness",
            Self::Fluency => "fluency",
            Self::WordConfidence => "confidence of words",
        }
    }
}

/// A measured fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The measured object.
    pub target: ObjectId,
    /// Which quantity.
    pub measure: Measure,
    /// The number; `null` for silence, which has no level.
    pub value: Option<f64>,
    /// Its unit.
    pub unit: String,
    /// Standard or formula.
    pub method: String,
}

impl Finding {
    /// A finding with the unit and method of its measure, rounded to 0.01.
    #[must_use]
    pub fn new(target: impl Into<ObjectId>, measure: Measure, value: Option<f64>) -> Self {
        Self {
            target: target.into(),
            measure,
            value: value.map(|value| (value * 100.0).round() / 100.0 + 0.0),
            unit: measure.unit().into(),
            method: measure.method().into(),
        }
    }

    /// The name for people: the measure with the method's addition, or the method itself.
    #[must_use]
    pub fn title(&self) -> String {
        match self.method.strip_prefix(self.measure.method()) {
            Some(added) => format!("{}{added}", self.measure.title()),
            None => self.method.clone(),
        }
    }
}
