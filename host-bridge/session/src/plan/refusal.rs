//! Whether a plan still fits the session.

use super::Plan;
use crate::apply::{ApplyError, Conflict, InvalidChange, Users};
use crate::session::Session;
use serde_json::json;
use std::collections::BTreeSet;

/// Why a plan cannot be applied to a session; nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// It was made for another session.
    #[error("the plan is for another session ({plan}); open that session or make a new plan here")]
    OtherSession {
        /// The session of the plan.
        plan: crate::SessionId,
        /// This session.
        here: crate::SessionId,
    },
    /// The session moved on.
    #[error("the session moved on since the plan was made: {}", list(.0))]
    Conflicts(Vec<Conflict>),
    /// A change would not leave a valid session.
    #[error(transparent)]
    Invalid(#[from] InvalidChange),
}

fn list(conflicts: &[Conflict]) -> String {
    let shown: Vec<_> = conflicts.iter().take(3).map(Conflict::to_string).collect();
    let more = conflicts.len().saturating_sub(shown.len());
    let tail = if more > 0 { format!("; and {more} more") } else { String::new() };
    shown.join("; ") + &tail
}

impl Plan {
    /// The session as the plan leaves it.
    ///
    /// # Errors
    /// All that moved on, each named: every `before` and everything the plan reads.
    pub fn applied_to(&self, session: &Session) -> Result<Session, Refusal> {
        if self.session != session.id {
            return Err(Refusal::OtherSession { plan: self.session, here: session.id });
        }
        let mut conflicts = self.stale_reads(session);
        let next = self.apply_changes(session, &mut conflicts)?;
        if conflicts.is_empty() { Ok(next) } else { Err(Refusal::Conflicts(conflicts)) }
    }

    /// What the plan read and is different now.
    #[must_use]
    pub fn stale_reads(&self, session: &Session) -> Vec<Conflict> {
        let stale = self.reads.iter().filter_map(|read| {
            let now = read.again(session);
            (now != *read).then(|| Conflict {
                change: None,
                target: read.target,
                name: format!("audio of {}", session.name_of(read.target)),
                expected: json!(read.digest),
                found: json!(now.digest),
            })
        });
        stale.collect()
    }

    /// Applies all possible changes and collects the conflicts. A change that needs a refused one is
    /// skipped, because its conflict would only repeat the first.
    fn apply_changes(
        &self,
        session: &Session,
        conflicts: &mut Vec<Conflict>,
    ) -> Result<Session, InvalidChange> {
        let (mut next, mut users) = (session.clone(), Users::default());
        let mut refused = BTreeSet::new();
        for planned in &self.changes {
            if planned.needs.iter().any(|id| refused.contains(id.as_str())) {
                refused.insert(planned.id.as_str());
                continue;
            }
            match next.apply(&planned.change, &mut users) {
                Ok(()) => {}
                Err(ApplyError::Conflict(conflict)) => {
                    refused.insert(planned.id.as_str());
                    conflicts.push(Conflict { change: Some(planned.id.clone()), ..*conflict });
                }
                // An earlier refused change may be the only reason.
                Err(ApplyError::Invalid(_)) if !conflicts.is_empty() => return Ok(next),
                Err(ApplyError::Invalid(invalid)) => {
                    let name = format!("\"{}\"", planned.name);
                    return Err(InvalidChange { name, ..invalid });
                }
            }
        }
        Ok(next)
    }
}
