//! The steps of the assembly loop, one tool each: reorder, remove, restore, finish, and what there is.

use super::block;
use super::ids;
use super::state::{self, StepError};
use super::timeline::{Step, anchor};
use super::unit::{built, units};
use crate::about::{COMMAND_LIMIT, command, tool};
use crate::words::{count, subject};
use deskhand_session::{Assembly, Change, Edit, ObjectId, PhraseId, Session, TrackId};
use deskhand_toolkit::{
    Category, Code, Command, CommandCall, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;

/// `tool_reorder_segments`.
pub(super) struct Reorder;
/// `tool_remove_segments`.
pub(super) struct Remove;
/// `tool_restore_segments`.
pub(super) struct Restore;
/// `cmd_finish`.
pub(super) struct Finish;

/// All that plays, in its new order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// Every phrase that plays (`phr_…`), each once, in the order wanted.
    ordered_group_ids: Vec<String>,
}

/// Some phrases.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    /// The phrases (`phr_…`).
    #[schemars(length(min = 1))]
    group_ids: Vec<String>,
}

/// What was done.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    /// What was done, in a few sentences for the person.
    #[schemars(length(min = 1, max = 20000))]
    summary: String,
}

/// A step against the session.
pub(super) struct Resolved {
    /// How the assembly is afterwards.
    pub(super) after: Assembly,
    /// Phrases that have to be built from the recordings.
    pub(super) build: BTreeSet<PhraseId>,
    /// One sentence.
    pub(super) summary: String,
    /// Why, at each change.
    pub(super) reason: String,
    /// Tracks that the assembly is on.
    pub(super) tracks: Vec<TrackId>,
}

impl Resolved {
    /// A step from the assembly of `session` to `after`.
    pub(super) fn new(session: &Session, after: Assembly, summary: String, reason: &str) -> Self {
        let playing: BTreeSet<_> = session.assembly.order.iter().collect();
        let new = after.order.iter().filter(|id| !playing.contains(id));
        let build = new.copied().collect();
        let tracks = ids::originals(session).into_keys().collect();
        Self { after, build, summary, reason: reason.into(), tracks }
    }

    /// What the call works on.
    pub(super) fn targets(&self) -> Vec<ObjectId> {
        self.tracks.iter().map(|id| (*id).into()).collect()
    }

    /// The plan.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped.
    pub(super) fn run(self, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let mut step = Step::new(self.after, self.reason);
        let mut draft = Draft::new(self.summary);
        if !self.build.is_empty() {
            let originals: BTreeSet<TrackId> =
                session.tracks.keys().copied().filter(|id| !self.tracks.contains(id)).collect();
            let units = units(session, &originals);
            step.built = built(context, session, &units, self.build, &mut draft)?;
        }
        step.add_to(&mut draft, context, 0);
        if draft.changes.is_empty() {
            draft.summary = format!("Nothing to change: {}", nothing(&draft.summary));
        }
        Ok(draft)
    }
}

/// The summary of a step inside a sentence.
fn nothing(summary: &str) -> String {
    let mut letters = summary.chars();
    let first = letters.next().map(|c| c.to_lowercase().collect::<String>());
    format!("\"{}{}\" is done already", first.unwrap_or_default(), letters.as_str())
}

/// One or two phrases by what they say, more by their number.
pub(super) fn told(session: &Session, ids: &[PhraseId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| session.name_of((*id).into())).collect();
    subject(&names, "phrase")
}

impl TypedTool for Reorder {
    type Params = Order;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_reorder_segments",
            "Reorder phrases",
            "Plays the phrases of the assembly in another order; the clips on the assembly tracks follow. Give \
             every phrase that plays, once: unknown, missing and repeated ids are named and nothing is done.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"ordered_group_ids": ["phr_0123456789ab", "phr_ba9876543210"]})],
        )
    }

    fn resolve(params: Order, session: &Session) -> Result<Resolved, ToolError> {
        let after = state::reordered(session, &params.ordered_group_ids)?;
        let pairs = session.assembly.order.iter().zip(&after.order);
        let moved = pairs.filter(|(before, after)| before != after).count();
        let summary = format!("Reorder {}", count(moved, "phrase"));
        Ok(Resolved::new(session, after, summary, "plays at another place"))
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}

impl TypedTool for Remove {
    type Params = Phrases;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_remove_segments",
            "Remove phrases",
            "Takes phrases out of the assembly and closes the gap; a marker with their text stays, and \
             tool_restore_segments puts them back. The recordings stay.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"group_ids": ["phr_0123456789ab"]})],
        )
    }

    fn resolve(params: Phrases, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let ids = state::named(session, &params.group_ids)?;
        let summary = format!("Remove {}", told(session, &ids));
        let after = match ids.iter().all(|id| before.removed.contains(id)) {
            true => before,
            false => state::without(&before, &ids),
        };
        Ok(Resolved::new(session, after, summary, "was taken out, or moves up"))
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}

impl TypedTool for Restore {
    type Params = Phrases;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_restore_segments",
            "Restore phrases",
            "Puts phrases back that were removed, or takes that were not chosen: where their markers stand.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"group_ids": ["phr_0123456789ab"]})],
        )
    }

    fn resolve(params: Phrases, session: &Session) -> Result<Resolved, ToolError> {
        let before = state::begun(session)?;
        let ids = state::named(session, &params.group_ids)?;
        let summary = format!("Restore {}", told(session, &ids));
        let now = block::standing(session);
        let standing: BTreeSet<PhraseId> = now.iter().map(|placed| placed.block.phrase).collect();
        let mut back: Vec<_> = ids.iter().map(|id| (anchor(session, &now, *id), *id)).collect();
        back.sort_by_key(|(at, id)| (*at, session.spoken(*id).map(|spoken| spoken.start)));
        let ahead = |at: usize| now.get(at).map(|placed| placed.block.phrase);
        let back: Vec<_> = back.into_iter().map(|(at, id)| (id, ahead(at))).collect();
        let all_play = ids.iter().all(|id| before.order.contains(id));
        let after = if all_play { before } else { state::with(&before, &back) };
        let mut step = Resolved::new(session, after, summary, "plays again, or makes room");
        // What plays and has lost its clips is put back as well.
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

impl Command for Finish {
    type Params = Summary;

    fn spec() -> ToolSpec {
        let spec = command(
            "cmd_finish",
            "Finish the assembly",
            "Ends the work on an assembly with a summary for the person. Any later step opens it again.",
            Category::Edit,
            Trust::Notify,
            json!({"summary": "12 phrases, the third take of the intro, digressions removed."}),
        );
        ToolSpec { timeout: COMMAND_LIMIT, ..spec }
    }

    fn plan(params: Summary, call: &mut CommandCall<'_>) -> Result<Draft, ToolError> {
        let before =
            state::begun(call.session).map_err(|error: StepError| ToolError::from(error))?;
        let summary = params.summary.trim();
        if summary.is_empty() {
            let fix = "say what was done";
            return Err(ToolError::prepare(Code::BadParams, "the summary is empty", fix));
        }
        let after = Assembly { finished: Some(summary.into()), ..before.clone() };
        let number = count(after.order.len(), "phrase");
        let change = Change::SetAssembly(Edit::new(call.session.id, before, after));
        if change.is_identity() {
            return Ok(Draft::new("Nothing to change: it is finished with these words"));
        }
        let mut draft = Draft::new(format!("Finish the assembly of {number}"));
        draft.change(change, "Assembly".into(), "as asked");
        Ok(draft)
    }
}
