//! `tool_remove_segments`: phrases out of the assembly.

use super::state;
use super::steps::{Phrases, Resolved, told};
use deskhand_edit::assembly::order;
use deskhand_session::intent::{Intent, Kinds};
use deskhand_session::{ObjectId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Draft, Gesture, PlanContext, Reads, ToolError, ToolSpec, Trust, TypedTool,
};
use serde_json::json;

/// `tool_remove_segments`.
pub(super) struct Remove;

impl TypedTool for Remove {
    type Params = Phrases;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_remove_segments",
            "Remove phrases",
            "Removes phrases from the assembly and closes the gap. A marker keeps their text; \
             tool_restore_segments restores them. The recordings stay.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"group_ids": ["phr_0123456789ab"]})],
        )
        .says([Intent::verbs("remove")
            .also("clip")
            .named("group_ids", "-", Kinds::Phrases)
            .only_named()])
        .cuts()
        .command("assemble remove", "Remove phrases")
        .reads(Reads::Phrases, "PHRASE...", "group_ids", "")
        .offers(Gesture::RemovePhrases)
    }

    fn resolve(params: Phrases, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let ids = state::named(session, &params.group_ids)?;
        let summary = format!("Remove {}", told(session, &ids));
        let after = match ids.iter().all(|id| before.removed.contains(id)) {
            true => before,
            false => order::without(&before, &ids),
        };
        let step = Resolved::new(session, after, summary, "was taken out, or moves up");
        Ok(step.each(session, &ids))
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}
