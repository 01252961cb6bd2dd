//! The state of a plan after a part of it was applied. It keeps waiting for the rest, becomes applied when
//! nothing is left, and reports when the rest no longer fits.

use crate::plans::Plans;
use deskhand_session::{Author, Change, ObjectId, Plan, PlanId, PlanState, Session, StoredPlan};
use deskhand_store::PlanDecided;
use std::collections::BTreeSet;

/// Ids of the changes of a plan that are applied, because parts of it were.
pub(crate) type Taken = BTreeSet<String>;

impl Plans {
    /// The changes of a plan that are applied already.
    pub(crate) fn taken_of(&self, parent: PlanId) -> Taken {
        self.parts_of(parent, &[]).into_iter().flat_map(ids_of).collect()
    }

    /// A plan without the changes that its parts applied, adjusted to these. All of it if nothing was
    /// applied.
    pub(crate) fn left_of(&self, plan: &Plan, session: &Session) -> Plan {
        let taken = self.taken_of(plan.id);
        if taken.is_empty() {
            return plan.clone();
        }
        let left: Vec<String> = ids_of(plan).filter(|id| !taken.contains(id)).collect();
        let rest = plan.derived(&left, &[]);
        rest.map_or_else(|_| plan.clone(), |rest| self.beside_parts(rest, plan.id, session))
    }

    /// A part of the plan `whole`, adjusted to the applied parts of that plan: what only they changed does
    /// not refuse it.
    pub(crate) fn beside_parts(&self, part: Plan, whole: PlanId, session: &Session) -> Plan {
        part.beside(&changes_of(&self.parts_of(whole, &[])), session)
    }

    /// Waiting plans, without applied parts, for the same call on the same objects by the same kind of
    /// author.
    pub(crate) fn same_wishes(
        &self,
        author: Author,
        plan: &Plan,
        session: &Session,
    ) -> Vec<PlanId> {
        let wish = |plan: &Plan| targets(plan, session);
        let same = self.all().iter().filter(|stored| {
            let older = &stored.plan;
            stored.state == PlanState::Waiting
                && stored.author == author
                && (&older.tool, &older.params) == (&plan.tool, &plan.params)
                && older.changes.is_empty() == plan.changes.is_empty()
                && older.derived_from.is_none()
                && wish(older) == wish(plan)
                && self.taken_of(older.id).is_empty()
        });
        same.map(|stored| stored.plan.id).collect()
    }

    /// The applied parts of a plan, after the decisions in `decided`, in order. A part that is still being
    /// measured counts as applied.
    fn parts_of(&self, parent: PlanId, decided: &[PlanDecided]) -> Vec<&Plan> {
        let state = |stored: &StoredPlan| {
            let news = decided.iter().rfind(|it| it.plan == stored.plan.id);
            news.map_or(stored.state, |it| it.state)
        };
        let parts = self.all().iter().filter(|stored| {
            stored.plan.derived_from == Some(parent)
                && matches!(state(stored), PlanState::Applying | PlanState::Applied)
        });
        parts.map(|stored| &stored.plan).collect()
    }

    /// Adds what these decisions make of the plans that theirs are parts of. The session is as the
    /// decisions leave it.
    pub(crate) fn with_parents(
        &self,
        mut decided: Vec<PlanDecided>,
        session: &Session,
    ) -> Vec<PlanDecided> {
        let parents = decided.iter().filter_map(|one| self.parent_after(one, &decided, session));
        let mut parents: Vec<_> = parents.collect();
        // Several parts of one may have been decided together.
        parents.dedup_by_key(|parent| parent.plan);
        decided.extend(parents);
        decided
    }

    fn parent_after(
        &self,
        one: &PlanDecided,
        decided: &[PlanDecided],
        session: &Session,
    ) -> Option<PlanDecided> {
        let part = &self.get(one.plan)?.plan;
        let parent = self.get(part.derived_from?)?;
        match one.state {
            PlanState::Applied | PlanState::Undone | PlanState::RolledBack => {}
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
        let parts = self.parts_of(parent.plan.id, decided);
        let (state, reason) = after(session, parent, &parts);
        let follows = parts.last().map(|last| last.id);
        is_open.then_some(PlanDecided {
            plan: parent.plan.id,
            state,
            reason,
            receipt: None,
            follows,
            time_ms: one.time_ms,
        })
    }
}

/// The objects that a plan reads and changes, if they are in the session.
fn targets(plan: &Plan, session: &Session) -> BTreeSet<ObjectId> {
    let changed = plan.bare_changes().map(deskhand_session::Change::target);
    let read = plan.reads.iter().map(|read| read.target);
    changed.chain(read).filter(|id| session.has(*id)).collect()
}

fn ids_of(plan: &Plan) -> impl Iterator<Item = String> {
    plan.changes.iter().map(|change| change.id.clone())
}

fn changes_of(parts: &[&Plan]) -> Vec<Change> {
    parts.iter().flat_map(|part| part.bare_changes()).cloned().collect()
}

/// The state of a plan with these applied `parts`, and the reason.
fn after(session: &Session, parent: &StoredPlan, parts: &[&Plan]) -> (PlanState, Option<String>) {
    let plan = &parent.plan;
    if parts.is_empty() {
        let was_taken = parent.state == PlanState::Applied;
        return (if was_taken { PlanState::Undone } else { PlanState::Waiting }, None);
    }
    let taken: Taken = parts.iter().copied().flat_map(ids_of).collect();
    let left: Vec<String> = ids_of(plan).filter(|id| !taken.contains(id)).collect();
    if left.is_empty() {
        return (PlanState::Applied, Some("a part or an edit of it was taken".into()));
    }
    let stands = format!("{} of {} changes were taken", taken.len(), plan.changes.len());
    let rest = plan.derived(&left, &[]).map_err(|error| error.to_string());
    let fits = |rest: Plan| {
        let rest = rest.beside(&changes_of(parts), session);
        rest.applied_to(session).map_err(|refusal| refusal.to_string())
    };
    match rest.and_then(fits) {
        Ok(_) => (PlanState::Waiting, Some(format!("{stands}; the rest waits"))),
        Err(why) => {
            (PlanState::Conflict, Some(format!("{stands}; the rest does not fit any more: {why}")))
        }
    }
}
