//! The files of a session, and the work that prepares a source. A source that cannot play in place is conformed. Then its
//! waveform is drawn.

use crate::progress::JobProgress;
use crate::waveforms::Waveforms;
use deskhand_media::{Opener, conform};
use deskhand_session::{Media, Session, Source, SourceId};
use deskhand_toolkit::{Audio, CancelToken, MeasurementCache, Progress, peaks};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The session folder, and how audio is read.
#[derive(Clone)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    pub(crate) opener: Opener,
    pub(crate) audio: Arc<dyn Audio>,
    pub(crate) cache: Arc<dyn MeasurementCache>,
    /// Peaks that were read.
    pub(crate) waveforms: Waveforms,
}

impl Files {
    /// Whether a source has to be conformed, or its waveform drawn.
    pub(crate) fn is_unprepared(&self, source: &Source) -> bool {
        let conformed = match &source.media {
            Media::InPlace => true,
            Media::Conformed(file) => self.folder.join(file).is_file(),
        };
        !conformed || peaks::known(self.cache.as_ref(), source).is_none()
    }

    /// Whether the session folder holds what a source plays.
    pub(crate) fn hold(&self, source: &Source) -> bool {
        let file = match &source.media {
            Media::InPlace => source.kept(),
            Media::Conformed(file) => Some(file.clone()),
        };
        file.is_some_and(|file| self.folder.join(file).is_file())
    }
}

/// The work on one source.
pub(crate) struct Care {
    pub(crate) id: SourceId,
    pub(crate) source: Source,
    pub(crate) session: Arc<Session>,
    pub(crate) files: Files,
    pub(crate) told: JobProgress,
    pub(crate) cancel: CancelToken,
}

impl Care {
    /// What had to be read as silence.
    pub(crate) fn run(&self) -> Result<Vec<String>, String> {
        let silenced = match &self.source.media {
            Media::InPlace => Vec::new(),
            Media::Conformed(file) => self.conform(&self.files.folder.join(file))?,
        };
        self.draw();
        Ok(silenced)
    }

    /// Channels of one file share the conformed file: the first of them makes it.
    fn conform(&self, dest: &Path) -> Result<Vec<String>, String> {
        if dest.is_file() {
            return Ok(Vec::new());
        }
        let path = Path::new(&self.source.path);
        let opener = self.files.opener.track(self.source.hash.track());
        conform(&opener, path, self.session.rate, dest, &mut |done| self.go_on(done))
            .map(|made| made.silenced())
            .map_err(|error| error.to_string())
    }

    /// A waveform that cannot be drawn is not worth a message: whoever plays the source gets one.
    fn draw(&self) {
        if let Ok(mut reader) = self.files.audio.source(&self.session, self.id) {
            let cache = self.files.cache.as_ref();
            let mut go_on = |done| self.go_on(done);
            drop(peaks::build(cache, &self.source, reader.as_mut(), &mut go_on));
        }
    }

    fn go_on(&self, done: f64) -> ControlFlow<()> {
        self.told.report(done, &self.source.name);
        if self.cancel.check().is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
