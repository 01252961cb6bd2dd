//! How a sound should change.

use schemars::JsonSchema;
use serde::Deserialize;

/// How it should sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Direction {
    /// More around 200 Hz, a little less above 8 kHz.
    Warmer,
    /// More above 6 kHz.
    Brighter,
    /// More around 3.5 kHz, a little less low mids.
    Clearer,
    /// A compressor with a slow attack, less low mids, more presence.
    Punchier,
    /// More below 150 Hz.
    Fuller,
    /// Less above 6 kHz.
    Darker,
    /// Less where it stands out from 80 to 200 Hz.
    LessBoomy,
    /// Less where it stands out from 200 to 400 Hz.
    LessMuddy,
    /// Less where it stands out from 315 to 800 Hz.
    LessBoxy,
    /// Less where it stands out from 800 to 1600 Hz.
    LessNasal,
    /// Less where it stands out from 2.5 to 5 kHz.
    LessHarsh,
}

impl Direction {
    /// How people say it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Warmer => "warmer",
            Self::Brighter => "brighter",
            Self::Clearer => "clearer",
            Self::Punchier => "punchier",
            Self::Fuller => "fuller",
            Self::Darker => "darker",
            Self::LessBoomy => "less boomy",
            Self::LessMuddy => "less muddy",
            Self::LessBoxy => "less boxy",
            Self::LessNasal => "less nasal",
            Self::LessHarsh => "less harsh",
        }
    }
}

/// How much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Amount {
    /// About 1 dB.
    Subtle,
    /// About 2 dB.
    #[default]
    Normal,
    /// About 3 dB.
    Strong,
}

impl Amount {
    /// The change of a band where the sound is as the reference, in dB.
    pub(super) fn decibels(self) -> f64 {
        match self {
            Self::Subtle => 1.0,
            Self::Normal => 2.0,
            Self::Strong => 3.0,
        }
    }

    /// The ratio of a compressor for punch.
    pub(super) fn ratio(self) -> f64 {
        self.decibels() + 1.0
    }
}
