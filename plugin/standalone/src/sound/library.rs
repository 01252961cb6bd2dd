//! The sources that the disk thread opens, as of the sessions that were shown to it.

use deskhand_bounce::SessionAudio;
use deskhand_compile::source_of;
use deskhand_dsp::{FrameReader, ReadError, SampleRate};
use deskhand_engine::SourceKey;
use deskhand_media::{ChildCommand, Opener};
use deskhand_session::{Session, Source, SourceId};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The audio of a session folder. Clones share what they know.
#[derive(Clone, Debug)]
pub struct Library {
    audio: SessionAudio,
    known: Arc<Mutex<BTreeMap<SourceId, Source>>>,
}

impl Library {
    /// The audio in `folder`. A source without a conformed file is decoded in a child process, which is
    /// this program again. If its path is unknown, foreign formats wait until they are conformed.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let child = ChildCommand::this_program();
        let opener = child.map_or_else(|_| Opener::in_process(), Opener::with_child);
        Self { audio: SessionAudio::new(folder, opener), known: Arc::default() }
    }

    /// Adds the sources of `session`. Missing ones stay, because another session may still play them.
    pub fn know(&self, session: &Session) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, source) in &session.sources {
            if known.get(id) != Some(source) {
                known.insert(*id, source.clone());
            }
        }
    }

    /// The audio, for rendering.
    #[must_use]
    pub fn audio(&self) -> &SessionAudio {
        &self.audio
    }

    /// What opens a source at `rate` for an engine.
    pub fn opening(
        &self,
        rate: SampleRate,
    ) -> impl Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send + 'static {
        let library = self.clone();
        move |key| {
            let id = source_of(key);
            let known = library.known.lock().unwrap_or_else(PoisonError::into_inner);
            let source = known.get(&id).cloned();
            // Opening may take long, and must not hold the lock on the list.
            drop(known);
            let missing = || ReadError(format!("{id} is not in the library"));
            library.audio.open(&source.ok_or_else(missing)?, rate)
        }
    }
}
