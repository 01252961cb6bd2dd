//! `tool_remove_segments`: phrases out of the assembly.

use super::says::remove as says;
use super::state;
use super::steps::{Resolved, told};
use deskhand_edit::assembly::order;
use deskhand_session::{Assembly, ObjectId, PhraseId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, Reads, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_remove_segments`.
pub(super) struct Remove;

/// What is removed, or kept.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The phrases (`phr_…`).
    #[serde(default)]
    group_ids: Vec<String>,
    /// All phrases of this speaker.
    speaker: Option<String>,
    /// All phrases that play before this one.
    before: Option<String>,
    /// All phrases that play after this one; with `before`, those between the two.
    after: Option<String>,
    /// Whether to keep these and to remove all others.
    #[serde(default)]
    keep: bool,
}

impl Params {
    /// What is named of what plays or was removed, and what is meant by where it plays or who says it.
    fn meant(&self, session: &Session, assembly: &Assembly) -> Result<Vec<PhraseId>, ToolError> {
        let mut ids = state::named(session, &self.group_ids)?;
        let mut more = state::beyond(session, self.before.as_ref(), self.after.as_ref())?;
        if let Some(speaker) = &self.speaker {
            let said_by = |id: &PhraseId| session.spoken(*id).and_then(|spoken| spoken.speaker);
            more.extend(assembly.order.iter().filter(|id| said_by(id).as_ref() == Some(speaker)));
        }
        for id in more {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    fn removed(&self, session: &Session, assembly: &Assembly) -> Result<Vec<PhraseId>, ToolError> {
        let meant = self.meant(session, assembly)?;
        let others = || assembly.order.iter().copied().filter(|id| !meant.contains(id)).collect();
        let removed: Vec<PhraseId> = if self.keep { others() } else { meant.clone() };
        let refuse = |message: &str, fix: &str| {
            Err(ToolError::prepare(Code::NoTarget, message.to_owned(), fix))
        };
        match (meant.is_empty(), removed.is_empty()) {
            (true, _) => refuse("no such phrase plays", "see tool_list_phrases for what plays"),
            (false, true) => {
                refuse("no other phrase plays", "see tool_list_phrases for what plays")
            }
            (false, false) => Ok(removed),
        }
    }
}

impl TypedTool for Remove {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_remove_segments",
            "Remove phrases",
            "Removes phrases from the assembly, or all others (`keep`), and closes the gap. A marker keeps their text; \
             tool_restore_segments restores them. The recordings stay.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({"group_ids": ["phr_0123456789ab"]}),
                json!({"group_ids": ["phr_0123456789ab"], "keep": true}),
            ],
        )
        .says(says())
        .cuts()
        .command("assemble remove", "Remove phrases")
        .reads(Reads::Phrases, "PHRASE...", "group_ids", "")
        .offers(Gesture::RemovePhrases)
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let ids = params.removed(session, &before)?;
        let summary = format!("Remove {}", told(session, &ids));
        let after = match ids.iter().all(|id| before.removed.contains(id)) {
            true => before,
            false => order::without(&before, &ids),
        };
        let step = Resolved::new(session, after, summary, "was taken out, or moves up");
        // Only a list of phrases can be asked for in part.
        let is_list = params.group_ids.len() == ids.len() && !params.keep;
        Ok(if is_list { step.each(session, &ids) } else { step })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}
