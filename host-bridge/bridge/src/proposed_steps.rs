//! Undo and redo asked for by a model: a plan that names the revision, and waits for a person.

use crate::bridge::Bridge;
use crate::commits::{Commits, Then};
use crate::ids::Asker;
use crate::plans::{applied, decision, unmeasured};
use crate::rest::{Direction, REDO, Rest, UNDO};
use deskhand_session::{HeadMove, Plan, PlanState, PlannedChange, Session, StoredPlan};
use deskhand_store::PlanDecided;
use deskhand_toolkit::Draft;
use serde_json::json;

impl Bridge {
    /// Keeps a step of the history as a plan that waits.
    pub(crate) fn propose_step(&mut self, asker: Asker, rest: Rest, way: Direction) {
        let Rest { step, left_out, .. } = rest;
        let (tool, verb) = match way {
            Direction::Back => (UNDO, "Undo"),
            Direction::Forth => (REDO, "Redo"),
        };
        let named = |(index, change): (usize, &deskhand_session::Change)| {
            let name = self.commits.session.name_of(change.target());
            PlannedChange::new(
                index + 1,
                change.clone(),
                name,
                format!("{verb} \"{}\"", step.label),
            )
        };
        let mut changes: Vec<PlannedChange> = step.changes.iter().enumerate().map(named).collect();
        // A step is taken whole.
        let all: Vec<String> = changes.iter().map(|change| change.id.clone()).collect();
        for change in &mut changes {
            change.needs = all.iter().filter(|id| **id != change.id).cloned().collect();
        }
        let summary = format!("{verb} revision {}: {}", step.named, step.label);
        let warnings = left_out.into_iter().collect();
        let draft = Draft { changes, warnings, ..Draft::new(summary) };
        let plan = self.plan_of(draft, tool.into(), json!({"revision": step.named}), step.from);
        self.park(asker, plan);
    }

    /// Takes a proposed step: the head moves, as with a person's own undo.
    pub(crate) fn take_step(
        &mut self,
        asker: Asker,
        stored: &StoredPlan,
        (step, way): (&HeadMove, Direction),
        session: Session,
    ) {
        let plan = &stored.plan;
        let receipt = unmeasured(plan, step.to, PlanState::Applied, Vec::new());
        let mut decided = self.plans.passed(&self.commits.history, step, way);
        decided.push(PlanDecided {
            receipt: Some(receipt.clone()),
            ..decision(plan.id, PlanState::Applied)
        });
        let result = Box::new(applied(plan.clone(), receipt));
        self.commit_step(asker, stored.author, (step, way), session, decided, Then::Answer(result));
    }

    /// The answer for a step that is not the next any more.
    pub(crate) fn step_is_gone(&mut self, asker: Asker, plan: &Plan) {
        let summary = format!("{} is not the next step any more", plan.summary);
        self.conflicted(asker, plan.id, summary, Vec::new());
    }
}

impl Commits {
    /// The step that a plan proposes, if it is one and still the next.
    pub(crate) fn proposed_step(&self, plan: &Plan) -> Option<(HeadMove, Direction)> {
        let (step, way) = match plan.tool.as_str() {
            UNDO => (self.history.undo(), Direction::Back),
            REDO => (self.history.redo(), Direction::Forth),
            _ => return None,
        };
        // Edited or in part it would be another step.
        let step = self.rest_of(step?).ok().map(|rest| rest.step).filter(|step| {
            plan.params == json!({"revision": step.named})
                && plan.bare_changes().eq(step.changes.iter())
        })?;
        Some((step, way))
    }
}
