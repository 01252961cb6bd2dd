//! Calls that were under way when the session was left, by quitting or by a crash: each waits to be run again once the
//! session is opened.

use crate::effect::Effect;
use crate::jobs::{Job, Leave, PlanCall, Work};
use deskhand_session::Author;
use deskhand_toolkit::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Tools that may take longer keep what they finished.
const HOUR: Duration = Duration::from_secs(3600);

/// A call that is under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UnfinishedCall {
    pub(crate) tool: String,
    pub(crate) params: Value,
    pub(crate) author: Author,
}

/// Long calls that are noted as running.
pub(crate) struct Unfinished {
    file: PathBuf,
    /// `None` while the session is being left.
    noted: Option<Vec<UnfinishedCall>>,
}

impl Unfinished {
    /// The calls that ran when the session was left.
    pub(crate) fn new(folder: &Path) -> Self {
        let file = file(folder);
        Self { noted: Some(read(&file)), file }
    }

    pub(crate) fn calls(&self) -> Vec<UnfinishedCall> {
        self.noted.clone().unwrap_or_default()
    }

    /// Records the running calls if they changed. This is called at intervals, so short calls cost nothing.
    pub(crate) fn note<'a>(&mut self, jobs: impl Iterator<Item = &'a Job>) -> Option<Effect> {
        let now: Vec<_> = jobs.filter_map(unfinished).collect();
        let noted = self.noted.as_mut().filter(|noted| **noted != now)?;
        noted.clone_from(&now);
        let file = self.file.clone();
        // Not here: this thread waits for no disk. What cannot be written is only not offered again.
        Some(Effect::run_short(move || write(&file, &now)))
    }

    /// The session is being left. Calls that are cancelled from now on stay noted.
    pub(crate) fn leave(&mut self) {
        self.noted = None;
    }
}

/// What an interrupted call of this tool asks.
pub(crate) fn why_again(spec: &ToolSpec) -> String {
    let rest = match spec.timeout > HOUR {
        true => " It goes on from what it had finished.",
        false => "",
    };
    format!("\"{}\" was interrupted when the session was closed. Run it again?{rest}", spec.title)
}

/// What a job is to be offered as again. A plan that was let run waits by itself until its run is over.
fn unfinished(job: &Job) -> Option<UnfinishedCall> {
    match &job.work {
        Work::Plan(PlanCall { params, leave: Leave::NotNeeded, .. }) => {
            let (tool, author) = (job.tool.clone(), job.asker.author);
            Some(UnfinishedCall { tool, params: params.clone(), author })
        }
        _ => None,
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("cache").join("unfinished.json")
}

fn write(file: &Path, calls: &[UnfinishedCall]) -> io::Result<()> {
    if calls.is_empty() {
        return fs::remove_file(file);
    }
    let beside = file.with_extension("new");
    fs::write(&beside, serde_json::to_vec(calls)?)?;
    fs::rename(beside, file)
}

/// The content of the file; empty if it is no such file.
fn read(file: &Path) -> Vec<UnfinishedCall> {
    let bytes = fs::read(file).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}
