//! Undo and redo asked for by a model: a plan that names the revision, and waits for a person.

use crate::commits::{Commits, Then};
use crate::effect::Effect;
use crate::ids::Asker;
use crate::partial_undo::{Direction, Rest, Walk};
use crate::plans::{applied, decision, unmeasured};
use deskhand_session::{Change, HeadMove, Plan, PlanState, PlannedChange, Session, StoredPlan};
use deskhand_store::PlanDecided;
use deskhand_toolkit::Draft;
use serde_json::json;
use std::sync::Arc;

impl Commits {
    /// A step of the history as a draft of a plan.
    pub(crate) fn draft_of_step(&self, rest: &Rest, way: Direction) -> Draft {
        let step = &rest.step;
        let verb = match way {
            Direction::Back => "Undo",
            Direction::Forth => "Redo",
        };
        let named = |(index, change): (usize, &Change)| {
            let name = self.session.name_of(change.target());
            let reason = format!("{verb} \"{}\"", step.label);
            PlannedChange::new(index + 1, change.clone(), name, reason)
        };
        let mut changes: Vec<PlannedChange> = step.changes.iter().enumerate().map(named).collect();
        // A step is taken whole.
        let all: Vec<String> = changes.iter().map(|change| change.id.clone()).collect();
        for change in &mut changes {
            change.needs = all.iter().filter(|id| **id != change.id).cloned().collect();
        }
        let summary = format!("{verb} revision {}: {}", step.named, step.label);
        let warnings = rest.left_out.iter().cloned().collect();
        Draft { changes, warnings, ..Draft::new(summary) }
    }

    /// Takes a proposed step if it is still the next: the head moves, as with a person's own undo.
    pub(crate) fn take_step(&self, asker: Asker, stored: &StoredPlan, session: Session) -> Effect {
        let plan = &stored.plan;
        let Some((step, way)) = self.proposed_step(plan) else {
            let summary = format!("{} is not the next step any more", plan.summary);
            return self.conflict(asker, plan.id, summary, Vec::new());
        };
        let receipt = unmeasured(plan, step.to, PlanState::Applied, Vec::new());
        let result = Box::new(applied(plan.clone(), receipt.clone()));
        let receipt = Some(receipt);
        let decided = Some(PlanDecided { receipt, ..decision(plan.id, PlanState::Applied) });
        let walk = Walk { step, way, session: Arc::new(session), decided };
        Effect::Walk(asker, stored.author, walk, Then::Answer(result))
    }

    /// The step that a plan proposes, if it is one and still the next.
    fn proposed_step(&self, plan: &Plan) -> Option<(HeadMove, Direction)> {
        let way = Direction::of_tool(&plan.tool)?;
        let step = match way {
            Direction::Back => self.history.undo(),
            Direction::Forth => self.history.redo(),
        };
        // Edited or in part it would be another step.
        let step = self.rest_of(step?).ok().map(|rest| rest.step).filter(|step| {
            plan.params == json!({"revision": step.named})
                && plan.bare_changes().eq(step.changes.iter())
        })?;
        Some((step, way))
    }
}
