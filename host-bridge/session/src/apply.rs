//! Applying changes: all or nothing, each against its precondition.

mod check;
mod objects;
mod relations;
mod users;
mod values;
mod whole;

use crate::change::Change;
use crate::ids::ObjectId;
use crate::session::Session;
use serde::{Deserialize, Serialize};
pub(crate) use users::Users;

/// A precondition that no longer holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{name} ({target}) moved on: expected {expected}, found {found}")]
pub struct Conflict {
    /// The change of the plan, where there is one.
    pub change: Option<String>,
    /// The object.
    pub target: ObjectId,
    /// Its name, for people.
    pub name: String,
    /// What the plan expects, as JSON.
    pub expected: serde_json::Value,
    /// What the session has, as JSON.
    pub found: serde_json::Value,
}

/// A change that would leave the session in a state it must not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{op} on {target}: {reason}")]
pub struct InvalidChange {
    /// The op.
    pub op: &'static str,
    /// The object.
    pub target: ObjectId,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// Why a change was not applied. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ApplyError {
    /// The session moved on.
    #[error(transparent)]
    Conflict(Box<Conflict>),
    /// The result would not be a valid session.
    #[error(transparent)]
    Invalid(#[from] InvalidChange),
}

impl Session {
    /// The session with all `changes` applied in their order.
    ///
    /// # Errors
    /// The first change whose `before` does not hold, or whose `after` is not valid.
    pub fn with<'a>(
        &self,
        changes: impl IntoIterator<Item = &'a Change>,
    ) -> Result<Self, ApplyError> {
        let (mut next, mut users) = (self.clone(), Users::default());
        for change in changes {
            next.apply(change, &mut users)?;
        }
        Ok(next)
    }

    /// Applies one change in place. A conflict leaves the session as it was; after an invalid change it
    /// is spoiled, which is why only [`Session::with`] is public. `users` goes from one change to the next.
    pub(crate) fn apply(&mut self, change: &Change, users: &mut Users) -> Result<(), ApplyError> {
        check::value(self, change).map_err(|reason| invalid(change, reason))?;
        objects::put(self, change, users)
    }
}

fn invalid(change: &Change, reason: String) -> ApplyError {
    InvalidChange { op: change.op(), target: change.target(), reason }.into()
}

/// Changes that take `changes` back, in the order to apply them.
#[must_use]
pub fn inverses(changes: &[Change]) -> Vec<Change> {
    changes.iter().rev().cloned().map(Change::inverse).collect()
}
