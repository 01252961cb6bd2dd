//! The conversation of a session: the messages in order.

use crate::history::Author;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The person, or a model.
    pub author: Author,
    /// The message as the agent keeps it: `{"role", "parts"}`.
    pub message: Value,
    /// When, ms since 1970.
    pub time_ms: i64,
}

impl Said {
    /// The parts of the message that are of a known kind.
    pub fn parts(&self) -> impl Iterator<Item = (PartKind, &Value)> {
        let parts = self.message["parts"].as_array().into_iter().flatten();
        parts.filter_map(|part| Some((PartKind::of(part)?, part)))
    }
}

/// What a part of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Words.
    Text,
    /// A model's call of a tool.
    ToolCall,
    /// The result of a call.
    ToolResult,
}

impl PartKind {
    /// The kind of a part of a message; `None` for a kind that nobody here knows.
    #[must_use]
    pub fn of(part: &Value) -> Option<Self> {
        Self::deserialize(&part["type"]).ok()
    }
}
