//! Undo, redo, and what an interruption left open.

use crate::bridge::{Bridge, now_ms, storage};
use crate::commit::Then;
use crate::connection::{Asker, ConnectionId};
use crate::decide::apply_error;
use crate::jobs::HOUSE;
use crate::policy::Verdict;
use crate::proposed_steps::{REDO, UNDO};
use deskhand_protocol::{Apply, CallId};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{HeadMove, PlanState, Revision, RevisionId, StoredPlan};
use deskhand_store::PlanDecided;
use deskhand_toolkit::Trust;

/// Which way a step goes in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Back,
    Forth,
}

impl Bridge {
    /// Goes the next step that way: a person asks for it and means it.
    pub(crate) fn undo_or_redo(&mut self, asker: Asker, way: Way) {
        let any: Option<RevisionId> = None;
        if let Err(error) = self.next_step(asker, way, any, Apply::Now) {
            self.fail(asker, error);
        }
    }

    /// Goes the next step that way and says which: at once if a person or a rule of the person's says
    /// so, else as a plan that waits. With `only`, nothing but that revision.
    pub(crate) fn next_step(
        &mut self,
        asker: Asker,
        way: Way,
        only: Option<RevisionId>,
        wish: Apply,
    ) -> Result<(), ToolError> {
        let (step, tool, nothing) = match way {
            Way::Back => (self.history.undo(), UNDO, "there is nothing to undo"),
            Way::Forth => (self.history.redo(), REDO, "there is nothing to redo"),
        };
        let fix = "see the history: get_history, or `deskhand log DIR`";
        if let Some(error) = &self.read_only {
            return Err(storage(error));
        }
        let Some(step) = step else {
            return Err(apply_error(Code::NoTarget, nothing.into(), fix));
        };
        if only.is_some_and(|only| only != step.named) {
            let message = format!("the next is revision {}: {}", step.named, step.label);
            return Err(apply_error(Code::Conflict, message, fix));
        }
        let authority = self.authority_of(asker.connection);
        match self.policy.shall_apply(authority, tool, Trust::Suggest, wish) {
            Verdict::Apply => self.step(asker, &step, way),
            Verdict::Wait => self.propose_step(asker, &step, way),
        }
        Ok(())
    }

    fn step(&mut self, asker: Asker, step: &HeadMove, way: Way) {
        let verb = match way {
            Way::Back => "undone",
            Way::Forth => "done again",
        };
        let session = match self.session.with(&step.changes) {
            Ok(session) => session,
            Err(error) => {
                let fix = "check the session with `deskhand doctor DIR`";
                return self.fail(asker, apply_error(Code::Invalid, error.to_string(), fix));
            }
        };
        let decided = self.passed_plans(step, way);
        let mut result = self.ok(format!("{verb}: {}", step.label));
        result.revision = step.to;
        self.commit_head(
            asker,
            asker.author,
            step,
            session,
            decided,
            Then::Answer(Box::new(result)),
        );
    }

    /// The plans between the two ends of a step, and what the step makes of them.
    pub(crate) fn passed_plans(&self, step: &HeadMove, way: Way) -> Vec<PlanDecided> {
        let mut decided = Vec::new();
        // A child's number is higher than its parent's.
        let (mut at, end) = (step.from.max(step.to), step.from.min(step.to));
        while at != end {
            let Some(revision) = self.history.get(at) else {
                break;
            };
            let known = revision.plan.and_then(|id| self.plans.get(id));
            decided.extend(known.map(|stored| PlanDecided {
                plan: stored.plan.id,
                state: self.state_after(stored, revision, way),
                reason: None,
                receipt: None,
                follows: None,
                time_ms: now_ms(),
            }));
            at = revision.parent;
        }
        decided
    }

    fn state_after(&self, stored: &StoredPlan, revision: &Revision, way: Way) -> PlanState {
        match (self.is_roll_back(stored, revision), way) {
            (false, Way::Back) => PlanState::Undone,
            (false, Way::Forth) | (true, Way::Back) => PlanState::Applied,
            (true, Way::Forth) => PlanState::RolledBack,
        }
    }

    /// Whether `revision` took its plan back: then the plan was applied ahead of it.
    fn is_roll_back(&self, stored: &StoredPlan, revision: &Revision) -> bool {
        let rolled_back = stored.receipt.as_ref().is_some_and(|receipt| receipt.rolled_back);
        let ahead = std::iter::successors(self.history.get(revision.parent), |revision| {
            self.history.get(revision.parent)
        });
        rolled_back && ahead.into_iter().any(|ahead| ahead.plan == Some(stored.plan.id))
    }

    /// A plan that was applied when the program ended before its receipt: it stands, unmeasured.
    pub(crate) fn settle_interrupted(&mut self) {
        let open = self.plans.all().iter().filter(|s| s.state == PlanState::Applying);
        let open: Vec<_> = open.map(|stored| stored.plan.id).collect();
        for plan in open {
            let decided = PlanDecided {
                plan,
                state: PlanState::Applied,
                reason: Some("not measured: the program ended first".into()),
                receipt: None,
                follows: None,
                time_ms: now_ms(),
            };
            let asker = Asker { connection: ConnectionId(0), call: CallId(0), author: HOUSE };
            self.commit_state(asker, decided, Then::Rest);
        }
    }
}
