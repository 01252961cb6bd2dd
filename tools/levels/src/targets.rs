//! Where music and speech are delivered to, and how loud they may be there.

use deskhand_dsp::loudness::Levels;
use deskhand_session::intent::Intent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A delivery target. The window lists them in this order: the words before the colon are the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    /// Podcast: -16 LUFS ±1, true peak -1 dBTP.
    Podcast,
    /// Streaming: -14 LUFS ±1, true peak -1 dBTP.
    Streaming,
    /// Broadcast: EBU R 128, -23 LUFS ±0.5, true peak -1 dBTP.
    Broadcast,
    /// Audiobook: ACX, RMS -23 to -18 dBFS, peak -3 dBFS, noise floor -60 dBFS.
    Acx,
    /// CD: -9 LUFS ±1, true peak -0.3 dBTP; common values, not a standard.
    Cd,
}

impl Delivery {
    /// All targets.
    pub(crate) const ALL: [Self; 5] =
        [Self::Podcast, Self::Streaming, Self::Broadcast, Self::Acx, Self::Cd];

    /// With the words for each delivery, which set `for`.
    pub(crate) fn said(intent: Intent) -> Intent {
        let deliveries = ["streaming", "podcast", "broadcast", "acx", "cd"];
        deliveries.iter().fold(intent, |it, name| it.flag(name, "for", *name))
    }

    /// The wanted level: integrated loudness in LUFS, or RMS in dBFS if [`Self::is_rms`].
    pub(crate) fn level(self) -> f64 {
        match self {
            Self::Streaming => -14.0,
            Self::Podcast => -16.0,
            Self::Broadcast => -23.0,
            Self::Acx => -20.5,
            Self::Cd => -9.0,
        }
    }

    /// Whether the target names RMS instead of loudness.
    pub(crate) fn is_rms(self) -> bool {
        self == Self::Acx
    }

    /// The level that the target names.
    pub(crate) fn measured(self, levels: &Levels) -> Option<f64> {
        match self.is_rms() {
            true => levels.rms.map(|level| level.0),
            false => levels.integrated.map(|level| level.0),
        }
    }

    /// The highest noise floor in dBFS; `None` if the target names none.
    pub(crate) fn noise_floor(self) -> Option<f64> {
        (self == Self::Acx).then_some(-60.0)
    }

    /// The highest true peak in dBTP.
    pub(crate) fn ceiling(self) -> f64 {
        match self {
            Self::Streaming | Self::Podcast | Self::Broadcast => -1.0,
            Self::Acx => -3.0,
            Self::Cd => -0.3,
        }
    }

    /// How far the level may be off, in dB.
    pub(crate) fn tolerance(self) -> f64 {
        match self {
            Self::Broadcast => 0.5,
            Self::Acx => 2.5,
            Self::Streaming | Self::Podcast | Self::Cd => 1.0,
        }
    }

    /// How people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Streaming => "streaming",
            Self::Podcast => "podcasts",
            Self::Broadcast => "broadcast",
            Self::Acx => "audiobooks (ACX)",
            Self::Cd => "CD",
        }
    }
}
