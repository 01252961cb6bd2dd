//! Taking a part of a plan, or editing a value in it.

use super::Plan;
use crate::change::Change;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// A new value for one change: `c1=-2.5`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueEdit {
    /// Id of the change.
    pub change: String,
    /// Its new `after`.
    pub after: Value,
}

/// Why a part of a plan could not be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// No change has that id.
    #[error("the plan has no change \"{id}\"; it has {known}")]
    UnknownChange {
        /// What was asked.
        id: String,
        /// The ids there are.
        known: String,
    },
    /// The value does not fit the change.
    #[error("{id} ({op}) cannot be set to {value}: {why}")]
    Value {
        /// Id of the change.
        id: String,
        /// Its op.
        op: &'static str,
        /// What was asked.
        value: String,
        /// What serde said.
        why: String,
    },
}

impl Plan {
    /// The ids of the changes that `only` takes, with all that they need, in the plan's order.
    ///
    /// # Errors
    /// When an id is not in the plan.
    pub fn closure(&self, only: &[String]) -> Result<Vec<String>, PartError> {
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = only.iter().map(String::as_str).collect();
        while let Some(id) = open.pop() {
            let planned = self.changes.iter().find(|change| change.id == id);
            let planned = planned.ok_or_else(|| self.unknown(id))?;
            if taken.insert(id) {
                open.extend(planned.needs.iter().map(String::as_str));
            }
        }
        let ids = self.changes.iter().map(|change| &change.id);
        Ok(ids.filter(|id| taken.contains(id.as_str())).cloned().collect())
    }

    /// A plan with only the changes in `ids` and with `edits` made. Predictions that follow from a
    /// change left out or edited are dropped; the caller measures anew. Not sealed.
    ///
    /// # Errors
    /// When an id is unknown or a value does not fit.
    pub fn derived(&self, ids: &[String], edits: &[ValueEdit]) -> Result<Self, PartError> {
        let mut plan = Self { derived_from: Some(self.id), ..self.clone() };
        for edit in edits {
            plan.edit(edit)?;
        }
        plan.changes.retain(|change| ids.contains(&change.id));
        let (part, whole) = (plan.changes.len(), self.changes.len());
        if part < whole {
            plan.summary = format!("{} ({part} of {whole} changes)", self.summary);
        }
        plan.predicted.retain(|prediction| {
            prediction.from.iter().all(|id| ids.contains(id))
                && !edits.iter().any(|edit| prediction.from.contains(&edit.change))
        });
        Ok(plan)
    }

    fn edit(&mut self, edit: &ValueEdit) -> Result<(), PartError> {
        let unknown = self.unknown(&edit.change);
        let planned = self.changes.iter_mut().find(|change| change.id == edit.change);
        let planned = planned.ok_or(unknown)?;
        let op = planned.change.op();
        let wrong = |why: String| PartError::Value {
            id: edit.change.clone(),
            op,
            value: edit.after.to_string(),
            why,
        };
        let mut json = serde_json::to_value(&planned.change).map_err(|e| wrong(e.to_string()))?;
        json["after"] = edit.after.clone();
        let change: Change = serde_json::from_value(json).map_err(|e| wrong(e.to_string()))?;
        planned.change = change;
        planned.reason = format!("{}; set to {} by hand", planned.reason, edit.after);
        Ok(())
    }

    fn unknown(&self, id: &str) -> PartError {
        let known: Vec<_> = self.changes.iter().map(|change| change.id.as_str()).collect();
        PartError::UnknownChange { id: id.into(), known: known.join(", ") }
    }
}
