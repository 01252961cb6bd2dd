//! Decisions on plans: apply, apply a part, reject.

use crate::bridge::Bridge;
use crate::builtin_calls;
use crate::commits::{Commits, NewRevision, Then};
use crate::effect::Effect;
use crate::errors::{apply_error, no_plan};
use crate::hosts::GainMoves;
use crate::ids::Asker;
use crate::partial_undo::Direction;
use crate::plans::{Plans, applied, decision, survives, unmeasured};
use deskhand_protocol::{Decision, Rule, Status, ToolResult};
use deskhand_session::plan::{PlanFileError, Refusal};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Conflict, Plan, PlanId, PlanState, Receipt, Session, StoredPlan};
use deskhand_store::PlanDecided;
use deskhand_toolkit::Trust;
use std::sync::Arc;

/// The reason of a rejection without a reason.
const NO_REASON: &str = "no reason was given";

/// What the receipt of a plan says besides its changes.
pub(crate) struct Remarks {
    /// The rule that applied it, if no person did.
    pub(crate) rule: Option<String>,
    /// What hosts do not play of it.
    pub(crate) warnings: Vec<String>,
}

impl Bridge {
    /// Takes a person's decision.
    pub(crate) fn decide(&mut self, asker: Asker, id: PlanId, decision: Decision) {
        let tool = match self.plans.decidable(id, self.jobs.is_let_run_by(id)) {
            Ok(plan) => plan.tool.clone(),
            Err(error) => return self.fail(asker, error),
        };
        if matches!(decision, Decision::ApplyAlways) {
            let allowed = self.permissions.set(tool, Some(Rule::Allow));
            self.carry_out(allowed);
        }
        match decision {
            Decision::Apply | Decision::ApplyAlways if self.plans.taken_of(id).is_empty() => {
                self.apply(asker, id, Vec::new());
            }
            // The rest, after parts of it were taken.
            Decision::Apply | Decision::ApplyAlways => self.derive(asker, id, None, &[]),
            Decision::ApplyPart { only, set } => self.derive(asker, id, only, &set),
            Decision::Reject { reason } => self.carry_out([self.commits.reject(asker, id, reason)]),
        }
    }

    /// Takes a plan from a file; an equal one that waits already is not doubled.
    pub(crate) fn add_plan(&mut self, asker: Asker, mut plan: Plan) {
        if let Some(refusal) = self.commits.refusal_of(asker, &plan) {
            return self.carry_out([refusal]);
        }
        match self.plans.waiting_as(&plan.digest) {
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

    /// Applies a plan if the session still fits it.
    pub(crate) fn apply(&mut self, asker: Asker, id: PlanId, skipped: Vec<String>) {
        if let Err(error) = self.commits.writable() {
            return self.fail(asker, error);
        }
        // Commit the host's moves that came during planning, before the plan.
        self.settle_gestures(GainMoves::All);
        let Some(stored) = self.plans.get(id) else {
            return;
        };
        if stored.plan.changes.is_empty() && !is_step(&stored.plan) {
            let stored = stored.clone();
            return self.run_permitted(asker, &stored);
        }
        let remarks = self.remarks(asker, &stored.plan);
        let originals =
            |after: &Session| self.files.have_originals(&stored.plan, &self.commits.session, after);
        self.carry_out([self.commits.apply(asker, stored, skipped, remarks, originals)]);
    }

    /// What the receipt of a plan says besides its changes.
    pub(crate) fn remarks(&self, asker: Asker, plan: &Plan) -> Remarks {
        let trust = builtin_calls::spec(&self.registry, &plan.tool).map(|spec| spec.trust);
        let trust = trust.unwrap_or(Trust::Require);
        Remarks {
            rule: self.permissions.rule_for(asker.author, plan, trust),
            warnings: self.on_hosts().warn_of_bypass(&plan.changes).into_iter().collect(),
        }
    }
}

impl Plans {
    /// The plan, if it can be decided on. `is_running` says whether its call runs.
    fn decidable(&self, id: PlanId, is_running: bool) -> Result<&Plan, ToolError> {
        let refuse = |code, message: String, fix| Err(apply_error(code, message, fix));
        let Some(stored) = self.get(id) else {
            return Err(no_plan(id));
        };
        if is_running {
            let fix = "wait for it, or cancel it";
            return refuse(Code::InProgress, "the plan is running already".to_owned(), fix);
        }
        match stored.state {
            PlanState::Waiting | PlanState::Conflict | PlanState::Undone => Ok(&stored.plan),
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

    /// The plan with this digest that waits.
    fn waiting_as(&self, digest: &str) -> Option<PlanId> {
        self.waiting().find(|id| self.get(*id).is_some_and(|it| it.plan.digest == digest))
    }
}

impl Commits {
    /// Refuses a plan of another session, and one that was changed by hand.
    fn refusal_of(&self, asker: Asker, plan: &Plan) -> Option<Effect> {
        if plan.session != self.session.id {
            let other = Refusal::OtherSession { plan: plan.session, here: self.session.id };
            return Some(self.refuse(asker, plan.id, other));
        }
        let is_changed = plan.digest != plan.computed_digest() || !survives(plan);
        is_changed.then(|| {
            let message = PlanFileError::Digest.to_string();
            Effect::Fail(asker, apply_error(Code::Invalid, message, "plan again"))
        })
    }

    /// What applying a plan comes to. `originals` refuses the session it leads to if a file of it is gone.
    fn apply(
        &self,
        asker: Asker,
        stored: &StoredPlan,
        skipped: Vec<String>,
        remarks: Remarks,
        originals: impl FnOnce(&Session) -> Result<(), ToolError>,
    ) -> Effect {
        let plan = &stored.plan;
        let session = match plan.applied_to(&self.session) {
            Ok(session) => session,
            Err(refusal) => return self.refuse(asker, plan.id, refusal),
        };
        if is_step(plan) {
            return self.take_step(asker, stored, session);
        }
        match originals(&session) {
            Ok(()) => self.grown(asker, stored, session, skipped, remarks),
            Err(error) => Effect::Fail(asker, error),
        }
    }

    /// The revision that applies a plan, and what follows once it is stored.
    fn grown(
        &self,
        asker: Asker,
        stored: &StoredPlan,
        session: Session,
        skipped: Vec<String>,
        Remarks { rule, warnings }: Remarks,
    ) -> Effect {
        let (plan, session) = (&stored.plan, Arc::new(session));
        let (id, revision) = (plan.id, self.history.next_id());
        let (decided, then) = if plan.predicted.is_empty() {
            let receipt = unmeasured(plan, revision, PlanState::Applied, skipped);
            let receipt = Receipt { rule, ..receipt };
            let result = ToolResult { warnings, ..applied(plan.clone(), receipt.clone()) };
            let receipt = Some(receipt);
            let decided = PlanDecided { receipt, ..decision(id, PlanState::Applied) };
            (decided, Then::Answer(Box::new(result)))
        } else {
            let session = Arc::clone(&session);
            let then = Then::Measure { plan: id, revision, skipped, session, landed: None };
            (decision(id, PlanState::Applying), then)
        };
        let changes = plan.bare_changes().cloned().collect();
        let step = NewRevision::new(session, plan.summary.clone(), changes).of(decided);
        Effect::Grow(asker, stored.author, step, then)
    }

    /// Answers that a plan does not fit; a conflict is remembered with the plan.
    pub(crate) fn refuse(&self, asker: Asker, id: PlanId, refusal: Refusal) -> Effect {
        let summary = refusal.to_string();
        match refusal {
            Refusal::Conflicts(conflicts) => self.conflict(asker, id, summary, conflicts),
            Refusal::OtherSession { .. } => {
                let fix = "open the session it was made for";
                Effect::Fail(asker, apply_error(Code::Conflict, summary, fix))
            }
            Refusal::Invalid(_) => {
                Effect::Fail(asker, apply_error(Code::Invalid, summary, "plan again"))
            }
        }
    }

    /// Answers that a plan does not fit any more, and remembers it with the plan.
    pub(crate) fn conflict(
        &self,
        asker: Asker,
        id: PlanId,
        summary: String,
        conflicts: Vec<Conflict>,
    ) -> Effect {
        let result = ToolResult::new(Status::Conflict, summary.clone(), self.history.head());
        let result = ToolResult { conflicts, ..result };
        let decided = PlanDecided { reason: Some(summary), ..decision(id, PlanState::Conflict) };
        Effect::Decide(asker, decided, Then::Answer(Box::new(result)))
    }

    fn reject(&self, asker: Asker, id: PlanId, reason: String) -> Effect {
        let reason = if reason.trim().is_empty() { NO_REASON.into() } else { reason };
        let summary = format!("rejected: {reason}");
        let result = ToolResult::new(Status::Rejected, summary, self.history.head());
        let decided = PlanDecided { reason: Some(reason), ..decision(id, PlanState::Rejected) };
        Effect::Decide(asker, decided, Then::Rejected(id, Box::new(result)))
    }
}

/// Whether a plan is a step of the history.
fn is_step(plan: &Plan) -> bool {
    Direction::of_tool(&plan.tool).is_some()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::host_words::OnHosts;
    use crate::hosts::Hosts;
    use crate::ids::HOUSE;
    use deskhand_dsp::{Decibels, SampleRate};
    use deskhand_session::{Author, Change, Edit, SessionId};
    use deskhand_store::Store;
    use deskhand_toolkit::{Draft, Registry};
    use serde_json::json;
    use tempfile::TempDir;

    /// An empty session, and a plan of a model that turns its mix down.
    pub(crate) fn planned() -> (TempDir, Commits, Plans, PlanId) {
        let dir = tempfile::tempdir().unwrap();
        let session = Session::new(SessionId::new(1), SampleRate(48_000));
        let (store, loaded) = Store::create(&dir.path().join("session"), &session).unwrap();
        let commits = Commits::new(loaded.session, loaded.history, store);
        let edit = Edit::new(session.id, session.master_gain, Decibels(-3.0));
        let mut draft = Draft::new("Turn it down");
        draft.change(Change::SetMasterGain(edit), "Mix".into(), "as asked");
        let (hosts, tools) = (Hosts::default(), Registry::default());
        let on_hosts = OnHosts { hosts: &hosts, session: &commits.session, tools: &tools };
        let plan = on_hosts.plan_of(draft, "a".into(), json!({}), commits.history.head());
        let mut plans = Plans::default();
        let (id, _) = plans.add(plan, Author::Agent);
        (dir, commits, plans, id)
    }

    pub(crate) fn remarks() -> Remarks {
        Remarks { rule: Some("allow a".into()), warnings: Vec::new() }
    }

    #[test]
    fn a_plan_that_fits_becomes_a_revision_of_its_author() {
        let (_dir, commits, plans, id) = planned();
        let (asker, stored) = (Asker::nobody(HOUSE), plans.get(id).unwrap());
        let effect = commits.apply(asker, stored, Vec::new(), remarks(), |_| Ok(()));
        let Effect::Grow(_, Author::Agent, step, Then::Answer(result)) = effect else {
            panic!("it is applied and answered");
        };
        assert_eq!(step.session.master_gain, Decibels(-3.0));
        assert_eq!((step.plan, step.decided[0].state), (Some(id), PlanState::Applied));
        assert_eq!(result.receipt.unwrap().rule, Some("allow a".into()));
        let gone = |_: &Session| Err(apply_error(Code::Media, "gone".into(), "put it back"));
        let effect = commits.apply(asker, stored, Vec::new(), remarks(), gone);
        assert!(matches!(effect, Effect::Fail(_, error) if error.code == Code::Media));
    }

    #[test]
    fn a_plan_that_does_not_fit_any_more_is_a_conflict_that_stays_with_it() {
        let (_dir, mut commits, plans, id) = planned();
        let edit = Edit::new(commits.session.id, commits.session.master_gain, Decibels(-6.0));
        let changes = vec![Change::SetMasterGain(edit)];
        let session = commits.session.with(&changes).unwrap();
        drop(commits.grow(Author::User, NewRevision::new(session, "Down".into(), changes)));
        let (asker, stored) = (Asker::nobody(HOUSE), plans.get(id).unwrap());
        let effect = commits.apply(asker, stored, Vec::new(), remarks(), |_| Ok(()));
        let Effect::Decide(_, decided, Then::Answer(result)) = effect else {
            panic!("it is remembered and answered");
        };
        assert_eq!((decided.plan, decided.state), (id, PlanState::Conflict));
        assert_eq!((result.status, result.conflicts.len()), (Status::Conflict, 1));
    }

    #[test]
    fn what_is_decided_or_runs_cannot_be_decided_again() {
        let (_dir, _commits, mut plans, id) = planned();
        assert_eq!(plans.decidable(id, false).unwrap().id, id);
        let code = |plans: &Plans, runs| plans.decidable(id, runs).unwrap_err().code;
        assert_eq!(code(&plans, true), Code::InProgress);
        drop(plans.decide(decision(id, PlanState::Rejected)));
        assert_eq!(code(&plans, false), Code::Refused);
        assert_eq!(plans.decidable(PlanId::new(9), false).unwrap_err().code, Code::NoTarget);
    }
}
