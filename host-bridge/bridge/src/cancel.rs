//! What the task of a job knows, how its progress is told, and how a job ends without its worker.

use crate::bridge::Bridge;
use crate::effect::Effect;
use crate::errors::caught;
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use deskhand_protocol::{CallId, News};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Provisional};
use deskhand_toolkit::{CancelToken, PlanContext, Stopped};
use std::sync::Arc;

impl Bridge {
    /// Runs a job on a worker. What `input` makes of its outcome comes back as an input.
    pub(crate) fn run<T: 'static>(
        &mut self,
        job: Job,
        work: impl FnOnce(PlanContext) -> Result<T, ToolError> + Send + 'static,
        input: impl FnOnce(JobId, Result<T, ToolError>) -> Input + Send + 'static,
    ) -> JobId {
        let id = self.jobs.next_id();
        let context = self.context(id, &job.cancel);
        let input = |job, outcome| input(job, caught(outcome));
        self.jobs.run(id, job, move || work(context), input);
        id
    }

    /// What the work of a job may see. Only a call has a tool and parameters.
    pub(crate) fn context(&self, job: JobId, cancel: &CancelToken) -> PlanContext {
        let made = self.commits.history.iter().map(|revision| (revision.id, revision.time_ms));
        let files = self.files.clone();
        PlanContext {
            session: Arc::clone(&self.commits.session),
            base: self.commits.history.head(),
            made_ms: Arc::new(made.collect()),
            author: Author::User,
            tool: "",
            params: String::new(),
            mix_is_heard: self.hosts.is_empty() || self.has_player(),
            audio: files.audio,
            cache: files.cache,
            opener: files.opener,
            folder: files.folder,
            cancel: cancel.clone(),
            progress: Arc::new(self.jobs.progress(job)),
            finished: Default::default(),
            faults: Default::default(),
        }
    }

    /// Passes progress on.
    pub(crate) fn progress(&mut self, job: JobId, fraction: f64, what: String) {
        if let Some(asker) = self.jobs.get(job).map(|job| job.asker) {
            self.tell(asker.author, Some(asker), News::Progress { fraction, what });
        }
    }

    /// Passes on what a tool has found.
    pub(crate) fn provisional(&mut self, job: JobId, found: Vec<Provisional>) {
        let job = self.jobs.get(job).filter(|job| job.so_far().is_some());
        if let Some(asker) = job.map(|job| job.asker) {
            self.tell(asker.author, Some(asker), News::Provisional { found });
        }
    }

    /// Tells the jobs of a call to stop. Their results are errors; nothing of them is applied.
    pub(crate) fn cancel(&mut self, asker: Asker, call: CallId) {
        let connection = asker.connection;
        let jobs = self.jobs.of_call(connection, call);
        let cancelled = Stopped::Cancelled.with_finished("");
        let withdrawn = self.notices.withdraw(
            |of| of.is_call(connection, call),
            |asker| Effect::Fail(asker, cancelled.clone()),
        );
        let summary = match jobs.len() + withdrawn.len() {
            0 => "nothing is running under that number",
            _ => "cancelling",
        };
        self.carry_out(withdrawn);
        self.answer(asker, self.ok(summary));
        for id in jobs {
            self.cancel_job(id);
        }
    }

    /// The call is over at once. A worker that has begun finishes its step; it is replaced if it never does.
    fn cancel_job(&mut self, id: JobId) {
        self.jobs.stop(id);
        let Some(job) = self.jobs.get(id) else {
            return;
        };
        let is_started = job.cancel.is_started();
        if is_started && matches!(job.work, Work::Land | Work::Match | Work::Conform { .. }) {
            return;
        }
        let rest = is_started.then(|| job.dropped());
        let done = job.so_far().map(|so_far| so_far.words()).unwrap_or_default();
        self.end(id, Stopped::Cancelled.with_finished(&done));
        if let Some(rest) = rest {
            self.jobs.watch(id, rest);
        }
    }

    /// Gives up on jobs whose time is long over: their worker hangs and is replaced.
    pub(crate) fn give_up_on_hanging(&mut self) {
        for id in self.jobs.hanging() {
            if let Some(error) = self.jobs.get(id).map(|job| given_up(&job.cancel)) {
                self.jobs.replace_worker(id);
                self.end(id, error);
            }
        }
    }

    /// Ends a job without its worker.
    fn end(&mut self, id: JobId, error: ToolError) {
        let Some(job) = self.jobs.get(id) else {
            return;
        };
        match job.work {
            Work::Plan(_) => self.planned(id, Err(error)),
            Work::Derive { .. } => self.derived(id, Err(error)),
            Work::Measure { .. } => self.measured(id, Err(error)),
            Work::Capture { .. } | Work::Adopt { .. } => self.take_in(id, Err(error)),
            Work::Land => self.landed(id, Err(error)),
            Work::Match => self.matched(id, Err(error)),
            Work::Compare { .. } => self.compared(id, Err(error)),
            Work::Dropped => drop(self.jobs.remove(id)),
            Work::Conform { source } => self.conformed(id, source, Err(error.message)),
        }
    }
}

fn given_up(cancel: &CancelToken) -> ToolError {
    let message = "its worker does not answer any more and was given up";
    match cancel.check() {
        Err(Stopped::Cancelled) => {
            let message = format!("cancelled; {message}");
            ToolError::run(Code::Cancelled, message, "nothing was changed")
        }
        Err(Stopped::TimedOut) | Ok(()) => {
            let message = format!("the time limit was reached; {message}");
            ToolError::run(Code::TimedOut, message, "call it on fewer targets at a time")
        }
    }
}
