//! Committing: the session moves at once, the world hears of it when it is durable.

use crate::bridge::Bridge;
use crate::errors::storage;
use crate::group_offer::came;
use crate::ids::{Asker, CommitId, HOUSE};
use crate::input::Input;
use crate::plans::now_ms;
use crossbeam_channel::Sender;
use deskhand_protocol::{News, ToolResult};
use deskhand_session::{
    Author, Change, HeadMove, PlanId, Revision, RevisionId, Said, Session, StoredPlan, Takes,
};
use deskhand_store::{Event, HeadMoved, PlanDecided, StoreError};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a commit may take: a sleeping disk wakes in 10 s, a network share in 30.
const DISK_PATIENCE: Duration = Duration::from_secs(60);

/// A commit that is not durable yet, with the way back.
pub(crate) struct Pending {
    id: CommitId,
    asker: Asker,
    back: Back,
    /// News for front ends, sent once the commit is durable.
    news: Vec<(Author, News)>,
    then: Then,
    since: Instant,
}

/// How to take a commit back that could not be stored.
enum Back {
    /// A plan was added.
    Plan(PlanId),
    /// Something was said.
    Said,
    /// Plans changed their state, and perhaps the session moved.
    State { plans: Vec<StoredPlan>, place: Option<Place> },
}

/// Where the session was.
struct Place {
    session: Arc<Session>,
    head: RevisionId,
    grew: bool,
}

/// The action to run once a commit is durable.
pub(crate) enum Then {
    /// Nothing.
    Rest,
    /// The submission is answered.
    Answer(Box<ToolResult>),
    /// Several submissions are answered.
    Answers(Vec<(Asker, ToolResult)>),
    /// A plan waits for a decision, and the submission is answered.
    Review(PlanId, Box<ToolResult>),
    /// A plan was rejected: its files are removed, and the submission is answered.
    Rejected(PlanId, Box<ToolResult>),
    /// Files that the session names no more are removed.
    Remove(Vec<PathBuf>),
    /// The receipt of a step that is durable already is answered, `unsaved` if it cannot be stored.
    Receipt { saved: Box<ToolResult>, unsaved: Box<ToolResult> },
    /// The predictions of an applied plan are measured.
    Measure {
        plan: PlanId,
        revision: RevisionId,
        skipped: Vec<String>,
        /// As the revision left it: later steps were not predicted.
        session: Arc<Session>,
    },
}

impl Bridge {
    /// Stores a new plan.
    pub(crate) fn commit_plan(&mut self, asker: Asker, id: PlanId, event: Event, then: Then) {
        self.append(asker, vec![event], Back::Plan(id), Vec::new(), then);
    }

    /// Once it is stored, the deciders learn that a plan waits.
    pub(crate) fn tell_review(&mut self, asker: Asker, id: PlanId) {
        let plan = self.plans.get(id).map(|stored| Box::new(stored.plan.clone()));
        if let (Some(plan), Some(pending)) = (plan, self.pending.back_mut()) {
            pending.news.push((asker.author, News::Review { plan }));
        }
    }

    /// Once it is stored, those who wait for a plan learn that a part or an edit of it replaces it.
    pub(crate) fn tell_what_follows(
        &mut self,
        asker: Asker,
        parent: Option<PlanId>,
        follows: PlanId,
    ) {
        let parent = parent.and_then(|id| self.plans.get(id));
        let news = parent.map(|stored| News::Decided {
            plan: stored.plan.id,
            state: stored.state,
            reason: stored.reason.clone(),
            receipt: None,
            follows: Some(follows),
            time_ms: None,
        });
        if let (Some(news), Some(pending)) = (news, self.pending.back_mut()) {
            pending.news.push((asker.author, news));
        }
    }

    /// Stores a message of the conversation.
    pub(crate) fn commit_said(&mut self, asker: Asker, said: Said, news: Vec<News>, then: Then) {
        let news = news.into_iter().map(|news| (asker.author, news)).collect();
        self.append(asker, vec![Event::Said(said)], Back::Said, news, then);
    }

    /// Stores a plan's new state without moving the session.
    pub(crate) fn commit_state(&mut self, asker: Asker, decided: PlanDecided, then: Then) {
        let decided = self.with_parents(vec![decided]);
        let news = decided.iter().map(|decided| (asker.author, decided_news(decided))).collect();
        let (back, events) = self.decide_plans(decided, None);
        self.append(asker, events, back, news, then);
    }

    /// Stores a receipt that adds facts about its plan. Nothing was decided, so the plan's parent stays as
    /// it is.
    pub(crate) fn commit_receipt(&mut self, asker: Asker, decided: PlanDecided) {
        let news = vec![(asker.author, decided_news(&decided))];
        let (back, events) = self.decide_plans(vec![decided], None);
        self.append(asker, events, back, news, Then::Rest);
    }

    /// Moves to `session` by a new revision, and stores it with the state of its plan.
    pub(crate) fn commit_revision(
        &mut self,
        asker: Asker,
        author: Author,
        step: NewRevision,
        then: impl FnOnce(RevisionId, &Arc<Session>) -> Then,
    ) {
        let NewRevision { session, label, changes, plan, takes, is_loaded, decided } = step;
        let from = self.history.head();
        let id = self.history.next_id();
        let revision = Revision {
            id,
            parent: from,
            author,
            label: label.clone(),
            plan,
            changes: changes.clone(),
            takes,
            is_loaded,
            time_ms: now_ms(),
        };
        self.history.push(revision.clone());
        let place = Place { session: self.step_to(session), head: from, grew: true };
        let moved = News::Moved { from, to: id, label, changes, at: None };
        // The author of the step is the proposer; the author of the decision is the decider.
        let plans = self.with_parents(decided);
        let decided = plans.iter().map(|decided| (asker.author, decided_news(decided)));
        let news = std::iter::once((author, moved)).chain(decided).collect();
        let then = then(id, &self.session);
        let (back, states) = self.decide_plans(plans, Some(place));
        let events = std::iter::once(Event::Revision(revision)).chain(states).collect();
        self.append(asker, events, back, news, then);
    }

    /// Moves along the tree, and stores that with the states of the plans it passes.
    pub(crate) fn commit_head(
        &mut self,
        asker: Asker,
        author: Author,
        step: &HeadMove,
        session: Session,
        plans: Vec<PlanDecided>,
        then: Then,
    ) {
        self.history.move_head(step.to);
        let place = Place { session: self.step_to(session), head: step.from, grew: false };
        let head = HeadMoved { to: step.to, author, time_ms: now_ms() };
        let HeadMove { from, to, label, changes, .. } = step.clone();
        let moved = News::Moved { from, to, label, changes, at: None };
        let plans = self.with_parents(plans);
        let decided = plans.iter().map(|decided| (asker.author, decided_news(decided)));
        let news = std::iter::once((author, moved)).chain(decided).collect();
        let (back, states) = self.decide_plans(plans, Some(place));
        let events = std::iter::once(Event::Head(head)).chain(states).collect();
        self.append(asker, events, back, news, then);
    }

    /// Makes `session` the session and returns the one before.
    fn step_to(&mut self, session: Session) -> Arc<Session> {
        std::mem::replace(&mut self.session, Arc::new(session))
    }

    /// Sets states of plans. Returns the inverse, and the records to store.
    fn decide_plans(
        &mut self,
        decided: Vec<PlanDecided>,
        place: Option<Place>,
    ) -> (Back, Vec<Event>) {
        let before = decided.iter().filter_map(|d| self.plans.get(d.plan));
        let plans = before.cloned().collect();
        let decide = |decided| self.plans.decide(decided);
        let events = decided.into_iter().map(decide).collect();
        (Back::State { plans, place }, events)
    }

    fn append(
        &mut self,
        asker: Asker,
        events: Vec<Event>,
        back: Back,
        news: Vec<(Author, News)>,
        then: Then,
    ) {
        let id = self.next_commit();
        self.pending.push_back(Pending { id, asker, back, news, then, since: Instant::now() });
        let reply = Reply { inbox: self.inbox.0.clone(), commit: id, is_sent: false };
        let on_stored = move |outcome| reply.send(outcome);
        self.store.append(events, Box::new(on_stored));
    }

    /// Gives up on a disk that does not answer.
    pub(crate) fn give_up_on_disk(&mut self) {
        let hangs = |pending: &Pending| pending.since.elapsed() > DISK_PATIENCE;
        if self.pending.front().is_some_and(hangs) {
            let why = "the disk does not answer".into();
            self.take_back_all(&StoreError::Failed { why });
        }
    }

    /// Takes the storage thread's answer.
    pub(crate) fn stored(&mut self, commit: CommitId, outcome: Result<u64, StoreError>) {
        if self.pending.front().is_none_or(|pending| pending.id != commit) {
            // It was taken back together with an earlier one.
            return;
        }
        match outcome {
            Ok(_) => self.settled(),
            Err(error) => self.take_back_all(&error),
        }
    }

    fn settled(&mut self) {
        let Some(Pending { asker, news, then, .. }) = self.pending.pop_front() else {
            return;
        };
        let moment = self.moment();
        let came = came(&news, &self.session);
        for (author, mut news) in news {
            if let News::Moved { at, .. } = &mut news {
                *at = moment;
            }
            self.tell(author, Some(asker), news);
        }
        self.renew_hearing(moment);
        self.look_after_media();
        if !came.is_empty() && self.is_attended() {
            let offered = self.notices.offer_groups(&self.session, &came);
            self.carry_out(offered);
        }
        match then {
            Then::Rest => {}
            Then::Remove(files) => self.remove_old_takes(files),
            Then::Answer(result) => self.answer(asker, *result),
            Then::Answers(all) => {
                all.into_iter().for_each(|(asker, result)| self.answer(asker, result));
            }
            Then::Receipt { saved, .. } => self.answer(asker, *saved),
            Then::Review(plan, result) => {
                if let Some(stored) = self.plans.get(plan) {
                    let plan = Box::new(stored.plan.clone());
                    self.tell(asker.author, Some(asker), News::Review { plan });
                }
                self.answer(asker, *result);
            }
            Then::Rejected(plan, result) => self.answer_rejected(asker, plan, *result),
            Then::Measure { plan, revision, skipped, session } => {
                self.measure_predictions(asker, plan, revision, skipped, session);
            }
        }
    }

    /// Takes back everything after the last durable commit, newest first, and answers each asker.
    fn take_back_all(&mut self, error: &StoreError) {
        // If the store refuses the only open commit, only that one is lost. Otherwise the store may have
        // written some.
        let is_left_out = matches!(error, StoreError::Refused { .. }) && self.pending.len() == 1;
        let mut answers = Vec::new();
        while let Some(pending) = self.pending.pop_back() {
            self.take_back(pending.back);
            answers.push((pending.asker, pending.then));
        }
        if !is_left_out {
            self.become_read_only(error);
        }
        for (asker, then) in answers.into_iter().rev() {
            match then {
                // Nobody waits for it: the call has another commit, or was answered.
                Then::Rest | Then::Remove(_) => {}
                Then::Receipt { unsaved, .. } => {
                    self.answer(asker, unsaved_receipt(*unsaved, error));
                }
                Then::Answers(all) => {
                    all.into_iter().for_each(|(asker, _)| self.fail(asker, storage(error)));
                }
                Then::Answer(_) | Then::Review(..) | Then::Rejected(..) | Then::Measure { .. } => {
                    self.fail(asker, storage(error));
                }
            }
        }
    }

    fn become_read_only(&mut self, error: &StoreError) {
        if self.read_only.is_none() {
            self.read_only = Some(error.clone());
            let reason = error.to_string();
            self.tell(HOUSE, None, News::ReadOnly { reason });
        }
    }

    fn take_back(&mut self, back: Back) {
        match back {
            Back::Plan(id) => self.plans.forget(id),
            Back::Said => self.conversation.forget_last(),
            Back::State { plans, place } => {
                plans.into_iter().for_each(|plan| self.plans.restore(plan));
                if let Some(Place { session, head, grew }) = place {
                    self.session = session;
                    if grew {
                        self.history.drop_last();
                    } else {
                        self.history.move_head(head);
                    }
                }
            }
        }
    }
}

/// What front ends hear of a plan's new state.
fn decided_news(decided: &PlanDecided) -> News {
    News::Decided {
        plan: decided.plan,
        state: decided.state,
        reason: decided.reason.clone(),
        receipt: decided.receipt.clone(),
        follows: decided.follows,
        time_ms: Some(decided.time_ms),
    }
}

/// The answer for a step that is durable while its receipt is not.
fn unsaved_receipt(mut result: ToolResult, error: &StoreError) -> ToolResult {
    result.summary = format!("{}; the receipt was not saved: {error}", result.summary);
    result
}

/// Sends the storage thread's answer exactly once, even when that thread ends without one.
struct Reply {
    inbox: Sender<Input>,
    commit: CommitId,
    is_sent: bool,
}

impl Reply {
    fn send(mut self, outcome: Result<u64, StoreError>) {
        self.put(outcome);
    }

    fn put(&mut self, outcome: Result<u64, StoreError>) {
        self.is_sent = true;
        let commit = self.commit;
        drop(self.inbox.send(Input::Stored { commit, outcome }));
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if !self.is_sent {
            let why = "the storage thread ended".into();
            self.put(Err(StoreError::Failed { why }));
        }
    }
}

/// What a new revision consists of.
pub(crate) struct NewRevision {
    /// The session as it leaves it.
    pub(crate) session: Session,
    /// What undo calls it.
    pub(crate) label: String,
    /// The changes.
    pub(crate) changes: Vec<Change>,
    /// The plan that it applies.
    pub(crate) plan: Option<PlanId>,
    /// The revision that the step undoes or redoes.
    pub(crate) takes: Option<Takes>,
    /// Whether a host loaded it with a state.
    pub(crate) is_loaded: bool,
    /// The new states of plans.
    pub(crate) decided: Vec<PlanDecided>,
}

impl NewRevision {
    /// A step that belongs to no plan.
    pub(crate) fn new(session: Session, label: String, changes: Vec<Change>) -> Self {
        let (plan, takes, is_loaded, decided) = (None, None, false, Vec::new());
        Self { session, label, changes, plan, takes, is_loaded, decided }
    }

    /// The step of a plan, with its new state.
    pub(crate) fn of(self, decided: PlanDecided) -> Self {
        Self { plan: Some(decided.plan), decided: vec![decided], ..self }
    }
}
