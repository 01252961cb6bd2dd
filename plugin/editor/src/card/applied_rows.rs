//! Rows of a plan that are applied already, because a part of it was applied. The card waits for the rest.

use super::values::number_of;
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
    pub(super) numbers: BTreeMap<String, f64>,
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
                let number = number_of(change).filter(|_| is_level(planned));
                taken.numbers.extend(number.map(|number| (planned.id.clone(), number)));
            }
        }
        taken
    }
}

fn is_level(planned: &PlannedChange) -> bool {
    planned.unit.as_deref() == Some("dB")
}

#[cfg(test)]
mod tests;
