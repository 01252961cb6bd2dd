//! Committing: plans, words and steps are stored, and what follows once they are durable.

use crate::bridge::Bridge;
use crate::commits::{Back, Moved, NewRevision, Pending, Place, Then};
use crate::errors::storage;
use crate::group_offer::came;
use crate::ids::{Asker, CommitId, HOUSE};
use crate::jobs::Work;
use crate::landings::Move;
use deskhand_protocol::{News, ToolResult};
use deskhand_session::{Author, HeadMove, PlanId, Said, Session};
use deskhand_store::{Event, PlanDecided, StoreError};
use std::iter::once;
use std::sync::Arc;

impl Bridge {
    /// Stores a new plan.
    pub(crate) fn commit_plan(&mut self, asker: Asker, id: PlanId, event: Event, then: Then) {
        self.append(asker, vec![event], Back::Plan(id), Vec::new(), then);
    }

    /// Once it is stored, the deciders learn that a plan waits.
    pub(crate) fn tell_review(&mut self, asker: Asker, id: PlanId) {
        if let Some(stored) = self.plans.get(id) {
            let plan = Box::new(stored.plan.clone());
            self.commits.add_news(asker.author, News::Review { plan });
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
        if let Some(news) = news {
            self.commits.add_news(asker.author, news);
        }
    }

    /// Stores a message of the conversation.
    pub(crate) fn commit_said(&mut self, asker: Asker, said: Said, news: Vec<News>, then: Then) {
        let news = news.into_iter().map(|news| (asker.author, news)).collect();
        self.append(asker, vec![Event::Said(said)], Back::Said, news, then);
    }

    /// Stores a plan's new state without moving the session.
    pub(crate) fn commit_state(&mut self, asker: Asker, decided: PlanDecided, then: Then) {
        let decided = self.plans.with_parents(vec![decided], &self.commits.session);
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

    /// Moves by a new revision. It is stored with the state of its plan, once a linked project has it.
    pub(crate) fn commit_revision(
        &mut self,
        asker: Asker,
        author: Author,
        step: NewRevision,
        then: Then,
    ) {
        self.move_session(asker, Move::Grow(author, step), then);
    }

    /// Moves along the tree. That is stored with the states of the plans it passes, once a linked project has it.
    pub(crate) fn commit_head(
        &mut self,
        asker: Asker,
        author: Author,
        step: HeadMove,
        session: Arc<Session>,
        plans: Vec<PlanDecided>,
        then: Then,
    ) {
        self.move_session(asker, Move::Go(author, step, session, plans), then);
    }

    /// Moves the session, and stores that.
    pub(crate) fn commit_move(&mut self, asker: Asker, to: Move, then: Then) {
        let (author, moved) = match to {
            Move::Grow(author, step) => (author, self.commits.grow(author, step)),
            Move::Go(author, step, session, plans) => {
                (author, self.commits.go(author, &step, session, plans))
            }
            Move::Look => return,
        };
        self.commit_moved(asker, author, moved, then);
    }

    /// Stores that the session moved. The author of the step proposed it; the asker decided it.
    fn commit_moved(&mut self, asker: Asker, author: Author, moved: Moved, then: Then) {
        let Moved { place, event, news, decided } = moved;
        let plans = self.plans.with_parents(decided, &self.commits.session);
        let decided = plans.iter().map(|decided| (asker.author, decided_news(decided)));
        let news = once((author, news)).chain(decided).collect();
        let (back, states) = self.decide_plans(plans, Some(place));
        let events = once(event).chain(states).collect();
        self.append(asker, events, back, news, then);
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
        self.commits.append(asker, events, (back, then), news, self.inbox.0.clone());
    }

    /// Gives up on a disk that does not answer.
    pub(crate) fn give_up_on_disk(&mut self) {
        if self.commits.hangs() {
            let why = "the disk does not answer".into();
            self.take_back_all(&StoreError::Failed { why });
        }
    }

    /// Takes the storage thread's answer.
    pub(crate) fn stored(&mut self, commit: CommitId, outcome: Result<u64, StoreError>) {
        match outcome {
            _ if !self.commits.is_next(commit) => {}
            Ok(_) => self.settled(),
            Err(error) => self.take_back_all(&error),
        }
    }

    fn settled(&mut self) {
        let Some(Pending { asker, news, then, .. }) = self.commits.take_next() else {
            return;
        };
        let moment = self.moment();
        let came = came(&news, &self.commits.session);
        for (author, mut news) in news {
            if let News::Moved { at, .. } = &mut news {
                *at = moment;
            }
            self.tell(author, Some(asker), news);
        }
        self.renew_hearing(moment);
        self.look_after_media();
        if !came.is_empty() && self.is_attended() {
            let offered = self.notices.offer_groups(&self.commits.session, &came);
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
            Then::Measure { plan, revision, skipped, session, landed } => {
                let work = Work::Measure { plan, revision, skipped, landed };
                self.measure_predictions(asker, plan, work, session);
            }
        }
    }

    /// Takes back everything after the last durable commit, newest first, and answers each asker.
    fn take_back_all(&mut self, error: &StoreError) {
        let could_write = self.commits.read_only.is_none();
        let mut answers = Vec::new();
        for pending in self.commits.take_back_all(error) {
            match pending.back {
                Back::Plan(id) => self.plans.forget(id),
                Back::Said => self.conversation.forget_last(),
                Back::State { plans, .. } => {
                    plans.into_iter().for_each(|plan| self.plans.restore(plan));
                }
            }
            answers.push((pending.asker, pending.then));
        }
        if could_write && let Some(why) = &self.commits.read_only {
            let reason = why.to_string();
            self.tell(HOUSE, None, News::ReadOnly { reason });
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
