//! One call: from a request to a draft of a plan.

use crate::audio::Audio;
use crate::cache::MeasurementCache;
use crate::cancel::CancelToken;
use crate::program::{Network, Program};
use crate::spec::ToolSpec;
use deskhand_media::Opener;
use deskhand_session::text::subject;
use deskhand_session::tool_error::{Code, Phase, ToolError};
use deskhand_session::{
    Artifact, Author, Change, Coding, Finding, IdSeed, ObjectId, PlanOffer, PlanPart,
    PlannedChange, Prediction, Provisional, Read, RevisionId, Session, TrackId, Trust,
};
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A tool: a name, a contract, and a function from a snapshot and parameters to a plan.
pub trait Tool: Send + Sync {
    /// What it says of itself.
    fn spec(&self) -> &ToolSpec;

    /// Checks parameters and resolves targets; quick, no file is opened.
    ///
    /// # Errors
    /// When the parameters or the targets cannot work.
    fn prepare(&self, request: &CallRequest<'_>) -> Result<Prepared, ToolError>;

    /// The program that it starts; `None` for a tool that is part of this one.
    fn program(&self) -> Option<&Program> {
        None
    }
}

/// Tracks on which a host plays its own input, each with the name of the host. That input follows no gain of a clip.
pub type HostInputs = BTreeMap<TrackId, String>;

/// A call as a tool sees it first.
#[derive(Clone, Copy, Debug)]
pub struct CallRequest<'a> {
    /// The current session.
    pub session: &'a Session,
    /// Its revision.
    pub base: RevisionId,
    /// The parameters, as they were given.
    pub params: &'a Value,
    /// What hosts play there.
    pub inputs: &'a HostInputs,
}

/// A call that can run.
pub struct Prepared {
    /// The work.
    pub task: Box<dyn PlanTask>,
    /// What it works on; a second call on one of these waits for the first.
    pub targets: Vec<ObjectId>,
    /// What it will cost.
    pub estimate: Estimate,
    /// Files it reads that the session does not name yet. Outside of the folders that the person opened
    /// a model's call waits for leave.
    pub outside: Vec<PathBuf>,
    /// How far this call's plan is trusted, where the parameters say more than the tool: by default as
    /// [`ToolSpec::trust`].
    pub trust: Option<Trust>,
    /// Whether it talks to another machine; refused where nothing is sent off this one.
    pub network: Network,
}

impl Prepared {
    /// Work that costs little and reads nothing but the session.
    #[must_use]
    pub fn new(task: Box<dyn PlanTask>, targets: Vec<ObjectId>) -> Self {
        let (estimate, outside) = (Estimate::default(), Vec::new());
        Self { task, targets, estimate, outside, trust: None, network: Network::Closed }
    }
}

/// What a run will cost, roughly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Seconds of work.
    pub seconds: f64,
    /// Bytes of disk.
    pub bytes: u64,
}

/// The work of one call, on a worker thread.
pub trait PlanTask: Send {
    /// Measures and plans.
    ///
    /// # Errors
    /// When audio cannot be read, or the run is stopped. Nothing has changed.
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError>;
}

/// What a running task may see and use.
pub struct PlanContext {
    /// The session as it was when the call was prepared.
    pub session: Arc<Session>,
    /// Its revision.
    pub base: RevisionId,
    /// When each revision was made, ms since 1970: by that a copy of the session tells what both have in common.
    pub made_ms: Arc<BTreeMap<RevisionId, i64>>,
    /// The author of the call.
    pub author: Author,
    /// The tool's name.
    pub tool: &'static str,
    /// The parameters as canonical JSON: what ids derive from.
    pub params: String,
    /// Whether anybody plays the session's mix. Where nobody does, nothing is promised of it.
    pub mix_is_heard: bool,
    /// Audio of sources, tracks and the mix.
    pub audio: Arc<dyn Audio>,
    /// Measurements made before.
    pub cache: Arc<dyn MeasurementCache>,
    /// Opens files that are not in the session yet.
    pub opener: Opener,
    /// The session folder.
    pub folder: PathBuf,
    /// Whether to stop.
    pub cancel: CancelToken,
    /// Receives the progress.
    pub progress: Arc<dyn Progress>,
    /// The finished part, for the error of a run that is stopped.
    pub finished: Mutex<String>,
    /// What a person should know of the recordings that were listened to; the plan says it.
    pub faults: Mutex<BTreeSet<String>>,
}

/// Hears how far a run is.
pub trait Progress: Send + Sync {
    /// `fraction` 0 to 1 of the work is done; `what` is being worked on.
    fn report(&self, fraction: f64, what: &str);

    /// `found` is new since the last time. `partial` gives the plan of all that was found so far; it is asked
    /// now and then, and it is what remains when the run is cancelled or its time is up.
    fn provisional(&self, _found: &[Provisional], _partial: &mut dyn FnMut() -> Draft) {}
}

impl PlanContext {
    /// Makes ids that derive from this call.
    #[must_use]
    pub fn ids(&self) -> IdSeed {
        IdSeed::new(self.tool, &self.params, self.base.0)
    }

    /// The coder: a model is another coder than the person, who has no name here.
    #[must_use]
    pub fn coder(&self) -> Option<String> {
        (self.author == Author::Agent).then(|| Coding::MODEL.to_owned())
    }

    /// Whether to go on.
    ///
    /// # Errors
    /// The error to return when the run is cancelled or its time is up, with a note of the finished part.
    pub fn check(&self) -> Result<(), ToolError> {
        self.cancel.check().map_err(|stopped| stopped.with_finished(&self.finished.lock()))
    }

    /// Tells progress, remembers that `done` of `all` are finished, and says whether to go on.
    ///
    /// # Errors
    /// As [`PlanContext::check`].
    pub fn step(&self, done: usize, all: usize, what: &str) -> Result<(), ToolError> {
        *self.finished.lock() = format!("{done} of {all} finished");
        self.progress.report(done as f64 / all.max(1) as f64, what);
        self.check()
    }

    /// Shows new findings at once. `partial` gives the plan of all findings so far. If plans of the tool
    /// are applied with a notice ([`Trust::Notify`]), it is kept when the run is stopped.
    pub fn provisional(&self, found: &[Provisional], partial: &mut dyn FnMut() -> Draft) {
        self.progress.provisional(found, partial);
    }
}

/// What a tool returns: a plan without identity, or an answer that changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// One sentence.
    pub summary: String,
    /// What to change, in order.
    pub changes: Vec<PlannedChange>,
    /// What of them can be asked for alone.
    pub parts: Vec<PlanPart>,
    /// What the plan relies on.
    pub reads: Vec<Read>,
    /// The measurements.
    pub findings: Vec<Finding>,
    /// What will be measured after applying.
    pub predicted: Vec<Prediction>,
    /// Files that were made.
    pub artifacts: Vec<Artifact>,
    /// What to look at before applying.
    pub warnings: Vec<String>,
    /// What to know besides, which is no reason to look twice.
    pub notes: Vec<String>,
    /// What can be done about the warnings.
    pub offers: Vec<PlanOffer>,
    /// The answer of a tool that only reads.
    pub answer: Option<Value>,
}

impl Draft {
    /// A draft that says something.
    pub fn new(summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), ..Self::default() }
    }

    /// Adds a change and returns its id. `name` is the target's.
    pub fn change(&mut self, change: Change, name: String, reason: impl Into<String>) -> String {
        let planned = PlannedChange::new(self.changes.len() + 1, change, name, reason.into());
        let id = planned.id.clone();
        self.changes.push(planned);
        id
    }

    /// What it changes, one change a target, as [`subject`] says it.
    #[must_use]
    pub fn subject(&self, noun: &str) -> String {
        let names: Vec<String> = self.changes.iter().map(|c| c.name.clone()).collect();
        subject(&names, noun)
    }

    /// Whether the session can take the changes as they are.
    ///
    /// # Errors
    /// The first change that would not leave a valid session.
    pub fn check(&self, session: &Session, phase: Phase) -> Result<(), ToolError> {
        let changes = self.changes.iter().map(|planned| &planned.change);
        session.with(changes).map(drop).map_err(|error| ToolError {
            phase,
            code: Code::Invalid,
            message: error.to_string(),
            fix: "call it again with values that fit".into(),
        })
    }

    /// Makes the changes from `first` on, by their place from 0, need each other, so that they are taken or left as
    /// one: each needs the one before it, the first the last.
    pub fn tie(&mut self, first: usize) {
        let Some(ring) = self.changes.get_mut(first..).filter(|ring| ring.len() > 1) else {
            return;
        };
        let ids: Vec<String> = ring.iter().map(|change| change.id.clone()).collect();
        for (at, change) in ring.iter_mut().enumerate() {
            let before = &ids[(at + ids.len() - 1) % ids.len()];
            if !change.needs.contains(before) {
                change.needs.push(before.clone());
            }
        }
    }

    /// Makes the changes from `first` on one row, which `head` represents: "2 stems, original muted".
    pub fn row(&mut self, first: usize, head: &str, name: impl Into<String>) {
        self.tie(first);
        let own = self.changes.iter().skip(first).map(|change| change.id.clone());
        let mut changes: Vec<String> = own.filter(|id| id != head).collect();
        changes.insert(0, head.to_owned());
        let id = format!("p{}", self.parts.len() + 1);
        self.parts.push(PlanPart { id, name: name.into(), changes, params: BTreeMap::new() });
    }

    /// Adds a change that makes no sense without the changes in `needs`.
    pub fn dependent(
        &mut self,
        change: Change,
        name: String,
        reason: impl Into<String>,
        needs: Vec<String>,
    ) -> String {
        let id = self.change(change, name, reason);
        if let Some(planned) = self.changes.last_mut() {
            planned.needs = needs;
        }
        id
    }
}
