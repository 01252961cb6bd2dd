//! `tool_detect_segments`: the parts of a recording, as markers or as clips.

mod novelty;
mod parts;

pub(super) use parts::{Part, parts};

use super::listen::{Piece, Turn, features, pieces};
use super::result_list::{Book, Mark, fact, mark, sure};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::text::{count, subject};
use deskhand_session::{Change, ClipId, Edit, ObjectId, Provisional, Session, SplitState};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::growing_draft::Sketch;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_detect_segments`.
pub(super) struct DetectSegments;

/// The result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum As {
    /// A marker over each part.
    #[default]
    Markers,
    /// A clip per part: the clip is split.
    Clips,
    /// Only a description in the answer.
    Answer,
}

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
    /// 1.0 finds parts of a few seconds, 10.0 only the largest.
    #[serde(default = "super::onsets::usual")]
    #[schemars(range(min = 1.0, max = 10.0))]
    sensitivity: f64,
    /// The result; omitted: markers.
    #[serde(default, rename = "as")]
    becomes: As,
}

/// The call against the session.
pub(super) struct Resolved {
    pieces: Vec<Piece>,
    sensitivity: f64,
    becomes: As,
}

/// The parts of a piece.
struct Found {
    piece: Piece,
    parts: Vec<Part>,
}

impl TypedTool for DetectSegments {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_detect_segments",
            "Detect segments",
            "Finds the parts of recordings, where timbre, harmony or level change for good. Similar parts \
             share a letter (A, B, A). Sensitivity 1.0 is fine, 10.0 coarse. \"markers\" are set at once; \
             \"clips\" splits the clips once a person agrees. The answer is {count, ids, duration_s, \
             sample_rate, clips: [{id, name, parts: [{id, label, start_s, end_s, confidence}]}]}; times are on \
             the timeline. If cancelled, shown markers stay.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({"targets": "Song"}),
                json!({"targets": "Interview", "sensitivity": 6, "as": "clips"}),
            ],
        )
        .says([
            Intent::verbs("ask")
                .about("part")
                .sets("as", "answer")
                .or_everything()
                .on(Kinds::Sound),
            Intent::verbs("find").about("part").or_everything().on(Kinds::Sound),
            Intent::verbs("mark | add")
                .about("part")
                .also("marker")
                .sets("as", "markers")
                .or_everything()
                .on(Kinds::Sound),
            Intent::verbs("split").about("part | to:part").sets("as", "clips").or_everything().on(Kinds::Sound),
        ])
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let pieces = pieces(session, &params.targets.clips(session)?);
        Ok(Resolved { pieces, sensitivity: params.sensitivity, becomes: params.becomes })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn trust(call: &Resolved) -> Option<Trust> {
        (call.becomes != As::Clips).then_some(Trust::Notify)
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut found: Vec<Found> = Vec::new();
        for (index, piece) in call.pieces.iter().enumerate() {
            let turn = Turn { index, all: call.pieces.len() };
            let mut shown = Frames::ZERO;
            let features = features(context, piece, turn, &mut |heard| {
                let parts = parts(heard, call.sensitivity, &mut || true);
                let new = new(piece, &parts, &mut shown);
                found.push(Found { piece: piece.clone(), parts });
                let so_far = Frames::from_index(heard.frames);
                context.provisional(&new, &mut || {
                    draft(context, &call, &found, Some(so_far)).unwrap_or_default()
                });
                found.pop();
            })?;
            let parts = parts(&features, call.sensitivity, &mut || context.check().is_ok());
            context.check()?;
            found.push(Found { piece: piece.clone(), parts });
        }
        draft(context, &call, &found, None)
    }
}

/// New parts since the last call. The last part is left out, because it may still grow.
fn new(piece: &Piece, parts: &[Part], shown: &mut Frames) -> Vec<Provisional> {
    let whole = &parts[..parts.len().saturating_sub(1)];
    let new = whole.iter().filter(|part| part.start >= *shown);
    let new: Vec<Provisional> = new
        .map(|part| Provisional {
            target: piece.clip.into(),
            position: piece.on_timeline(part.start),
            length: part.length,
            label: part.label.clone(),
        })
        .collect();
    if let Some(last) = whole.last() {
        *shown = (*shown).max(last.start + part_step(last));
    }
    new
}

fn part_step(part: &Part) -> Frames {
    Frames(part.length.0 / 2)
}

/// The plan of the findings; `so_far` is how much of the last piece was heard, if not the whole.
fn draft(
    context: &PlanContext,
    call: &Resolved,
    found: &[Found],
    so_far: Option<Frames>,
) -> Result<Draft, ToolError> {
    let session = &context.session;
    let (mut ids, mut book) = (context.ids(), Book::new(context));
    let mut sketch = Sketch::new(session, "");
    let (mut rows, mut all_ids) = (Vec::new(), Vec::new());
    for Found { piece, parts } in found {
        let made: Vec<ObjectId> = match call.becomes {
            As::Markers => {
                let marks = parts.iter().map(|part| marked(piece, part)).collect();
                let set = mark(session, &mut ids, &mut sketch.draft, piece, "part", marks);
                set.into_iter().map(Into::into).collect()
            }
            As::Answer => vec![piece.clip.into(); parts.len()],
            As::Clips => {
                split(&mut sketch, &mut ids, piece, parts)?.into_iter().map(Into::into).collect()
            }
        };
        for part in parts {
            let label = sure(fact(part.label.as_str()), part.confidence);
            book.part(piece, part.start, part.length, [("part", label)]);
        }
        rows.push(row(session, piece, parts, &made));
        all_ids.extend(made);
    }
    let mut draft = sketch.draft;
    for Found { piece, .. } in found.iter().filter(|_| so_far.is_none()) {
        book.replace(&mut draft, piece, "found before, and not now");
    }
    book.write(&mut draft, "a part of the recording");
    let names: Vec<String> = found.iter().map(|found| found.piece.name.clone()).collect();
    draft.summary = format!("{} in {}", count(all_ids.len(), "part"), subject(&names, "clip"));
    if let (Some(heard), Some(last)) = (so_far, found.last()) {
        draft.summary += &last.piece.as_far_as(session, heard);
    }
    let length = found.iter().fold(Frames::ZERO, |sum, found| sum + found.piece.length);
    draft.answer = Some(json!({
        "count": all_ids.len(), "ids": all_ids, "duration_s": find::seconds(length, session.rate),
        "sample_rate": session.rate.0, "clips": rows,
    }));
    Ok(draft)
}

fn marked(piece: &Piece, part: &Part) -> Mark {
    let position = piece.on_timeline(part.start);
    Mark { position, length: part.length, name: part.label.clone() }
}

/// Splits the clip where parts begin; gives the clip of each part.
fn split(
    sketch: &mut Sketch,
    ids: &mut deskhand_session::IdSeed,
    piece: &Piece,
    parts: &[Part],
) -> Result<Vec<ClipId>, ToolError> {
    let mut clips = vec![piece.clip];
    let mut needs: Vec<String> = Vec::new();
    for part in parts.iter().skip(1) {
        let whole = clips[clips.len() - 1];
        let Some(clip) = sketch.session.clips.get(&whole).cloned() else { break };
        let right_id = ClipId::new(ids.next_bits());
        let at = piece.on_timeline(part.start) - clip.position;
        let halves = SplitState::parts(&clip, right_id, at);
        let change =
            Change::SplitClip(Edit::new(whole, SplitState::Whole { clip, right_id }, halves));
        needs = sketch.add([change], &format!("part {} begins", part.label), &needs)?;
        clips.push(right_id);
    }
    Ok(clips)
}

fn row(session: &Session, piece: &Piece, parts: &[Part], made: &[ObjectId]) -> Value {
    let seconds = |frame: Frames| find::seconds(frame, session.rate);
    let part = |(part, id): (&Part, &ObjectId)| {
        let start = piece.on_timeline(part.start);
        json!({
            "id": id, "label": part.label, "start_s": seconds(start),
            "end_s": seconds(start + part.length),
            "confidence": (part.confidence * 100.0).round() / 100.0,
        })
    };
    let parts: Vec<Value> = parts.iter().zip(made).map(part).collect();
    json!({ "id": piece.clip, "name": piece.name, "parts": parts })
}
