//! `tool_set_importance`: marks a segment as important, or not.

use deskhand_dsp::Frames;
use deskhand_session::intent::{Intent, Slot, TextKind};
use deskhand_session::text::count;
use deskhand_session::{Change, Clip, Edit, ObjectId, Segment, SegmentId, Session};
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::find::frames;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_set_importance`.
pub(super) struct SetImportance;

/// Which segments, and how important they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Importance {
    /// The id of a segment. Or give `from_s` and `to_s`.
    segment_id: Option<String>,
    /// Start on the timeline, in seconds: all segments that are heard from here to `to_s`.
    #[schemars(range(min = 0.0))]
    from_s: Option<f64>,
    /// End on the timeline, in seconds.
    #[schemars(range(min = 0.0))]
    to_s: Option<f64>,
    /// 1: important; 0: not.
    #[schemars(range(min = 0, max = 1))]
    importance: u8,
}

fn says() -> [Intent; 5] {
    let segments =
        |intent: Intent| intent.said("segment_id", "-", TextKind::Segments).needs("segment_id");
    let told = |intent: Intent| {
        let intent =
            intent.flag("important", "importance", 1).flag("not important", "importance", 0);
        intent.needs("importance")
    };
    let place = |param: &str, preps: &str| Slot::place(param).preps(preps);
    let times = told(Intent::verbs("mark | star").also("part"))
        .slot(place("from_s", "from | between | -"))
        .slot(place("to_s", "to | until | -"));
    [
        segments(told(Intent::verbs("mark | star | make"))),
        segments(told(Intent::default().about("is"))),
        times.needs("from_s").needs("to_s"),
        segments(Intent::verbs("star").sets("importance", 1)),
        segments(Intent::verbs("unstar").sets("importance", 0)),
    ]
}

impl TypedTool for SetImportance {
    type Params = Importance;
    type Resolved = (Vec<SegmentId>, bool);

    fn spec() -> ToolSpec {
        tool(
            "tool_set_importance",
            "Mark as important",
            "Marks a segment, or all that is said in a time, as important (1), or removes the mark (0). Returns \
             {success}.",
            Category::Organize,
            Trust::Notify,
            vec![json!({"segment_id": "seg_0123456789ab", "importance": 1})],
        )
        .sets()
        .command("codes important", "Mark a segment as important, or remove the mark")
        .arg("SEGMENT", "segment_id", "A seg_… id")
        .flag("--off", "importance", 0, "Remove the mark")
        .or(1)
        .offers(Gesture::SetImportance)
        .says(says())
        .limit(COMMAND_LIMIT)
    }

    fn resolve(params: Importance, session: &Session) -> Result<Self::Resolved, ToolError> {
        let ids = match (&params.segment_id, params.from_s, params.to_s) {
            (Some(id), None, None) => vec![segment(session, id)?],
            (None, Some(from), Some(to)) if from < to => heard(session, from, to)?,
            _ => {
                let fix = "give `segment_id`, or `from_s` and a later `to_s`";
                return Err(ToolError::prepare(Code::BadParams, "it does not say what", fix));
            }
        };
        Ok((ids, params.importance == 1))
    }

    fn targets(_: &Self::Resolved) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run((ids, after): Self::Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let what = if after { "important" } else { "not important" };
        let mut draft = Draft::default();
        let mut last = String::new();
        for id in &ids {
            let Some(segment) = session.segments.get(id) else { continue };
            last = super::quote::of(session, segment);
            let change = Change::SetImportance(Edit::new(*id, segment.important, after));
            if !change.is_identity() {
                draft.change(change, last.clone(), "as asked");
            }
        }
        let told = match ids.len() {
            1 => format!("\"{last}\""),
            many => count(many, "segment"),
        };
        draft.summary = match (draft.changes.is_empty(), ids.len()) {
            (true, 1) => format!("{told} is {what} already"),
            (true, _) => format!("{told} are {what} already"),
            (false, _) => format!("Mark {told} as {what}"),
        };
        draft.answer = Some(json!({"success": true}));
        Ok(draft)
    }
}

/// The segments that are heard between two times of the timeline.
fn heard(session: &Session, from: f64, to: f64) -> Result<Vec<SegmentId>, ToolError> {
    let (from, to) = (frames(from, session.rate), frames(to, session.rate));
    let clips: Vec<&Clip> =
        session.clips.values().filter(|clip| session.is_clip_audible(clip)).collect();
    let plays = |clip: &Clip, segment: &Segment| {
        let at = |frame: Frames| clip.position + (frame - clip.start);
        let start = segment.start.max(clip.start);
        let end = segment.end().min(clip.start + clip.length);
        segment.source == clip.source && start < end && at(start) < to && from < at(end)
    };
    let is_heard = |segment: &Segment| {
        !segment.words.is_empty() && clips.iter().any(|clip| plays(clip, segment))
    };
    let found = session.segments.iter().filter(|(_, segment)| is_heard(segment));
    let found: Vec<SegmentId> = found.map(|(id, _)| *id).collect();
    if found.is_empty() {
        let (message, fix) = ("no words are known there", "transcribe it first: tool_transcribe");
        return Err(ToolError::prepare(Code::NoTarget, message, fix));
    }
    Ok(found)
}

/// The segment with that id.
///
/// # Errors
/// When it is no id, or there is no such segment.
pub(super) fn segment(session: &Session, wanted: &str) -> Result<SegmentId, ToolError> {
    let none = |message: String| {
        ToolError::prepare(Code::NoTarget, message, "tool_report_codes lists those that are coded")
    };
    let id: SegmentId = wanted.parse().map_err(|error| none(format!("{error}")))?;
    match session.segments.contains_key(&id) {
        true => Ok(id),
        false => Err(none("that segment does not exist".into())),
    }
}
