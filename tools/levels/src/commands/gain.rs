//! Gains of clips and the mix, and the code they share with track gains.

use crate::gain::gain_change;
use deskhand_dsp::Decibels;
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};
use deskhand_session::text::{subject, trimmed};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::command;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Menu, Offers, Targets, ToolError,
    ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_clip_gain`.
pub(super) struct SetClipGain;

/// `cmd_set_master_gain`.
pub(crate) struct SetMasterGain;

/// A gain for targets: absolute or relative, one of the two.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetGain {
    /// The tracks, buses or clips.
    #[serde(default)]
    pub(super) targets: Targets,
    /// The new gain in dB; 0 is unity. Give this or `change_db`.
    #[schemars(range(min = -150.0, max = 48.0))]
    pub(super) gain_db: Option<f64>,
    /// Change in dB: louder (positive) or quieter (negative) than now. Give this or `gain_db`.
    #[schemars(range(min = -198.0, max = 198.0))]
    pub(super) change_db: Option<f64>,
}

/// A gain of the mix: absolute or relative, one of the two.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MasterGain {
    /// The new gain in dB; 0 is unity. Give this or `change_db`.
    #[schemars(range(min = -150.0, max = 48.0))]
    gain_db: Option<f64>,
    /// Change in dB: louder (positive) or quieter (negative) than now. Give this or `gain_db`.
    #[schemars(range(min = -198.0, max = 198.0))]
    change_db: Option<f64>,
}

/// The tool that changes the gain of clips over a time.
const ENVELOPE: &str = "cmd_set_clip_envelope";

/// How people ask for a gain; `on` says of what. "Louder" without a number is 3 dB, "a bit louder" half of that.
pub(super) fn says_gain(on: impl Fn(Intent) -> Intent) -> Vec<Intent> {
    let change = Slot::of("change_db").preps("- | by | of").bare(0.0, 24.0);
    let signed = change.clone().signed_by("up | louder | raise", "down | quieter | lower");
    let signed = signed.value("a hair", 1.0).value("a bit", 1.5).value("a lot", 6.0).unsaid(3.0);
    let light = "turn | make | bring | take | push | pull | get | move | set | change | want | ";
    let louder = Intent::verbs(&format!("{light} up | louder | raise | down | quieter | lower"));
    let louder = louder.flag("twice as loud", "change_db", 10.0);
    let louder = louder.flag("half as loud", "change_db", -10.0).slot(signed.or_own_sign());
    let given = change.signed_by("give | add", "drop | cut | knock | off | down");
    let given = Intent::verbs("give | add | drop | cut | knock | take+off").slot(given);
    let position = Slot::of("gain_db").preps("to | at");
    let set = Intent::verbs(&format!("{light} put | raise | lower"));
    let set = set.flag("unity", "gain_db", 0.0).also("up | down");
    let named =
        set.clone().about("fader | gain | volume").slot(position.clone().bare(-100.0, 24.0));
    let changes = [louder, given].map(|it| it.needs("change_db").or_all_of_it());
    let positions = [set.slot(position), named].map(|it| it.needs("gain_db"));
    // "Snare fader at -4.5", "Guitar L to -6 dB".
    let at = Intent::default().slot(Slot::of("gain_db").preps("to | at"));
    let at = at.needs("gain_db").only_named();
    let bare = Intent::default()
        .about("fader | gain | volume")
        .slot(Slot::of("gain_db").preps("to | at").bare(-100.0, 24.0))
        .needs("gain_db")
        .only_named();
    let also = "gain | volume | level | loudness | another | more";
    changes.into_iter().chain(positions).chain([bare, at]).map(|it| on(it.also(also))).collect()
}

/// "turn phrase 2 up", "make the last line 2 dB quieter": numbers are those of phrases, unless they are in dB.
fn of_phrases() -> Intent {
    let change = Slot::of("change_db").preps("- | by").unsaid(3.0).value("a bit", 1.5);
    Intent::verbs("turn | make | raise | lower | louder | quieter")
        .slot(change.signed_by("up | louder | raise", "down | quieter | lower"))
        .needs("change_db")
        .said("targets", "-", TextKind::PhraseClips)
        .needs("targets")
}

/// An absolute or a relative gain.
pub(super) enum Move {
    To(Decibels),
    By(Decibels),
}

impl Move {
    pub(super) fn new(gain_db: Option<f64>, change_db: Option<f64>) -> Result<Self, ToolError> {
        match (gain_db, change_db) {
            (Some(gain), None) => Ok(Self::To(Decibels(gain))),
            (None, Some(change)) => Ok(Self::By(Decibels(change))),
            (None, None) | (Some(_), Some(_)) => Err(ToolError::prepare(
                Code::BadParams,
                "a gain is either absolute or a change",
                "give exactly one of `gain_db` and `change_db`",
            )),
        }
    }

    fn after(&self, before: Decibels) -> Decibels {
        match self {
            Self::To(gain) => gain.rounded(),
            Self::By(change) => (before + *change).rounded(),
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::To(_) => "as asked".into(),
            Self::By(change) => format!("{:+} dB as asked", change.0),
        }
    }

    fn summary(&self, what: &str) -> String {
        match self {
            Self::To(gain) => format!("Set {what} to {} dB", trimmed(gain.0, 3)),
            Self::By(change) if change.0 < 0.0 => {
                format!("Turn {what} down by {} dB", trimmed(-change.0, 3))
            }
            Self::By(change) => format!("Turn {what} up by {} dB", trimmed(change.0, 3)),
        }
    }
}

/// A draft that moves the gain of each object.
pub(super) fn moved(session: &Session, objects: &[ObjectId], gain: &Move, noun: &str) -> Draft {
    let names: Vec<String> = objects.iter().map(|id| session.name_of(*id)).collect();
    draft(session, objects, gain, &subject(&names, noun))
}

fn draft(session: &Session, objects: &[ObjectId], gain: &Move, what: &str) -> Draft {
    let mut draft = Draft::new(gain.summary(what));
    for object in objects {
        let after = gain.after(session.gain_of(*object));
        let change = gain_change(session, *object, after).filter(|change| !change.is_identity());
        if let Some(change) = change {
            draft.change(change, session.name_of(*object), gain.reason());
        }
    }
    if draft.changes.is_empty() {
        draft.summary = format!("{what}: the gain is that already");
    }
    draft
}

impl Command for SetClipGain {
    type Params = TargetGain;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_clip_gain",
            "Set clip gain",
            "Sets the gain of clips, or changes it by some dB. It acts before the track's fader. A track means \
             its clips.",
            Category::Level,
            Trust::Suggest,
            json!({"targets": "selection", "change_db": 1.5}),
        )
        .on_the_whole()
        .offers(Offers::from(Gesture::SetClipGain).entry(
            Menu::Clip,
            "Gain to 0 dB",
            "double-click",
            json!({"gain_db": 0.0}),
        ))
        .says(says_gain(|it| it.on_or_to(Kinds::Clips).over_time(ENVELOPE)))
        .says(says_gain(|it| {
            it.about("clip gain").on_or_to(Kinds::ClipOfTrack).over_time(ENVELOPE)
        }))
        .says([of_phrases()])
    }

    fn plan(params: TargetGain, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let gain = Move::new(params.gain_db, params.change_db)?;
        let clips = params.targets.clips(call.session)?;
        let objects: Vec<ObjectId> = clips.into_iter().map(Into::into).collect();
        Ok(moved(call.session, &objects, &gain, "clip"))
    }
}

impl Command for SetMasterGain {
    type Params = MasterGain;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_master_gain",
            "Set master gain",
            "Sets the gain of the mix, or changes it by some dB.",
            Category::Level,
            Trust::Suggest,
            json!({"gain_db": -1.0}),
        )
        .offers(Gesture::SetMasterGain)
        .says(says_gain(|intent| intent.also("fader").on_or_to(Kinds::Mix)))
    }

    fn plan(params: MasterGain, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let gain = Move::new(params.gain_db, params.change_db)?;
        Ok(draft(call.session, &[call.session.id.into()], &gain, "the mix"))
    }
}
