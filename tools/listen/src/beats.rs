//! `tool_detect_beats`: tempo, beats and downbeats, into the tempo map.

mod harmony;
mod level;
mod map;
mod tempo;
mod track;

pub(super) use tempo::Range;
pub(super) use track::{Beats, beats};

use super::features::Features;
use super::listen::{Piece, Turn, features, pieces};
use super::result_list::{Book, Mark, fact, mark, number, sure};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds, Slot};
use deskhand_session::text::{count, trimmed};
use deskhand_session::{Change, Edit, ObjectId, Provisional, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Code, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_detect_beats`.
pub(super) struct DetectBeats;

/// Most beats that an answer lists.
const LISTED: usize = 2000;

/// The result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum As {
    /// The session's tempo map: the grid follows the recording.
    #[default]
    Tempo,
    /// A marker at each beat.
    Markers,
    /// Only times in the answer.
    Answer,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips; for the tempo map one clip, which sets the beat.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// The result; omitted: the tempo map.
    #[serde(default, rename = "as")]
    becomes: As,
    /// Beats per bar; omitted: 4 or 3, as detected.
    #[schemars(range(min = 1, max = 16))]
    meter: Option<usize>,
    /// The slowest possible tempo, in beats per minute.
    #[serde(default = "slow")]
    #[schemars(range(min = 20.0, max = 300.0))]
    min_bpm: f64,
    /// The fastest possible tempo, in beats per minute.
    #[serde(default = "fast")]
    #[schemars(range(min = 30.0, max = 400.0))]
    max_bpm: f64,
}

fn slow() -> f64 {
    50.0
}

fn fast() -> f64 {
    215.0
}

/// The range that is usual.
#[cfg(test)]
pub(super) fn usual() -> Range {
    Range { low: slow(), high: fast() }
}

/// The call against the session.
pub(super) struct Resolved {
    pieces: Vec<Piece>,
    becomes: As,
    meter: usize,
    range: Range,
}

/// The beats of a piece on the timeline.
struct Found {
    piece: Piece,
    beats: Beats,
    at: Vec<Frames>,
    bpm: Option<f64>,
}

/// How people ask for it.
fn says() -> [Intent; 7] {
    [
        Intent::verbs("how fast").also("is").only_named().on(Kinds::Sound),
        Intent::verbs("ask | which | list")
            .about("tempo")
            .also("is | have")
            .only_named()
            .on(Kinds::Sound),
        Intent::default().about("tempo").only_named().named("targets", "of", Kinds::Sound),
        Intent::verbs("ask").about("beat").sets("as", "answer").or_everything().on(Kinds::Sound),
        Intent::verbs("find")
            .about("beat")
            .slot(Slot::of("min_bpm").preps("above"))
            .slot(Slot::of("max_bpm").preps("below | at most"))
            .or_everything()
            .on(Kinds::Sound),
        Intent::verbs("set | get | find").about("tempo").only_named().named(
            "targets",
            "from | of | on",
            Kinds::Sound,
        ),
        Intent::verbs("mark | add")
            .about("beat")
            .also("marker | every")
            .sets("as", "markers")
            .or_everything()
            .on(Kinds::Sound),
    ]
}

impl TypedTool for DetectBeats {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_detect_beats",
            "Detect beats",
            "Finds tempo, beats and downbeats of a clip and, by default, sets the session's tempo map, so that \
             bars and beats follow the recording; a drifting tempo gets several tempo changes. Clips stay \
             where they are. The answer is a list of {id, name, bpm, or_bpm (another possible tempo: set \
             min_bpm or max_bpm to get it), meter, meter_confidence, count, beats_s and downbeats_s (on the \
             timeline), duration_s, sample_rate}.",
            Category::Navigate,
            Trust::Suggest,
            vec![json!({"targets": "Drums"}), json!({"targets": "Drums", "as": "answer"})],
        )
        .says(says())
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let Params { targets, becomes, meter, min_bpm, max_bpm } = params;
        let pieces = pieces(session, &targets.clips(session)?);
        if becomes == As::Tempo && pieces.len() > 1 {
            let message = format!("a tempo map follows one clip, not {}", pieces.len());
            let fix = "name the clip that gives the beat, or ask for markers or an answer";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        if max_bpm < min_bpm * 1.2 {
            let message =
                format!("between {min_bpm} and {max_bpm} bpm there is no room for a tempo");
            let fix = "give a max_bpm that is at least 1.2 times min_bpm";
            return Err(ToolError::prepare(Code::BadParams, message, fix));
        }
        let range = Range { low: min_bpm, high: max_bpm };
        Ok(Resolved { pieces, becomes, meter: meter.unwrap_or(0), range })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn trust(call: &Resolved) -> Option<Trust> {
        // A tempo map for the whole session waits for a person; an answer or marks do not.
        (call.becomes != As::Tempo).then_some(Trust::Notify)
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut found = Vec::new();
        for (index, piece) in call.pieces.iter().enumerate() {
            let turn = Turn { index, all: call.pieces.len() };
            let features = features(context, piece, turn, &mut |_| ())?;
            let one = find(piece, &features, &call);
            found.push(one);
            let shown = show(&found[index]);
            context.provisional(&shown, &mut || draft(context, &call, &found));
        }
        Ok(draft(context, &call, &found))
    }
}

fn find(piece: &Piece, features: &Features, call: &Resolved) -> Found {
    let beats = beats(features, call.range, call.meter);
    let on_timeline = |at: &f64| piece.on_timeline(features.frame(*at));
    let at = beats.at.iter().map(on_timeline).collect();
    Found { piece: piece.clone(), bpm: beats.bpm(features.step_s()), beats, at }
}

fn show(found: &Found) -> Vec<Provisional> {
    let at = |(n, position): (usize, &Frames)| Provisional {
        target: found.piece.clip.into(),
        position: *position,
        length: Frames::ZERO,
        label: if found.beats.is_down(n) { "1".into() } else { String::new() },
    };
    found.at.iter().enumerate().map(at).collect()
}

fn draft(context: &PlanContext, call: &Resolved, found: &[Found]) -> Draft {
    let session = &context.session;
    let (mut draft, mut ids, mut book) = (Draft::default(), context.ids(), Book::new(context));
    let mut said = Vec::new();
    for one in found {
        match call.becomes {
            As::Tempo => map_to(session, &mut draft, one),
            As::Markers => {
                let marks = marks(one);
                mark(session, &mut ids, &mut draft, &one.piece, "beat", marks);
            }
            As::Answer => {}
        }
        if let Some(bpm) = one.bpm {
            let meter = sure(fact(one.beats.meter), one.beats.sure);
            book.whole(&one.piece, [("tempo", number(bpm, 2, "bpm")), ("beats_in_a_bar", meter)]);
        }
        said.push(words(one));
    }
    book.write(&mut draft, "tempo and meter were found");
    draft.summary = said.join("; ");
    draft.answer = Some(found.iter().map(|one| row(session, one)).collect());
    draft
}

impl Found {
    /// The tempo that one may count as well.
    fn or_bpm(&self) -> Option<f64> {
        Some(self.bpm? * self.beats.or?)
    }
}

fn words(found: &Found) -> String {
    let name = &found.piece.name;
    match found.bpm {
        Some(bpm) => {
            let beats = count(found.at.len(), "beat");
            let or = found.or_bpm().map_or(String::new(), |or| format!(" (or {})", trimmed(or, 1)));
            format!("\"{name}\" has {} bpm{or}, {beats}", trimmed(bpm, 1))
        }
        None => format!("\"{name}\" has no beat"),
    }
}

/// The map that follows the beats from the first downbeat on.
fn map_to(session: &Session, draft: &mut Draft, found: &Found) {
    let Some(downbeat) = found.at.get(found.beats.first).copied() else { return };
    let Some(tempo) = map::tempo(downbeat, &found.at[found.beats.first..], session.rate) else {
        return;
    };
    let ahead = map::beats_ahead(&tempo, session.rate);
    let meter = map::meter(downbeat, ahead, found.beats.meter);
    let reason = format!("beats of \"{}\"", found.piece.name);
    let tempo = Edit::new(session.id, session.tempo.clone(), tempo);
    if tempo.before != tempo.after {
        draft.change(Change::SetTempo(tempo), "the tempo".into(), &reason);
    }
    let meter = Edit::new(session.id, session.meter.clone(), meter);
    if meter.before != meter.after {
        draft.change(Change::SetMeter(meter), "the meter".into(), &reason);
    }
    if let (Some(bpm), Some(or)) = (found.bpm, found.or_bpm()) {
        let (key, limit) = if or > bpm { ("min_bpm", bpm * 1.2) } else { ("max_bpm", bpm / 1.2) };
        draft.warnings.push(format!(
            "one may count {} bpm as well: to have it so, call it with {key}={limit:.0}",
            trimmed(or, 1)
        ));
    }
    if found.beats.sure < 0.15 {
        draft.warnings.push("which beat begins a bar is not plain: look at the first one".into());
    }
}

fn marks(found: &Found) -> Vec<Mark> {
    let named = |(n, position): (usize, &Frames)| {
        let name = if found.beats.is_down(n) { "Downbeat" } else { "Beat" };
        Mark { position: *position, length: Frames::ZERO, name: name.into() }
    };
    found.at.iter().enumerate().map(named).collect()
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn row(session: &Session, found: &Found) -> Value {
    let seconds = |frame: &Frames| find::seconds(*frame, session.rate);
    let listed = found.at.iter().take(LISTED);
    let down = found.at.iter().enumerate().filter(|(n, _)| found.beats.is_down(*n));
    json!({
        "id": found.piece.clip, "name": found.piece.name,
        "bpm": found.bpm.map(rounded),
        "or_bpm": found.or_bpm().map(rounded),
        "meter": found.beats.meter,
        "meter_confidence": rounded(found.beats.sure),
        "count": found.at.len(),
        "beats_s": listed.map(seconds).collect::<Vec<_>>(),
        "downbeats_s": down.map(|(_, at)| seconds(at)).take(LISTED).collect::<Vec<_>>(),
        "duration_s": seconds(&found.piece.length),
        "sample_rate": session.rate.0,
    })
}
