//! Calls that were under way when the session was left, by quitting or by a crash: each waits to be run again once the
//! session is opened.

use crate::bridge::Bridge;
use crate::ids::Asker;
use crate::jobs::{Job, Leave, Work};
use deskhand_session::Author;
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
pub(crate) struct Unfinished {
    tool: String,
    params: Value,
    author: Author,
}

impl Bridge {
    /// Records the running calls if they changed. This is called at intervals, so short calls cost nothing.
    pub(crate) fn note_unfinished(&mut self) {
        let now: Vec<_> = self.jobs.all().filter_map(unfinished).collect();
        if self.unfinished.as_ref().is_none_or(|noted| *noted == now) {
            return;
        }
        self.unfinished = Some(now.clone());
        let file = file(&self.files.folder);
        // Not here: this thread waits for no disk. What cannot be written is only not offered again.
        self.jobs.run_short(move || write(&file, &now));
    }

    /// Turns calls that ran when the session was left into plans that ask to run.
    pub(crate) fn park_unfinished(&mut self) {
        let left = read(&file(&self.files.folder));
        self.unfinished = Some(left.clone());
        for Unfinished { tool, params, author } in left {
            let Ok(spec) = self.registry.get(&tool).map(|tool| tool.spec().clone()) else {
                continue;
            };
            if self.asks_to_run(&tool, &params).is_none() {
                let asker = Asker::nobody(author);
                let rest = match spec.timeout > HOUR {
                    true => " It goes on from what it had finished.",
                    false => "",
                };
                let why = format!(
                    "\"{}\" was interrupted when the session was closed. Run it again?{rest}",
                    spec.title
                );
                self.park_call(asker, &spec, params, why);
            }
        }
    }

    /// The session is being left: calls that are cancelled from here on continue later.
    pub(crate) fn keep_unfinished(&mut self) {
        self.note_unfinished();
        self.unfinished = None;
    }
}

/// What a job is to be offered as again. A plan that was let run waits by itself until its run is over.
fn unfinished(job: &Job) -> Option<Unfinished> {
    match &job.work {
        Work::Plan { params, leave: Leave::NotNeeded, .. } => {
            let (tool, author) = (job.tool.clone(), job.asker.author);
            Some(Unfinished { tool, params: params.clone(), author })
        }
        _ => None,
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("cache").join("unfinished.json")
}

fn write(file: &Path, calls: &[Unfinished]) -> io::Result<()> {
    if calls.is_empty() {
        return fs::remove_file(file);
    }
    let beside = file.with_extension("new");
    fs::write(&beside, serde_json::to_vec(calls)?)?;
    fs::rename(beside, file)
}

/// The content of the file; empty if it is no such file.
fn read(file: &Path) -> Vec<Unfinished> {
    let bytes = fs::read(file).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}
