//! Prepares media in the background: conforms sources that cannot play in place, and draws waveforms. It
//! handles one source at a time, so that planning always finds a free worker.

use crate::bridge::Bridge;
use crate::connection::{Asker, ConnectionId};
use crate::derive::MEASURING;
use crate::input::Input;
use crate::jobs::{HOUSE, Job, JobId, Work};
use crate::progress::JobProgress;
use deskhand_media::{Opener, conform};
use deskhand_protocol::{CallId, News};
use deskhand_session::{Media, Session, Source, SourceId};
use deskhand_toolkit::{Audio, CancelToken, MeasurementCache, Progress, peaks};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The work on one source.
struct Care {
    id: SourceId,
    source: Source,
    session: Arc<Session>,
    folder: PathBuf,
    opener: Opener,
    audio: Arc<dyn Audio>,
    cache: Arc<dyn MeasurementCache>,
    told: JobProgress,
    cancel: CancelToken,
}

impl Job {
    pub(crate) fn is_conforming(&self) -> bool {
        matches!(self.work, Work::Conform { .. })
    }
}

impl Bridge {
    /// Starts on every source that was not looked after yet.
    pub(crate) fn look_after_media(&mut self) {
        let session = Arc::clone(&self.session);
        for (id, source) in &session.sources {
            if self.looked_after.insert(*id) && self.is_unprepared(source) {
                self.look_after(*id, source);
            }
        }
    }

    /// Sources whose media is being looked after.
    pub(crate) fn sources_in_care(&self) -> Vec<SourceId> {
        let sources = self.jobs.values().filter_map(|job| match job.work {
            Work::Conform { source } => Some(source),
            Work::Plan { .. }
            | Work::Derive { .. }
            | Work::Measure { .. }
            | Work::Match
            | Work::Dropped
            | Work::Compare { .. }
            | Work::Capture { .. }
            | Work::Adopt { .. } => None,
        });
        sources.collect()
    }

    fn is_unprepared(&self, source: &Source) -> bool {
        let conformed = match &source.media {
            Media::InPlace => true,
            Media::Conformed(file) => self.parts.folder.join(file).is_file(),
        };
        !conformed || peaks::known(self.parts.cache.as_ref(), source).is_none()
    }

    fn look_after(&mut self, id: SourceId, source: &Source) {
        let job = self.next_job();
        let cancel = CancelToken::waiting(MEASURING);
        let asker = Asker { connection: ConnectionId(0), call: CallId(0), author: HOUSE };
        let care = self.care(job, id, source, &cancel);
        let inbox = self.inbox.0.clone();
        let done = move |outcome: Result<Result<Vec<String>, String>, String>| {
            let outcome = outcome.unwrap_or_else(Err);
            drop(inbox.send(Input::Conformed { job, source: id, outcome }));
        };
        let (tool, work) = (source.name.clone(), Work::Conform { source: id });
        self.jobs.insert(job, Job { asker, tool, targets: Vec::new(), cancel, work });
        self.media_pool.submit(move || care.run(), done);
    }

    fn care(&self, job: JobId, id: SourceId, source: &Source, cancel: &CancelToken) -> Care {
        Care {
            id,
            source: source.clone(),
            session: Arc::clone(&self.session),
            folder: self.parts.folder.clone(),
            opener: self.parts.opener.clone(),
            audio: Arc::clone(&self.parts.audio),
            cache: Arc::clone(&self.parts.cache),
            told: JobProgress::new(job, self.inbox.0.clone()),
            cancel: cancel.clone(),
        }
    }

    /// Handles the end of the work on a source. If conforming failed, the original is decoded instead.
    pub(crate) fn conformed(
        &mut self,
        job: JobId,
        source: SourceId,
        outcome: Result<Vec<String>, String>,
    ) {
        if self.jobs.remove(&job).is_none() {
            return;
        }
        let silenced = outcome.as_ref().map(|silenced| silenced.join("; ")).unwrap_or_default();
        self.tell(HOUSE, None, News::Media { source, failed: outcome.err() });
        if !silenced.is_empty() {
            let name = self.session.name_of(source.into());
            self.notify_error(format!(
                "\"{name}\": {silenced}; copy or export the file again, and import it anew"
            ));
        }
    }
}

impl Care {
    /// What had to be read as silence.
    fn run(&self) -> Result<Vec<String>, String> {
        self.cancel.start();
        let silenced = match &self.source.media {
            Media::InPlace => Vec::new(),
            Media::Conformed(file) => self.conform(&self.folder.join(file))?,
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
        let opener = self.opener.track(self.source.hash.track());
        conform(&opener, path, self.session.rate, dest, &mut |done| self.go_on(done))
            .map(|made| made.silenced())
            .map_err(|error| error.to_string())
    }

    /// A waveform that cannot be drawn is not worth a message: whoever plays the source gets one.
    fn draw(&self) {
        if let Ok(mut reader) = self.audio.source(&self.session, self.id) {
            let cache = self.cache.as_ref();
            let mut go_on = |done| self.go_on(done);
            drop(peaks::build(cache, &self.source, reader.as_mut(), &mut go_on));
        }
    }

    fn go_on(&self, done: f64) -> ControlFlow<()> {
        self.told.report(done, &self.source.name);
        if self.cancel.check().is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
