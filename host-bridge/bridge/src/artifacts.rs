//! Files that plans made: removed with a rejected plan, unless something else needs them.

use crate::bridge::Bridge;
use crate::ids::Asker;
use deskhand_protocol::ToolResult;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{Artifact, Change, Media, PlanId, PlanState, Source};
use deskhand_toolkit::Draft;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl Bridge {
    /// Removes the files of a rejected plan and answers with their number.
    pub(crate) fn answer_rejected(&mut self, asker: Asker, id: PlanId, mut result: ToolResult) {
        let removed = match self.remove_artifacts(id) {
            0 => "",
            1 => "; removed 1 file that it made",
            removed => &format!("; removed {removed} files that it made"),
        };
        result.summary += removed;
        self.answer(asker, result);
    }

    fn remove_artifacts(&self, id: PlanId) -> usize {
        let needed = self.needed_files(Some(id));
        let stored = self.plans.get(id);
        let artifacts = stored.map(|stored| stored.plan.artifacts.as_slice());
        self.remove_files(artifacts.unwrap_or_default(), &needed)
    }

    /// Removes the files of a draft that comes too late to be a plan. While another call plans nothing is removed:
    /// it may have found the same file, and be about to name it.
    pub(crate) fn discard(&self, late: Result<Draft, ToolError>) {
        if let (Ok(draft), false) = (late, self.jobs.is_planning()) {
            self.remove_files(&draft.artifacts, &self.needed_files(None));
        }
    }

    /// Only removes files in the media folder, wherever links lead; a plan from elsewhere may name any
    /// file.
    fn remove_files(&self, artifacts: &[Artifact], needed: &BTreeSet<PathBuf>) -> usize {
        let Ok(media) = self.commits.store.media_dir().canonicalize() else {
            return 0;
        };
        let files: BTreeSet<_> = artifacts.iter().filter_map(|a| self.real(&a.path)).collect();
        let own = files
            .into_iter()
            .filter(|file| file.starts_with(&media) && file.is_file() && !needed.contains(file));
        own.filter(|file| std::fs::remove_file(file).is_ok()).count()
    }

    /// The files that undo and redo can bring back, and those of all plans except the rejected one.
    fn needed_files(&self, rejected: Option<PlanId>) -> BTreeSet<PathBuf> {
        let is_applied = |id| self.commits.history.iter().any(|revision| revision.plan == Some(id));
        let plans = self.plans.all().iter().filter(|stored| {
            let other = Some(stored.plan.id) != rejected && stored.state != PlanState::Rejected;
            other || is_applied(stored.plan.id)
        });
        let made = plans.flat_map(|stored| &stored.plan.artifacts).map(|a| a.path.as_str());
        let changes = self.commits.history.iter().flat_map(|revision| &revision.changes);
        let past = changes.flat_map(sources_of).chain(self.commits.session.sources.values());
        let conformed = past.filter_map(|source| match &source.media {
            Media::Conformed(file) => Some(file.as_str()),
            Media::InPlace => None,
        });
        made.chain(conformed).filter_map(|file| self.real(file)).collect()
    }

    fn real(&self, path: &str) -> Option<PathBuf> {
        self.files.folder.join(Path::new(path)).canonicalize().ok()
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
