//! Steps of a session that is linked to a DAW's project: the project takes each first, then the session. Until it has,
//! what could move the session waits.

use crate::bridge::Bridge;
use crate::commits::{NewRevision, Then};
use crate::effect::Effect;
use crate::errors::apply_error;
use crate::host_words::is_in_projects;
use crate::ids::{Asker, HOUSE, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use crate::plans::decision;
use deskhand_hosts::landing::{self, Landing, Stamp};
use deskhand_protocol::{Op, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Change, HeadMove, Landed, PlanState, Receipt, RevisionId, Session};
use deskhand_store::PlanDecided;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a step is tried again that found the project changed.
const TRIES: u8 = 3;

/// How often the project is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// Moves the session.
pub(crate) enum Move {
    /// A new revision.
    Grow(Author, NewRevision),
    /// Along the history.
    Go(Author, HeadMove, Arc<Session>, Vec<PlanDecided>),
    /// Nowhere: the session only follows the project.
    Look,
}

/// A step that waits for the project.
struct Waiting {
    asker: Asker,
    to: Move,
    then: Then,
    /// The revision on which it was made.
    on: RevisionId,
    tries: u8,
}

/// The steps on their way into the project.
pub(crate) struct Landings {
    under_way: Option<(JobId, Waiting)>,
    steps: VecDeque<Waiting>,
    inputs: VecDeque<Input>,
    /// When the project was last looked at.
    looked: Option<Instant>,
    /// What it was like then.
    stamp: Option<Stamp>,
}

impl Landings {
    pub(crate) fn new() -> Self {
        let (steps, inputs) = (VecDeque::new(), VecDeque::new());
        Self { under_way: None, steps, inputs, looked: None, stamp: None }
    }

    /// Whether steps are on their way.
    pub(crate) fn is_busy(&self) -> bool {
        self.under_way.is_some() || !self.steps.is_empty()
    }

    /// Keeps an input that has to wait; gives back one that has not.
    pub(crate) fn keep(&mut self, input: Input) -> Option<Input> {
        if self.is_busy() && waits(&input) && !self.stops_at_once(&input) {
            self.inputs.push_back(input);
            return None;
        }
        Some(input)
    }

    /// Puts an input back that has to wait after all: it is the first of those that wait.
    pub(crate) fn keep_first(&mut self, input: Input) {
        self.inputs.push_front(input);
    }

    /// Whether an input stops a call that does not wait itself.
    fn stops_at_once(&self, input: &Input) -> bool {
        let Input::Submitted { connection, submission } = input else { return false };
        let Op::Cancel { call } = submission.op else { return false };
        !self.inputs.iter().any(|waiting| {
            matches!(waiting, Input::Submitted { connection: of, submission }
                if of == connection && submission.id == call)
        })
    }

    /// An input that waited and need not wait any more.
    pub(crate) fn next_input(&mut self) -> Option<Input> {
        if self.is_busy() { None } else { self.inputs.pop_front() }
    }
}

/// Whether an input could move the session, or must keep its place among those of its connection.
// tidy: table
fn waits(input: &Input) -> bool {
    match input {
        Input::Submitted { .. }
        | Input::Disconnected { .. }
        | Input::Malformed { .. }
        | Input::Planned { .. }
        | Input::Derived { .. }
        | Input::Measured { .. }
        | Input::Conformed { .. }
        | Input::Captured { .. }
        | Input::Swept { .. }
        | Input::TakesSized { .. }
        | Input::Compared { .. }
        | Input::ProjectLookedAt { .. } => true,
        Input::Connecting { .. }
        | Input::Stop
        | Input::Progress { .. }
        | Input::Provisional { .. }
        | Input::Stored { .. }
        | Input::Matched { .. }
        | Input::Waveform { .. }
        | Input::RuleKept { .. }
        | Input::Landed { .. }
        | Input::Tick => false,
    }
}

impl Bridge {
    /// Moves the session, once the project that it is linked to has the step.
    pub(crate) fn move_session(&mut self, asker: Asker, to: Move, then: Then) {
        let after = to.session().unwrap_or(&self.commits.session);
        let is_linked = landing::linked(after).is_some();
        let on = self.commits.history.head();
        let waiting = Waiting { asker, to, then, on, tries: 0 };
        if is_linked || self.landings.is_busy() {
            self.landings.steps.push_back(waiting);
            self.land_next();
        } else {
            self.commit_move(waiting.asker, waiting.to, waiting.then);
        }
    }

    /// Starts with the next step, if none is under way.
    fn land_next(&mut self) {
        while self.landings.under_way.is_none()
            && let Some(waiting) = self.landings.steps.pop_front()
        {
            // It may have been made before the one ahead of it.
            if let Some(waiting) = self.as_it_fits_now(waiting) {
                self.land(waiting);
            }
        }
    }

    fn land(&mut self, waiting: Waiting) {
        if let Err(error) = self.commits.writable() {
            return self.not_landed(waiting, error);
        }
        let history = &self.commits.history;
        let (after, head) = match &waiting.to {
            Move::Grow(_, step) => (Arc::clone(&step.session), history.next_id()),
            Move::Go(_, step, session, _) => (Arc::clone(session), step.to),
            Move::Look => (Arc::clone(&self.commits.session), history.head()),
        };
        let title = waiting.to.title().to_owned();
        let step = landing::Step { after, head, next: history.next_id(), title };
        let job = Job::new(waiting.asker, "", Work::Land);
        let id = self.run(
            job,
            move |context| landing::land(&step, &context),
            |job, outcome| Input::Landed { job, outcome },
        );
        self.landings.under_way = Some((id, waiting));
    }

    /// Takes what became of a step in the project.
    pub(crate) fn landed(&mut self, job: JobId, outcome: Result<Landing, ToolError>) {
        drop(self.jobs.remove(job));
        let Some((_, waiting)) = self.landings.under_way.take_if(|(id, _)| *id == job) else {
            return;
        };
        match outcome {
            Ok(Landing::Landed(landed)) => {
                let Waiting { asker, to, then, .. } = waiting;
                let (to, then) = match landed {
                    Some(landed) => (to.landed(&landed), then.landed(&landed)),
                    None => (to, then),
                };
                self.commit_move(asker, to, then);
            }
            Ok(Landing::Moved { changes, label }) => {
                self.follow(&changes, label);
                let tries = waiting.tries + 1;
                self.landings.steps.push_front(Waiting { tries, ..waiting });
            }
            Err(error) => self.not_landed(waiting, error),
        }
        self.land_next();
    }

    /// The session takes what changed in the project.
    fn follow(&mut self, changes: &[Change], label: String) {
        match self.commits.session.with(changes) {
            Ok(session) => {
                let step = NewRevision::new(session, label, changes.to_vec());
                let to = Move::Grow(Author::Host, step);
                self.commit_move(Asker::nobody(HOUSE), to, Then::Rest);
            }
            Err(error) => self.notify_error(format!("{label}, which does not fit: {error}")),
        }
    }

    /// A step on the session as it is by now; `None` if it does not fit, which is answered, or is done.
    fn as_it_fits_now(&mut self, waiting: Waiting) -> Option<Waiting> {
        let head = self.commits.history.head();
        if waiting.tries > TRIES {
            let message =
                "the DAW saved its project again each time Deskhand was about to write it";
            let error = apply_error(Code::Conflict, message.into(), "try again in a while");
            self.answer_without(waiting.asker, waiting.then, &error);
            return None;
        }
        if waiting.on == head {
            return Some(waiting);
        }
        let Waiting { asker, to, then, tries, .. } = waiting;
        match to {
            // The session has followed.
            Move::Look if tries > 0 => None,
            Move::Look => Some(Waiting { asker, to, then, on: head, tries }),
            Move::Grow(author, step) => {
                let session = match self.fitting(asker, &step) {
                    Ok(session) => Arc::new(session),
                    Err(effect) => {
                        self.does_not_fit(asker, then, effect);
                        return None;
                    }
                };
                let next = self.commits.history.next_id();
                let then = then.at(next, &session);
                let to = Move::Grow(author, step.at(next, session));
                Some(Waiting { asker, to, then, on: head, tries })
            }
            Move::Go(..) => {
                let message = "the DAW's project changed, and this came in first";
                let fix = "look at the history, then undo or redo again";
                let error = apply_error(Code::Conflict, message.into(), fix);
                self.answer_without(asker, then, &error);
                None
            }
        }
    }

    /// The session with a step on it, or what is said if it does not fit any more.
    fn fitting(&self, asker: Asker, step: &NewRevision) -> Result<Session, Option<Box<Effect>>> {
        let plan = step.plan.filter(|_| step.applies_a_plan());
        match plan.and_then(|id| self.plans.get(id)) {
            Some(stored) => stored.plan.applied_to(&self.commits.session).map_err(|refusal| {
                Some(Box::new(self.commits.refuse(asker, stored.plan.id, refusal)))
            }),
            None => self.commits.session.with(&step.changes).map_err(|_| None),
        }
    }

    fn does_not_fit(&mut self, asker: Asker, then: Then, told: Option<Box<Effect>>) {
        match told {
            Some(effect) => self.carry_out([*effect]),
            None => {
                let message = "the DAW's project changed, and the step does not fit any more";
                let error = apply_error(
                    Code::Conflict,
                    message.into(),
                    "look at what changed, and ask again",
                );
                self.answer_without(asker, then, &error);
            }
        }
    }

    /// The project did not take a step, so the session does not either.
    fn not_landed(&mut self, waiting: Waiting, error: ToolError) {
        let Waiting { asker, to, then, .. } = waiting;
        let plan = match &to {
            Move::Grow(_, step) if step.applies_a_plan() => step.plan,
            Move::Look => return self.notify_error(format!("{}; {}", error.message, error.fix)),
            Move::Grow(..) | Move::Go(..) => None,
        };
        match plan {
            Some(plan) if error.code == Code::Conflict => {
                let told = format!("{}; {}", error.message, error.fix);
                let conflict = self.commits.conflict(asker, plan, told, Vec::new());
                self.carry_out([conflict]);
            }
            Some(_) | None => self.answer_without(asker, then, &error),
        }
    }

    /// Answers those who waited for a step that was not made.
    pub(crate) fn answer_without(&mut self, asker: Asker, then: Then, error: &ToolError) {
        match then {
            // Nobody waits for it, so it is told to all.
            Then::Rest | Then::Remove(_) => {
                self.notify_error(format!("{}; {}", error.message, error.fix));
            }
            Then::Receipt { unsaved, .. } => self.stays_applied(asker, *unsaved, error),
            Then::Answers(all) => {
                all.into_iter().for_each(|(asker, _)| self.fail(asker, error.clone()));
            }
            Then::Answer(_) | Then::Review(..) | Then::Rejected(..) | Then::Measure { .. } => {
                self.fail(asker, error.clone());
            }
        }
    }

    /// A plan that missed what it promised, and that the project did not take back.
    fn stays_applied(&mut self, asker: Asker, mut result: ToolResult, error: &ToolError) {
        result.summary = format!("{}; it is not taken back: {error}", result.summary);
        let Some((plan, receipt)) = result.plan.as_ref().zip(result.receipt.clone()) else {
            return self.answer(asker, result);
        };
        let reason = Some(format!("missed what it promised, and not taken back: {error}"));
        let applied = decision(plan.id, PlanState::Applied);
        let decided = PlanDecided { reason, receipt: Some(receipt), ..applied };
        self.commit_state(asker, decided, Then::Answer(Box::new(result)));
    }

    /// Whether changes would go into the project that the session is linked to.
    pub(crate) fn goes_into_a_project<'a>(
        &self,
        changes: impl IntoIterator<Item = &'a Change>,
    ) -> bool {
        landing::linked(&self.commits.session).is_some() && changes.into_iter().any(is_in_projects)
    }

    /// From time to time, has a worker look whether the project is another file than when it was last read.
    pub(crate) fn look_at_project(&mut self) {
        let is_fresh = self.landings.looked.is_some_and(|at| at.elapsed() < LOOK);
        if is_fresh || self.landings.is_busy() {
            return;
        }
        self.landings.looked = Some(Instant::now());
        let Some(binding) = landing::linked(&self.commits.session).cloned() else { return };
        let (folder, head) = (self.files.folder.clone(), self.commits.history.head());
        let known = self.landings.stamp;
        let look = move || {
            let stamp = landing::stamp(&binding);
            (stamp, stamp != known && landing::is_other(&binding, &folder, head))
        };
        self.carry_out([Effect::ask_short(look, |outcome| {
            let (stamp, is_other) = outcome.unwrap_or_default();
            Input::ProjectLookedAt { stamp, is_other }
        })]);
    }

    /// Takes the answer: the session follows the project.
    pub(crate) fn project_looked_at(&mut self, stamp: Option<Stamp>, is_other: bool) {
        self.landings.stamp = stamp;
        if is_other {
            self.follow_project();
        }
    }

    /// The session takes what the DAW saved, if it is linked. When it is opened, that comes before all else.
    pub(crate) fn follow_project(&mut self) {
        if landing::linked(&self.commits.session).is_some() {
            self.move_session(Asker::nobody(HOUSE), Move::Look, Then::Rest);
        }
    }
}

impl Move {
    /// The session as it leaves it.
    fn session(&self) -> Option<&Session> {
        match self {
            Self::Grow(_, step) => Some(&step.session),
            Self::Go(_, _, session, _) => Some(session),
            Self::Look => None,
        }
    }

    fn title(&self) -> &str {
        match self {
            Self::Grow(_, step) => &step.label,
            Self::Go(_, step, ..) => &step.label,
            Self::Look => "",
        }
    }

    /// The same, with what the project got in the receipt.
    fn landed(self, landed: &Landed) -> Self {
        match self {
            Self::Grow(author, mut step) => {
                for receipt in step.decided.iter_mut().filter_map(|it| it.receipt.as_mut()) {
                    receipt.landed = Some(Box::new(landed.clone()));
                }
                Self::Grow(author, step)
            }
            Self::Go(..) | Self::Look => self,
        }
    }
}

impl NewRevision {
    /// Whether it makes what a plan proposes. Undo, redo and taking back have changes of their own.
    fn applies_a_plan(&self) -> bool {
        let takes_back = self.decided.iter().any(|it| it.state == PlanState::RolledBack);
        self.takes.is_none() && !takes_back
    }

    /// The same as another revision, which leaves this session.
    fn at(mut self, at: RevisionId, session: Arc<Session>) -> Self {
        for receipt in self.decided.iter_mut().filter_map(|it| it.receipt.as_mut()) {
            receipt.revision = at;
        }
        Self { session, ..self }
    }
}

impl Then {
    fn landed(self, with: &Landed) -> Self {
        match self {
            Self::Answer(mut result) => {
                if let Some(receipt) = &mut result.receipt {
                    receipt.landed = Some(Box::new(with.clone()));
                }
                Self::Answer(result)
            }
            Self::Measure { plan, revision, skipped, session, .. } => Self::Measure {
                plan,
                revision,
                skipped,
                session,
                landed: Some(Box::new(with.clone())),
            },
            other => other,
        }
    }

    /// The same for a step that has another number, and leaves this session.
    fn at(self, at: RevisionId, left: &Arc<Session>) -> Self {
        let moved = |result: ToolResult| {
            let receipt = result.receipt.map(|it| Receipt { revision: at, ..it });
            ToolResult { revision: at, receipt, ..result }
        };
        match self {
            Self::Answer(result) => Self::Answer(Box::new(moved(*result))),
            Self::Answers(all) => {
                Self::Answers(all.into_iter().map(|(asker, it)| (asker, moved(it))).collect())
            }
            Self::Measure { plan, skipped, landed, .. } => {
                let (revision, session) = (at, Arc::clone(left));
                Self::Measure { plan, revision, skipped, session, landed }
            }
            other => other,
        }
    }
}
