//! `tool_restore_segments`: phrases and takes back into the assembly.

use super::says::restore as says;
use super::state;
use super::steps::{Resolved, told};
use super::timeline::anchor;
use deskhand_edit::assembly::block;
use deskhand_session::{Assembly, ObjectId, PhraseId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, Offers, PlanContext, Reads, ToolError, ToolSpec, Trust,
    TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// `tool_restore_segments`.
pub(super) struct Restore;

/// What is restored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The phrases (`phr_…`); omitted: all that were removed.
    #[serde(default)]
    group_ids: Vec<String>,
}

impl Params {
    fn restored(&self, session: &Session, assembly: &Assembly) -> Result<Vec<PhraseId>, ToolError> {
        if !self.group_ids.is_empty() {
            return Ok(state::named(session, &self.group_ids)?);
        }
        let removed = assembly.removed.clone();
        let fix = "see tool_list_phrases for what plays";
        let nothing = || ToolError::prepare(Code::NoTarget, "no phrase was removed", fix);
        Some(removed).filter(|ids| !ids.is_empty()).ok_or_else(nothing)
    }
}

impl TypedTool for Restore {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_restore_segments",
            "Restore phrases",
            "Restores removed phrases or unused takes at their markers.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"group_ids": ["phr_0123456789ab"]}), json!({})],
        )
        .says(says())
        .command("assemble restore", "Restore removed phrases")
        .reads(Reads::Phrases, "PHRASE...", "group_ids", "")
        .offers(
            Offers::used("\"Removed\" on the page Assembly of Words").by(Gesture::RestorePhrases),
        )
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let ids = params.restored(session, &before)?;
        let summary = format!("Restore {}", told(session, &ids));
        let now = block::standing(session);
        let standing: BTreeSet<PhraseId> = now.iter().map(|placed| placed.block.phrase).collect();
        let mut back: Vec<_> = ids.iter().map(|id| (anchor(session, &now, *id), *id)).collect();
        back.sort_by_key(|(at, id)| (*at, session.spoken(*id).map(|spoken| spoken.start)));
        let ahead = |at: usize| now.get(at).map(|placed| placed.block.phrase);
        let back: Vec<_> = back.into_iter().map(|(at, id)| (id, ahead(at))).collect();
        let all_play = ids.iter().all(|id| before.order.contains(id));
        let after = if all_play { before } else { state::with(&before, &back) };
        let step = Resolved::new(session, after, summary, "plays again, or makes room");
        let mut step = step.each(session, &ids);
        // Phrases that play but lost their clips are rebuilt as well.
        step.build.extend(ids.into_iter().filter(|id| !standing.contains(id)));
        Ok(step)
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}
