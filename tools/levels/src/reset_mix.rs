//! `tool_reset_mix`: faders, pans and mutes of tracks back to neutral, to start a mix over.

use deskhand_dsp::Decibels;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::subject;
use deskhand_session::{Change, Edit, ObjectId, Session, Track, TrackId};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// `tool_reset_mix`.
pub(crate) struct ResetMix;

/// A control of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Control {
    /// The fader, to 0 dB.
    Faders,
    /// The pan, to the center.
    Pans,
    /// The mute, off.
    Mutes,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// What to reset; omitted: all of these.
    #[serde(default)]
    controls: Vec<Control>,
}

/// How people ask for it: of the whole mix, or of some tracks.
fn says() -> [Intent; 2] {
    let only =
        |it: Intent, words: &str, control: Control| it.flag(words, "controls", json!([control]));
    let reset = Intent::verbs("reset");
    let reset = only(reset, "fader | gain | volume", Control::Faders);
    let reset = only(reset, "pan position", Control::Pans);
    let reset = only(reset, "mute state", Control::Mutes);
    let mix = reset.clone().sets("targets", "all").named("mix", "- | of | in", Kinds::Mix);
    [mix, reset.on(Kinds::Tracks)]
}

impl TypedTool for ResetMix {
    type Params = Params;
    type Resolved = (Vec<TrackId>, Vec<Control>);

    fn spec() -> ToolSpec {
        tool(
            "tool_reset_mix",
            "Reset the mix",
            "Sets faders to 0 dB, pans to the center and mutes off, to start a mix over. Clip gains, envelopes and \
             processors stay.",
            Category::Level,
            Trust::Suggest,
            vec![json!({"targets": "all"}), json!({"targets": "Drums", "controls": ["pans"]})],
        )
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Self::Resolved, ToolError> {
        let all = || vec![Control::Faders, Control::Pans, Control::Mutes];
        let controls = if params.controls.is_empty() { all() } else { params.controls };
        Ok((params.targets.tracks(session)?, controls))
    }

    fn targets((tracks, _): &Self::Resolved) -> Vec<ObjectId> {
        tracks.iter().map(|id| (*id).into()).collect()
    }

    fn run((tracks, controls): Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let (mut draft, mut names) = (Draft::default(), Vec::new());
        for id in tracks {
            let Some(track) = context.session.tracks.get(&id) else { continue };
            let before = draft.changes.len();
            for change in controls.iter().map(|control| neutral(*control, id, track)) {
                if !change.is_identity() {
                    draft.change(change, track.name.clone(), "neutral, as asked");
                }
            }
            names.extend((draft.changes.len() > before).then(|| track.name.clone()));
        }
        draft.summary = match draft.changes.len() {
            0 => "Nothing to reset: the tracks are neutral already".into(),
            _ => format!("Reset {}", subject(&names, "track")),
        };
        Ok(draft)
    }
}

fn neutral(control: Control, id: TrackId, track: &Track) -> Change {
    match control {
        Control::Faders => Change::SetTrackGain(Edit::new(id, track.gain, Decibels::UNITY)),
        Control::Pans => Change::SetTrackPan(Edit::new(id, track.pan, 0.0)),
        Control::Mutes => Change::SetTrackMute(Edit::new(id, track.mute, false)),
    }
}

#[cfg(test)]
mod tests {
    use deskhand_dsp::Decibels;
    use deskhand_session::Track;
    use deskhand_toolkit::testing::Desk;
    use serde_json::json;

    #[test]
    fn what_is_not_neutral_is_reset_and_nothing_else() {
        let mut desk = Desk::new(crate::all());
        let gain = Decibels(-6.0);
        desk.track(Track { gain, pan: -0.5, ..Track::audio("Guitar") });
        desk.track(Track { mute: true, ..Track::audio("Bass") });
        desk.track(Track::audio("Kick"));
        let pans = desk.plan("tool_reset_mix", json!({"targets": "all", "controls": ["pans"]}));
        assert_eq!(pans.changes.len(), 1);
        let all = desk.plan("tool_reset_mix", json!({"targets": "all"}));
        assert_eq!(all.changes.len(), 3);
        desk.apply(&all);
        let again = desk.plan("tool_reset_mix", json!({"targets": "all"}));
        assert_eq!(again.changes, []);
        assert!(again.summary.starts_with("Nothing to reset"), "{}", again.summary);
    }
}
