//! The session, its history, and the commits that are not durable yet. The session moves at once. Front ends hear of a
//! step when it is stored.

use crate::errors::storage;
use crate::ids::{Asker, CommitId};
use crate::input::Input;
use crate::plans::now_ms;
use crossbeam_channel::Sender;
use deskhand_protocol::{News, ToolResult};
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    Author, Change, HeadMove, History, Landed, PlanId, Revision, RevisionId, Session, StoredPlan,
    Takes,
};
use deskhand_store::{Event, HeadMoved, PlanDecided, Store, StoreError};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a commit may take: a sleeping disk wakes in 10 s, a network share in 30.
const DISK_PATIENCE: Duration = Duration::from_secs(60);

/// A commit that is not durable yet, with the way back.
pub(crate) struct Pending {
    id: CommitId,
    pub(crate) asker: Asker,
    pub(crate) back: Back,
    /// News for front ends, sent once the commit is durable.
    pub(crate) news: Vec<(Author, News)>,
    pub(crate) then: Then,
    since: Instant,
}

/// How to take a commit back that could not be stored.
pub(crate) enum Back {
    /// A plan was added.
    Plan(PlanId),
    /// Something was said.
    Said,
    /// Plans changed their state, and perhaps the session moved.
    State { plans: Vec<StoredPlan>, place: Option<Place> },
}

/// Where the session was.
pub(crate) struct Place {
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
        /// What the DAW's project got of it.
        landed: Option<Box<Landed>>,
    },
}

/// What a new revision consists of.
pub(crate) struct NewRevision {
    /// The session as it leaves it.
    pub(crate) session: Arc<Session>,
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
    pub(crate) fn new(
        session: impl Into<Arc<Session>>,
        label: String,
        changes: Vec<Change>,
    ) -> Self {
        let (session, plan, takes) = (session.into(), None, None);
        let (is_loaded, decided) = (false, Vec::new());
        Self { session, label, changes, plan, takes, is_loaded, decided }
    }

    /// The step of a plan, with its new state.
    pub(crate) fn of(self, decided: PlanDecided) -> Self {
        Self { plan: Some(decided.plan), decided: vec![decided], ..self }
    }
}

/// What moving the session made: where it was, the record to store, and the news.
pub(crate) struct Moved {
    pub(crate) place: Place,
    pub(crate) event: Event,
    pub(crate) news: News,
    /// The new states of plans.
    pub(crate) decided: Vec<PlanDecided>,
}

/// The session, its history, and where they are stored.
pub(crate) struct Commits {
    /// With steps that are not durable yet.
    pub(crate) session: Arc<Session>,
    pub(crate) history: History,
    pub(crate) store: Store,
    pub(crate) read_only: Option<StoreError>,
    pending: VecDeque<Pending>,
    made: u64,
}

impl Commits {
    pub(crate) fn new(session: Session, history: History, store: Store) -> Self {
        let (session, pending) = (Arc::new(session), VecDeque::new());
        Self { session, history, store, read_only: None, pending, made: 0 }
    }

    /// Whether steps can be stored.
    ///
    /// # Errors
    /// When storing failed before.
    pub(crate) fn writable(&self) -> Result<(), ToolError> {
        self.read_only.as_ref().map_or(Ok(()), |error| Err(storage(error)))
    }

    /// Whether everything is durable.
    pub(crate) fn is_durable(&self) -> bool {
        self.pending.is_empty()
    }

    /// Moves to a new revision.
    pub(crate) fn grow(&mut self, author: Author, step: NewRevision) -> Moved {
        let NewRevision { session, label, changes, plan, takes, is_loaded, decided } = step;
        let (from, id) = (self.history.head(), self.history.next_id());
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
        let news = News::Moved { from, to: id, label, changes, at: None };
        Moved { place, event: Event::Revision(revision), news, decided }
    }

    /// Moves along the tree.
    pub(crate) fn go(
        &mut self,
        author: Author,
        step: &HeadMove,
        session: Arc<Session>,
        decided: Vec<PlanDecided>,
    ) -> Moved {
        self.history.move_head(step.to);
        let place = Place { session: self.step_to(session), head: step.from, grew: false };
        let head = HeadMoved { to: step.to, author, time_ms: now_ms() };
        let HeadMove { from, to, label, changes, .. } = step.clone();
        let news = News::Moved { from, to, label, changes, at: None };
        Moved { place, event: Event::Head(head), news, decided }
    }

    /// Makes `session` the session and returns the one before.
    fn step_to(&mut self, session: Arc<Session>) -> Arc<Session> {
        std::mem::replace(&mut self.session, session)
    }

    /// Stores events. The answer of the storage thread comes to `inbox`.
    pub(crate) fn append(
        &mut self,
        asker: Asker,
        events: Vec<Event>,
        (back, then): (Back, Then),
        news: Vec<(Author, News)>,
        inbox: Sender<Input>,
    ) {
        self.made += 1;
        let id = CommitId(self.made);
        self.pending.push_back(Pending { id, asker, back, news, then, since: Instant::now() });
        let reply = Reply { inbox, commit: id, is_sent: false };
        let on_stored = move |outcome| reply.send(outcome);
        self.store.append(events, Box::new(on_stored));
    }

    /// Adds news to the last commit.
    pub(crate) fn add_news(&mut self, author: Author, news: News) {
        if let Some(pending) = self.pending.back_mut() {
            pending.news.push((author, news));
        }
    }

    /// Whether the disk does not answer.
    pub(crate) fn hangs(&self) -> bool {
        self.pending.front().is_some_and(|pending| pending.since.elapsed() > DISK_PATIENCE)
    }

    /// Whether a commit is the oldest that is not durable. A commit that was taken back is not.
    pub(crate) fn is_next(&self, commit: CommitId) -> bool {
        self.pending.front().is_some_and(|pending| pending.id == commit)
    }

    /// Removes and returns the oldest commit: it is durable now.
    pub(crate) fn take_next(&mut self) -> Option<Pending> {
        self.pending.pop_front()
    }

    /// Takes back everything after the last durable commit, newest first. The session moves back.
    pub(crate) fn take_back_all(&mut self, error: &StoreError) -> Vec<Pending> {
        // If the store refuses the only open commit, only that one is lost. Otherwise the store may have
        // written some.
        let is_left_out = matches!(error, StoreError::Refused { .. }) && self.pending.len() == 1;
        if !is_left_out && self.read_only.is_none() {
            self.read_only = Some(error.clone());
        }
        let mut lost: Vec<Pending> = self.pending.drain(..).rev().collect();
        for pending in &mut lost {
            if let Back::State { place, .. } = &mut pending.back
                && let Some(Place { session, head, grew }) = place.take()
            {
                self.session = session;
                if grew {
                    self.history.drop_last();
                } else {
                    self.history.move_head(head);
                }
            }
        }
        lost
    }
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
