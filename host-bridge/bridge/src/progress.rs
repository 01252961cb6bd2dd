//! Messages of a worker during its work: its progress and its findings. They are few enough that they do
//! not crowd out other news.

use crate::ids::JobId;
use crate::input::Input;
use crossbeam_channel::Sender;
use deskhand_session::Provisional;
use deskhand_session::tool_error::Code;
use deskhand_toolkit::{Draft, Progress, ToolError, Trust};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The shortest time between two reports of findings.
const EVERY: Duration = Duration::from_millis(250);

/// The most findings in one report; the rest comes with the next.
const MOST: usize = 2000;

/// Nothing was reported yet.
const UNTOLD: u64 = u64::MAX;

/// Sends the progress of a job to the bridge, each hundredth once, and its findings a few times a second.
pub(crate) struct JobProgress {
    job: JobId,
    inbox: Sender<Input>,
    /// The last reported hundredth.
    told: AtomicU64,
    found: Mutex<Found>,
}

/// The findings.
#[derive(Default)]
struct Found {
    /// Not reported yet.
    waiting: Vec<Provisional>,
    /// The time of the last report.
    told: Option<Instant>,
    /// The plan of the reported findings.
    kept: Option<Draft>,
}

impl JobProgress {
    pub(crate) fn new(job: JobId, inbox: Sender<Input>) -> Self {
        Self { job, inbox, told: AtomicU64::new(UNTOLD), found: Mutex::default() }
    }

    /// How far it is, for the error of a call that is cancelled.
    pub(crate) fn words(&self) -> String {
        match self.told.load(Ordering::Relaxed) {
            UNTOLD => String::new(),
            hundredth => format!("{hundredth} % was done"),
        }
    }

    /// The reported progress, 0 to 1.
    pub(crate) fn fraction(&self) -> f64 {
        match self.told.load(Ordering::Relaxed) {
            UNTOLD => 0.0,
            hundredth => hundredth as f64 / 100.0,
        }
    }

    /// The plan of the reported findings, once.
    fn take_kept(&self) -> Option<Draft> {
        self.found.lock().kept.take()
    }
}

impl Progress for JobProgress {
    fn report(&self, fraction: f64, what: &str) {
        let hundredth = (fraction.clamp(0.0, 1.0) * 100.0) as u64;
        if self.told.swap(hundredth, Ordering::Relaxed) == hundredth {
            return;
        }
        let input = Input::Progress { job: self.job, fraction, what: what.into() };
        drop(self.inbox.send(input));
    }

    fn provisional(&self, found: &[Provisional], partial: &mut dyn FnMut() -> Draft) {
        let mut state = self.found.lock();
        state.waiting.extend_from_slice(found);
        if state.told.is_some_and(|told| told.elapsed() < EVERY) {
            return;
        }
        let most = state.waiting.len().min(MOST);
        let found: Vec<Provisional> = state.waiting.drain(..most).collect();
        (state.told, state.kept) = (Some(Instant::now()), Some(partial()));
        drop(state);
        if !found.is_empty() {
            drop(self.inbox.send(Input::Provisional { job: self.job, found }));
        }
    }
}

/// The result of a stopped run: the findings that were shown, if their plan would have been applied without
/// asking. Later findings are not added.
pub(crate) fn remains(error: &ToolError, trust: Trust, so_far: &JobProgress) -> Option<Draft> {
    let why = match error.code {
        Code::Cancelled => "cancelled",
        Code::TimedOut => "the time limit was reached",
        _ => return None,
    };
    let mut draft = so_far.take_kept().filter(|_| trust == Trust::Notify)?;
    if draft.changes.is_empty() {
        return None;
    }
    draft.warnings.push(format!("{why}; what was found until then is kept, undo takes it back"));
    draft.summary = format!("{} ({why})", draft.summary);
    Some(draft)
}
