//! Levels where hosts play: a gain whose place was left open goes to the tracks. A host that plays its own input
//! follows no gain of a clip.

use crate::host_words::OnHosts;
use deskhand_session::{ObjectId, TrackId, TrackKind};
use deskhand_toolkit::{Category, Targets, ToolSpec, Trust};
use serde_json::{Value, json};

impl OnHosts<'_> {
    /// The parameters of a call, with `per` filled in if it is open and a target is on a track whose
    /// instance plays its input.
    pub(crate) fn with_heard_gains(&self, tool: &ToolSpec, mut params: Value) -> Value {
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
    pub(crate) fn note_by_track(&self, tool: &ToolSpec, params: &Value) -> Option<String> {
        let meant = self.tracks_to_level(tool, params);
        let by_track = params.get("per").is_some_and(|per| per == "track");
        let host =
            meant.iter().find_map(|track| self.hosts.host_of_input(track)).filter(|_| by_track)?;
        let named = targets_of(params)?.objects(self.session).ok()?;
        let clips_alone = named.iter().all(|id| matches!(id, ObjectId::Clip(_)));
        (clips_alone && !named.is_empty()).then(|| {
            format!(
                "clips were named, and their tracks get the gain: {host} plays its own input, which follows no gain \
                 of a clip"
            )
        })
    }

    fn tracks_to_level(&self, tool: &ToolSpec, params: &Value) -> Vec<TrackId> {
        let targets = levels_per(tool).then(|| targets_of(params)).flatten();
        let targets = targets.filter(|targets| !targets.is_mix());
        targets.and_then(|it| it.tracks(self.session).ok()).unwrap_or_default()
    }

    /// Whether a host plays its own input on one of the tracks.
    fn plays_input(&self, tracks: &[TrackId]) -> bool {
        tracks.iter().any(|track| self.hosts.host_of_input(track).is_some())
    }
}

/// Whether a tool brings clips, tracks or the mix to a level, whichever its parameter `per` says.
fn levels_per(tool: &ToolSpec) -> bool {
    let has_per = tool.input_schema["properties"].get("per").is_some();
    has_per && tool.category == Category::Level && tool.trust != Trust::Autonomous
}

/// The targets of a call; the selection if there are none.
fn targets_of(params: &Value) -> Option<Targets> {
    match params.get("targets") {
        Some(targets) => serde_json::from_value(targets.clone()).ok(),
        None => Some(Targets::default()),
    }
}
