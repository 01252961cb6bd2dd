//! `tool_detect_onsets`: where notes and hits begin.

use super::features::Features;
use super::listen::{Piece, Turn, features, pieces};
use super::peaks::{Picking, pick, top};
use super::result_list::{Book, Mark, fact, mark, number};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::{count, subject};
use deskhand_session::{ObjectId, Provisional, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_detect_onsets`.
pub(super) struct DetectOnsets;

/// Onset strength that is called an onset, at sensitivity 1 and for each step from there.
const FINEST: f32 = 0.008;
const STEP: f32 = 1.45;
/// How far the strength peaks before its onset, in flux values.
const AHEAD: f64 = 1.0;
/// A recording that begins amid sound has no onset there: one within this time has to be as strong as others.
const BEGINNING_S: f64 = 0.05;
/// What begins within this time of the end is the end.
const CUT_S: f64 = 0.03;
/// The strength it needs where there are no others.
const PLAIN: f32 = 0.3;
/// Most times that an answer lists, over all clips.
const LISTED: usize = 5000;

/// The result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum As {
    /// A marker at each onset.
    Markers,
    /// Only times in the answer.
    #[default]
    Answer,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// 1.0 finds soft onsets too, 10.0 only the strongest.
    #[serde(default = "usual")]
    #[schemars(range(min = 1.0, max = 10.0))]
    sensitivity: f64,
    /// The result; omitted: times in the answer.
    #[serde(default, rename = "as")]
    becomes: As,
}

pub(super) fn usual() -> f64 {
    3.0
}

/// The call against the session.
pub(super) struct Resolved {
    pieces: Vec<Piece>,
    sensitivity: f64,
    becomes: As,
}

/// The onsets of a piece, in frames of its region.
struct Found {
    piece: Piece,
    onsets: Vec<Frames>,
}

impl TypedTool for DetectOnsets {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_detect_onsets",
            "Detect onsets",
            "Finds the starts of notes and hits in clips, and shows them as they are found. The answer is a \
             list of {id, name, count, times_s (from the start of the clip), duration_s, sample_rate}; \
             \"markers\" sets a marker at each. Sensitivity 1.0 finds soft onsets too, 10.0 only the \
             strongest. If cancelled, shown markers stay.",
            Category::Navigate,
            Trust::Notify,
            vec![json!({"targets": "Drums"}), json!({"targets": "Drums", "as": "markers"})],
        )
        .says([
            Intent::verbs("find | ask").about("onset").or_everything().on(Kinds::Sound),
            Intent::verbs("mark | add | put | set | add marker")
                .about("onset | on:onset | at:onset")
                .also("marker | every")
                .sets("as", "markers")
                .or_everything()
                .on(Kinds::Sound),
        ])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let pieces = pieces(session, &params.targets.clips(session)?);
        Ok(Resolved { pieces, sensitivity: params.sensitivity, becomes: params.becomes })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut found: Vec<Found> = Vec::new();
        for (index, piece) in call.pieces.iter().enumerate() {
            let turn = Turn { index, all: call.pieces.len() };
            let mut shown = 0;
            let features = features(context, piece, turn, &mut |heard| {
                let onsets = settled(heard, call.sensitivity);
                let new = show(piece, &onsets[shown.min(onsets.len())..]);
                shown = onsets.len();
                found.push(Found { piece: piece.clone(), onsets });
                let so_far = Frames::from_index(heard.frames);
                context.provisional(&new, &mut || draft(context, &call, &found, Some(so_far)));
                found.pop();
            })?;
            let onsets = frames(&features, &onsets(&features, call.sensitivity));
            found.push(Found { piece: piece.clone(), onsets });
        }
        Ok(draft(context, &call, &found, None))
    }
}

/// Where the onsets lie, in flux values.
pub(super) fn onsets(features: &Features, sensitivity: f64) -> Vec<f64> {
    let above = FINEST * STEP.powf(sensitivity as f32 - 1.0);
    let near = |seconds| features.steps(seconds).max(1);
    let picking = Picking { largest: near(0.03), mean: near(0.1), above, apart: near(0.03) };
    let peaks = pick(&features.flux, picking);
    let mut strengths: Vec<f32> = peaks.iter().map(|n| features.flux[*n]).collect();
    strengths.sort_by(f32::total_cmp);
    let usual = if peaks.len() < 3 { PLAIN } else { 0.5 * strengths[peaks.len() / 2] };
    let beginning = features.steps(BEGINNING_S);
    // Sound that is cut off at the end is heard as a click.
    let end = features.flux.len().saturating_sub(features.steps(CUT_S));
    let is_real = |n: &usize| *n < end && (*n > beginning || features.flux[*n] >= usual);
    let real = peaks.into_iter().filter(is_real);
    real.map(|n| top(&features.flux, n) + AHEAD).collect()
}

/// The frames of onsets within the region.
fn frames(features: &Features, onsets: &[f64]) -> Vec<Frames> {
    let frames = onsets.iter().map(|at| features.frame(*at));
    frames.filter(|frame| frame.index() < features.frames).collect()
}

/// The onsets that further listening does not change any more.
fn settled(heard: &Features, sensitivity: f64) -> Vec<Frames> {
    let end = heard.flux.len() as f64 - heard.steps(0.2) as f64;
    let mut onsets = onsets(heard, sensitivity);
    onsets.retain(|at| *at < end);
    frames(heard, &onsets)
}

fn show(piece: &Piece, onsets: &[Frames]) -> Vec<Provisional> {
    let at = |frame: &Frames| Provisional {
        target: piece.clip.into(),
        position: piece.on_timeline(*frame),
        length: Frames::ZERO,
        label: String::new(),
    };
    onsets.iter().map(at).collect()
}

/// The plan of the findings; `so_far` is how much of the last piece was heard, if not the whole.
fn draft(context: &PlanContext, call: &Resolved, found: &[Found], so_far: Option<Frames>) -> Draft {
    let mut draft = Draft::default();
    let mut ids = context.ids();
    let mut book = Book::new(context);
    let session = &context.session;
    let mut rows = Vec::new();
    let mut left = LISTED;
    for Found { piece, onsets } in found {
        if call.becomes == As::Markers {
            let named = |frame: &Frames| Mark {
                position: piece.on_timeline(*frame),
                length: Frames::ZERO,
                name: "Onset".into(),
            };
            let marks = onsets.iter().map(named).collect();
            mark(session, &mut ids, &mut draft, piece, "onset", marks);
        }
        let seconds = piece.length.seconds(session.rate).0;
        if so_far.is_none() {
            let rate = number(onsets.len() as f64 / seconds.max(0.001), 2, "1/s");
            book.whole(piece, [("onsets", fact(onsets.len())), ("onset_rate", rate)]);
        }
        rows.push(row(session, piece, onsets, &mut left));
    }
    book.write(&mut draft, "onsets were counted");
    let all: usize = found.iter().map(|found| found.onsets.len()).sum();
    let names: Vec<String> = found.iter().map(|found| found.piece.name.clone()).collect();
    draft.summary = format!("{} in {}", count(all, "onset"), subject(&names, "clip"));
    if let (Some(heard), Some(last)) = (so_far, found.last()) {
        draft.summary += &last.piece.as_far_as(session, heard);
    }
    if all > LISTED {
        draft.warnings.push(format!("the answer lists the first {LISTED} of {all} times"));
    }
    draft.answer = Some(Value::Array(rows));
    draft
}

fn row(session: &Session, piece: &Piece, onsets: &[Frames], left: &mut usize) -> Value {
    let seconds = |frame: Frames| find::seconds(frame, session.rate);
    let listed = onsets.len().min(*left);
    *left -= listed;
    let times: Vec<f64> = onsets[..listed].iter().map(|frame| seconds(*frame)).collect();
    json!({
        "id": piece.clip, "name": piece.name, "count": onsets.len(), "times_s": times,
        "duration_s": seconds(piece.length), "sample_rate": session.rate.0,
    })
}
