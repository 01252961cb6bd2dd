//! Work that runs elsewhere: who asked for it, and the workers that do it.

use crate::capture_files::Orphan;
use crate::ids::{Asker, ConnectionId, JobId};
use crate::input::Input;
use crate::passes::Pass;
use crate::progress::JobProgress;
use crossbeam_channel::Sender;
use deskhand_dsp::Frames;
use deskhand_protocol::{Apply, CallId};
use deskhand_session::{Landed, ObjectId, PlanId, RevisionId, SourceId, TrackId};
use deskhand_toolkit::{CancelToken, Pool, Trust};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Measuring a whole session again may take this long.
const MEASURING: Duration = Duration::from_secs(1_800);

/// The longest limit of tools that need no audio.
const SHORT: Duration = Duration::from_secs(10);

/// How long a run may go on after it was stopped, before it is abandoned.
const GRACE: Duration = Duration::from_secs(5);

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

/// Whether a person had to let a call run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// It runs by itself.
    NotNeeded,
    /// By deciding on this plan.
    Given(PlanId),
}

/// A call of a tool that plans.
pub(crate) struct PlanCall {
    pub(crate) params: Value,
    pub(crate) base: RevisionId,
    pub(crate) trust: Trust,
    pub(crate) apply: Apply,
    /// Whether a person had to let it run.
    pub(crate) leave: Leave,
    /// How far it is, and what it has found so far.
    pub(crate) so_far: Arc<JobProgress>,
}

/// What a job is for.
pub(crate) enum Work {
    /// A tool plans.
    Plan(PlanCall),
    /// A part of a plan gets new predictions.
    Derive { skipped: Vec<String> },
    /// Predictions are measured after applying.
    Measure {
        plan: PlanId,
        revision: RevisionId,
        skipped: Vec<String>,
        /// What the DAW's project got of it.
        landed: Option<Box<Landed>>,
    },
    /// A pass that was recorded is looked at.
    Capture { pass: Pass, is_bypassed: bool },
    /// An unreported recording is examined. Nobody waits for it.
    Adopt { orphan: Orphan },
    /// Compares a pass with the prediction of a plan that was applied as `revision`. Nobody waits for it.
    Compare { plan: PlanId, revision: RevisionId, on: TrackId, pass: Range<Frames> },
    /// A plan and the session are measured, to be heard equally loud.
    Match,
    /// A step goes into the DAW's project.
    Land,
    /// A source is conformed.
    Conform { source: SourceId },
    /// Its call was cancelled and answered. The worker finishes its step, and its result is dropped.
    Dropped,
}

impl Job {
    /// A job that measures.
    pub(crate) fn new(asker: Asker, tool: &str, work: Work) -> Self {
        let cancel = CancelToken::waiting(MEASURING);
        Self { asker, tool: tool.to_owned(), targets: Vec::new(), cancel, work }
    }

    /// Whether it runs because a person decided so on that plan.
    fn is_let_run_by(&self, id: PlanId) -> bool {
        matches!(&self.work, Work::Plan(call) if call.leave == Leave::Given(id))
    }

    /// Whether its call is answered already.
    fn is_dropped(&self) -> bool {
        matches!(self.work, Work::Dropped | Work::Compare { .. } | Work::Adopt { .. })
    }

    fn is_conforming(&self) -> bool {
        matches!(self.work, Work::Conform { .. })
    }

    /// The rest of a job after its call is answered: a worker to watch, without targets.
    pub(crate) fn dropped(&self) -> Self {
        let (tool, cancel) = (self.tool.clone(), self.cancel.clone());
        Self { asker: self.asker, tool, targets: Vec::new(), cancel, work: Work::Dropped }
    }

    /// How far a tool is, if it is a tool.
    pub(crate) fn so_far(&self) -> Option<&Arc<JobProgress>> {
        match &self.work {
            Work::Plan(call) => Some(&call.so_far),
            _ => None,
        }
    }
}

/// The jobs that run, and the workers.
pub(crate) struct Jobs {
    running: BTreeMap<JobId, Job>,
    made: u64,
    inbox: Sender<Input>,
    long: Pool,
    /// Short work has a worker of its own: a fader must not wait until an hour of audio is measured.
    short: Pool,
    /// Steps on their way into the DAW's project, for which others wait.
    landings: Pool,
    /// Files are prepared one at a time, so that planning always finds a free worker.
    media: Pool,
}

impl Jobs {
    pub(crate) fn new(long: Pool, inbox: Sender<Input>) -> Self {
        let [short, landings, media] = [(); 3].map(|()| Pool::new(1));
        Self { running: BTreeMap::new(), made: 0, inbox, long, short, landings, media }
    }

    pub(crate) fn next_id(&mut self) -> JobId {
        self.made += 1;
        JobId(self.made)
    }

    /// What sends the progress of a job to the bridge.
    pub(crate) fn progress(&self, id: JobId) -> JobProgress {
        JobProgress::new(id, self.inbox.clone())
    }

    /// Runs a job on a worker. What `input` makes of its outcome comes back to the bridge.
    pub(crate) fn run<T: 'static>(
        &mut self,
        id: JobId,
        job: Job,
        work: impl FnOnce() -> T + Send + 'static,
        input: impl FnOnce(JobId, Result<T, String>) -> Input + Send + 'static,
    ) {
        let (cancel, inbox) = (job.cancel.clone(), self.inbox.clone());
        let started = move || {
            cancel.start();
            work()
        };
        self.pool_of(&job).submit(started, move |outcome| drop(inbox.send(input(id, outcome))));
        self.running.insert(id, job);
    }

    fn pool_of(&self, job: &Job) -> &Pool {
        match job.work {
            Work::Land => &self.landings,
            Work::Conform { .. } | Work::Adopt { .. } => &self.media,
            _ if job.cancel.timeout() <= SHORT => &self.short,
            _ => &self.long,
        }
    }

    /// Runs short work of which nobody needs to know the end.
    pub(crate) fn run_short<T: 'static>(&self, work: impl FnOnce() -> T + Send + 'static) {
        self.short.submit(work, |_| {});
    }

    /// Runs short work. What `input` makes of its outcome comes back to the bridge.
    pub(crate) fn ask_short<T: 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        input: impl FnOnce(Result<T, String>) -> Input + Send + 'static,
    ) {
        let inbox = self.inbox.clone();
        self.short.submit(work, move |outcome| drop(inbox.send(input(outcome))));
    }

    /// The same for work on files that may take longer.
    pub(crate) fn ask_media<T: 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        input: impl FnOnce(Result<T, String>) -> Input + Send + 'static,
    ) {
        let inbox = self.inbox.clone();
        self.media.submit(work, move |outcome| drop(inbox.send(input(outcome))));
    }

    pub(crate) fn get(&self, id: JobId) -> Option<&Job> {
        self.running.get(&id)
    }

    pub(crate) fn remove(&mut self, id: JobId) -> Option<Job> {
        self.running.remove(&id)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Job> {
        self.running.values()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// The job that already works on one of `targets`.
    pub(crate) fn busy_on(&self, targets: &[ObjectId]) -> Option<&Job> {
        self.all().find(|job| job.targets.iter().any(|target| targets.contains(target)))
    }

    /// Whether a tool plans.
    pub(crate) fn is_planning(&self) -> bool {
        self.all().any(|job| matches!(job.work, Work::Plan(_)))
    }

    /// Whether a call runs because a person decided so on that plan.
    pub(crate) fn is_let_run_by(&self, id: PlanId) -> bool {
        self.all().any(|job| job.is_let_run_by(id))
    }

    /// The plans whose calls were let run and run, each with how much of it is done, 0 to 1.
    pub(crate) fn let_run(&self) -> BTreeMap<PlanId, f64> {
        let let_run = |job: &Job| match &job.work {
            Work::Plan(PlanCall { leave: Leave::Given(id), so_far, .. }) => {
                Some((*id, so_far.fraction()))
            }
            _ => None,
        };
        self.all().filter_map(let_run).collect()
    }

    /// Sources that are being conformed.
    pub(crate) fn conforming(&self) -> impl Iterator<Item = SourceId> {
        self.all().filter_map(|job| match job.work {
            Work::Conform { source } => Some(source),
            _ => None,
        })
    }

    /// The passes that are looked at, and the connections that reported them.
    pub(crate) fn passes(&self) -> Vec<(ConnectionId, Pass)> {
        let pass = |job: &Job| match job.work {
            Work::Capture { pass, .. } => Some((job.asker.connection, pass)),
            _ => None,
        };
        self.all().filter_map(pass).collect()
    }

    /// The jobs of a call that is not answered yet.
    pub(crate) fn of_call(&self, connection: ConnectionId, call: CallId) -> Vec<JobId> {
        let is_it = |job: &Job| job.asker.is_call(connection, call) && !job.is_dropped();
        self.ids(is_it)
    }

    /// The jobs whose time is long over.
    pub(crate) fn hanging(&self) -> Vec<JobId> {
        self.ids(|job| job.cancel.overdue() > GRACE)
    }

    fn ids(&self, is_meant: impl Fn(&Job) -> bool) -> Vec<JobId> {
        self.running.iter().filter(|(_, job)| is_meant(job)).map(|(id, _)| *id).collect()
    }

    /// Tells a job to stop. A worker that has begun finishes its step.
    pub(crate) fn stop(&self, id: JobId) {
        if let Some(job) = self.get(id) {
            job.cancel.cancel();
        }
    }

    /// Goes on watching the worker of a job whose call is answered.
    pub(crate) fn watch(&mut self, id: JobId, rest: Job) {
        self.running.insert(id, rest);
    }

    /// Starts another worker in place of one that hangs.
    pub(crate) fn replace_worker(&self, id: JobId) {
        if let Some(job) = self.get(id) {
            self.pool_of(job).replace_one();
        }
    }

    /// Stops everything. Nothing more is planned, though a worker may have a program to end.
    pub(crate) fn stop_all(&mut self) {
        // A step that goes into the project goes there whole.
        let others = self.running.values_mut().filter(|job| !matches!(job.work, Work::Land));
        for job in others {
            job.cancel.cancel();
            if matches!(job.work, Work::Plan(_)) {
                job.work = Work::Dropped;
            }
        }
    }

    /// Whether work runs that would leave unfinished files or programs if this process ended.
    pub(crate) fn has_loose_ends(&self) -> bool {
        self.all().any(|job| job.is_conforming() || matches!(job.work, Work::Dropped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::HOUSE;
    use crossbeam_channel::unbounded;

    #[test]
    fn a_job_reports_its_end_and_a_panic_is_an_end_too() {
        let (sender, inbox) = unbounded();
        let mut jobs = Jobs::new(Pool::new(1), sender);
        let ends = |job, outcome: Result<(), String>| {
            let outcome = outcome.map(|()| Vec::new());
            Input::Conformed { job, source: SourceId::new(1), outcome }
        };
        let id = jobs.next_id();
        let job =
            Job::new(Asker::nobody(HOUSE), "conform", Work::Conform { source: SourceId::new(1) });
        jobs.run(id, job, || panic!("boom"), ends);
        assert_eq!(jobs.conforming().count(), 1);
        assert!(jobs.has_loose_ends());
        let ended = inbox.recv().unwrap();
        assert!(
            matches!(ended, Input::Conformed { job, outcome: Err(why), .. } if job == id && why == "boom")
        );
        let removed = jobs.remove(id).unwrap();
        assert!(matches!(removed.work, Work::Conform { source } if source == SourceId::new(1)));
        assert!(jobs.is_empty());
    }
}
