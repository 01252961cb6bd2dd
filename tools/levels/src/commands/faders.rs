//! Gains of tracks. If several faders are pushed up, the headroom of the mix is measured.

use super::gain::{Move, TargetGain, moved, says_gain};
use crate::mix_peak::{self, Peaks};
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Draft, Gesture, Phase, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use serde_json::json;

/// `cmd_set_track_gain`.
pub(super) struct SetTrackGain;

/// Faders as they will be.
pub(super) struct Faders {
    draft: Draft,
    /// Whether several are pushed up from where they are, which the mix may not have room for. One is moved by ear,
    /// at once.
    are_louder: bool,
}

impl TypedTool for SetTrackGain {
    type Params = TargetGain;
    type Resolved = Faders;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_gain",
            "Set track gain",
            "Sets the fader of tracks or buses, or changes it by some dB. Clip gains stay.",
            Category::Level,
            Trust::Suggest,
            json!({"targets": "Vocal*", "gain_db": -3.0}),
        )
        .on_the_whole()
        .core()
        .offers(Gesture::SetTrackGain)
        .says(says_gain(|intent: Intent| {
            intent.also("fader").on_or_to(Kinds::Faders).over_time("cmd_set_track_envelope")
        }))
        // "the music at 20 %": of the amplitude, as faders that count so do.
        .says([Intent::verbs("put | set | turn | bring | take | have | want | get")
            .also("volume | level | gain | fader | at:volume | of:volume | down | up")
            .slot(Slot::of("gain_db").of_amplitude().preps("to | at"))
            .needs("gain_db")
            .on(Kinds::Faders)])
        // "everything -3 dB": nobody puts every fader at one level without saying so.
        .says([Intent::default()
            .slot(
                Slot::of("change_db")
                    .preps("-")
                    .signed_by("up | louder", "down | quieter")
                    .or_own_sign(),
            )
            .needs("change_db")
            .named("targets", "-", Kinds::AllFaders)
            .only_named()])
    }

    fn resolve(params: TargetGain, session: &Session) -> Result<Faders, ToolError> {
        let gain = Move::new(params.gain_db, params.change_db)?;
        let tracks = params.targets.tracks(session)?;
        let objects: Vec<ObjectId> = tracks.into_iter().map(Into::into).collect();
        let draft = moved(session, &objects, &gain, "track");
        draft.check(session, Phase::Prepare)?;
        let goes_up = matches!(gain, Move::By(change) if change.0 > 0.0);
        let are_louder = goes_up && draft.changes.len() > 1;
        Ok(Faders { draft, are_louder })
    }

    fn targets(_: &Faders) -> Vec<ObjectId> {
        // It blocks nothing, like every command.
        Vec::new()
    }

    fn run(call: Faders, context: &PlanContext) -> Result<Draft, ToolError> {
        let Faders { mut draft, are_louder } = call;
        if are_louder {
            mix_peak::tell(context, &mut draft, &Peaks::new())?;
        }
        Ok(draft)
    }
}
