//! Undo, redo, and what an interruption left open.

use crate::bridge::Bridge;
use crate::commits::{NewRevision, Then};
use crate::errors::apply_error;
use crate::ids::{Asker, HOUSE};
use crate::partial_undo::{Direction, Rest, Walk};
use crate::passes::Settle;
use crate::plans::{Plans, decision};
use crate::policy::Verdict;
use deskhand_protocol::Apply;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    ApplyError, Author, Course, HeadMove, History, PlanState, Revision, RevisionId, StoredPlan,
    Takes,
};
use deskhand_store::PlanDecided;
use deskhand_toolkit::Trust;
use serde_json::json;
use std::iter::once;
use std::sync::Arc;

/// Where revisions are seen.
const HISTORY: &str =
    "the history shows every step: its panel in the window, `deskhand log DIR`, get_history";

impl Bridge {
    /// Goes the next step that way: a person asks for it and means it.
    pub(crate) fn undo_or_redo(&mut self, asker: Asker, way: Direction) {
        let any: Option<RevisionId> = None;
        let went = self.next_step(asker, way, any, Apply::Now);
        self.fail_if(asker, went);
    }

    /// Takes the next step in that direction and returns it. A person's step, or one that a rule allows, is
    /// applied at once; others wait as a plan. With `only`, no other revision is accepted.
    pub(crate) fn next_step(
        &mut self,
        asker: Asker,
        way: Direction,
        only: Option<RevisionId>,
        wish: Apply,
    ) -> Result<(), ToolError> {
        self.settle_recordings(Settle::All);
        let (step, nothing) = match way {
            Direction::Back => (self.commits.history.undo(), "there is nothing to undo"),
            Direction::Forth => (self.commits.history.redo(), "there is nothing to redo"),
        };
        let tool = way.tool();
        self.commits.writable()?;
        let Some(step) = step else {
            return Err(apply_error(Code::NoTarget, nothing.into(), HISTORY));
        };
        if only.is_some_and(|only| only != step.named) {
            let message = format!("the next is revision {}: {}", step.named, step.label);
            return Err(apply_error(Code::Conflict, message, HISTORY));
        }
        let authority = self.authority_of(asker.connection);
        let rest = self.commits.rest_of(step).map_err(|error| does_not_fit(&error))?;
        let goes_out = self.goes_into_a_project(&rest.step.changes);
        let trust = if goes_out { Trust::Require } else { Trust::Suggest };
        match self.permissions.policy.shall_apply(authority, tool, trust, wish) {
            Verdict::Apply => self.step(asker, rest, way),
            Verdict::Wait => {
                let (base, params) = (rest.step.from, json!({"revision": rest.step.named}));
                let draft = self.commits.draft_of_step(&rest, way);
                let plan = self.on_hosts().plan_of(draft, tool.into(), params, base);
                self.park(asker, plan);
            }
        }
        Ok(())
    }

    fn step(&mut self, asker: Asker, Rest { step, session, left_out }: Rest, way: Direction) {
        let verb = match way {
            Direction::Back => "undone",
            Direction::Forth => "done again",
        };
        let said = once(format!("{verb}: {}", step.label)).chain(left_out);
        let mut result = self.ok(said.collect::<Vec<_>>().join("; "));
        result.revision = step.to;
        let then = Then::Answer(Box::new(result));
        let walk = Walk { step, way, session: Arc::new(session), decided: None };
        self.walk(asker, asker.author, walk, then);
    }

    /// Commits a step of the history, along the tree or on top of it.
    pub(crate) fn walk(&mut self, asker: Asker, author: Author, walk: Walk, then: Then) {
        let Walk { step, way, session, decided } = walk;
        let passed = self.plans.passed(&self.commits.history, &step, way);
        let decided = passed.into_iter().chain(decided).collect();
        if step.course == Course::Along {
            return self.commit_head(asker, author, step, session, decided, then);
        }
        let (label, plan, takes) = match way {
            Direction::Back => (format!("Undo: {}", step.label), None, Takes::Back(step.named)),
            Direction::Forth => (step.label, step.plan, Takes::Again(step.named)),
        };
        let step = NewRevision::new(session, label, step.changes);
        let revision = NewRevision { plan, takes: Some(takes), decided, ..step };
        self.commit_revision(asker, author, revision, then);
    }

    /// Goes to a revision of the tree, for a person.
    pub(crate) fn go_to(&mut self, asker: Asker, to: RevisionId) {
        self.settle_recordings(Settle::All);
        if to == self.commits.history.head() {
            let result = self.ok(format!("the session is at revision {to} already"));
            return self.answer(asker, result);
        }
        let Some(step) = self.commits.history.go_to(to) else {
            let message = format!("there is no revision {to}");
            return self.fail(asker, apply_error(Code::NoTarget, message, HISTORY));
        };
        let session = match self.commits.session.with(&step.changes) {
            Ok(session) => session,
            Err(error) => return self.fail(asker, does_not_fit(&error)),
        };
        let decided = self.plans.on_the_way(&self.commits.history, to);
        let grows = self.commits.history.iter().any(|revision| revision.parent == to);
        let what = if grows { "; the next edit grows a branch" } else { "" };
        let mut result = self.ok(format!("at revision {to}{what}"));
        result.revision = to;
        let then = Then::Answer(Box::new(result));
        self.commit_head(asker, asker.author, step, Arc::new(session), decided, then);
    }

    /// A plan that was applied when the program ended before its receipt. It stays applied and is not
    /// measured.
    pub(crate) fn settle_interrupted(&mut self) {
        let open = self.plans.all().iter().filter(|s| s.state == PlanState::Applying);
        let open: Vec<_> = open.map(|stored| stored.plan.id).collect();
        for plan in open {
            let reason = Some("not measured: the program ended first".into());
            let decided = PlanDecided { reason, ..decision(plan, PlanState::Applied) };
            let asker = Asker::nobody(HOUSE);
            self.commit_state(asker, decided, Then::Rest);
        }
    }
}

impl Plans {
    /// The new states of the plans between here and another revision.
    fn on_the_way(&self, history: &History, to: RevisionId) -> Vec<PlanDecided> {
        let (back, forth) = history.way_to(to).unwrap_or_default();
        let passed = back.into_iter().map(|revision| (revision, Direction::Back));
        let passed = passed.chain(forth.into_iter().map(|revision| (revision, Direction::Forth)));
        let decided = passed.filter_map(|(revision, way)| match (revision.takes, way) {
            // Leaving what took a revision back brings that back.
            (Some(Takes::Back(of)), Direction::Back) => {
                self.plan_passed(history, history.get(of)?, Direction::Forth)
            }
            (Some(Takes::Back(of)), Direction::Forth) => {
                self.plan_passed(history, history.get(of)?, Direction::Back)
            }
            (Some(Takes::Again(_)) | None, way) => self.plan_passed(history, revision, way),
        });
        decided.collect()
    }

    /// The plans between the two ends of a step, and their states after it.
    pub(crate) fn passed(
        &self,
        history: &History,
        step: &HeadMove,
        way: Direction,
    ) -> Vec<PlanDecided> {
        let mut decided = Vec::new();
        if way == Direction::Forth && step.changes.is_empty() {
            // Nothing of it could be done again.
            return decided;
        }
        // A child's number is higher than its parent's.
        let (mut at, end) = match step.course {
            Course::Along => (step.from.max(step.to), step.from.min(step.to)),
            Course::OnTop => {
                let parent = history.get(step.named).map(|named| named.parent);
                (step.named, parent.unwrap_or(step.named))
            }
        };
        while at != end {
            let Some(revision) = history.get(at) else {
                break;
            };
            decided.extend(self.plan_passed(history, revision, way));
            at = revision.parent;
        }
        decided
    }

    /// What passing a revision makes of its plan.
    fn plan_passed(
        &self,
        history: &History,
        revision: &Revision,
        way: Direction,
    ) -> Option<PlanDecided> {
        let stored = revision.plan.and_then(|id| self.get(id))?;
        Some(decision(stored.plan.id, state_after(history, stored, revision, way)))
    }
}

fn state_after(
    history: &History,
    stored: &StoredPlan,
    revision: &Revision,
    way: Direction,
) -> PlanState {
    match (is_roll_back(history, stored, revision), way) {
        (false, Direction::Back) => PlanState::Undone,
        (false, Direction::Forth) | (true, Direction::Back) => PlanState::Applied,
        (true, Direction::Forth) => PlanState::RolledBack,
    }
}

/// Whether `revision` took its plan back. Then the plan was applied before it.
fn is_roll_back(history: &History, stored: &StoredPlan, revision: &Revision) -> bool {
    let rolled_back = stored.receipt.as_ref().is_some_and(|receipt| receipt.rolled_back);
    let ahead = std::iter::successors(history.get(revision.parent), |revision| {
        history.get(revision.parent)
    });
    rolled_back && ahead.into_iter().any(|ahead| ahead.plan == Some(stored.plan.id))
}

/// The error of a step along the tree that the session does not take.
fn does_not_fit(error: &ApplyError) -> ToolError {
    apply_error(Code::Invalid, error.to_string(), "check the session with `deskhand doctor DIR`")
}
