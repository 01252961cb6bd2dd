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
