//! Prepares media in the background.

use crate::bridge::Bridge;
use crate::files::Care;
use crate::ids::{Asker, HOUSE, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use deskhand_protocol::News;
use deskhand_session::{Source, SourceId};
use std::sync::Arc;

impl Bridge {
    /// Starts on every source that was not looked after yet.
    pub(crate) fn look_after_media(&mut self) {
        let session = Arc::clone(&self.commits.session);
        for (id, source) in &session.sources {
            if self.looked_after.insert(*id) && self.files.is_unprepared(source) {
                self.look_after(*id, source);
            }
        }
    }

    fn look_after(&mut self, source_id: SourceId, source: &Source) {
        let id = self.jobs.next_id();
        let work = Work::Conform { source: source_id };
        let job = Job::new(Asker::nobody(HOUSE), &source.name, work);
        let care = Care {
            id: source_id,
            source: source.clone(),
            session: Arc::clone(&self.commits.session),
            files: self.files.clone(),
            told: self.jobs.progress(id),
            cancel: job.cancel.clone(),
        };
        self.jobs.run(
            id,
            job,
            move || care.run(),
            move |job, outcome| {
                let outcome = outcome.unwrap_or_else(Err);
                Input::Conformed { job, source: source_id, outcome }
            },
        );
    }

    /// Handles the end of the work on a source. If conforming failed, the original is decoded instead.
    pub(crate) fn conformed(
        &mut self,
        job: JobId,
        source: SourceId,
        outcome: Result<Vec<String>, String>,
    ) {
        if self.jobs.remove(job).is_none() {
            return;
        }
        let silenced = outcome.as_ref().map(|silenced| silenced.join("; ")).unwrap_or_default();
        self.tell(HOUSE, None, News::Media { source, failed: outcome.err() });
        if !silenced.is_empty() {
            let name = self.commits.session.name_of(source.into());
            self.notify_error(format!(
                "\"{name}\": {silenced}; copy or export the file again, and import that"
            ));
        }
    }
}
