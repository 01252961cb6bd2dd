//! Ticks. A ticked row brings the rows that it needs, an unticked row takes the rows that need it, and both
//! make the decision.

use super::applied_rows::Taken;
use super::cuts::Cuts;
use super::stale::Stale;
use deskhand_session::{Plan, PlannedChange};
use std::collections::{BTreeMap, BTreeSet};

/// The rows of a plan: which have a tick, which are applied, and which do not fit any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ticks {
    /// Which of its changes are rows.
    pub(crate) cuts: Cuts,
    /// Changes without a tick.
    pub(crate) off: BTreeSet<String>,
    /// Rows that lost their tick together with another row. They get it back with that row.
    pub(super) went_along: BTreeSet<String>,
    pub(crate) stale: Stale,
    /// The parts of the plan that are applied already.
    pub(crate) taken: Taken,
}

/// The rows that are to be heard before they get a tick.
pub(super) fn listen_first(plan: &Plan) -> Vec<String> {
    let changes = plan.changes.iter().filter(|change| change.to_hear);
    changes.map(|change| change.id.clone()).collect()
}

impl Ticks {
    /// The ticks of a plan as nobody touched them yet.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut ticks = Self { cuts: Cuts::of(plan), ..Self::default() };
        ticks.untick(plan, listen_first(plan));
        ticks.untick_idle(plan);
        ticks
    }

    pub(super) fn stale_rows(&self, plan: &Plan) -> usize {
        self.rows(plan) - self.rows_without(plan, &self.stale.rows)
    }

    /// Notes the rows that are applied, which have no tick.
    pub(super) fn take(&mut self, plan: &Plan, taken: Taken) {
        let was = std::mem::replace(&mut self.taken, taken);
        // Undone: it waits again, with its tick.
        let back: Vec<String> = was.rows.difference(&self.taken.rows).cloned().collect();
        if !back.is_empty() {
            self.tick_all(plan, &back, true);
        }
        self.off.extend(self.taken.rows.iter().cloned());
        self.stale.look_again();
    }

    pub(crate) fn rows(&self, plan: &Plan) -> usize {
        self.rows_without(plan, &BTreeSet::new())
    }

    /// How many rows have a tick.
    pub(crate) fn count(&self, plan: &Plan) -> usize {
        self.rows_without(plan, &self.off)
    }

    /// How many rows wait on: those that were not taken.
    pub(crate) fn left(&self, plan: &Plan) -> usize {
        self.rows_without(plan, &self.taken.rows)
    }

    /// How many rows are not among some changes.
    pub(super) fn rows_without(&self, plan: &Plan, ids: &BTreeSet<String>) -> usize {
        let all = plan.changes.len();
        if !self.cuts.are_rows() {
            return all - ids.len().min(all);
        }
        let rows = self.cuts.heads().iter().filter_map(|row| plan.changes.get(*row));
        rows.filter(|planned| !ids.contains(&planned.id)).count()
    }

    /// The rows without a tick, except those that lost it because an object they depend on is missing.
    pub(crate) fn unticked(&self) -> BTreeSet<String> {
        self.off.difference(&self.stale.ticked).cloned().collect()
    }

    /// Ticks or unticks a row. Ticking also ticks the rows that it needs; unticking also unticks the rows
    /// that need it.
    pub(crate) fn tick(&mut self, plan: &Plan, id: &str) {
        let is_on = self.off.contains(id);
        self.tick_all(plan, &[id.to_owned()], is_on);
    }

    /// Ticks or unticks many rows. A stale row, or one that needs a stale row, stays without a tick. Rows
    /// that lost their tick because of one of these get it back.
    pub(crate) fn tick_all(&mut self, plan: &Plan, ids: &[String], is_on: bool) {
        if is_on {
            self.give_ticks(plan, ids);
        } else {
            self.take_ticks(plan, ids);
        }
        if self.cuts.are_rows() {
            // A split has no row of its own: it follows the cuts that it serves.
            self.untick_idle(plan);
        }
    }

    fn give_ticks(&mut self, plan: &Plan, ids: &[String]) {
        let places: BTreeMap<&str, usize> =
            plan.changes.iter().enumerate().map(|(at, it)| (it.id.as_str(), at)).collect();
        let mut open: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if let Some(at) = places.get(id).filter(|_| seen.insert(id)) {
                self.off.remove(id);
                open.extend(plan.changes[*at].needs.iter().map(String::as_str));
            }
        }
        self.bring_back(plan, ids);
        let stale: Vec<String> = self.stale.rows.iter().cloned().collect();
        self.untick(plan, stale);
        // Applied rows are not applied again.
        self.off.extend(self.taken.rows.iter().cloned());
    }

    fn take_ticks(&mut self, plan: &Plan, ids: &[String]) {
        let had = self.off.clone();
        self.untick(plan, ids.to_vec());
        self.went_along.extend(self.off.difference(&had).cloned());
        // The person chose this: they stay unticked even if the object returns.
        for id in ids {
            self.stale.ticked.remove(id);
            self.went_along.remove(id);
        }
    }

    /// Ticks the rows that lost their tick along with one of these rows, if all rows that they need are
    /// ticked.
    fn bring_back(&mut self, plan: &Plan, ids: &[String]) {
        if self.went_along.is_empty() {
            return;
        }
        let mut there: BTreeSet<String> = ids.iter().cloned().collect();
        loop {
            let known = there.len();
            for change in &plan.changes {
                let needs_one = change.needs.iter().any(|id| there.contains(id));
                let went = self.went_along.contains(&change.id) && self.off.contains(&change.id);
                if went && needs_one && !self.is_missing_any(change) {
                    self.off.remove(&change.id);
                    there.insert(change.id.clone());
                }
            }
            if there.len() == known {
                break;
            }
        }
        // A row that has all it needs, but no tick, was left out.
        let waits: BTreeSet<String> = plan
            .changes
            .iter()
            .filter(|change| self.went_along.contains(&change.id) && self.is_missing_any(change))
            .map(|change| change.id.clone())
            .collect();
        self.went_along = waits;
    }

    /// Whether a row needs another that is neither ticked nor applied.
    fn is_missing_any(&self, planned: &PlannedChange) -> bool {
        let is_missing = |id: &String| self.off.contains(id) && !self.taken.rows.contains(id);
        planned.needs.iter().any(is_missing)
    }

    /// Ticks all of these rows, or unticks them if all that can have a tick have one. A stale row cannot.
    pub(super) fn toggle_all(&mut self, plan: &Plan, ids: &[String]) {
        let had = self.off.clone();
        if ids.iter().any(|id| had.contains(id)) {
            self.tick_all(plan, ids, true);
        }
        if self.off == had && ids.iter().any(|id| !had.contains(id)) {
            self.tick_all(plan, ids, false);
        }
    }

    /// Unticks rows that only serve other rows, once none of those has a tick: without the cut, its splits
    /// are not needed.
    pub(super) fn untick_idle(&mut self, plan: &Plan) {
        let mut serves: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for change in &plan.changes {
            for needed in &change.needs {
                serves.entry(needed).or_default().push(&change.id);
            }
        }
        let mut open: Vec<&str> = plan.changes.iter().map(|change| change.id.as_str()).collect();
        while let Some(id) = open.pop() {
            let Some(served) = serves.get(id).filter(|_| !self.off.contains(id)) else { continue };
            if served.iter().all(|served| self.off.contains(*served)) {
                self.off.insert(id.to_owned());
                let change = plan.changes.iter().find(|change| change.id == id);
                open.extend(change.iter().flat_map(|it| &it.needs).map(String::as_str));
            }
        }
    }

    /// Unticks rows, and the rows that need them. Applied rows still serve others.
    pub(super) fn untick(&mut self, plan: &Plan, ids: Vec<String>) {
        self.off.extend(ids);
        loop {
            let known = self.off.len();
            for change in &plan.changes {
                if self.is_missing_any(change) {
                    self.off.insert(change.id.clone());
                }
            }
            if self.off.len() == known {
                return;
            }
        }
    }

    /// The unticked row, from 0, that this row needs. `None` if the row only waits for its own tick.
    pub(super) fn needed(&self, plan: &Plan, planned: &PlannedChange) -> Option<usize> {
        let is_off = |id: &String| self.off.contains(id) && !self.taken.rows.contains(id);
        // A row that only serves a cut is not shown, and a row to hear starts without a tick.
        if self.cuts.are_rows() || planned.to_hear || !is_off(&planned.id) {
            return None;
        }
        let needed = planned.needs.iter().find(|id| is_off(id))?;
        plan.changes.iter().position(|change| change.id == *needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gain_plan;

    /// A bus, two tracks that feed it, and a change that needs one of those.
    fn routed() -> Plan {
        let first = gain_plan().changes[0].clone();
        let kick = ("kick", Some("bus"));
        let needs = [("bus", None), kick, ("snare", Some("bus")), ("eq", Some("kick"))];
        let change = |(id, needs): (&str, Option<&str>)| PlannedChange {
            id: id.into(),
            needs: needs.into_iter().map(str::to_owned).collect(),
            ..first.clone()
        };
        Plan { changes: needs.map(change).into(), ..gain_plan() }
    }

    fn off(ticks: &Ticks) -> Vec<&str> {
        ticks.off.iter().map(String::as_str).collect()
    }

    #[test]
    fn what_lost_its_tick_with_a_row_has_it_again_with_that_row() {
        let (plan, mut ticks) = (routed(), Ticks::default());
        ticks.tick(&plan, "snare");
        ticks.tick(&plan, "bus");
        assert_eq!(off(&ticks), ["bus", "eq", "kick", "snare"]);
        ticks.tick(&plan, "bus");
        assert_eq!(off(&ticks), ["snare"], "that one the person took the tick of");
    }

    #[test]
    fn a_row_that_is_ticked_for_another_one_brings_nothing_back() {
        let (plan, mut ticks) = (routed(), Ticks::default());
        ticks.tick(&plan, "bus");
        ticks.tick(&plan, "snare");
        assert_eq!(off(&ticks), ["eq", "kick"]);
        ticks.tick(&plan, "bus");
        ticks.tick(&plan, "bus");
        assert_eq!(off(&ticks), ["eq", "kick"], "only what went along the last time");
    }
}
