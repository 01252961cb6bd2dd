//! `tool_set_importance`: marks a segment as important, or not.

use deskhand_session::intent::{Intent, TextKind};
use deskhand_session::{Change, Edit, ObjectId, SegmentId, Session};
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_set_importance`.
pub(super) struct SetImportance;

/// Which segment, and how important it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Importance {
    /// The id of a segment.
    segment_id: String,
    /// 1: important; 0: not.
    #[schemars(range(min = 0, max = 1))]
    importance: u8,
}

fn says() -> [Intent; 4] {
    let segments =
        |intent: Intent| intent.said("segment_id", "-", TextKind::Segments).needs("segment_id");
    let told = |intent: Intent| {
        let intent =
            intent.flag("important", "importance", 1).flag("not important", "importance", 0);
        segments(intent.needs("importance"))
    };
    [
        told(Intent::verbs("mark | star | make")),
        told(Intent::default().about("is")),
        segments(Intent::verbs("star").sets("importance", 1)),
        segments(Intent::verbs("unstar").sets("importance", 0)),
    ]
}

impl TypedTool for SetImportance {
    type Params = Importance;
    type Resolved = (SegmentId, bool);

    fn spec() -> ToolSpec {
        tool(
            "tool_set_importance",
            "Mark as important",
            "Marks a segment as important (1), or removes the mark (0). Returns {success}.",
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

    fn resolve(params: Importance, session: &Session) -> Result<(SegmentId, bool), ToolError> {
        let id = segment(session, &params.segment_id)?;
        Ok((id, params.importance == 1))
    }

    fn targets(_: &(SegmentId, bool)) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run((id, after): (SegmentId, bool), context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let segment = session.segments.get(&id);
        let before = segment.is_some_and(|segment| segment.important);
        let name = segment.map(|segment| super::quote::of(session, segment)).unwrap_or_default();
        let what = if after { "important" } else { "not important" };
        let change = Change::SetImportance(Edit::new(id, before, after));
        let mut draft = if change.is_identity() {
            Draft::new(format!("\"{name}\" is {what} already"))
        } else {
            let mut draft = Draft::new(format!("Mark \"{name}\" as {what}"));
            draft.change(change, name, "as asked");
            draft
        };
        draft.answer = Some(json!({"success": true}));
        Ok(draft)
    }
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
