//! After applying: measures the predicted values, and takes the plan back if they were missed.

use crate::bridge::Bridge;
use crate::commits::{Commits, NewRevision, Then};
use crate::decide::Remarks;
use crate::effect::Effect;
use crate::hosts::GainMoves;
use crate::ids::{Asker, JobId};
use crate::input::Input;
use crate::jobs::{Job, Work};
use crate::plans::{applied, decision, unmeasured};
use deskhand_dsp::Decibels;
use deskhand_protocol::{Status, ToolResult};
use deskhand_session::apply::inverses;
use deskhand_session::tool_error::ToolError;
use deskhand_session::{
    ApplyError, Change, Course, HeadMove, Landed, Measured, ObjectId, Plan, PlanId, PlanState,
    Prediction, Receipt, Revision, RevisionId, Session, StoredPlan,
};
use deskhand_store::PlanDecided;
use deskhand_toolkit::PlanContext;
use deskhand_toolkit::levels::level_of;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers in plans are rounded to 0.01: a prediction exactly at its tolerance is met.
const ROUNDING: f64 = 0.005;

/// The remark on a plan that missed its prediction but stays applied.
const MISSED: &str = "missed what it promised; it is applied, and undo takes it back";

impl Bridge {
    /// Has a worker measure the predictions of a plan that was applied.
    pub(crate) fn measure_predictions(
        &mut self,
        asker: Asker,
        plan: PlanId,
        work: Work,
        session: Arc<Session>,
    ) {
        let Some(stored) = self.plans.get(plan) else {
            return;
        };
        let predicted = stored.plan.predicted.clone();
        let job = Job::new(asker, &stored.plan.tool, work);
        self.run(
            job,
            move |context| measure_all(&PlanContext { session, ..context }, &predicted),
            |job, outcome| Input::Measured { job, outcome },
        );
    }

    /// Takes the measurements, and closes the plan with its receipt.
    pub(crate) fn measured(&mut self, job: JobId, outcome: Result<Vec<Measured>, ToolError>) {
        let Some(Job { asker, work: Work::Measure { plan, revision, skipped, landed }, .. }) =
            self.jobs.remove(job)
        else {
            return;
        };
        // A host's moves during this time are not taken back with the plan.
        self.settle_gestures(GainMoves::All);
        if let Some(stored) = self.plans.get(plan) {
            let remarks = self.remarks(asker, &stored.plan);
            let applied = Applied { asker, stored, revision, skipped, landed, remarks };
            self.carry_out([self.commits.measured(applied, outcome)]);
        }
    }
}

/// A plan that was applied as `revision`.
struct Applied<'a> {
    asker: Asker,
    stored: &'a StoredPlan,
    revision: RevisionId,
    skipped: Vec<String>,
    landed: Option<Box<Landed>>,
    remarks: Remarks,
}

impl Commits {
    /// Closes a plan with the receipt of what was measured, or takes it back.
    fn measured(&self, it: Applied<'_>, outcome: Result<Vec<Measured>, ToolError>) -> Effect {
        let Applied { asker, stored, revision, skipped, landed, remarks } = it;
        if !self.is_to_be_measured(stored, revision) {
            return Effect::done(asker, "it was undone before it was measured");
        }
        let plan = &stored.plan;
        let (measured, failed) = match outcome {
            Ok(measured) => (measured, None),
            Err(error) => (Vec::new(), Some(format!("applied, but not measured: {error}"))),
        };
        let missed = measured.iter().any(|m| !m.within);
        let receipt = unmeasured(plan, revision, PlanState::Applied, skipped);
        let receipt = Receipt { measured, landed, rule: remarks.rule, ..receipt };
        let mut reason = failed.or_else(|| missed.then(|| MISSED.to_owned()));
        if let Some(revision) = self.history.get(revision).filter(|_| missed)
            && self.can_roll_back(revision)
        {
            match self.roll_back(asker, plan, revision, &receipt) {
                Ok(effect) => return effect,
                Err(_) => reason = Some("missed, and could not be rolled back: use undo".into()),
            }
        }
        let decided = decided(plan, &receipt, reason.clone());
        let result = standing(plan.clone(), receipt, reason.as_deref());
        let result = Box::new(ToolResult { warnings: remarks.warnings, ..result });
        let then = Then::Receipt { saved: result.clone(), unsaved: result };
        Effect::Decide(asker, decided, then)
    }

    /// Whether a plan is applied by `revision` and has no receipt for it.
    fn is_to_be_measured(&self, stored: &StoredPlan, revision: RevisionId) -> bool {
        let is_open = match stored.state {
            PlanState::Applying => true,
            // It was undone and done again meanwhile.
            PlanState::Applied => {
                let is_told = stored.receipt.as_ref().is_some_and(|it| it.revision == revision);
                !is_told && self.stands(revision)
            }
            PlanState::Waiting
            | PlanState::RolledBack
            | PlanState::Rejected
            | PlanState::Undone
            | PlanState::Conflict => false,
        };
        is_open && self.is_latest(stored.plan.id, revision)
    }

    fn roll_back(
        &self,
        asker: Asker,
        plan: &Plan,
        revision: &Revision,
        receipt: &Receipt,
    ) -> Result<Effect, ApplyError> {
        let changes = inverses(&revision.changes);
        let session = Arc::new(self.session.with(&changes)?);
        let label = format!("Roll back: {}", revision.label);
        let unsaved = Box::new(standing(plan.clone(), receipt.clone(), Some(MISSED)));
        let receipt = self.rolled_back(revision, &label, receipt.clone());
        let decided = decided(plan, &receipt, Some("missed what it promised".into()));
        let to = receipt.revision;
        let saved = Box::new(rolled_back_result(plan.clone(), receipt));
        let then = Then::Receipt { saved, unsaved };
        if self.history.head() == revision.id {
            let (from, named, plan) = (revision.id, revision.id, revision.plan);
            let course = Course::Along;
            let step = HeadMove { from, to, named, label, plan, changes, course };
            return Ok(Effect::Go(asker, revision.author, step, session, decided, then));
        }
        let step = NewRevision::new(session, label, changes).of(decided);
        Ok(Effect::Grow(asker, revision.author, step, then))
    }

    /// Whether `revision` is the last that applied the plan: it may have been undone and applied again.
    fn is_latest(&self, plan: PlanId, revision: RevisionId) -> bool {
        let mut revisions = self.history.iter().rev();
        let latest = revisions.find(|revision| revision.plan == Some(plan));
        latest.is_some_and(|latest| latest.id == revision)
    }

    /// Whether nothing after `revision` touched what it touched.
    fn can_roll_back(&self, revision: &Revision) -> bool {
        let touched: Vec<ObjectId> = revision.changes.iter().map(Change::target).collect();
        let mut at = self.history.head();
        while at != revision.id {
            let Some(later) = self.history.get(at) else {
                return false;
            };
            if later.changes.iter().any(|change| touched.contains(&change.target())) {
                return false;
            }
            at = later.parent;
        }
        true
    }

    /// The receipt of a revision that is taken back. If it is the head, the head moves back. If other work
    /// builds on it, a new revision undoes it.
    fn rolled_back(&self, revision: &Revision, label: &str, receipt: Receipt) -> Receipt {
        let at_head = self.history.head() == revision.id;
        let to = if at_head { revision.parent } else { self.history.next_id() };
        let undo = if at_head { self.label_before(revision) } else { label.to_owned() };
        Receipt {
            revision: to,
            state: PlanState::RolledBack,
            rolled_back: true,
            undo_label: undo,
            ..receipt
        }
    }

    fn label_before(&self, revision: &Revision) -> String {
        self.history.get(revision.parent).map(|parent| parent.label.clone()).unwrap_or_default()
    }
}

fn rolled_back_result(plan: Plan, receipt: Receipt) -> ToolResult {
    let summary = format!("rolled back, because the promise was missed: {}", plan.summary);
    let result = ToolResult::new(Status::RolledBack, summary, receipt.revision);
    ToolResult { plan: Some(Box::new(plan)), receipt: Some(receipt), ..result }
}

/// The result of an applied plan, with a remark.
fn standing(plan: Plan, receipt: Receipt, reason: Option<&str>) -> ToolResult {
    let mut result = applied(plan, receipt);
    if let Some(reason) = reason {
        result.summary = format!("{}; {reason}", result.summary);
    }
    result
}

fn decided(plan: &Plan, receipt: &Receipt, reason: Option<String>) -> PlanDecided {
    PlanDecided { reason, receipt: Some(receipt.clone()), ..decision(plan.id, receipt.state) }
}

/// Measures each target once, on the audio as it plays now, never from the cache.
fn measure_all(
    context: &PlanContext,
    predicted: &[Prediction],
) -> Result<Vec<Measured>, ToolError> {
    let mut targets: Vec<ObjectId> = predicted.iter().map(|p| p.target).collect();
    let mut seen = BTreeSet::new();
    targets.retain(|target| seen.insert(*target));
    let mut measured = Vec::with_capacity(predicted.len());
    for (done, target) in targets.iter().enumerate() {
        let name = context.session.name_of(*target);
        context.step(done, targets.len(), &format!("checking {name}"))?;
        let levels = context.measure(&context.session, *target)?.levels(Decibels::UNITY);
        let of_target = predicted.iter().filter(|p| p.target == *target);
        measured.extend(of_target.map(|p| compare(p, level_of(&levels, p.measure), &name)));
    }
    Ok(measured)
}

/// A prediction and its measurement.
pub(crate) fn compare(prediction: &Prediction, value: Option<f64>, name: &str) -> Measured {
    let value = value.filter(|value| value.is_finite());
    let value = value.map(|value| (value * 1000.0).round() / 1000.0 + 0.0);
    let near = |value: f64| (value - prediction.value).abs() <= prediction.tolerance + ROUNDING;
    Measured {
        target: prediction.target,
        name: name.into(),
        measure: prediction.measure,
        predicted: prediction.value,
        measured: value,
        tolerance: prediction.tolerance,
        unit: prediction.unit.clone(),
        within: value.is_some_and(near),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::tests::{planned, remarks};
    use crate::ids::HOUSE;
    use deskhand_session::{Author, Measure};

    /// The measured value of an applied plan, and what follows from it.
    fn after(level: Result<f64, ToolError>, later: Option<&str>) -> Effect {
        let (_dir, mut commits, mut plans, id) = planned();
        drop(plans.decide(decision(id, PlanState::Applying)));
        let stored = plans.get(id).unwrap();
        let session = stored.plan.applied_to(&commits.session).unwrap();
        let changes: Vec<Change> = stored.plan.bare_changes().cloned().collect();
        let step = NewRevision::new(session, stored.plan.summary.clone(), changes);
        let revision = commits.history.next_id();
        drop(commits.grow(Author::Agent, step.of(decision(id, PlanState::Applying))));
        if let Some(label) = later {
            let same = NewRevision::new(Arc::clone(&commits.session), label.into(), Vec::new());
            drop(commits.grow(Author::User, same));
        }
        let target = commits.session.id;
        let promised = Prediction::now(target, Measure::TruePeak, -3.0, 0.1, Vec::new());
        let outcome = level.map(|level| vec![compare(&promised, Some(level), "Mix")]);
        let asker = Asker::nobody(HOUSE);
        let (skipped, remarks) = (Vec::new(), remarks());
        commits
            .measured(Applied { asker, stored, revision, skipped, landed: None, remarks }, outcome)
    }

    #[test]
    fn a_plan_that_keeps_its_promise_gets_its_receipt() {
        let Effect::Decide(_, decided, Then::Receipt { .. }) = after(Ok(-3.05), None) else {
            panic!("it stays");
        };
        assert_eq!((decided.state, decided.reason), (PlanState::Applied, None));
        assert_eq!(decided.receipt.unwrap().rule, Some("allow a".into()));
    }

    #[test]
    fn a_plan_that_misses_is_taken_back_along_the_history_or_on_top_of_it() {
        let Effect::Go(_, Author::Agent, step, session, decided, _) = after(Ok(-2.0), None) else {
            panic!("the head moves back");
        };
        assert_eq!((step.to, session.master_gain), (RevisionId(0), Decibels::UNITY));
        assert_eq!(decided.state, PlanState::RolledBack);
        let later = after(Ok(-2.0), Some("Later"));
        assert!(
            matches!(later, Effect::Grow(_, _, step, _) if step.label.starts_with("Roll back"))
        );
    }

    #[test]
    fn what_could_not_be_measured_stays_and_says_so() {
        let error = ToolError::run(deskhand_session::tool_error::Code::Media, "gone", "");
        let Effect::Decide(_, decided, _) = after(Err(error), None) else { panic!("it stays") };
        assert!(decided.reason.unwrap().starts_with("applied, but not measured"));
    }
}
