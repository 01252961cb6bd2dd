//! A repeated request: its new plan replaces the waiting one. The old plan stays readable and can still be
//! applied.

use crate::bridge::Bridge;
use crate::commits::Then;
use crate::effect::Effect;
use crate::ids::Asker;
use crate::plans::decision;
use deskhand_session::{Plan, PlanId, PlanState};
use deskhand_store::PlanDecided;

impl Bridge {
    /// Keeps a plan as waiting, in place of those that wait for the very same.
    pub(crate) fn park_in_place(&mut self, asker: Asker, plan: Plan) -> PlanId {
        let mut older = self.plans.same_wishes(asker.author, &plan, &self.commits.session);
        older.retain(|id| !self.jobs.is_let_run_by(*id));
        let newer = self.park(asker, plan);
        self.carry_out(older.into_iter().map(|id| superseded(asker, id, newer)));
        newer
    }
}

fn superseded(asker: Asker, older: PlanId, newer: PlanId) -> Effect {
    let reason = "The same was asked for again: a newer plan takes its place.";
    let decided = PlanDecided {
        reason: Some(reason.into()),
        follows: Some(newer),
        ..decision(older, PlanState::Conflict)
    };
    Effect::Decide(asker, decided, Then::Rest)
}
