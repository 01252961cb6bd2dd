//! Models of meaning that are loaded: each once while anyone uses it.

use super::Meaning;
use crate::card::Task;
use crate::digest;
use crate::error::LibraryError;
use crate::in_use::InUse;
use crate::library::{Library, damaged};
use crate::network::RunError;
use std::sync::Arc;

/// Why a model of meaning is not there to run.
#[derive(Debug, thiserror::Error)]
pub enum LoadMeaningError {
    /// It is not installed, or damaged.
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("{id} is for {task} and compares no sentences; name a model for that")]
    Kind { id: String, task: &'static str },
    #[error("{id}: {error}; `deskhand models verify {id}` checks its file")]
    Load { id: String, error: RunError },
}

static IN_USE: InUse<Meaning> = InUse::none();

impl Library {
    /// An installed model of meaning, loaded now or shared with other users. The file is checked against
    /// its hash before it is loaded.
    ///
    /// # Errors
    /// When it is not installed, another kind of model, damaged, or does not load.
    pub fn meaning(&self, id: &str) -> Result<Arc<Meaning>, LoadMeaningError> {
        let found = self.find(id)?;
        let record = &found.record;
        if record.task != Task::Meaning {
            return Err(LoadMeaningError::Kind { id: id.into(), task: record.task.title() });
        }
        self.touch(id);
        IN_USE.get(&found.path, || {
            let failed = |error| LoadMeaningError::Load { id: id.into(), error };
            if digest::of_file(&found.path).is_ok_and(|hash| hash != record.sha256) {
                return Err(damaged(record, "its file was changed".into()).into());
            }
            Meaning::open(&found.path).map_err(failed)
        })
    }
}
