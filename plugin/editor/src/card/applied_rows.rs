//! Rows of a plan that are applied already, because a part of it was applied. The card waits for the rest.

use super::value;
use crate::model::Card;
use deskhand_session::{Change, Plan, PlannedChange};
use std::collections::{BTreeMap, BTreeSet};

/// The applied rows of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Taken {
    pub(crate) rows: BTreeSet<String>,
    /// Changes that were applied with another value than the planned one.
    pub(crate) edited: BTreeSet<String>,
    /// The applied changes, with their final values.
    pub(crate) changes: Vec<Change>,
    /// The numbers that were set in place of the planned ones.
    numbers: BTreeMap<String, f64>,
}

impl Taken {
    pub(crate) fn by<'p>(plan: &Plan, parts: impl Iterator<Item = &'p Plan>) -> Self {
        let took = parts.flat_map(|part| &part.changes);
        let took: BTreeMap<&str, &Change> =
            took.map(|planned| (planned.id.as_str(), &planned.change)).collect();
        let mut taken = Self::default();
        if took.is_empty() {
            return taken;
        }
        for planned in &plan.changes {
            let Some(change) = took.get(planned.id.as_str()) else { continue };
            taken.rows.insert(planned.id.clone());
            taken.changes.push((*change).clone());
            if **change != planned.change {
                taken.edited.insert(planned.id.clone());
                // Only such a value is set on a card.
                let number = value::number_of(change).filter(|_| is_level(planned));
                taken.numbers.extend(number.map(|number| (planned.id.clone(), number)));
            }
        }
        taken
    }
}

fn is_level(planned: &PlannedChange) -> bool {
    planned.unit.as_deref() == Some("dB")
}

/// Notes the applied rows of a card's plan: they have no tick and are not stepped to.
pub(crate) fn settle(card: &mut Card, taken: Taken) {
    if card.view.taken == taken {
        return;
    }
    let was = std::mem::replace(&mut card.view.taken, taken);
    let plan = &card.stored.plan;
    // Undone: it waits again, with its tick.
    let back: Vec<String> = was.rows.difference(&card.view.taken.rows).cloned().collect();
    if !back.is_empty() {
        card.view.tick_all(plan, &back, true);
    }
    card.view.off.extend(card.view.taken.rows.iter().cloned());
    // Applied values are shown, also in a window that did not see them set.
    let numbers = &card.view.taken.numbers;
    card.view.edits.extend(numbers.iter().map(|(id, number)| (id.clone(), *number)));
    let current = card.view.current.and_then(|row| plan.changes.get(row));
    if current.is_some_and(|planned| card.view.taken.rows.contains(&planned.id)) {
        card.view.current = None;
    }
    card.view.stale.look_again();
}

#[cfg(test)]
mod tests;
