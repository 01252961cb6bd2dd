//! Whisper models that are loaded: each once while anyone uses it.

use super::{Whisper, WhisperError};
use crate::card::{Origin, Task};
use crate::digest;
use crate::error::LibraryError;
use crate::in_use::InUse;
use crate::library::{Library, damaged};
use std::sync::Arc;

/// Why a Whisper model is not there to run.
#[derive(Debug, thiserror::Error)]
pub enum LoadWhisperError {
    /// It is not installed, or damaged.
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("{id} is for {task} and writes nothing down; name a model for transcription")]
    Kind { id: String, task: &'static str },
    #[error("{id}: {error}")]
    Load { id: String, error: WhisperError },
}

static IN_USE: InUse<Whisper> = InUse::none();

impl Library {
    /// An installed Whisper model, loaded now or shared with other users. The file is checked against its
    /// hash before it is loaded.
    ///
    /// # Errors
    /// When it is not installed, another kind of model, damaged, or does not load.
    pub fn whisper(&self, id: &str) -> Result<Arc<Whisper>, LoadWhisperError> {
        let found = self.find(id)?;
        let record = &found.record;
        if record.task != Task::Transcription {
            return Err(LoadWhisperError::Kind { id: id.into(), task: record.task.title() });
        }
        self.touch(id);
        IN_USE.get(&found.path, || {
            let is_ours = record.origin == Origin::Catalog;
            if is_ours && digest::of_file(&found.path).is_ok_and(|hash| hash != record.sha256) {
                return Err(damaged(record, "its file was changed".into()).into());
            }
            let failed = |error| LoadWhisperError::Load { id: id.into(), error };
            Whisper::open(&found.path).map_err(failed)
        })
    }
}
