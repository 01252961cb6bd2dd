//! The conversation as it is stored: messages of parts, the same for every provider.
//!
//! Thread: any. The serde shape is what a session keeps:
//!
//! ```json
//! [ { "role": "user", "parts": [ { "type": "text", "text": "make it louder" } ] },
//!   { "role": "assistant", "parts": [
//!     { "type": "text", "text": "I will look first." },
//!     { "type": "tool_call", "id": "call_1", "name": "get_session", "arguments": {} } ] },
//!   { "role": "user", "parts": [
//!     { "type": "tool_result", "id": "call_1", "content": { "status": "ok" }, "is_error": false } ] } ]
//! ```
//!
//! `arguments` is an object, or a string: what a model wrote that is not an object.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, and the results of tool calls.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub parts: Vec<Part>,
}

impl Message {
    /// What the person, or the application for them, says.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, parts: vec![Part::text(text)] }
    }

    /// What the model answered.
    #[must_use]
    pub const fn assistant(parts: Vec<Part>) -> Self {
        Self { role: Role::Assistant, parts }
    }

    /// The results of the calls in the message before, in the order of the calls.
    #[must_use]
    pub const fn results(parts: Vec<Part>) -> Self {
        Self { role: Role::User, parts }
    }

    /// The tool calls in it, in order.
    pub fn calls(&self) -> impl Iterator<Item = (&str, &str, &Arguments)> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall { id, name, arguments } => Some((id.as_str(), name.as_str(), arguments)),
            Part::Text { .. } | Part::ToolResult { .. } => None,
        })
    }
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text {
        /// UTF-8, as it came.
        text: String,
    },
    /// The model wants a tool called.
    ToolCall {
        /// Unique in the conversation; letters, digits, `_` and `-`, at most 40.
        id: String,
        /// The tool's name as the model wrote it: it may name no tool.
        name: String,
        /// What the tool is called with.
        arguments: Arguments,
    },
    /// What came of a tool call.
    ToolResult {
        /// The id of the call.
        id: String,
        /// The toolkit's result shape, or any JSON; sent to the model as JSON text.
        content: Value,
        /// The call failed or was refused.
        is_error: bool,
    },
}

impl Part {
    /// Words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A result that is as good as the tool says.
    #[must_use]
    pub fn result(id: impl Into<String>, content: Value) -> Self {
        Self::ToolResult { id: id.into(), content, is_error: false }
    }

    /// A result that says why there is none.
    #[must_use]
    pub fn error_result(id: impl Into<String>, content: Value) -> Self {
        Self::ToolResult { id: id.into(), content, is_error: true }
    }
}

/// What a tool is called with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arguments {
    /// A JSON object, not yet checked against the tool's schema.
    Object(Map<String, Value>),
    /// What the model wrote instead of an object, cut short at no point.
    Malformed(String),
}

impl Arguments {
    /// Reads what a model wrote: nothing and `null` are no arguments; an object inside a string, as some
    /// servers send it, is the object.
    #[must_use]
    pub fn read(raw: &str) -> Self {
        if raw.trim().is_empty() {
            return Self::Object(Map::new());
        }
        match serde_json::from_str(raw) {
            Ok(Value::String(inner)) => match serde_json::from_str(&inner) {
                Ok(Value::Object(object)) => Self::Object(object),
                Ok(_) | Err(_) => Self::Malformed(raw.to_owned()),
            },
            Ok(Value::Null) => Self::Object(Map::new()),
            Ok(Value::Object(object)) => Self::Object(object),
            Ok(Value::Bool(_) | Value::Number(_) | Value::Array(_)) | Err(_) => {
                Self::Malformed(raw.to_owned())
            }
        }
    }

    /// The object that every wire format asks for; malformed text is wrapped, so that the model sees what
    /// it wrote.
    #[must_use]
    pub fn as_object(&self) -> Value {
        match self {
            Self::Object(object) => Value::Object(object.clone()),
            Self::Malformed(raw) => serde_json::json!({ "malformed_arguments": raw }),
        }
    }
}

/// Tokens that a reply cost, as the provider counts them; estimated at four bytes a token where it does
/// not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read: system prompt, tools, history; cached ones too.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl Usage {
    /// Both kinds together: what a budget counts.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_stored_shape() {
        let messages = [
            Message::user("make it louder"),
            Message::assistant(vec![
                Part::ToolCall {
                    id: "call_1".into(),
                    name: "get_session".into(),
                    arguments: Arguments::read(""),
                },
                Part::ToolCall {
                    id: "call_2".into(),
                    name: "get_session".into(),
                    arguments: Arguments::read("{\"a\":"),
                },
            ]),
            Message::results(vec![Part::result("call_1", json!({ "status": "ok" }))]),
        ];
        let stored = serde_json::to_value(&messages).unwrap();
        assert_eq!(
            stored,
            json!([
                { "role": "user", "parts": [{ "type": "text", "text": "make it louder" }] },
                { "role": "assistant", "parts": [
                    { "type": "tool_call", "id": "call_1", "name": "get_session", "arguments": {} },
                    { "type": "tool_call", "id": "call_2", "name": "get_session", "arguments": "{\"a\":" }
                ] },
                { "role": "user", "parts": [{ "type": "tool_result", "id": "call_1",
                    "content": { "status": "ok" }, "is_error": false }] },
            ])
        );
        assert_eq!(serde_json::from_value::<Vec<Message>>(stored).unwrap(), messages);
    }

    #[test]
    fn arguments_are_an_object_or_said_to_be_malformed() {
        let object = |raw| Arguments::read(raw).as_object();
        assert_eq!(object(" "), json!({}));
        assert_eq!(object("null"), json!({}));
        assert_eq!(object("{\"gain\":-3}"), json!({ "gain": -3 }));
        assert_eq!(object("\"{\\\"gain\\\":-3}\""), json!({ "gain": -3 }));
        for raw in ["[1]", "3", "true", "{\"a\":", "\"words\"", "{} {}"] {
            assert_eq!(Arguments::read(raw), Arguments::Malformed(raw.to_owned()));
        }
    }
}
