//! `tool_classify_content`: what a recording is made of, region by region.

mod content;
mod voice_context;

pub(super) use content::{Content, Stretch, stretches};

use super::features::{BLOCK, Features};
use super::listen::{Piece, Turn, features, pieces};
use super::result_list::{Book, fact, sure};
use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{ObjectId, Provisional, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::find;
use deskhand_toolkit::{
    Category, Draft, PlanContext, Targets, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `tool_classify_content`.
pub(super) struct ClassifyContent;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The clips.
    #[serde(default = "Targets::heard")]
    targets: Targets,
}

/// The stretches of a piece, in frames of its region.
struct Found {
    piece: Piece,
    stretches: Vec<(Frames, Frames, Stretch)>,
}

impl TypedTool for ClassifyContent {
    type Params = Params;
    type Resolved = Vec<Piece>;

    fn spec() -> ToolSpec {
        tool(
            "tool_classify_content",
            "Classify content",
            "Classifies the content of clips, region by region: speech, singing, music, drums, noise or \
             silence, each with a confidence and, if unsure, the second guess. The answer is a list of {id, \
             name, mostly, regions: [{content, start_s, end_s, confidence, unsure, or}]}; times are on the \
             timeline. Kept as segments of the sources.",
            Category::Organize,
            Trust::Notify,
            vec![json!({"targets": "all"})],
        )
        .says([Intent::verbs("classify").also("content").or_everything().on(Kinds::Sound)])
        .says([
            Intent::verbs("is it").about("speech or music").on(Kinds::Sound),
            Intent::verbs("what it is").or_the_whole().on(Kinds::Sound),
        ])
    }

    fn resolve(params: Params, session: &Session) -> Result<Vec<Piece>, ToolError> {
        Ok(pieces(session, &params.targets.clips(session)?))
    }

    fn targets(pieces: &Vec<Piece>) -> Vec<ObjectId> {
        pieces.iter().map(|piece| piece.clip.into()).collect()
    }

    fn run(pieces: Vec<Piece>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut found: Vec<Found> = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            let turn = Turn { index, all: pieces.len() };
            let mut shown = 0;
            let features = features(context, piece, turn, &mut |heard| {
                let one = find(piece, heard);
                let settled = one.stretches.len().saturating_sub(1);
                let new = show(&one, shown.min(settled)..settled);
                shown = settled;
                found.push(one);
                let so_far = Frames::from_index(heard.frames);
                context.provisional(&new, &mut || draft(context, &found, Some(so_far)));
                found.pop();
            })?;
            found.push(find(piece, &features));
        }
        Ok(draft(context, &found, None))
    }
}

fn find(piece: &Piece, features: &Features) -> Found {
    let edge = |block: usize| features.frame((block * BLOCK) as f64);
    let end = Frames::from_index(features.frames);
    let last = features.blocks.len();
    let found = stretches(features).into_iter().filter_map(|stretch| {
        let start = edge(stretch.blocks.start);
        let stop = if stretch.blocks.end == last { end } else { edge(stretch.blocks.end).min(end) };
        (stop > start).then_some((start, stop - start, stretch))
    });
    Found { piece: piece.clone(), stretches: found.collect() }
}

fn show(found: &Found, range: std::ops::Range<usize>) -> Vec<Provisional> {
    let one = |(start, length, stretch): &(Frames, Frames, Stretch)| Provisional {
        target: found.piece.clip.into(),
        position: found.piece.on_timeline(*start),
        length: *length,
        label: stretch.content.word().into(),
    };
    found.stretches[range].iter().map(one).collect()
}

fn draft(context: &PlanContext, found: &[Found], so_far: Option<Frames>) -> Draft {
    let session = &context.session;
    let (mut draft, mut book) = (Draft::default(), Book::new(context));
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    for one in found {
        for (start, length, stretch) in &one.stretches {
            let content = sure(fact(stretch.content.word()), stretch.confidence);
            let mut facts = vec![("content", content)];
            if stretch.is_unsure() {
                facts.push(("content_or", fact(stretch.or.word())));
            }
            book.part(&one.piece, *start, *length, facts);
        }
        rows.push(row(session, one));
        said.push(words(one));
    }
    for one in found.iter().filter(|_| so_far.is_none()) {
        book.replace(&mut draft, &one.piece, "found before, and not now");
    }
    book.write(&mut draft, "what sounds was classified");
    draft.summary = said.join("; ");
    if let (Some(heard), Some(last)) = (so_far, found.last()) {
        draft.summary += &last.piece.as_far_as(session, heard);
    }
    draft.answer = Some(Value::Array(rows));
    draft
}

/// The kind that takes most of the time that is not silent.
pub(super) fn mostly(lengths: impl Iterator<Item = (Content, i64)>) -> Content {
    let mut sums = std::collections::BTreeMap::new();
    for (content, length) in lengths {
        *sums.entry(content).or_insert(0) += if content == Content::Silence { 0 } else { length };
    }
    let most = sums.into_iter().filter(|(_, sum)| *sum > 0).max_by_key(|(_, sum)| *sum);
    most.map_or(Content::Silence, |(content, _)| content)
}

fn kind(found: &Found) -> Content {
    mostly(found.stretches.iter().map(|(_, length, stretch)| (stretch.content, length.0)))
}

fn words(found: &Found) -> String {
    let unsure = found.stretches.iter().filter(|(_, _, stretch)| stretch.is_unsure()).count();
    let doubt = match unsure {
        0 => String::new(),
        count => format!(" (unsure of {count} of {} regions)", found.stretches.len()),
    };
    format!("\"{}\" is mostly {}{doubt}", found.piece.name, kind(found).word())
}

fn row(session: &Session, found: &Found) -> Value {
    let seconds = |frame: Frames| find::seconds(found.piece.on_timeline(frame), session.rate);
    let region = |(start, length, stretch): &(Frames, Frames, Stretch)| {
        json!({
            "content": stretch.content.word(), "start_s": seconds(*start),
            "end_s": seconds(*start + *length),
            "confidence": (stretch.confidence * 100.0).round() / 100.0,
            "unsure": stretch.is_unsure(),
            "or": stretch.is_unsure().then(|| stretch.or.word()),
        })
    };
    let regions: Vec<Value> = found.stretches.iter().map(region).collect();
    json!({
        "id": found.piece.clip, "name": found.piece.name,
        "mostly": kind(found).word(), "regions": regions,
    })
}
