//! A draft that grows along with the session it will leave, for changes that build on each other.

use crate::{Code, Draft, ToolError};
use deskhand_session::{Change, Session};

/// A draft, and the session with all its changes made.
pub struct Sketch {
    /// The session as the changes so far leave it.
    pub session: Session,
    /// The draft so far.
    pub draft: Draft,
}

impl Sketch {
    /// An empty draft on `session`.
    pub fn new(session: &Session, summary: impl Into<String>) -> Self {
        Self { session: session.clone(), draft: Draft::new(summary) }
    }

    /// Adds changes that make no sense without those in `needs`; returns their ids. Changes that
    /// change nothing are left out.
    ///
    /// # Errors
    /// When the session would not be valid.
    pub fn add(
        &mut self,
        changes: impl IntoIterator<Item = Change>,
        reason: &str,
        needs: &[String],
    ) -> Result<Vec<String>, ToolError> {
        let changes: Vec<_> = changes.into_iter().filter(|c| !c.is_identity()).collect();
        let next = self.session.with(&changes).map_err(invalid)?;
        let names: Vec<_> = changes.iter().map(|change| self.name(change, &next)).collect();
        self.session = next;
        let add = |(change, name): (Change, String)| {
            self.draft.dependent(change, name, reason, needs.to_vec())
        };
        Ok(changes.into_iter().zip(names).map(add).collect())
    }

    /// The target's name, before the change where it exists there, else after it.
    fn name(&self, change: &Change, next: &Session) -> String {
        match change {
            Change::SetTempo(_) => return "the tempo".into(),
            Change::SetMeter(_) => return "the meter".into(),
            _ => {}
        }
        let (target, id) = (change.target(), change.target().to_string());
        let before = self.session.name_of(target);
        if before == id { next.name_of(target) } else { before }
    }
}

fn invalid(error: impl std::fmt::Display) -> ToolError {
    let fix = "call it again with values that fit";
    ToolError::prepare(Code::Invalid, error.to_string(), fix)
}
