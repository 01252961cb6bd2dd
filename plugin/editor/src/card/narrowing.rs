//! Which parts of a plan have a tick.

use deskhand_session::plan::Narrowed;
use deskhand_session::{Plan, PlanPart};
use std::collections::BTreeSet;

/// What the person did with the parts of a plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartsView {
    /// Parts without a tick.
    pub(super) off: BTreeSet<String>,
    /// The call that plans the ticked parts again, once it was made.
    pub(super) asked: Option<Narrowed>,
}

impl PartsView {
    /// Whether some parts have no tick.
    pub(super) fn is_narrowed(&self) -> bool {
        !self.off.is_empty()
    }

    /// The hub that would have planned is gone.
    pub(super) fn lost(&mut self) {
        self.asked = None;
    }

    /// Takes the ticks over that `old` has on the same parts of `of`.
    pub(super) fn follow(&mut self, plan: &Plan, old: &Self, of: &Plan) {
        let is_off = |part: &&PlanPart| {
            let same = of.requests().find(|it| it.id == part.id && it.name == part.name);
            same.is_some_and(|it| old.off.contains(&it.id))
        };
        self.off = plan.requests().filter(is_off).map(|part| part.id.clone()).collect();
    }

    pub(super) fn is_bare(&self, plan: &Plan) -> bool {
        self.is_narrowed() && self.ticked(plan).is_empty()
    }

    pub(super) fn toggle(&mut self, id: &str) {
        self.asked = None;
        if !self.off.remove(id) {
            self.off.insert(id.to_owned());
        }
    }

    pub(super) fn ticked(&self, plan: &Plan) -> Vec<String> {
        let ids = plan.requests().map(|part| &part.id);
        ids.filter(|id| !self.off.contains(*id)).cloned().collect()
    }

    /// The label of the apply button while some parts are unticked, and whether the button is enabled.
    /// `None` if all parts are ticked. `was_sent` says whether the plan is decided already.
    pub(super) fn narrowing(&self, plan: &Plan, was_sent: bool) -> Option<(String, bool)> {
        if !self.is_narrowed() {
            return None;
        }
        let (ticked, all) = (self.ticked(plan).len(), plan.requests().count());
        Some(match (ticked, &self.asked) {
            (0, _) => ("Nothing ticked".into(), false),
            (_, Some(_)) => ("Planning…".into(), false),
            (_, None) => (format!("Plan {ticked} of {all}"), !was_sent),
        })
    }
}
