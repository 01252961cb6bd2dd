//! `cmd_set_clip_mute`: silences clips where they are.

use super::clips::said;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{Change, Edit};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_clip_mute`.
pub(super) struct SetClipMute;

/// Which clips, and whether they are silent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mute {
    /// Clips to mute or unmute. A track means its clips.
    targets: Targets,
    /// True to mute, false to unmute.
    mute: bool,
}

impl Command for SetClipMute {
    type Params = Mute;

    fn spec() -> ToolSpec {
        let clips =
            |verb| Intent::verbs(verb).only_named().named("targets", "- | of", Kinds::Clips);
        command(
            "cmd_set_clip_mute",
            "Mute clips",
            "Mutes or unmutes clips. A muted clip keeps its place on the timeline.",
            Category::Level,
            Trust::Notify,
            json!({"targets": "selection", "mute": true}),
        )
        .sets()
        .offers(Gesture::MuteClip)
        .says([clips("mute").sets("mute", true), clips("unmute").sets("mute", false)])
    }

    fn plan(params: Mute, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let clips = params.targets.clips_with_values(call.session)?;
        let verb = if params.mute { "Mute" } else { "Unmute" };
        let mut draft = Draft::new(format!("{verb} {}", said(&clips)));
        for (id, clip) in clips {
            let edit = Edit::new(id, clip.mute, params.mute);
            if edit.before != edit.after {
                draft.change(Change::SetClipMute(edit), clip.name, "as asked");
            }
        }
        Ok(draft)
    }
}
