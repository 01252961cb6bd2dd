//! Applying changes: all or nothing, each against its precondition.

mod check;
mod objects;
mod relations;
mod users;
mod values;
mod whole;

use crate::change::Change;
use crate::digest::is_digest;
use crate::ids::ObjectId;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
pub(crate) use users::Users;

/// A precondition that no longer holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{name} moved on: {}", moved(.expected, .found))]
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

/// The most characters of a value that an error tells.
const TOLD: usize = 80;

/// The difference from the expected value, in a line: for an object the names of its parts, else both
/// values.
fn moved(expected: &Value, found: &Value) -> String {
    match (expected, found) {
        (Value::Object(_), Value::Null) => "it is gone".into(),
        (Value::Null, Value::Object(_)) => "it is there already".into(),
        (Value::String(expected), Value::String(found))
            if is_digest(expected) && is_digest(found) =>
        {
            "it does not sound as it was measured".into()
        }
        (Value::Object(expected), Value::Object(found)) => {
            let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
            let other = names.into_iter().filter(|name| expected.get(*name) != found.get(*name));
            let other: Vec<String> = other.map(|name| name.replace('_', " ")).collect();
            format!("its {} changed", other.join(", "))
        }
        _ => format!("expected {}, found {}", short(expected), short(found)),
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= TOLD {
        return text;
    }
    text.chars().take(TOLD).chain(['…']).collect()
}

/// A change that would leave the session in a state it must not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {name}: {reason}", op.replace('_', " "))]
pub struct InvalidChange {
    /// The op.
    pub op: &'static str,
    /// The object.
    pub target: ObjectId,
    /// Its name, for people.
    pub name: String,
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

/// The name of what a change only makes.
const NEW: &str = "of something new";

impl ApplyError {
    /// With the name that the object has in the session before the change.
    fn named(self, before: &Session) -> Self {
        match self {
            Self::Invalid(invalid) if before.has(invalid.target) => {
                let name = format!("\"{}\"", before.name_of(invalid.target));
                Self::Invalid(InvalidChange { name, ..invalid })
            }
            Self::Invalid(_) | Self::Conflict(_) => self,
        }
    }
}

impl Session {
    /// The session with all `changes` applied in their order.
    ///
    /// # Errors
    /// Fails at the first change whose `before` does not match, or whose `after` is not valid.
    pub fn with<'a>(
        &self,
        changes: impl IntoIterator<Item = &'a Change>,
    ) -> Result<Self, ApplyError> {
        let (mut next, mut users) = (self.clone(), Users::default());
        for change in changes {
            next.apply(change, &mut users).map_err(|error| error.named(self))?;
        }
        Ok(next)
    }

    /// Applies one change in place. A conflict leaves the session unchanged. An invalid change leaves it
    /// spoiled, so only [`Session::with`] is public. The caller passes `users` from one change to the next.
    pub(crate) fn apply(&mut self, change: &Change, users: &mut Users) -> Result<(), ApplyError> {
        check::value(self, change).map_err(|reason| invalid(change, reason))?;
        objects::put(self, change, users)
    }
}

fn invalid(change: &Change, reason: String) -> ApplyError {
    InvalidChange { op: change.op(), target: change.target(), name: NEW.into(), reason }.into()
}

/// Changes that take `changes` back, in the order to apply them.
#[must_use]
pub fn inverses(changes: &[Change]) -> Vec<Change> {
    changes.iter().rev().cloned().map(Change::inverse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Edit;
    use crate::ids::{SegmentId, SessionId, SourceId};
    use crate::segment::{Segment, Word};
    use deskhand_dsp::{Frames, SampleRate};
    use serde_json::json;

    #[test]
    fn a_segment_has_moved_on_only_where_it_is_changed() {
        let (source, id) = (SourceId::new(1), SegmentId::new(1));
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let file = json!({
            "name": "talk.wav", "hash": "0".repeat(64), "path": "/a/talk.wav", "size": 1, "modified_ns": 0,
            "format": "WAV 24 bit", "rate": 48_000, "channels": 1, "frames": 96_000, "media": "in_place",
        });
        session.sources.insert(source, serde_json::from_value(file).unwrap());
        let word = |text: &str| Word {
            text: text.into(),
            start: Frames::ZERO,
            end: Frames(480),
            confidence: None,
        };
        let said = Segment {
            words: vec![word("boat")],
            ..Segment::new(source, Frames::ZERO, Frames(480))
        };
        session.segments.insert(id, said.clone());
        let edit = |before: &Segment, after: &Segment| {
            Change::SetSegment(Edit::new(id, Some(before.clone()), Some(after.clone())))
        };
        // It waits; meanwhile somebody sets the speaker and marks it.
        let corrected = edit(&said, &Segment { words: vec![word("goat")], ..said.clone() });
        let spoken = Segment { speaker: Some("Ann".into()), ..said.clone() };
        let important = Change::SetImportance(Edit::new(id, false, true));
        let meanwhile = session.with([&edit(&said, &spoken), &important]).unwrap();
        let both = meanwhile.with([&corrected]).unwrap();
        let wanted = Segment { words: vec![word("goat")], important: true, ..spoken.clone() };
        assert_eq!(both.segments[&id], wanted, "each has its own");
        assert_eq!(
            both.with([&corrected.inverse()]).unwrap(),
            meanwhile,
            "undo takes back its own"
        );
        let other = edit(&said, &Segment { speaker: Some("Bob".into()), ..said.clone() });
        let told = meanwhile.with([&other]).unwrap_err().to_string();
        assert!(told.ends_with("moved on: its speaker changed"), "{told}");
        let moved = edit(&said, &Segment { length: Frames(4_800), ..said.clone() });
        let told = both.with([&moved]).unwrap_err().to_string();
        assert!(told.ends_with("its words changed"), "words stand where it stands: {told}");
    }

    #[test]
    fn what_moved_on_is_told_in_a_line() {
        assert_eq!(moved(&json!(0.0), &json!(-3.0)), "expected 0.0, found -3.0");
        let words = json!({"words": ["many"], "important": false, "speaker": "Ann"});
        let other =
            json!({"words": ["many"], "important": true, "description": {}, "speaker": "Ann"});
        assert_eq!(moved(&words, &other), "its description, important changed");
        assert_eq!(moved(&words, &Value::Null), "it is gone");
        assert_eq!(moved(&Value::Null, &words), "it is there already");
        assert!(moved(&json!("a".repeat(5_000)), &json!("b")).len() < 200);
    }
}
