//! Inserts: built-in processors on a track, a bus or the mix, each before its fader.

use crate::ids::TrackId;
use deskhand_dsp::effects::Effect;
use serde::{Deserialize, Serialize};

/// What an insert is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InsertOwner {
    /// The mix.
    Master,
    /// A track or bus.
    Track(TrackId),
}

/// A processor and its place. The processors of one owner work in the order of `index`, then id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedInsert {
    /// What it is on.
    pub on: InsertOwner,
    /// Its place among the processors of its owner; gaps and equal numbers are allowed.
    #[serde(default)]
    pub index: u32,
    /// Off: the sound passes unchanged.
    #[serde(default)]
    pub switch: Switch,
    /// The processor with its settings.
    pub effect: Effect,
}

/// Whether a processor works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// It works.
    #[default]
    On,
    /// The sound passes unchanged.
    Off,
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Decibels;
    use deskhand_dsp::effects::Limiter;

    #[test]
    fn the_written_form_names_owner_and_kind() {
        let limiter = Limiter { gain: Decibels(0.0), ceiling: Decibels(-1.0), release_ms: 50.0 };
        let insert = PlacedInsert {
            on: InsertOwner::Track(TrackId::new(1)),
            index: 2,
            switch: Switch::On,
            effect: Effect::Limiter(limiter),
        };
        let json = serde_json::json!({
            "on": {"track": "track_000000000001"}, "index": 2, "switch": "on",
            "effect": {"kind": "limiter", "gain": 0.0, "ceiling": -1.0, "release_ms": 50.0}
        });
        assert_eq!(serde_json::to_value(&insert).unwrap(), json);
        assert_eq!(serde_json::from_value::<PlacedInsert>(json).unwrap(), insert);
    }
}
