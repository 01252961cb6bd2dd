//! Levels where hosts play: a gain whose place was left open goes to the tracks. A host that plays its own input
//! follows no gain of a clip.

use crate::bridge::Bridge;
use crate::instances::Live;
use deskhand_session::{ObjectId, TrackId, TrackKind};
use deskhand_toolkit::Targets;
use serde_json::{Value, json};

/// The tools that bring clips, tracks or the mix to a level, whichever their parameter `per` says.
const LEVELING: [&str; 2] = ["tool_normalize", "tool_match_loudness"];

impl Bridge {
    /// The parameters of a call, with `per` filled in if it is open and a target is on a track whose
    /// instance plays its input.
    pub(crate) fn with_heard_gains(&self, tool: &str, mut params: Value) -> Value {
        let meant = self.tracks_to_level(tool, &params);
        if params.get("per").is_some_and(|per| !per.is_null()) || !self.plays_input(&meant) {
            return params;
        }
        let is_audio = |id: &TrackId| {
            self.session.tracks.get(id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        if !meant.iter().all(is_audio) {
            // The call was for clips, and buses have none.
            params["targets"] = json!(meant.into_iter().filter(is_audio).collect::<Vec<_>>());
        }
        params["per"] = json!("track");
        params
    }

    /// That clips were named and their tracks get the gain, where it is so.
    pub(crate) fn note_by_track(&self, tool: &str, params: &Value) -> Option<String> {
        let meant = self.tracks_to_level(tool, params);
        let by_track = params.get("per").is_some_and(|per| per == "track");
        let host = meant.iter().find_map(|track| self.host_of_input(track)).filter(|_| by_track)?;
        let named = targets_of(params)?.objects(&self.session).ok()?;
        let clips_alone = named.iter().all(|id| matches!(id, ObjectId::Clip(_)));
        (clips_alone && !named.is_empty()).then(|| {
            format!(
                "clips were named, and their tracks get the gain: {host} plays its own input, which follows no gain \
                 of a clip"
            )
        })
    }

    fn tracks_to_level(&self, tool: &str, params: &Value) -> Vec<TrackId> {
        let targets = LEVELING.contains(&tool).then(|| targets_of(params)).flatten();
        let targets = targets.filter(|targets| !targets.is_mix());
        targets.and_then(|it| it.tracks(&self.session).ok()).unwrap_or_default()
    }

    /// Whether a host plays its own input on one of the tracks.
    fn plays_input(&self, tracks: &[TrackId]) -> bool {
        tracks.iter().any(|track| self.host_of_input(track).is_some())
    }

    /// The host that plays its own input on a track.
    pub(crate) fn host_of_input(&self, track: &TrackId) -> Option<&str> {
        let mut live = self.instances.values().filter(|live| !live.plays());
        live.find(|live| live.is_track(*track)).map(Live::host)
    }
}

/// The targets of a call; the selection if there are none.
fn targets_of(params: &Value) -> Option<Targets> {
    match params.get("targets") {
        Some(targets) => serde_json::from_value(targets.clone()).ok(),
        None => Some(Targets::default()),
    }
}
