//! Ticks: what a row needs comes along, what needs it goes with it, and the decision they stand for.

use super::CardView;
use deskhand_protocol::Decision;
use deskhand_session::plan::ValueEdit;
use deskhand_session::{Plan, PlannedChange};
use std::collections::{BTreeMap, BTreeSet};

impl CardView {
    /// How many rows there are.
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

    /// The rows without a tick, but for those that have none because what they rest on is not there any more.
    pub(crate) fn unticked(&self) -> BTreeSet<String> {
        self.off.difference(&self.stale.ticked).cloned().collect()
    }

    /// Ticks or unticks a row. What a ticked row needs is ticked too; what needs an unticked row is not.
    pub(crate) fn tick(&mut self, plan: &Plan, id: &str) {
        let is_on = self.off.contains(id);
        self.tick_all(plan, &[id.to_owned()], is_on);
    }

    /// Ticks or unticks many rows. A stale row, or one that needs a stale row, stays without a tick.
    pub(crate) fn tick_all(&mut self, plan: &Plan, ids: &[String], is_on: bool) {
        if is_on {
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
            let stale: Vec<String> = self.stale.rows.iter().cloned().collect();
            self.untick(plan, stale);
            // What was taken stands, and is not taken again.
            self.off.extend(self.taken.rows.iter().cloned());
        } else {
            self.untick(plan, ids.to_vec());
            // The person said so: they have none either once what they rest on is there again.
            for id in ids {
                self.stale.ticked.remove(id);
            }
        }
        if self.cuts.are_rows() {
            // A split has no row of its own: it follows the cuts that it serves.
            self.untick_idle(plan);
        }
    }

    /// Ticks all of these rows, or takes their ticks away where all that can have one have it: a stale one cannot.
    pub(super) fn toggle_all(&mut self, plan: &Plan, ids: &[String]) {
        let had = self.off.clone();
        if ids.iter().any(|id| had.contains(id)) {
            self.tick_all(plan, ids, true);
        }
        if self.off == had && ids.iter().any(|id| !had.contains(id)) {
            self.tick_all(plan, ids, false);
        }
    }

    /// Takes the ticks of rows away that are only there for others, none of which has one: where a cut would begin
    /// and end nothing is split.
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

    /// Takes ticks away, from what needs these rows too; what was taken is there for them.
    pub(super) fn untick(&mut self, plan: &Plan, ids: Vec<String>) {
        self.off.extend(ids);
        loop {
            let known = self.off.len();
            for change in &plan.changes {
                let is_missing =
                    |id: &String| self.off.contains(id) && !self.taken.rows.contains(id);
                if change.needs.iter().any(is_missing) {
                    self.off.insert(change.id.clone());
                }
            }
            if self.off.len() == known {
                return;
            }
        }
    }

    /// The row, from 0, without whose tick a row has none either; none where it waits for its own alone.
    pub(super) fn needed(&self, plan: &Plan, planned: &PlannedChange) -> Option<usize> {
        let is_off = |id: &String| self.off.contains(id) && !self.taken.rows.contains(id);
        // What only serves a cut is no row, and what is to be heard begins without a tick.
        if self.cuts.are_rows() || planned.to_hear || !is_off(&planned.id) {
            return None;
        }
        let needed = planned.needs.iter().find(|id| is_off(id))?;
        plan.changes.iter().position(|change| change.id == *needed)
    }

    /// Whether Apply would do something: not while a value stands in a field that cannot be taken.
    pub(crate) fn can_apply(&self, plan: &Plan) -> bool {
        !self.was_sent && self.count(plan) > 0 && !self.is_wrong()
    }

    /// Whether a value was typed that cannot be taken.
    pub(super) fn is_wrong(&self) -> bool {
        self.editing.as_ref().is_some_and(|editing| editing.problem.is_some())
    }

    /// Whether the plan is taken as it came: every row, and no value in place of a planned one.
    pub(super) fn takes_all(&self) -> bool {
        self.off.is_empty() && self.edits.is_empty() && !self.parts.is_narrowed()
    }

    /// The decision that the Apply button stands for; none when nothing is ticked.
    pub(super) fn decision(&self, plan: &Plan) -> Option<Decision> {
        let ticked: Vec<String> = plan
            .changes
            .iter()
            .filter(|change| !self.off.contains(&change.id))
            .map(|change| change.id.clone())
            .collect();
        if ticked.is_empty() && !plan.changes.is_empty() {
            return None;
        }
        let set: Vec<ValueEdit> = self
            .edits
            .iter()
            .filter(|(id, _)| !self.off.contains(*id))
            .map(|(id, value)| ValueEdit { change: id.clone(), after: (*value).into() })
            .collect();
        let whole = ticked.len() == plan.changes.len();
        Some(match (whole, set.is_empty()) {
            (true, true) => Decision::Apply,
            (true, false) => Decision::ApplyPart { only: None, set },
            (false, _) => Decision::ApplyPart { only: Some(ticked), set },
        })
    }
}
