//! Decisions on plans: apply, apply a part, reject.

use crate::bridge::Bridge;
use crate::calls::survives;
use crate::commits::{NewRevision, Then};
use crate::errors::{apply_error, no_plan};
use crate::hosts::Gestures;
use crate::ids::Asker;
use crate::plans::{applied, decision, unmeasured};
use crate::rest::{REDO, UNDO};
use deskhand_protocol::{Decision, Rule, Status, ToolResult};
use deskhand_session::plan::{PlanFileError, Refusal};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Conflict, Plan, PlanId, PlanState, Receipt, Session, StoredPlan};
use deskhand_store::PlanDecided;
use std::sync::Arc;

/// The reason of a rejection without a reason.
const NO_REASON: &str = "no reason was given";

impl Bridge {
    /// Takes a person's decision.
    pub(crate) fn decide(&mut self, asker: Asker, id: PlanId, decision: Decision) {
        if let Err(error) = self.decidable(id) {
            return self.fail(asker, error);
        }
        match decision {
            Decision::Apply => self.apply_rest(asker, id),
            Decision::ApplyAlways => {
                let tool = self.plans.get(id).map(|stored| stored.plan.tool.clone());
                let allowed = tool.map(|tool| self.permissions.set(tool, Some(Rule::Allow)));
                self.carry_out(allowed.into_iter().flatten());
                self.apply_rest(asker, id);
            }
            Decision::ApplyPart { only, set } => self.derive(asker, id, only, &set),
            Decision::Reject { reason } => self.reject(asker, id, reason),
        }
    }

    /// Takes a plan from a file; an equal one that waits already is not doubled.
    pub(crate) fn add_plan(&mut self, asker: Asker, mut plan: Plan) {
        if plan.session != self.commits.session.id {
            let other = Refusal::OtherSession { plan: plan.session, here: self.commits.session.id };
            return self.refused(asker, plan.id, other);
        }
        if plan.digest != plan.computed_digest() || !survives(&plan) {
            let message = PlanFileError::Digest.to_string();
            return self.fail(asker, apply_error(Code::Invalid, message, "plan again"));
        }
        let same = |stored: &&StoredPlan| {
            stored.plan.digest == plan.digest && stored.state == PlanState::Waiting
        };
        match self.plans.all().iter().find(same).map(|stored| stored.plan.id) {
            Some(known) => {
                let result = self.waiting(known).unwrap_or_else(|| self.ok("the plan is known"));
                self.answer(asker, result);
            }
            None => {
                // A button that calls a tool is one of ours, not of a file.
                plan.offers.clear();
                self.park(asker, plan);
            }
        }
    }

    fn decidable(&self, id: PlanId) -> Result<(), ToolError> {
        let refuse = |code, message: String, fix| Err(apply_error(code, message, fix));
        let Some(stored) = self.plans.get(id) else {
            return Err(no_plan(id));
        };
        if self.jobs.is_let_run_by(id) {
            let fix = "wait for it, or cancel it";
            return refuse(Code::InProgress, "the plan is running already".to_owned(), fix);
        }
        match stored.state {
            PlanState::Waiting | PlanState::Conflict | PlanState::Undone => Ok(()),
            PlanState::Applied => refuse(
                Code::Refused,
                "the plan is applied already".to_owned(),
                "undo it, or plan again",
            ),
            PlanState::Applying => refuse(
                Code::InProgress,
                "the plan is being applied".to_owned(),
                "wait for its receipt",
            ),
            PlanState::Rejected => {
                let why = stored.reason.as_deref().unwrap_or(NO_REASON);
                refuse(Code::Refused, format!("the plan was rejected: {why}"), "plan again")
            }
            PlanState::RolledBack => {
                let message = "the plan missed what it promised and was rolled back";
                refuse(Code::Refused, message.to_owned(), "plan again")
            }
        }
    }

    /// Applies all of a plan, or the rest after parts were taken.
    fn apply_rest(&mut self, asker: Asker, id: PlanId) {
        if self.plans.taken_of(id).is_empty() {
            self.apply(asker, id, Vec::new());
        } else {
            self.derive(asker, id, None, &[]);
        }
    }

    /// Applies a plan if the session still fits it.
    pub(crate) fn apply(&mut self, asker: Asker, id: PlanId, skipped: Vec<String>) {
        if let Err(error) = self.commits.writable() {
            return self.fail(asker, error);
        }
        // Commit the host's moves that came during planning, before the plan.
        self.settle_gestures(Gestures::All);
        let Some(stored) = self.plans.get(id) else {
            return;
        };
        if stored.plan.changes.is_empty() && !is_step(&stored.plan) {
            let stored = stored.clone();
            return self.run_permitted(asker, &stored);
        }
        match stored.plan.applied_to(&self.commits.session) {
            Ok(session) if is_step(&stored.plan) => {
                let stored = stored.clone();
                match self.commits.proposed_step(&stored.plan) {
                    Some((step, way)) => self.take_step(asker, &stored, (&step, way), session),
                    None => self.step_is_gone(asker, &stored.plan),
                }
            }
            Ok(session) => match self.originals_are_there(&stored.plan, &session) {
                Ok(()) => self.apply_to(asker, &stored.clone(), session, skipped),
                Err(error) => self.fail(asker, error),
            },
            Err(refusal) => self.refused(asker, id, refusal),
        }
    }

    fn apply_to(
        &mut self,
        asker: Asker,
        stored: &StoredPlan,
        session: Session,
        skipped: Vec<String>,
    ) {
        let plan = &stored.plan;
        let id = plan.id;
        let checked = !plan.predicted.is_empty();
        let revision = self.commits.history.next_id();
        let rule = self.rule_for(asker, plan);
        let receipt = (!checked).then(|| Receipt {
            rule,
            ..unmeasured(plan, revision, PlanState::Applied, skipped.clone())
        });
        let state = if checked { PlanState::Applying } else { PlanState::Applied };
        let decided = PlanDecided { receipt: receipt.clone(), ..decision(id, state) };
        let changes = plan.bare_changes().cloned().collect();
        let step = NewRevision::new(session, plan.summary.clone(), changes).of(decided);
        let warnings = self.on_hosts().warn_of_bypass(&plan.changes).into_iter().collect();
        let then = |revision, session: &Arc<Session>| match receipt {
            Some(receipt) => {
                Then::Answer(Box::new(ToolResult { warnings, ..applied(plan.clone(), receipt) }))
            }
            None => Then::Measure { plan: id, revision, skipped, session: Arc::clone(session) },
        };
        self.commit_revision(asker, stored.author, step, then);
    }

    /// Answers that a plan does not fit; a conflict is remembered with the plan.
    pub(crate) fn refused(&mut self, asker: Asker, id: PlanId, refusal: Refusal) {
        let summary = refusal.to_string();
        match refusal {
            Refusal::Conflicts(conflicts) => self.conflicted(asker, id, summary, conflicts),
            Refusal::OtherSession { .. } => {
                let fix = "open the session it was made for";
                self.fail(asker, apply_error(Code::Conflict, summary, fix));
            }
            Refusal::Invalid(_) => {
                self.fail(asker, apply_error(Code::Invalid, summary, "plan again"));
            }
        }
    }

    /// Answers that a plan does not fit any more, and remembers it with the plan.
    pub(crate) fn conflicted(
        &mut self,
        asker: Asker,
        id: PlanId,
        summary: String,
        conflicts: Vec<Conflict>,
    ) {
        let result =
            ToolResult::new(Status::Conflict, summary.clone(), self.commits.history.head());
        let result = ToolResult { conflicts, ..result };
        let decided = PlanDecided { reason: Some(summary), ..decision(id, PlanState::Conflict) };
        self.commit_state(asker, decided, Then::Answer(Box::new(result)));
    }

    fn reject(&mut self, asker: Asker, id: PlanId, reason: String) {
        let reason = if reason.trim().is_empty() { NO_REASON.into() } else { reason };
        let summary = format!("rejected: {reason}");
        let result = ToolResult::new(Status::Rejected, summary, self.commits.history.head());
        let decided = PlanDecided { reason: Some(reason), ..decision(id, PlanState::Rejected) };
        self.commit_state(asker, decided, Then::Rejected(id, Box::new(result)));
    }
}

fn is_step(plan: &Plan) -> bool {
    [UNDO, REDO].contains(&plan.tool.as_str())
}
