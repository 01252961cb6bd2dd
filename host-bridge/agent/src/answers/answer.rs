//! An answer, and where it comes from.

use deskhand_session::tool_error::ToolError;
use deskhand_session::{ObjectId, RevisionId, Session};
use serde_json::Value;

/// Where answers come from: an application's connection to a session.
pub trait AnswerSource {
    /// The session as it is.
    fn session(&self) -> &Session;

    /// The levels of objects, from the tool of [`Gesture::MeasureLevels`](deskhand_session::offers::Gesture).
    ///
    /// # Errors
    /// The tool's own, or that it was not reached.
    fn measure(&mut self, targets: &[ObjectId]) -> Result<Value, ToolError>;

    /// The step that the session stands at, with its label; none ahead of the first.
    fn last_step(&mut self) -> Option<(RevisionId, String)>;
}

/// An answer in words and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// For people, one line or several.
    pub text: String,
    /// For programs.
    pub values: Value,
    /// What can be said next, in words.
    pub offers: Vec<String>,
}

impl Answer {
    pub(super) fn new(text: impl Into<String>, values: Value) -> Self {
        Self { text: text.into(), values, offers: Vec::new() }
    }

    /// The same, with what can be said next.
    pub(super) fn offering<'o>(mut self, offers: impl IntoIterator<Item = &'o str>) -> Self {
        self.offers.extend(offers.into_iter().map(str::to_owned));
        self
    }
}
