//! Files that plans made: removed with a rejected plan, unless something else needs them.

use crate::bridge::Bridge;
use crate::commits::Commits;
use crate::ids::Asker;
use crate::plans::Plans;
use deskhand_protocol::ToolResult;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Artifact, Change, Media, PlanId, PlanState, Source};
use deskhand_toolkit::Draft;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

impl Bridge {
    /// Removes the files of a rejected plan and answers with their number.
    pub(crate) fn answer_rejected(&mut self, asker: Asker, id: PlanId, mut result: ToolResult) {
        let artifacts = self.plans.get(id).map(|stored| stored.plan.artifacts.as_slice());
        let removed = match self.remove_files(artifacts.unwrap_or_default(), Some(id)) {
            0 => "",
            1 => "; removed 1 file that it made",
            removed => &format!("; removed {removed} files that it made"),
        };
        result.summary += removed;
        self.answer(asker, result);
    }

    /// Removes the files of a draft that comes too late to be a plan. While another call plans nothing is removed:
    /// it may have found the same file, and be about to name it.
    pub(crate) fn discard(&self, late: Result<Draft, ToolError>) {
        if let (Ok(draft), false) = (late, self.jobs.is_planning()) {
            self.remove_files(&draft.artifacts, None);
        }
    }

    /// Removes the files that nothing needs and returns their number. Files outside of the media folder stay: a plan from
    /// elsewhere may name any file.
    fn remove_files(&self, artifacts: &[Artifact], rejected: Option<PlanId>) -> usize {
        let Ok(media) = self.commits.store.media_dir().canonicalize() else {
            return 0;
        };
        let needed = self.commits.needed_files(&self.plans, rejected);
        let real = |file: &str| self.files.folder.join(file).canonicalize().ok();
        let needed: BTreeSet<PathBuf> = needed.filter_map(real).collect();
        let files: BTreeSet<_> = artifacts.iter().filter_map(|it| real(&it.path)).collect();
        let own = files
            .into_iter()
            .filter(|file| file.starts_with(&media) && file.is_file() && !needed.contains(file));
        own.filter(|file| fs::remove_file(file).is_ok()).count()
    }
}

impl Commits {
    /// The files that undo and redo can bring back, and those of all plans except the rejected one.
    fn needed_files<'a>(
        &'a self,
        plans: &'a Plans,
        rejected: Option<PlanId>,
    ) -> impl Iterator<Item = &'a str> {
        let is_applied = |id| self.history.iter().any(|revision| revision.plan == Some(id));
        let plans = plans.all().iter().filter(move |stored| {
            let other = Some(stored.plan.id) != rejected && stored.state != PlanState::Rejected;
            other || is_applied(stored.plan.id)
        });
        let made = plans.flat_map(|stored| &stored.plan.artifacts).map(|it| it.path.as_str());
        let changes = self.history.iter().flat_map(|revision| &revision.changes);
        let past = changes.flat_map(sources_of).chain(self.session.sources.values());
        let conformed = past.filter_map(|source| match &source.media {
            Media::Conformed(file) => Some(file.as_str()),
            Media::InPlace => None,
        });
        made.chain(conformed)
    }
}

fn sources_of(change: &Change) -> impl Iterator<Item = &Source> {
    let edit = if let Change::AddSource(edit) | Change::RemoveSource(edit) = change {
        Some(edit)
    } else {
        None
    };
    edit.into_iter().flat_map(|edit| edit.before.iter().chain(&edit.after))
}
