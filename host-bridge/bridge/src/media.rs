//! Conforming sources in the background: each file once, one at a time, at the lowest urgency.

use crate::bridge::Bridge;
use crate::derive::MEASURING;
use crate::front::{Asker, ConnectionId};
use crate::input::Input;
use crate::jobs::{HOUSE, Job, JobId, JobProgress, Work};
use deskhand_media::conform;
use deskhand_protocol::{CallId, News};
use deskhand_session::{Media, Source, SourceId};
use deskhand_toolkit::{CancelToken, Progress};
use std::ops::ControlFlow;
use std::path::Path;

impl Job {
    pub(crate) fn is_conforming(&self) -> bool {
        matches!(self.work, Work::Conform { .. })
    }
}

impl Bridge {
    /// Starts to conform every source whose file is not there yet and not being made.
    pub(crate) fn conform_missing(&mut self) {
        let mut files = Vec::new();
        let sources = self.session.sources.clone();
        for (id, source) in sources {
            if let Media::Conformed(file) = &source.media
                && !files.contains(file)
                && !self.failed_media.contains(file)
                && !self.is_being_conformed(file)
                && !self.parts.folder.join(file).is_file()
            {
                files.push(file.clone());
                let file = file.clone();
                self.conform(id, source, &file);
            }
        }
    }

    fn is_being_conformed(&self, file: &str) -> bool {
        self.jobs
            .values()
            .any(|job| job.is_conforming() && job.tool == file)
    }

    fn conform(&mut self, id: SourceId, source: Source, file: &str) {
        let job = self.next_job();
        let cancel = CancelToken::new(MEASURING);
        let asker = Asker {
            connection: ConnectionId(0),
            call: CallId(0),
            author: HOUSE,
        };
        let work = Work::Conform { source: id };
        let told = JobProgress {
            job,
            inbox: self.inbox.0.clone(),
        };
        let inbox = self.inbox.0.clone();
        let (opener, rate) = (self.parts.opener.clone(), self.session.rate);
        let dest = self.parts.folder.join(file);
        let token = cancel.clone();
        let run = move || {
            let mut progress = |done: f64| {
                told.report(done, &source.name);
                if token.check().is_ok() {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            conform(&opener, Path::new(&source.path), rate, &dest, &mut progress)
        };
        let done = move |outcome: Result<Result<_, deskhand_media::ConformError>, String>| {
            let outcome = match outcome {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(error.to_string()),
                Err(panic) => Err(panic),
            };
            drop(inbox.send(Input::Conformed {
                job,
                source: id,
                outcome,
            }));
        };
        self.jobs.insert(
            job,
            Job {
                asker,
                tool: file.into(),
                targets: Vec::new(),
                cancel,
                work,
            },
        );
        self.media_pool.submit(run, done);
    }

    /// Takes the end of a conform job. Until it succeeds the original is decoded instead.
    pub(crate) fn conformed(&mut self, job: JobId, source: SourceId, outcome: Result<(), String>) {
        if let Some(job) = self.jobs.remove(&job) {
            if outcome.is_err() {
                self.failed_media.insert(job.tool);
            }
            self.tell(
                HOUSE,
                None,
                News::Media {
                    source,
                    failed: outcome.err(),
                },
            );
        }
    }
}
