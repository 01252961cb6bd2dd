//! A repeated request: its new plan replaces the waiting one. The old plan stays readable and can still be
//! applied.

use crate::bridge::Bridge;
use crate::commits::Then;
use crate::ids::Asker;
use crate::plans::decision;
use deskhand_session::{ObjectId, Plan, PlanId, PlanState, Session};
use deskhand_store::PlanDecided;
use std::collections::BTreeSet;

impl Bridge {
    /// Keeps a plan as waiting, in place of those that wait for the very same.
    pub(crate) fn park_in_place(&mut self, asker: Asker, plan: Plan) {
        let older = self.same_wishes(asker, &plan);
        let known = self.plans.all().len();
        self.park(asker, plan);
        if let Some(newer) = self.plans.all().get(known).map(|stored| stored.plan.id) {
            older.into_iter().for_each(|id| self.supersede(asker, id, newer));
        }
    }

    /// Waiting plans, without applied parts, for the same call on the same objects by the same kind of
    /// author.
    fn same_wishes(&self, asker: Asker, plan: &Plan) -> Vec<PlanId> {
        let wish = |plan: &Plan| targets(plan, &self.commits.session);
        let same = self.plans.all().iter().filter(|stored| {
            let older = &stored.plan;
            stored.state == PlanState::Waiting
                && stored.author == asker.author
                && (&older.tool, &older.params) == (&plan.tool, &plan.params)
                && older.changes.is_empty() == plan.changes.is_empty()
                && older.derived_from.is_none()
                && wish(older) == wish(plan)
                && self.taken_of(older.id).is_empty()
                && !self.jobs.is_let_run_by(older.id)
        });
        same.map(|stored| stored.plan.id).collect()
    }

    fn supersede(&mut self, asker: Asker, older: PlanId, newer: PlanId) {
        let reason = "The same was asked for again: a newer plan takes its place.";
        let decided = PlanDecided {
            reason: Some(reason.into()),
            follows: Some(newer),
            ..decision(older, PlanState::Conflict)
        };
        self.commit_state(asker, decided, Then::Rest);
    }
}

/// The objects that a plan reads and changes, if they are in the session.
fn targets(plan: &Plan, session: &Session) -> BTreeSet<ObjectId> {
    let changed = plan.bare_changes().map(deskhand_session::Change::target);
    let read = plan.reads.iter().map(|read| read.target);
    changed.chain(read).filter(|id| session.has(*id)).collect()
}
