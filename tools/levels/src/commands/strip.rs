//! The strip of a track: mute, solo, pan, color, output.

use deskhand_session::intent::{Intent, Kinds, Slot, Unit};
use deskhand_session::text::{self, trimmed};
use deskhand_session::{Change, Color, Edit, Output, Session, Track, TrackId};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_track_mute`.
pub(super) struct SetTrackMute;
/// `cmd_set_track_solo`.
pub(super) struct SetTrackSolo;
/// `cmd_set_track_pan`.
pub(super) struct SetTrackPan;
/// `cmd_set_track_color`.
pub(super) struct SetTrackColor;
/// `cmd_set_track_output`.
pub(super) struct SetTrackOutput;

/// Which tracks, and whether they are muted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mute {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// Whether to mute them.
    mute: bool,
}

/// Which tracks, and whether they are soloed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Solo {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// Whether to solo them.
    solo: bool,
}

/// Which tracks, and where they are panned.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pan {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// -1 is left, 0 the center, 1 right. Give this or `spread`.
    #[schemars(range(min = -1.0, max = 1.0))]
    pan: Option<f64>,
    /// Two tracks this far to both sides: the first to the left, unless a name says left or right.
    #[schemars(range(min = 0.0, max = 1.0))]
    spread: Option<f64>,
}

/// Which tracks, and their color.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrackColor {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// `#rrggbb`, or `none` for no color.
    color: String,
}

/// Which tracks, and where they play to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TrackOutput {
    /// The tracks or buses.
    #[serde(default)]
    targets: Targets,
    /// Id or name of a bus, or `master`.
    output: String,
}

/// A draft with the change of each track that is not as asked yet; `say` makes its summary.
fn each(
    call: &CommandCall<'_>,
    targets: &Targets,
    say: impl Fn(&str) -> String,
    change: impl Fn(TrackId, &Track) -> Change,
) -> Result<Draft, ToolError> {
    each_with(call, targets, say, |id, track| (change(id, track), "as asked".into()))
}

/// Like [`each`], with the reason of each change.
fn each_with(
    call: &CommandCall<'_>,
    targets: &Targets,
    say: impl Fn(&str) -> String,
    change: impl Fn(TrackId, &Track) -> (Change, String),
) -> Result<Draft, ToolError> {
    let ids = targets.tracks(call.session)?;
    let mut draft = Draft::new(say(&text::tracks(call.session, &ids)));
    for id in ids {
        let Some(track) = call.session.tracks.get(&id) else {
            continue;
        };
        let (change, reason) = change(id, track);
        if !change.is_identity() {
            draft.change(change, track.name.clone(), reason);
        }
    }
    if draft.changes.is_empty() {
        draft.summary += ": that way already";
    }
    Ok(draft)
}

/// How people ask for a place between left and right: a side without a number is half way to it.
fn says_pan() -> [Intent; 5] {
    let place = Slot::of("pan").unit(Unit::Percent).scale(0.01).bare(0.0, 100.0);
    let place = place.preps("- | by | to | at").signed_by("right", "left").unsaid(0.5);
    let place =
        place.value("hard", 1.0).value("halfway", 0.5).value("a bit | a hair | a quarter", 0.25);
    let pan = Intent::verbs("pan | put | move | set | bring | want")
        .also("pan position | back")
        .slot(place.clone());
    let spread = || {
        let it = Intent::verbs("pan | spread | put").flag("hard", "spread", 1.0);
        let it = it.slot(Slot::of("spread").unit(Unit::Percent).scale(0.01).preps("- | by"));
        it.sets("spread", 0.5).on(Kinds::TwoTracks)
    };
    // "Bass dead center", "snare 15 % right".
    let bare = Intent::default().slot(place).only_named();
    [
        bare.flag("middle", "pan", 0.0).needs("pan").named("targets", "-", Kinds::Tracks),
        pan.flag("middle", "pan", 0.0).needs("pan").on(Kinds::Tracks),
        Intent::verbs("center").on(Kinds::Tracks).sets("pan", 0.0),
        spread().also("apart"),
        spread().about("left").about("right"),
    ]
}

/// How people route. A send would be something else, and nothing is put in its place.
fn says_output() -> [Intent; 2] {
    let to = |verb: &str, preps: &str| {
        Intent::verbs(verb).on(Kinds::Tracks).named("output", preps, Kinds::Output)
    };
    [
        to("route", "to | through").also("back").lacks(
            "it does not say where to",
            "route the drums to the drum bus | route the drums to the master",
        ),
        to("send", "to").needs("output").lacks(
            "a send is not among the things Deskhand can do; a track plays to one output",
            "route the vocals to the drum bus | route the vocals to the master",
        ),
    ]
}

impl Command for SetTrackMute {
    type Params = Mute;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_mute",
            "Mute tracks",
            "Mutes or unmutes tracks or buses.",
            Category::Level,
            Trust::Notify,
            json!({"targets": "Guitar*", "mute": true}),
        )
        .on_the_whole()
        .core()
        .sets()
        .offers(Gesture::MuteTrack)
        .says([
            Intent::verbs("mute").on(Kinds::MutedTracks).sets("mute", true),
            Intent::verbs("unmute").on(Kinds::MutedTracks).sets("mute", false),
            Intent::verbs("clear mutes").sets("targets", "all").sets("mute", false),
            Intent::verbs("take+off | turn+off | switch off")
                .about("mute state")
                .on(Kinds::MutedTracks)
                .sets("mute", false),
        ])
    }

    fn plan(params: Mute, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let verb = if params.mute { "Mute" } else { "Unmute" };
        let say = |what: &str| format!("{verb} {what}");
        each(call, &params.targets, say, |id, track| {
            Change::SetTrackMute(Edit::new(id, track.mute, params.mute))
        })
    }
}

impl Command for SetTrackSolo {
    type Params = Solo;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_solo",
            "Solo tracks",
            "Solos or unsolos tracks or buses.",
            Category::Level,
            Trust::Notify,
            json!({"targets": "Bass", "solo": true}),
        )
        .sets()
        .offers(Gesture::SoloTrack)
        .says([
            Intent::verbs("solo").on(Kinds::MutedTracks).sets("solo", true),
            Intent::verbs("unsolo").on(Kinds::MutedTracks).sets("solo", false),
            Intent::verbs("clear solos").sets("targets", "all").sets("solo", false),
            Intent::verbs("isolate")
                .on(Kinds::Tracks)
                .needs("solo")
                .lacks("hearing only some tracks is solo", "solo the drums | unsolo everything"),
            Intent::verbs("take+out | take+off | turn+off | switch off")
                .about("solo state | of:solo state")
                .on(Kinds::MutedTracks)
                .sets("solo", false),
        ])
    }

    fn plan(params: Solo, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let verb = if params.solo { "Solo" } else { "Unsolo" };
        let say = |what: &str| format!("{verb} {what}");
        each(call, &params.targets, say, |id, track| {
            Change::SetTrackSolo(Edit::new(id, track.solo, params.solo))
        })
    }
}

impl Command for SetTrackPan {
    type Params = Pan;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_pan",
            "Pan tracks",
            "Places tracks or buses between left (-1) and right (1), or two of them on both sides.",
            Category::Level,
            Trust::Suggest,
            json!({"targets": "Guitar L", "pan": -0.7}),
        )
        .on_the_whole()
        .offers(Gesture::SetTrackPan)
        .says(says_pan())
    }

    fn plan(params: Pan, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        match (params.pan, params.spread) {
            (Some(pan), None) => pan_to(&params.targets, pan, call),
            (None, Some(spread)) => spread_by(&params.targets, spread, call),
            (Some(_), Some(_)) | (None, None) => {
                let fix = "give exactly one of `pan` and `spread`";
                Err(ToolError::prepare(Code::BadParams, "it was not said where to pan", fix))
            }
        }
    }
}

fn pan_to(targets: &Targets, pan: f64, call: &CommandCall<'_>) -> Result<Draft, ToolError> {
    let pan = fine(pan);
    let say = |what: &str| format!("Pan {what} to {}", trimmed(pan, 3));
    each(call, targets, say, |id, track| Change::SetTrackPan(Edit::new(id, track.pan, pan)))
}

/// As fine as plans write levels.
fn fine(pan: f64) -> f64 {
    (pan * 1000.0).round() / 1000.0 + 0.0
}

fn spread_by(targets: &Targets, by: f64, call: &CommandCall<'_>) -> Result<Draft, ToolError> {
    let ids = targets.tracks(call.session)?;
    let [first, second] = ids[..] else {
        let message = format!("a spread needs two tracks, not {}", ids.len());
        let fix = "name two tracks, or give each its own `pan`";
        return Err(ToolError::prepare(Code::BadParams, message, fix));
    };
    let is_right = |id: TrackId| side(&call.session.name_of(id.into())) == Some(Side::Right);
    let is_left = |id: TrackId| side(&call.session.name_of(id.into())) == Some(Side::Left);
    let is_swapped = is_right(first) || is_left(second);
    let left = if is_swapped { second } else { first };
    let say = |what: &str| format!("Pan {what} to both sides by {}", trimmed(fine(by), 3));
    each(call, targets, say, |id, track| {
        let pan = fine(if id == left { -by } else { by });
        Change::SetTrackPan(Edit::new(id, track.pan, pan))
    })
}

#[derive(PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The side that a name says: "Guitar L", "OH right".
fn side(name: &str) -> Option<Side> {
    name.to_lowercase().split(|c: char| !c.is_alphanumeric()).find_map(|word| match word {
        "l" | "left" => Some(Side::Left),
        "r" | "right" => Some(Side::Right),
        _ => None,
    })
}

impl Command for SetTrackColor {
    type Params = TrackColor;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_color",
            "Color tracks",
            "Sets or clears the color of tracks or buses in the editor.",
            Category::Organize,
            Trust::Notify,
            json!({"targets": "Drum*", "color": "#4fc5fc"}),
        )
        .says([Intent::verbs("color | make | set | change | turn | give")
            .also("color")
            .color("color")
            .needs("color")
            .lacks("it does not say which color", "color the drums red | color the drums #4fc5fc")
            .on(Kinds::Tracks)])
        .sets()
        .offers(Gesture::ColorTrack)
    }

    fn plan(params: TrackColor, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let color = match params.color.as_str() {
            "none" => None,
            text => Some(Color::try_from(text.to_owned()).map_err(|error| {
                let fix = "give `color` as #rrggbb, or none";
                ToolError::prepare(Code::BadParams, error, fix)
            })?),
        };
        let say = |what: &str| match &color {
            Some(_) => format!("Color {what} {}", params.color),
            None => format!("Clear the color of {what}"),
        };
        each(call, &params.targets, say, |id, track| {
            Change::SetTrackColor(Edit::new(id, track.color.clone(), color.clone()))
        })
    }
}

impl Command for SetTrackOutput {
    type Params = TrackOutput;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_track_output",
            "Route tracks",
            "Routes tracks or buses to a bus or to the master. Loops are refused.",
            Category::Organize,
            Trust::Suggest,
            json!({"targets": "Drum*", "output": "Drum bus"}),
        )
        .says(says_output())
        .offers(Gesture::RouteTrack)
    }

    fn plan(params: TrackOutput, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let output = match params.output.as_str() {
            "master" | "mix" => Output::Master,
            wanted => Output::Bus(find::bus(call.session, wanted)?),
        };
        let name = output_name(call.session, output);
        each_with(
            call,
            &params.targets,
            |what| format!("Route {what} to {name}"),
            |id, track| {
                let change = Change::SetTrackOutput(Edit::new(id, track.output, output));
                let now = output_name(call.session, track.output);
                (change, format!("from {now} to {name}, as asked"))
            },
        )
    }
}

/// An output as people call it.
fn output_name(session: &Session, output: Output) -> String {
    match output {
        Output::Master => "the master".into(),
        Output::Bus(bus) => format!("\"{}\"", session.name_of(bus.into())),
    }
}
