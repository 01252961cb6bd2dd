//! Carries the person's settings from a card to its replacement: values and ticks of the rows that are the
//! same in both plans.

use super::values;
use crate::card::view::Card;
use deskhand_session::text::count;
use deskhand_session::{ObjectId, Plan, PlannedChange, Session};
use std::collections::{BTreeMap, BTreeSet};

/// The most rows that are named; the others are counted.
const NAMED: usize = 8;

/// Moves the ticks and edits of card `old` to `new`, the plan that replaces it. If they match no row of
/// `new`, the card of `new` says so.
pub(crate) fn over(old: &Card, new: &mut Card, session: Option<&Session>) {
    let (was, now) = (&old.stored.plan, &new.stored.plan);
    let same = same_rows(was, now);
    let mut remarks = Vec::new();
    for (id, number) in &old.view.values.edits {
        // An applied value is no edit any more.
        if old.view.ticks.taken.rows.contains(id) {
            continue;
        }
        let takes = |row: &&String| {
            session.is_none_or(|session| values::fits(now, row, *number, session).is_ok())
        };
        match same.get(id).filter(takes) {
            Some(row) if number_of(now, row) == Some(*number) => {}
            Some(row) => {
                new.view.values.edits.insert(row.clone(), *number);
            }
            None => remarks.extend(lost(old, id, *number)),
        }
    }
    let unticked = old.view.ticks.unticked();
    let off: Vec<String> = unticked.iter().filter_map(|id| same.get(id)).cloned().collect();
    new.view.ticks.tick_all(now, &off, false);
    let went_along = old.view.ticks.went_along.iter().filter_map(|id| same.get(id)).cloned();
    new.view.ticks.went_along.extend(went_along);
    heard(old, new, &same, &unticked);
    remarks.extend(untold(old, &new.stored.plan, &same, &unticked));
    new.view.remarks = remarks;
    let (was, now) = (&old.stored.plan, &new.stored.plan);
    if was.params == now.params {
        new.view.parts.follow(now, &old.view.parts, was);
    }
}

/// The rows of a plan by their object and what they do to it.
fn by_kind(plan: &Plan) -> BTreeMap<(ObjectId, &'static str), Vec<&PlannedChange>> {
    let mut kinds: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for planned in &plan.changes {
        let kind = (planned.change.target(), planned.change.op());
        kinds.entry(kind).or_default().push(planned);
    }
    kinds
}

/// The new row id of each row that both plans have. If several rows do the same to one object, only
/// unchanged ones are matched.
fn same_rows(was: &Plan, now: &Plan) -> BTreeMap<String, String> {
    let there = by_kind(now);
    let mut same = BTreeMap::new();
    for (kind, here) in by_kind(was) {
        let there = there.get(&kind).map(Vec::as_slice).unwrap_or_default();
        if let ([row], [other]) = (here.as_slice(), there) {
            same.insert(row.id.clone(), other.id.clone());
            continue;
        }
        for row in here {
            let other = there.iter().find(|other| is_as_it_was(row, other));
            same.extend(other.map(|other| (row.id.clone(), other.id.clone())));
        }
    }
    same
}

fn is_as_it_was(row: &PlannedChange, other: &PlannedChange) -> bool {
    row.change == other.change || row.cut.is_some() && row.cut == other.cut
}

/// An unchanged row that was heard and ticked need not be heard again.
fn heard(old: &Card, new: &mut Card, same: &BTreeMap<String, String>, unticked: &BTreeSet<String>) {
    let now = &new.stored.plan;
    let rows: BTreeMap<&str, &PlannedChange> =
        now.changes.iter().map(|row| (row.id.as_str(), row)).collect();
    let heard = |row: &&PlannedChange| row.to_hear && old.view.hearing.heard.contains(&row.id);
    let mut ticked = Vec::new();
    for row in old.stored.plan.changes.iter().filter(heard) {
        let other = same.get(&row.id).and_then(|id| rows.get(id.as_str()));
        let Some(other) = other.filter(|other| is_as_it_was(row, other)) else { continue };
        new.view.hearing.heard.insert(other.id.clone());
        if !unticked.contains(&row.id) {
            ticked.push(other.id.clone());
        }
    }
    new.view.ticks.tick_all(now, &ticked, true);
}

fn number_of(plan: &Plan, id: &str) -> Option<f64> {
    let planned = plan.changes.iter().find(|planned| planned.id == id)?;
    values::number_of(&planned.change)
}

/// The remark for a value that no row of the new plan takes.
fn lost(old: &Card, id: &str, number: f64) -> Option<String> {
    let planned = old.stored.plan.changes.iter().find(|planned| planned.id == id)?;
    let unit = planned.unit.as_deref().unwrap_or_default();
    let set = format!("{} {unit}", values::text(number, unit));
    let (name, plan) = (&planned.name, old.number);
    Some(format!("{name} was set to {} on plan {plan}: no row here takes that", set.trim_end()))
}

/// The remarks for lost ticks whose rows cannot be matched, and for rows that are already applied and have
/// no tick here.
fn untold(
    old: &Card,
    now: &Plan,
    same: &BTreeMap<String, String>,
    unticked: &BTreeSet<String>,
) -> Vec<String> {
    let (there, plan) = (by_kind(now), old.number);
    let is_there = |row: &PlannedChange| {
        there.contains_key(&(row.change.target(), row.change.op())) && !row.to_hear
    };
    let (mut applied, mut lost) = (Vec::new(), 0);
    for row in old.stored.plan.changes.iter().filter(|row| unticked.contains(&row.id)) {
        if !same.contains_key(&row.id) {
            lost += usize::from(is_there(row));
        } else if old.view.ticks.taken.rows.contains(&row.id) {
            applied.push(row.name.as_str());
        }
    }
    let mut told = Vec::new();
    if lost > 0 {
        let rows = count(lost, "row");
        told.push(format!("{rows} without a tick on plan {plan} may be ticked here: look at them"));
    }
    if !applied.is_empty() {
        let more = applied.len().saturating_sub(NAMED);
        applied.truncate(NAMED);
        let names = applied.join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        told.push(format!("Applied with plan {plan}, so without a tick here: {names}{more}"));
    }
    told
}

#[cfg(test)]
mod tests;
