//! One turn of a model: what is asked, what comes back, and what is told in between.
//!
//! Thread: any.

use super::message::{Message, Part, Role, Usage};
use super::sent_log::{ContentKind, Sent};
use serde_json::Value;
use std::time::Duration;

/// A tool as a model sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    /// Letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its arguments; an object.
    pub input_schema: Value,
}

/// What a model is asked.
#[derive(Clone, Copy, Debug)]
pub struct TurnRequest<'a> {
    /// The system prompt; empty is none.
    pub system: &'a str,
    /// The conversation, repaired ([`super::history::repair`]), with a user message at its end.
    pub messages: &'a [Message],
    /// The tools it may call.
    pub tools: &'a [ToolDefinition],
    /// The most it may write, in tokens.
    pub max_tokens: u32,
}

impl TurnRequest<'_> {
    /// What kinds of content it holds; sorted, each once.
    pub(super) fn kinds(&self) -> Vec<ContentKind> {
        let mut kinds = Vec::new();
        if !self.system.is_empty() {
            kinds.push(ContentKind::SystemPrompt);
        }
        if !self.tools.is_empty() {
            kinds.push(ContentKind::ToolList);
        }
        for message in self.messages {
            kinds.extend(message.parts.iter().map(|part| match (part, message.role) {
                (Part::Text { .. }, Role::User) => ContentKind::PersonsWords,
                (Part::Text { .. }, Role::Assistant) => ContentKind::ModelsWords,
                (Part::ToolCall { .. }, _) => ContentKind::ToolCalls,
                (Part::ToolResult { .. }, _) => ContentKind::ToolResults,
            }));
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It said all it had to say.
    EndTurn,
    /// It waits for the results of its calls.
    ToolUse,
    /// `max_tokens` was reached: the last call may be malformed.
    MaxTokens,
    /// It, or the provider for it, refused. A refused reply has no calls.
    Refusal,
    /// It was paused (`pause_turn`): ask again to go on.
    Paused,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Words and calls in order; ids of calls are unique in the conversation. May be empty.
    pub parts: Vec<Part>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
}

/// What is told while a turn runs.
#[derive(Clone, Copy, Debug)]
pub enum TurnEvent<'a> {
    /// Something is about to be sent; told before the first byte goes out, for the log.
    Sent(&'a Sent),
    /// More words.
    Text(&'a str),
    /// An attempt failed before any word came, and another follows.
    Retrying(&'a Retrying),
}

/// Another attempt follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Retrying {
    /// The attempt that follows: 2 or more.
    pub attempt: u32,
    /// How many there are at most.
    pub of: u32,
    /// How long it waits before.
    pub wait: Duration,
    /// What went wrong, without any key.
    pub why: String,
}

/// Who is told; called on the thread that polls the turn. It must not block.
pub type Listener<'a> = &'a mut (dyn FnMut(TurnEvent<'_>) + Send);

/// Bounds of one turn. Nothing waits forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until a connection stands.
    pub connect: Duration,
    /// From the request to the head of the answer.
    pub first_byte: Duration,
    /// Between two pieces of the answer; keep-alives count.
    pub idle: Duration,
    /// For the whole answer, however lively.
    pub whole: Duration,
    /// Bytes of one answer.
    pub reply_bytes: usize,
    /// Attempts in all.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles each time, with jitter.
    pub backoff: Duration,
    /// The longest wait a server may ask for; more than that fails at once.
    pub longest_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(60),
            idle: Duration::from_secs(60),
            whole: Duration::from_secs(30 * 60),
            reply_bytes: 8 << 20,
            attempts: 4,
            backoff: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::message::Arguments;

    #[test]
    fn the_kinds_of_a_request() {
        let call =
            Part::ToolCall { id: "c".into(), name: "n".into(), arguments: Arguments::read("") };
        let messages = [Message::user("a"), Message::assistant(vec![call]), Message::user("b")];
        let request = TurnRequest { system: "", messages: &messages, tools: &[], max_tokens: 1 };
        assert_eq!(request.kinds(), [ContentKind::PersonsWords, ContentKind::ToolCalls]);
    }
}
