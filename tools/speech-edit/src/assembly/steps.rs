//! What the steps on the assembly have in common: from an assembly to another, and the clips that follow.

use super::timeline::Step;
use super::unit::{Unit, built, units};
use deskhand_edit::assembly::block::Block;
use deskhand_edit::assembly::ids;
use deskhand_session::text::subject;
use deskhand_session::{Assembly, ObjectId, PhraseId, PlanPart, Session, TrackId};
use deskhand_toolkit::{Draft, PlanContext, ToolError};
use serde_json::json;
use std::collections::BTreeSet;

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
    /// The parts that can be requested alone.
    pub(super) parts: Vec<PlanPart>,
}

impl Resolved {
    /// A step from the assembly of `session` to `after`.
    pub(super) fn new(session: &Session, after: Assembly, summary: String, reason: &str) -> Self {
        let playing: BTreeSet<_> = session.assembly.order.iter().collect();
        let new = after.order.iter().filter(|id| !playing.contains(id));
        let build = new.copied().collect();
        let tracks = ids::originals(session).into_keys().collect();
        Self { after, build, summary, reason: reason.into(), tracks, parts: Vec::new() }
    }

    /// The same, with each of these phrases as a part that can be asked for alone.
    pub(super) fn each(self, session: &Session, ids: &[PhraseId]) -> Self {
        let name = |id: &PhraseId| (session.name_of((*id).into()), json!(id));
        Self { parts: PlanPart::each("group_ids", ids.iter().map(name).collect()), ..self }
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
        let mut step = Step::new(self.after, self.reason);
        let mut draft = Draft::new(self.summary);
        if !self.build.is_empty() {
            step.built = rebuilt(context, self.build, &self.tracks, &mut draft)?;
        }
        step.add_to(&mut draft, context, 0);
        draft.parts = self.parts;
        if draft.changes.is_empty() {
            draft.parts.clear();
            draft.summary = format!("Nothing to change: {}", nothing(&draft.summary));
        }
        Ok(draft)
    }
}

/// The blocks of phrases from the units on the assembly `tracks`; each may play a part of a phrase. If none
/// of them plays a phrase any more, other units do.
fn rebuilt(
    context: &PlanContext,
    wanted: BTreeSet<PhraseId>,
    tracks: &[TrackId],
    draft: &mut Draft,
) -> Result<Vec<Block>, ToolError> {
    let session = &*context.session;
    let originals: BTreeSet<TrackId> =
        session.tracks.keys().copied().filter(|id| !tracks.contains(id)).collect();
    let is_assembled =
        |unit: &Unit| unit.tracks.iter().any(|original| tracks.contains(&ids::track(*original)));
    let (assembled, others): (Vec<Unit>, Vec<Unit>) =
        units(session, &originals).into_iter().partition(is_assembled);
    let mut blocks = built(context, session, &assembled, wanted.clone(), draft)?.blocks;
    let is_there = |id: &PhraseId| blocks.iter().any(|block| block.phrase == *id);
    let left: BTreeSet<PhraseId> = wanted.into_iter().filter(|id| !is_there(id)).collect();
    if !left.is_empty() {
        blocks.extend(built(context, session, &others, left, draft)?.blocks);
    }
    Ok(blocks)
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
