//! Committing: the session moves at once, the world hears of it when it is durable.

use crate::bridge::{Bridge, now_ms, storage};
use crate::front::Asker;
use crate::input::Input;
use deskhand_protocol::{News, ToolResult};
use deskhand_session::{
    Author, Change, HeadMove, PlanId, PlanState, Revision, RevisionId, Session,
};
use deskhand_store::{Event, HeadMoved, PlanDecided, StoreError};
use std::sync::Arc;

/// Names a commit that the storage thread works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub(crate) u64);

/// A commit that is not durable yet, with the way back.
pub(crate) struct Pending {
    id: CommitId,
    asker: Asker,
    back: Back,
    moved: Option<News>,
    then: Then,
}

/// How to take a commit back that could not be stored.
enum Back {
    /// A plan was added.
    Plan(PlanId),
    /// A plan changed its state, and perhaps the session moved.
    State {
        plan: Option<(PlanId, PlanState)>,
        place: Option<Place>,
    },
}

/// Where the session was.
struct Place {
    session: Arc<Session>,
    head: RevisionId,
    grew: bool,
}

/// What follows once a commit is durable.
pub(crate) enum Then {
    /// Nothing.
    Rest,
    /// The submission is answered.
    Answer(Box<ToolResult>),
    /// A plan waits for a decision, and the submission is answered.
    Review(PlanId, Box<ToolResult>),
    /// The predictions of an applied plan are measured.
    Measure {
        plan: PlanId,
        revision: RevisionId,
        skipped: Vec<String>,
    },
}

impl Bridge {
    /// Stores a new plan.
    pub(crate) fn commit_plan(
        &mut self,
        asker: Asker,
        id: PlanId,
        event: Event,
        answer: Option<ToolResult>,
    ) {
        let then = answer.map_or(Then::Rest, |result| Then::Review(id, Box::new(result)));
        self.append(asker, vec![event], Back::Plan(id), None, then);
    }

    /// Stores a plan's new state without moving the session.
    pub(crate) fn commit_state(&mut self, asker: Asker, decided: PlanDecided, then: Then) {
        let before = self
            .plans
            .get(decided.plan)
            .map(|stored| (decided.plan, stored.state));
        let event = self.plans.decide(decided);
        self.append(
            asker,
            vec![event],
            Back::State {
                plan: before,
                place: None,
            },
            None,
            then,
        );
    }

    /// Moves to `session` by a new revision, and stores it with the state of its plan.
    pub(crate) fn commit_revision(
        &mut self,
        asker: Asker,
        author: Author,
        step: NewRevision,
        then: impl FnOnce(RevisionId) -> Then,
    ) {
        let NewRevision {
            session,
            label,
            changes,
            plan,
        } = step;
        let from = self.history.head();
        let id = self.history.next_id();
        let revision = Revision {
            id,
            parent: from,
            author,
            label: label.clone(),
            plan: plan.as_ref().map(|decided| decided.plan),
            changes,
            time_ms: now_ms(),
        };
        self.history.push(revision.clone());
        let place = Place {
            session: self.step_to(session),
            head: from,
            grew: true,
        };
        let moved = News::Moved {
            from,
            to: id,
            label,
        };
        self.append_move(
            asker,
            Event::Revision(revision),
            plan,
            place,
            moved,
            then(id),
        );
    }

    /// Moves along the tree, and stores that with the state of the plan that it names.
    pub(crate) fn commit_head(
        &mut self,
        asker: Asker,
        step: &HeadMove,
        session: Session,
        plan: Option<PlanDecided>,
        then: Then,
    ) {
        self.history.move_head(step.to);
        let place = Place {
            session: self.step_to(session),
            head: step.from,
            grew: false,
        };
        let head = HeadMoved {
            to: step.to,
            author: asker.author,
            time_ms: now_ms(),
        };
        let moved = News::Moved {
            from: step.from,
            to: step.to,
            label: step.label.clone(),
        };
        self.append_move(asker, Event::Head(head), plan, place, moved, then);
    }

    /// Makes `session` the session and returns the one before.
    fn step_to(&mut self, session: Session) -> Arc<Session> {
        std::mem::replace(&mut self.session, Arc::new(session))
    }

    fn append_move(
        &mut self,
        asker: Asker,
        event: Event,
        plan: Option<PlanDecided>,
        place: Place,
        moved: News,
        then: Then,
    ) {
        let before = plan
            .as_ref()
            .and_then(|decided| self.plans.get(decided.plan))
            .map(|stored| (stored.plan.id, stored.state));
        let state = plan.map(|decided| self.plans.decide(decided));
        let events = std::iter::once(event).chain(state).collect();
        let back = Back::State {
            plan: before,
            place: Some(place),
        };
        self.append(asker, events, back, Some(moved), then);
    }

    fn append(
        &mut self,
        asker: Asker,
        events: Vec<Event>,
        back: Back,
        moved: Option<News>,
        then: Then,
    ) {
        let id = self.next_commit();
        self.pending.push_back(Pending {
            id,
            asker,
            back,
            moved,
            then,
        });
        let inbox = self.inbox.0.clone();
        let on_stored = move |outcome| {
            drop(inbox.send(Input::Stored {
                commit: id,
                outcome,
            }))
        };
        self.store.append(events, Box::new(on_stored));
    }

    /// Takes the storage thread's answer.
    pub(crate) fn stored(&mut self, commit: CommitId, outcome: Result<u64, StoreError>) {
        if self
            .pending
            .front()
            .is_none_or(|pending| pending.id != commit)
        {
            // It was taken back together with an earlier one.
            return;
        }
        match outcome {
            Ok(_) => self.settled(),
            Err(error) => self.take_back_all(&error),
        }
    }

    fn settled(&mut self) {
        let Some(Pending {
            asker, moved, then, ..
        }) = self.pending.pop_front()
        else {
            return;
        };
        if let Some(moved) = moved {
            self.tell(asker.author, Some(asker), moved);
            self.conform_missing();
        }
        match then {
            Then::Rest => {}
            Then::Answer(result) => self.answer(asker, *result),
            Then::Review(plan, result) => {
                self.tell(asker.author, Some(asker), News::Review { plan });
                self.answer(asker, *result);
            }
            Then::Measure {
                plan,
                revision,
                skipped,
            } => {
                self.measure_predictions(asker, plan, revision, skipped);
            }
        }
    }

    /// Everything after the last durable commit is taken back, newest first; each asker is told.
    fn take_back_all(&mut self, error: &StoreError) {
        let mut askers = Vec::new();
        while let Some(Pending { asker, back, .. }) = self.pending.pop_back() {
            self.take_back(back);
            // Parking a plan and applying it at once are two commits of one call.
            if !askers.contains(&asker) {
                askers.push(asker);
            }
        }
        if !matches!(error, StoreError::Refused { .. }) {
            self.read_only = Some(error.clone());
            self.tell(
                crate::jobs::HOUSE,
                None,
                News::ReadOnly {
                    reason: error.to_string(),
                },
            );
        }
        for asker in askers.into_iter().rev() {
            self.fail(asker, storage(error));
        }
    }

    fn take_back(&mut self, back: Back) {
        match back {
            Back::Plan(id) => self.plans.forget(id),
            Back::State { plan, place } => {
                if let Some((plan, state)) = plan {
                    let reason = None;
                    let receipt = None;
                    let time_ms = now_ms();
                    self.plans.decide(PlanDecided {
                        plan,
                        state,
                        reason,
                        receipt,
                        time_ms,
                    });
                }
                if let Some(Place {
                    session,
                    head,
                    grew,
                }) = place
                {
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

/// What a new revision consists of.
pub(crate) struct NewRevision {
    /// The session as it leaves it.
    pub(crate) session: Session,
    /// What undo calls it.
    pub(crate) label: String,
    /// The changes.
    pub(crate) changes: Vec<Change>,
    /// The new state of its plan.
    pub(crate) plan: Option<PlanDecided>,
}
