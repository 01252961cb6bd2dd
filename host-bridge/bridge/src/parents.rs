//! What becomes of a plan when a part of it is taken: it waits on for the rest, is applied when nothing is left,
//! and says so when the rest does not fit any more.

use crate::bridge::Bridge;
use deskhand_session::{Plan, PlanId, PlanState, Session, StoredPlan};
use deskhand_store::PlanDecided;
use std::collections::BTreeSet;

/// Ids of changes of a plan that stand, because parts of it are applied.
pub(crate) type Taken = BTreeSet<String>;

impl Bridge {
    /// What of a plan stands already.
    pub(crate) fn taken_of(&self, parent: PlanId) -> Taken {
        self.taken_beside(parent, None)
    }

    /// As [`Bridge::taken_of`], without what the plan `beside` took.
    fn taken_beside(&self, parent: PlanId, beside: Option<PlanId>) -> Taken {
        let parts = self.plans.all().iter().filter(|stored| {
            stored.plan.derived_from == Some(parent)
                && Some(stored.plan.id) != beside
                && stored.state == PlanState::Applied
        });
        parts.flat_map(|part| ids_of(&part.plan)).collect()
    }

    /// Adds what these decisions make of the plans that theirs are parts of. The session is as the
    /// decisions leave it.
    pub(crate) fn with_parents(&self, mut decided: Vec<PlanDecided>) -> Vec<PlanDecided> {
        let parents: Vec<_> = decided.iter().filter_map(|one| self.parent_after(one)).collect();
        decided.extend(parents);
        decided
    }

    fn parent_after(&self, decided: &PlanDecided) -> Option<PlanDecided> {
        let part = &self.plans.get(decided.plan)?.plan;
        let parent = self.plans.get(part.derived_from?)?;
        let mut taken = self.taken_beside(parent.plan.id, Some(part.id));
        match decided.state {
            PlanState::Applied => taken.extend(ids_of(part)),
            PlanState::Undone | PlanState::RolledBack => {}
            PlanState::Waiting
            | PlanState::Applying
            | PlanState::Rejected
            | PlanState::Conflict => return None,
        }
        let is_open = match parent.state {
            PlanState::Waiting | PlanState::Conflict | PlanState::Applied | PlanState::Undone => {
                true
            }
            PlanState::Applying | PlanState::RolledBack | PlanState::Rejected => false,
        };
        let (state, reason) = after(&self.session, parent, part.id, &taken);
        let follows = (!taken.is_empty()).then_some(part.id);
        is_open.then_some(PlanDecided {
            plan: parent.plan.id,
            state,
            reason,
            receipt: None,
            follows,
            time_ms: decided.time_ms,
        })
    }
}

fn ids_of(plan: &Plan) -> impl Iterator<Item = String> {
    plan.changes.iter().map(|change| change.id.clone())
}

/// The state of a plan of which `taken` stands, and why.
fn after(
    session: &Session,
    parent: &StoredPlan,
    part: PlanId,
    taken: &Taken,
) -> (PlanState, Option<String>) {
    let plan = &parent.plan;
    let left: Vec<String> = ids_of(plan).filter(|id| !taken.contains(id)).collect();
    if taken.is_empty() {
        let was_taken = parent.state == PlanState::Applied;
        return (if was_taken { PlanState::Undone } else { PlanState::Waiting }, None);
    }
    if left.is_empty() {
        return (PlanState::Applied, Some(format!("taken as {part}")));
    }
    let stands = format!("{} of {} changes were taken", taken.len(), plan.changes.len());
    let rest = plan.derived(&left, &[]).map_err(|error| error.to_string());
    match rest.and_then(|rest| rest.applied_to(session).map_err(|refusal| refusal.to_string())) {
        Ok(_) => {
            (PlanState::Waiting, Some(format!("{stands}, the last as {part}; the rest waits")))
        }
        Err(why) => {
            (PlanState::Conflict, Some(format!("{stands}; the rest does not fit any more: {why}")))
        }
    }
}
