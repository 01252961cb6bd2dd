//! The state that events lead to: session, history and plans.

use crate::event::{Event, HeadMoved, PlanDecided, PlanMade, Record};
use deskhand_session::{Change, History, PlanState, Revision, Said, Session, StoredPlan};

/// What the events so far lead to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Replay {
    pub(crate) session: Session,
    pub(crate) history: History,
    pub(crate) plans: Vec<StoredPlan>,
    pub(crate) conversation: Vec<Said>,
}

impl Replay {
    pub(crate) fn new(session: Session) -> Self {
        Self { session, history: History::default(), plans: Vec::new(), conversation: Vec::new() }
    }

    /// Takes one step; after an error nothing has changed.
    pub(crate) fn step(&mut self, event: &Event) -> Result<(), String> {
        let changes = self.changes(event)?;
        if !changes.is_empty() {
            let next = self.session.with(&changes);
            self.session = next.map_err(|error| error.to_string())?;
        }
        self.note(event.clone());
        Ok(())
    }

    /// What an event does to the session, once it is sure that it follows.
    pub(crate) fn changes(&self, event: &Event) -> Result<Vec<Change>, String> {
        match event {
            Event::Revision(revision) => self.follows(revision).map(|()| revision.changes.clone()),
            Event::Head(head) => match self.history.way_to(head.to) {
                Some((back, forth)) => Ok(path(&back, &forth)),
                None => Err(format!("there is no way to revision {}", head.to)),
            },
            Event::Plan(_) | Event::Said(_) => Ok(Vec::new()),
            Event::PlanState(decided) => {
                let known = self.plans.iter().any(|stored| stored.plan.id == decided.plan);
                let unknown = || format!("{} is not stored", decided.plan);
                if known { Ok(Vec::new()) } else { Err(unknown()) }
            }
        }
    }

    fn follows(&self, revision: &Revision) -> Result<(), String> {
        let (number, head) = (self.history.next_id(), self.history.head());
        if revision.id == number && revision.parent == head {
            return Ok(());
        }
        let Revision { id, parent, .. } = revision;
        Err(format!("revision {id} on {parent} does not follow: it would be {number} on {head}"))
    }

    /// Notes an event that follows in history and plans.
    pub(crate) fn note(&mut self, event: Event) {
        match event {
            Event::Revision(revision) => self.history.push(revision),
            Event::Head(HeadMoved { to, .. }) => self.history.move_head(to),
            Event::Plan(made) => self.note_plan(made),
            Event::PlanState(decided) => self.note_state(&decided),
            Event::Said(said) => self.conversation.push(said),
        }
    }

    /// The same call on the same session makes the same plan: the newer one counts.
    fn note_plan(&mut self, made: PlanMade) {
        let PlanMade { plan, author, time_ms } = made;
        self.plans.retain(|stored| stored.plan.id != plan.id);
        self.plans.push(StoredPlan {
            plan,
            state: PlanState::Waiting,
            author,
            reason: None,
            receipt: None,
            follows: None,
            time_ms,
            decided_ms: None,
        });
    }

    fn note_state(&mut self, decided: &PlanDecided) {
        let mut plans = self.plans.iter_mut();
        if let Some(stored) = plans.find(|stored| stored.plan.id == decided.plan) {
            decided.settle(stored);
        }
    }
}

/// The changes that undo `back` and then apply `forth`.
fn path(back: &[&Revision], forth: &[&Revision]) -> Vec<Change> {
    let back = back.iter().flat_map(|left| deskhand_session::apply::inverses(&left.changes));
    back.chain(forth.iter().flat_map(|reached| reached.changes.iter().cloned())).collect()
}

/// The session that the first record brings.
pub(crate) fn created(record: Record) -> Result<Session, String> {
    match record {
        Record::Created(session) => Ok(session),
        Record::Event(_) | Record::Snapshot(_) => {
            Err("the first event is not the creation of the session".into())
        }
    }
}
