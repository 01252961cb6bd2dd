//! The session itself: selection, library, tempo, meter.

use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds, Slot, TextKind};
use deskhand_session::text::{self, clock, count, subject, trimmed};
use deskhand_session::{
    Change, Edit, Meter, MeterPoint, ObjectId, Selection, Session, TempoPoint, TimeRange,
};
use deskhand_toolkit::about::command;
use deskhand_toolkit::find::{self, frames};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, Gesture, Targets, ToolError, ToolSpec, Trust,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `cmd_set_selection`.
pub(super) struct SetSelection;
/// `cmd_set_current_source`.
pub(super) struct SetCurrentSource;
/// `cmd_remove_source`.
pub(super) struct RemoveSource;
/// `cmd_set_tempo`.
pub(super) struct SetTempo;
/// `cmd_set_meter`.
pub(super) struct SetMeter;

/// The selection.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Selected {
    /// The tracks and clips; omitted: none.
    targets: Option<Targets>,
    /// Start of the selected time, in seconds; omitted with `end_s`: no time.
    #[schemars(range(min = 0.0))]
    start_s: Option<f64>,
    /// End of the selected time, in seconds.
    #[schemars(range(min = 0.0))]
    end_s: Option<f64>,
}

/// Which source, or none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Current {
    /// Id or name of the source; omitted: none.
    source: Option<String>,
}

/// Which source.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// Its id or its name.
    source: String,
}

/// A tempo from a time on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tempo {
    /// Quarter notes per minute.
    #[schemars(range(min = 10.0, max = 999.0))]
    bpm: f64,
    /// Start of the tempo, in seconds; omitted: 0. Later tempo changes stay.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    at_s: f64,
}

/// A meter from a time on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMeter {
    /// Beats per bar.
    #[schemars(range(min = 1, max = 64))]
    numerator: u8,
    /// Note value of a beat: 1, 2, 4, 8, 16 or 32.
    #[schemars(range(min = 1, max = 32))]
    denominator: u8,
    /// Start of the meter, in seconds; omitted: 0. Later meter changes stay.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    at_s: f64,
}

/// A draft of one change of the session; empty if the change has no effect.
fn one(summary: String, name: &str, change: Change) -> Draft {
    if change.is_identity() {
        return Draft::new(format!("{name}: that way already"));
    }
    let mut draft = Draft::new(summary);
    draft.change(change, name.into(), "as asked");
    draft
}

impl Command for SetSelection {
    type Params = Selected;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_selection",
            "Select",
            "Selects tracks, clips and time, and deselects everything else.",
            Category::Navigate,
            Trust::Notify,
            json!({"targets": "Voc*", "start_s": 10.0, "end_s": 20.0}),
        )
        .says([Intent::verbs("deselect")])
        .says([Intent::verbs("select")
            .said("targets", "-", TextKind::PhraseClips)
            .needs("targets")])
        .says([Intent::verbs("select")
            .named("targets", "-", Kinds::Selectable)
            .only_named()
            .lacks("it does not say what to select", "select the drums | select everything")])
        .core()
        .sets()
        .offers(Gesture::Select)
    }

    fn plan(params: Selected, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let objects = params.targets.map(|targets| targets.objects(session)).transpose()?;
        let mut after = Selection {
            range: range(params.start_s, params.end_s, session)?,
            ..Selection::default()
        };
        for object in objects.unwrap_or_default() {
            match object {
                ObjectId::Track(id) => after.tracks.push(id),
                ObjectId::Clip(id) => after.clips.push(id),
                ObjectId::Session(_)
                | ObjectId::Source(_)
                | ObjectId::Marker(_)
                | ObjectId::Group(_)
                | ObjectId::Insert(_)
                | ObjectId::Segment(_)
                | ObjectId::Code(_)
                | ObjectId::Phrase(_) => {}
            }
        }
        let summary = format!("Select {}", selected(session, &after));
        let edit = Edit::new(session.id, session.selection.clone(), after);
        Ok(one(summary, "the selection", Change::SetSelection(edit)))
    }
}

/// The content of a selection, for a summary.
fn selected(session: &Session, selection: &Selection) -> String {
    let clips: Vec<String> =
        selection.clips.iter().map(|id| session.name_of((*id).into())).collect();
    let range = selection.range.map(|range| {
        let [start, end] = [range.start, range.end].map(|at| clock(at, session.rate));
        format!("{start} to {end}")
    });
    let tracks = (!selection.tracks.is_empty()).then(|| text::tracks(session, &selection.tracks));
    let clips = (!clips.is_empty()).then(|| subject(&clips, "clip"));
    let (tracks, clips) = match (tracks, clips) {
        (Some(names), Some(same)) if names == same => alike(session, selection, &names),
        other => other,
    };
    let parts: Vec<String> = [tracks, clips, range].into_iter().flatten().collect();
    if parts.is_empty() {
        return "nothing".into();
    }
    parts.join(" and ")
}

/// Tracks and clips of the same names, so that one knows which is which: "track host" and "its clip".
fn alike(
    session: &Session,
    selection: &Selection,
    names: &str,
) -> (Option<String>, Option<String>) {
    let mut clips = selection.clips.iter().filter_map(|id| session.clips.get(id));
    let are_own = clips.all(|clip| selection.tracks.contains(&clip.track));
    let (tracks, whose, clips) = match selection.tracks.as_slice() {
        [_] => ("track", "its", "clip"),
        _ => ("tracks", "their", "clips"),
    };
    let clips = if are_own { format!("{whose} {clips}") } else { format!("{clips} {names}") };
    (Some(format!("{tracks} {names}")), Some(clips))
}

fn range(
    start: Option<f64>,
    end: Option<f64>,
    session: &Session,
) -> Result<Option<TimeRange>, ToolError> {
    match (start, end) {
        (None, None) => Ok(None),
        (Some(start), Some(end)) if start < end => Ok(Some(TimeRange {
            start: frames(start, session.rate),
            end: frames(end, session.rate),
        })),
        _ => Err(ToolError::prepare(
            Code::BadParams,
            "a selected time has a start and a later end",
            "give both `start_s` and `end_s`, or neither",
        )),
    }
}

impl Command for SetCurrentSource {
    type Params = Current;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_current_source",
            "Choose a source",
            "Chooses the current source of the library, or none.",
            Category::Library,
            Trust::Notify,
            json!({"source": "Interview"}),
        )
        .sets()
        .offers(Gesture::ChooseSource)
    }

    fn plan(params: Current, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let after = params.source.map(|name| find::source(session, &name)).transpose()?;
        let name = after.map_or("no source".into(), |id| session.name_of(id.into()));
        let edit = Edit::new(session.id, session.current_source, after);
        Ok(one(format!("Choose {name}"), &name, Change::SetCurrentSource(edit)))
    }
}

impl Command for RemoveSource {
    type Params = Which;

    fn spec() -> ToolSpec {
        command(
            "cmd_remove_source",
            "Remove a source",
            "Removes an unused source from the library; its file stays.",
            Category::Library,
            Trust::Suggest,
            json!({"source": "Scratch take"}),
        )
        .cuts()
        .offers(Gesture::RemoveSource)
    }

    fn plan(params: Which, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let id = find::source(session, &params.source)?;
        let source = session.sources.get(&id).cloned().map(|source| (source.name.clone(), source));
        let Some((name, source)) = source else {
            return Ok(Draft::new(format!("{id} is gone already")));
        };
        let mut draft = Draft::new(format!("Take \"{name}\" out of the library"));
        if session.current_source == Some(id) {
            let edit = Edit::new(session.id, session.current_source, None);
            draft.change(Change::SetCurrentSource(edit), name.clone(), "it is removed");
        }
        draft.change(Change::RemoveSource(Edit::remove(id, source)), name, "as asked");
        Ok(draft)
    }
}

/// Verbs that change a setting.
const SETS: &str = "set | change | make | put";

fn says_tempo() -> [Intent; 3] {
    let bpm = || Slot::of("bpm").preps("to | at | of | -");
    let tempo = |intent: Intent| {
        let said = intent.about("tempo").slot(bpm().bare(0.0, 10_000.0)).needs("bpm");
        said.lacks("it does not say which tempo", "set the tempo to 96 bpm")
    };
    [
        tempo(Intent::verbs(SETS)),
        tempo(Intent::default()),
        Intent::verbs(SETS).slot(bpm()).needs("bpm").named("mix", "-", Kinds::AllOfMix),
    ]
}

fn says_meter() -> [Intent; 3] {
    let meter = |intent: Intent| {
        let beats = Slot::of("numerator").preps("to | in | at | -").bare(0.0, 1000.0);
        let beat = Slot::of("denominator").preps("-").bare(0.0, 1000.0);
        let said = intent.slot(beats).slot(beat).needs("denominator");
        let examples = "set the meter to 3/4 | set the time signature to 6/8";
        said.lacks("that is no meter", examples)
    };
    [
        meter(Intent::verbs(SETS).about("meter")),
        meter(Intent::verbs("put").named("mix", "-", Kinds::AllOfMix)),
        meter(Intent::default().about("meter")),
    ]
}

impl Command for SetTempo {
    type Params = Tempo;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_tempo",
            "Set the tempo",
            "Sets the tempo from a time on. Clips stay where they are.",
            Category::Navigate,
            Trust::Suggest,
            json!({"bpm": 96.0}),
        )
        .says(says_tempo())
    }

    fn plan(params: Tempo, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let position = frames(params.at_s, session.rate);
        let mut after = session.tempo.clone();
        let later =
            put(&mut after, TempoPoint { position, bpm: params.bpm }, |point| point.position);
        let summary = format!("Set the tempo to {} bpm", trimmed(params.bpm, 3));
        let edit = Edit::new(session.id, session.tempo.clone(), after);
        Ok(with_later(one(summary, "the tempo", Change::SetTempo(edit)), later, "tempo change"))
    }
}

impl Command for SetMeter {
    type Params = NewMeter;

    fn spec() -> ToolSpec {
        command(
            "cmd_set_meter",
            "Set the meter",
            "Sets the meter from a time on. Clips stay where they are.",
            Category::Navigate,
            Trust::Suggest,
            json!({"numerator": 6, "denominator": 8}),
        )
        .says(says_meter())
    }

    fn plan(params: NewMeter, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let session = call.session;
        let NewMeter { numerator, denominator, at_s } = params;
        let position = frames(at_s, session.rate);
        let mut after = session.meter.clone();
        let point = MeterPoint { position, meter: Meter { numerator, denominator } };
        let later = put(&mut after, point, |point| point.position);
        let summary = format!("Set the meter to {numerator}/{denominator}");
        let edit = Edit::new(session.id, session.meter.clone(), after);
        Ok(with_later(one(summary, "the meter", Change::SetMeter(edit)), later, "meter change"))
    }
}

/// Puts a point into a list in the order of time, in place of one at the same time; returns how many
/// come later.
fn put<P>(points: &mut Vec<P>, point: P, position: impl Fn(&P) -> Frames) -> usize {
    let at = position(&point);
    points.retain(|other| position(other) != at);
    let index = points.iter().filter(|other| position(other) < at).count();
    points.insert(index, point);
    points.len() - index - 1
}

fn with_later(mut draft: Draft, later: usize, noun: &str) -> Draft {
    if later > 0 && !draft.changes.is_empty() {
        let stay = if later == 1 { "stays as it is" } else { "stay as they are" };
        let warning = format!("{} later in the session {stay}", count(later, noun));
        draft.warnings.push(warning);
    }
    draft
}
