//! Work that runs elsewhere, and giving up on work that hangs.

use crate::bridge::Bridge;
use crate::captures::Pass;
use crate::connection::Asker;
use crate::orphans::Orphan;
use crate::permission::Leave;
use crate::progress::JobProgress;
use deskhand_dsp::Frames;
use deskhand_protocol::{Apply, CallId, News, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, ObjectId, PlanId, RevisionId, Session, SourceId, TrackId};
use deskhand_toolkit::{CancelToken, PlanContext, Stopped, Trust};
use serde_json::Value;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// How long a run may go on after it was stopped, before it is abandoned.
const GRACE: Duration = Duration::from_secs(5);

/// Names a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub(crate) u64);

/// Work that is under way.
pub(crate) struct Job {
    pub(crate) asker: Asker,
    /// The tool, for people.
    pub(crate) tool: String,
    /// What it works on.
    pub(crate) targets: Vec<ObjectId>,
    pub(crate) cancel: CancelToken,
    pub(crate) work: Work,
}

impl Job {
    /// Whether it runs because a person decided so on that plan.
    pub(crate) fn is_let_run_by(&self, id: PlanId) -> bool {
        matches!(self.work, Work::Plan { leave: Leave::Given(plan), .. } if plan == id)
    }

    /// Whether its call is answered already.
    fn is_dropped(&self) -> bool {
        matches!(self.work, Work::Dropped | Work::Compare { .. } | Work::Adopt { .. })
    }

    /// The rest of a job after its call is answered: a worker to watch, without targets.
    fn dropped(&self) -> Self {
        let (tool, cancel) = (self.tool.clone(), self.cancel.clone());
        Self { asker: self.asker, tool, targets: Vec::new(), cancel, work: Work::Dropped }
    }

    /// How far a tool is, if it is a tool.
    pub(crate) fn so_far(&self) -> Option<&Arc<JobProgress>> {
        match &self.work {
            Work::Plan { so_far, .. } => Some(so_far),
            Work::Derive { .. }
            | Work::Measure { .. }
            | Work::Capture { .. }
            | Work::Adopt { .. }
            | Work::Compare { .. }
            | Work::Match
            | Work::Conform { .. }
            | Work::Dropped => None,
        }
    }
}

/// What a job is for.
pub(crate) enum Work {
    /// A tool plans.
    Plan {
        params: Value,
        base: RevisionId,
        trust: Trust,
        apply: Apply,
        /// Whether a person had to let it run.
        leave: Leave,
        /// How far it is, and what it has found so far.
        so_far: Arc<JobProgress>,
    },
    /// A part of a plan gets new predictions.
    Derive { skipped: Vec<String> },
    /// Predictions are measured after applying.
    Measure { plan: PlanId, revision: RevisionId, skipped: Vec<String> },
    /// A pass that was recorded is looked at.
    Capture { pass: Pass, is_bypassed: bool },
    /// An unreported recording is examined. Nobody waits for it.
    Adopt { orphan: Orphan },
    /// Compares a pass with the prediction of a plan that was applied as `revision`. Nobody waits for it.
    Compare { plan: PlanId, revision: RevisionId, on: TrackId, pass: Range<Frames> },
    /// A plan and the session are measured, to be heard equally loud.
    Match,
    /// A source is conformed.
    Conform { source: SourceId },
    /// Its call was cancelled and answered. The worker finishes its step, and its result is dropped.
    Dropped,
}

impl Bridge {
    /// What a task of this job may see.
    pub(crate) fn context(
        &self,
        job: JobId,
        session: Arc<Session>,
        tool: &'static str,
        params: &Value,
        cancel: CancelToken,
    ) -> PlanContext {
        let made = self.history.iter().map(|revision| (revision.id, revision.time_ms));
        PlanContext {
            session,
            base: self.history.head(),
            made_ms: Arc::new(made.collect()),
            author: Author::User,
            tool,
            params: deskhand_session::digest::canonical(params),
            mix_is_heard: self.instances.is_empty() || self.has_player(),
            audio: Arc::clone(&self.parts.audio),
            cache: Arc::clone(&self.parts.cache),
            opener: self.parts.opener.clone(),
            folder: self.parts.folder.clone(),
            cancel,
            progress: Arc::new(JobProgress::new(job, self.inbox.0.clone())),
            finished: Default::default(),
            faults: Default::default(),
        }
    }

    /// The job that already works on one of `targets`.
    pub(crate) fn busy_on(&self, targets: &[ObjectId]) -> Option<&Job> {
        let mut jobs = self.jobs.values();
        jobs.find(|job| job.targets.iter().any(|target| targets.contains(target)))
    }

    /// Passes progress on.
    pub(crate) fn progress(&mut self, job: JobId, fraction: f64, what: String) {
        if let Some(job) = self.jobs.get(&job) {
            let asker = job.asker;
            self.tell(asker.author, Some(asker), News::Progress { fraction, what });
        }
    }

    /// Tells the jobs of a call to stop. Their results are errors; nothing of them is applied.
    pub(crate) fn cancel(&mut self, asker: Asker, call: CallId) {
        let of_call = |of: &Asker| of.connection == asker.connection && of.call == call;
        let jobs = self.jobs.iter();
        let jobs = jobs.filter(|(_, job)| of_call(&job.asker) && !job.is_dropped());
        let jobs: Vec<_> = jobs.map(|(id, _)| *id).collect();
        let cancelled = Stopped::Cancelled.with_finished("");
        let head = self.history.head();
        let withdrawn =
            self.withdraw_queries(of_call, |_| ToolResult::failed(cancelled.clone(), head));
        let summary = match jobs.len() + withdrawn {
            0 => "nothing is running under that number",
            _ => "cancelling",
        };
        self.answer(asker, self.ok(summary));
        for id in jobs {
            self.cancel_job(id);
        }
    }

    /// The call is over at once. A worker that has begun finishes its step; it is replaced if it never does.
    fn cancel_job(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        job.cancel.cancel();
        let is_started = job.cancel.is_started();
        if is_started && matches!(job.work, Work::Match | Work::Conform { .. }) {
            return;
        }
        let dropped = is_started.then(|| job.dropped());
        let done = job.so_far().map(|so_far| so_far.words()).unwrap_or_default();
        self.end(id, Stopped::Cancelled.with_finished(&done));
        self.jobs.extend(dropped.map(|dropped| (id, dropped)));
    }

    /// Gives up on jobs whose time is long over: their worker hangs and is replaced.
    pub(crate) fn give_up_on_hanging(&mut self) {
        let hangs = |job: &Job| job.cancel.overdue() > GRACE;
        let hanging: Vec<_> =
            self.jobs.iter().filter(|(_, job)| hangs(job)).map(|(id, _)| *id).collect();
        for id in hanging {
            self.give_up(id);
        }
    }

    fn give_up(&mut self, id: JobId) {
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        let pool = match job.work {
            Work::Plan { .. }
            | Work::Derive { .. }
            | Work::Measure { .. }
            | Work::Match
            | Work::Dropped
            | Work::Compare { .. }
            | Work::Capture { .. } => self.pool_for(job.cancel.timeout()),
            Work::Conform { .. } | Work::Adopt { .. } => &self.media_pool,
        };
        pool.replace_one();
        let error = given_up(&job.cancel);
        self.end(id, error);
    }

    /// Ends a job without its worker.
    fn end(&mut self, id: JobId, error: ToolError) {
        let Some(job) = self.jobs.get(&id) else {
            return;
        };
        match job.work {
            Work::Plan { .. } => self.planned(id, Err(error)),
            Work::Derive { .. } => self.derived(id, Err(error)),
            Work::Measure { .. } => self.measured(id, Err(error)),
            Work::Capture { .. } | Work::Adopt { .. } => self.take_in(id, Err(error)),
            Work::Match => self.matched(id, Err(error)),
            Work::Compare { .. } => self.compared(id, Err(error)),
            Work::Dropped => drop(self.jobs.remove(&id)),
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

/// The message of a panic.
pub(crate) fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast::<String>().ok().map(|text| *text))
        .unwrap_or_else(|| "a panic without a message".into())
}

/// The error of a worker that panicked.
pub(crate) fn panicked(message: String) -> ToolError {
    let message = format!("the tool failed inside ({message})");
    ToolError::run(Code::Panicked, message, "nothing was changed; please report it")
}

/// The author under which the bridge itself does things that a person asked for earlier.
pub(crate) const HOUSE: Author = Author::User;
