//! Where music and speech are delivered to, and how loud they may be there.

use deskhand_session::intent::Intent;
use schemars::JsonSchema;
use serde::Deserialize;

/// A delivery target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    /// Music streaming: -14 LUFS, -1 dBTP.
    Streaming,
    /// Podcasts: -16 LUFS, -1 dBTP.
    Podcast,
    /// Broadcast (EBU R 128): -23 LUFS, -1 dBTP.
    Broadcast,
    /// Compact disc: -9 LUFS, -0.3 dBTP; common values, not a standard.
    Cd,
}

impl Delivery {
    /// With the words for each delivery, which set `for`.
    pub(crate) fn said(intent: Intent) -> Intent {
        let deliveries = ["streaming", "podcast", "broadcast", "cd"];
        deliveries.iter().fold(intent, |it, name| it.flag(name, "for", *name))
    }

    /// Integrated loudness in LUFS.
    pub(crate) fn loudness(self) -> f64 {
        match self {
            Self::Streaming => -14.0,
            Self::Podcast => -16.0,
            Self::Broadcast => -23.0,
            Self::Cd => -9.0,
        }
    }

    /// The highest true peak in dBTP.
    pub(crate) fn ceiling(self) -> f64 {
        match self {
            Self::Streaming | Self::Podcast | Self::Broadcast => -1.0,
            Self::Cd => -0.3,
        }
    }

    /// How far the loudness may be off, in LU.
    pub(crate) fn tolerance(self) -> f64 {
        match self {
            Self::Broadcast => 0.5,
            Self::Streaming | Self::Podcast | Self::Cd => 1.0,
        }
    }

    /// How people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Streaming => "streaming",
            Self::Podcast => "podcasts",
            Self::Broadcast => "broadcast",
            Self::Cd => "CD",
        }
    }
}
