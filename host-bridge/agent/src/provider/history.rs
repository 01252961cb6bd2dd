//! Keeps a conversation in the form that every provider accepts, whatever happened to it: a crash, a
//! cancel, a provider that reuses ids.
//!
//! Thread: any. The form, after [`repair`]:
//! - it begins with a user message, and roles alternate;
//! - no message and no text is empty;
//! - every tool call has exactly one result, in the next message, together and in the order of the calls,
//!   before any words there;
//! - ids of calls are unique; ids and names are `[A-Za-z0-9_-]`, at most 40 and 64 long.

use super::ids::Taken;
use super::message::{Arguments, Message, Part, Role};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};

mod trim;
pub use trim::{Trimmed, bytes, trimmed};

/// The longest tool name that chat completions take.
const LONGEST_NAME: usize = 64;

/// What stands in front of a conversation that begins with the model.
const BEGINNING: &str = "(the beginning of this conversation is not kept)";

/// Adds what the person says: to the results that end the history, or as a message of its own.
pub fn say(history: &mut Vec<Message>, text: &str) {
    push_words(history, Role::User, text);
}

/// Brings a history into the form that every provider accepts, and changes nothing in one that is.
///
/// A call without a result gets an error result that begins with `interrupted`; a result without a call is
/// dropped; a result that stands too late moves to its call. Doing it twice is doing it once.
pub fn repair(history: &mut Vec<Message>) {
    let mut pairs = pair(history);
    let mut repaired: Vec<Message> = Vec::with_capacity(history.len() + 1);
    for message in std::mem::take(history) {
        let mut results = Vec::new();
        for part in message.parts {
            match (part, message.role) {
                (Part::Text { text }, role) => push_words(&mut repaired, role, &text),
                (Part::ToolCall { name, arguments, .. }, Role::Assistant) => {
                    let Some(Pair { id, result }) = pairs.pop_front() else { continue };
                    results.push(result.unwrap_or_else(|| interrupted(&id)));
                    let call = Part::ToolCall { id, name: accepted_name(&name), arguments };
                    push(&mut repaired, Role::Assistant, call);
                }
                (Part::ToolCall { .. }, Role::User) | (Part::ToolResult { .. }, _) => {}
            }
        }
        if !results.is_empty() {
            repaired.push(Message::results(results));
        }
    }
    *history = repaired;
}

/// A call's new id and its result, in the order of the calls.
struct Pair {
    id: String,
    result: Option<Part>,
}

/// Finds each call's result. An id that a later message uses again names the later call from there on;
/// inside one message the calls take the results in order.
fn pair(history: &[Message]) -> VecDeque<Pair> {
    let mut taken = Taken::default();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut open: HashMap<&str, (usize, VecDeque<usize>)> = HashMap::new();
    for (place, message) in history.iter().enumerate() {
        for part in &message.parts {
            match (part, message.role) {
                (Part::ToolCall { id, .. }, Role::Assistant) => {
                    let waiting = open.entry(id).or_default();
                    if waiting.0 != place {
                        *waiting = (place, VecDeque::new());
                    }
                    waiting.1.push_back(pairs.len());
                    pairs.push(Pair { id: taken.claim(id), result: None });
                }
                (Part::ToolResult { id, content, is_error }, Role::User) => {
                    let waiting = open.get_mut(id.as_str());
                    let call = waiting.and_then(|(_, calls)| calls.pop_front());
                    if let Some(pair) = call.and_then(|call| pairs.get_mut(call)) {
                        let (id, content) = (pair.id.clone(), content.clone());
                        pair.result = Some(Part::ToolResult { id, content, is_error: *is_error });
                    }
                }
                (Part::Text { .. }, _)
                | (Part::ToolCall { .. }, Role::User)
                | (Part::ToolResult { .. }, Role::Assistant) => {}
            }
        }
    }
    pairs.into()
}

/// The result of a call that never got one.
fn interrupted(id: &str) -> Part {
    let summary = "interrupted: the turn ended before this call had a result";
    let fix = "nothing is known to have changed; read the session before calling again";
    Part::error_result(id, json!({ "status": "error", "summary": summary, "fix": fix }))
}

fn push_words(history: &mut Vec<Message>, role: Role, text: &str) {
    if !text.trim().is_empty() {
        push(history, role, Part::text(text));
    }
}

/// Adds a part to the last message, when its role is the same, or begins the next.
fn push(history: &mut Vec<Message>, role: Role, part: Part) {
    if history.is_empty() && role == Role::Assistant {
        history.push(Message::user(BEGINNING));
    }
    match history.last_mut() {
        Some(last) if last.role == role => last.parts.push(part),
        Some(_) | None => history.push(Message { role, parts: vec![part] }),
    }
}

/// The name in the letters that providers accept; the tool's result says what was wrong with it.
fn accepted_name(name: &str) -> String {
    let accepted = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let letters = name.chars().take(LONGEST_NAME);
    let name: String = letters.map(|letter| if accepted(letter) { letter } else { '_' }).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// Text of a result as it is sent: a string is sent as it is, all else as JSON.
pub(super) fn result_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            content.to_string()
        }
    }
}

/// Text of arguments as chat completions send them.
pub(super) fn arguments_text(arguments: &Arguments) -> String {
    arguments.as_object().to_string()
}

#[cfg(test)]
pub(super) mod tests;
