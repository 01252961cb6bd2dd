//! `cmd_set_clip_polarity`: turns the sign of clips, as the button Ø of a desk does.

use super::clips::said;
use deskhand_dsp::Polarity;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{Change, Edit};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_clip_polarity`.
pub(super) struct SetClipPolarity;

/// Which clips, and whether they are inverted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Inverted {
    /// Clips to invert. A track means its clips.
    targets: Targets,
    /// True to invert each sample, false to play the clips as recorded.
    inverted: bool,
}

impl Command for SetClipPolarity {
    type Params = Inverted;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_clip_polarity",
            "Reverse polarity",
            "Inverts the polarity of clips, or plays them as recorded.",
            Category::Level,
            Trust::Suggest,
            json!({"targets": "Snare bottom", "inverted": true}),
        )
        .sets()
        .offers(Gesture::TurnClip)
        .says([
            Intent::verbs("reverse | swap")
                .about("polarity")
                .only_named()
                .named("targets", "- | on | of | for", Kinds::Sound)
                .sets("inverted", true),
            Intent::verbs("reset")
                .about("polarity")
                .only_named()
                .named("targets", "- | on | of | for", Kinds::Sound)
                .sets("inverted", false),
        ])
    }

    fn plan(params: Inverted, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let clips = params.targets.clips_with_values(call.session)?;
        let (verb, after) = match params.inverted {
            true => ("Reverse", Polarity::Inverted),
            false => ("Reset", Polarity::Normal),
        };
        let mut draft = Draft::new(format!("{verb} the polarity of {}", said(&clips)));
        for (id, clip) in clips {
            let edit = Edit::new(id, clip.polarity, after);
            if edit.before != edit.after {
                draft.change(Change::SetClipPolarity(edit), clip.name, "as asked");
            }
        }
        Ok(draft)
    }
}
