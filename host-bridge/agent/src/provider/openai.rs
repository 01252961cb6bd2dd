//! OpenAI-compatible chat completions: `POST {base_url}/chat/completions`, streaming.
//!
//! Thread: any. The system prompt is a `system` message; an assistant message becomes `{role: assistant,
//! content, tool_calls: [{id, type: function, function: {name, arguments}}]}` with arguments as JSON text;
//! each result is a message `{role: tool, tool_call_id, content}` of its own.
//!
//! The stream: `{choices: [{delta: {content, tool_calls: [{index, id, function}]}, finish_reason}], usage}`
//! and `[DONE]`. A whole completion (`message` for `delta`), as an answer that is not streamed, is read
//! too. What servers do otherwise is handled in `openai_calls`, and: `[DONE]` may be missing, `usage` may
//! stand in any chunk or in none, `content` may be a list of parts, errors may stand in the stream.

use super::draft::{Draft, Fault, OnText, text_at};
use super::history::{arguments_text, result_text};
use super::message::{Message, Part, Role};
use super::openai_calls::Calls;
use super::turn::{StopReason, TurnRequest};
use serde_json::{Value, json};

/// The name of the field for the most tokens of a reply: OpenAI's newer models refuse the old one, other
/// servers know only that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitField {
    MaxTokens,
    MaxCompletionTokens,
}

/// The request's body.
pub(super) fn body(model: &str, limit: LimitField, request: &TurnRequest<'_>) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    messages.extend(request.messages.iter().flat_map(wire_messages));
    let mut body = json!({
        "model": model,
        "stream": true,
        "stream_options": { "include_usage": true },
        "messages": messages,
    });
    let field = match limit {
        LimitField::MaxTokens => "max_tokens",
        LimitField::MaxCompletionTokens => "max_completion_tokens",
    };
    body[field] = request.max_tokens.into();
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({ "type": "function", "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.input_schema,
            } })
        });
        body["tools"] = tools.collect();
    }
    body
}

/// One message of ours: results each their own, then words and calls.
fn wire_messages(message: &Message) -> Vec<Value> {
    let mut wire = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut calls = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text { text } => words.push(text),
            Part::ToolCall { id, name, arguments } => calls.push(json!({
                "id": id,
                "type": "function",
                "function": { "name": name, "arguments": arguments_text(arguments) },
            })),
            Part::ToolResult { id, content, .. } => wire.push(
                json!({ "role": "tool", "tool_call_id": id, "content": result_text(content) }),
            ),
        }
    }
    let words = words.join("\n\n");
    match message.role {
        Role::User if words.is_empty() => {}
        Role::User => wire.push(json!({ "role": "user", "content": words })),
        Role::Assistant if calls.is_empty() => {
            wire.push(json!({ "role": "assistant", "content": words }));
        }
        Role::Assistant => {
            wire.push(json!({ "role": "assistant", "content": words, "tool_calls": calls }));
        }
    }
    wire
}

/// Reads the stream.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) draft: Draft,
    calls: Calls,
}

impl Reader {
    /// Takes one chunk, or a whole completion.
    pub(super) fn take(&mut self, chunk: &Value, on_text: OnText<'_>) -> Result<(), Fault> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(fault(error));
        }
        self.usage(&chunk["usage"]);
        let Some(choices) = chunk["choices"].as_array() else {
            return self.no_choices(chunk);
        };
        // One answer was asked for.
        let Some(choice) = choices.first() else { return Ok(()) };
        if let Some(message) = choice.get("message").filter(|message| message.is_object()) {
            self.calls.begin_whole();
            self.say(message, on_text)?;
            self.draft.ended = true;
        } else {
            self.say(&choice["delta"], on_text)?;
        }
        self.stop(text_at(choice, "finish_reason"));
        Ok(())
    }

    /// A chunk of usage alone is one; anything else without choices is another format.
    fn no_choices(&self, chunk: &Value) -> Result<(), Fault> {
        if chunk.get("usage").is_some() || chunk.get("id").is_some() || self.draft.complete() {
            return Ok(());
        }
        Err(Fault::Unreadable("an answer without choices".to_owned()))
    }

    fn say(&mut self, delta: &Value, on_text: OnText<'_>) -> Result<(), Fault> {
        match &delta["content"] {
            Value::String(words) => self.draft.add_last_text(words, &mut *on_text),
            Value::Array(parts) => {
                for part in parts {
                    self.draft.add_last_text(text_at(part, "text"), &mut *on_text);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
        }
        let refusal = text_at(delta, "refusal");
        if !refusal.is_empty() {
            self.draft.add_last_text(refusal, on_text);
            self.draft.stop = Some(StopReason::Refusal);
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.calls.take(&mut self.draft, call)?;
        }
        // Before tools, there was one function.
        if delta["function_call"].is_object() {
            self.calls.take(
                &mut self.draft,
                &json!({ "index": 0, "function": delta["function_call"] }),
            )?;
        }
        Ok(())
    }

    fn usage(&mut self, usage: &Value) {
        let count = |key| usage.get(key).and_then(Value::as_u64);
        self.draft.input_tokens = count("prompt_tokens").or(self.draft.input_tokens);
        self.draft.output_tokens = count("completion_tokens").or(self.draft.output_tokens);
    }

    fn stop(&mut self, reason: &str) {
        if reason.is_empty() || self.draft.stop == Some(StopReason::Refusal) {
            return;
        }
        self.draft.stop = Some(match reason {
            "tool_calls" | "function_call" | "tool_use" => StopReason::ToolUse,
            "length" | "max_tokens" | "model_length" => StopReason::MaxTokens,
            "content_filter" | "refusal" => StopReason::Refusal,
            // stop, eos, eos_token, and what servers may add.
            _ => StopReason::EndTurn,
        });
    }
}

/// An error inside the stream: an object, or words.
fn fault(error: &Value) -> Fault {
    let said = match error {
        Value::String(words) => words.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => error.to_string(),
        Value::Object(_) => text_at(error, "message").to_owned(),
    };
    let code = error.get("code").and_then(Value::as_u64).unwrap_or(0);
    let kinds = [text_at(error, "type"), text_at(error, "code")];
    let busy = |kind: &&str| {
        ["overloaded", "server_error", "rate_limit", "unavailable"]
            .iter()
            .any(|word| kind.contains(word))
    };
    if code == 429 || code >= 500 || kinds.iter().any(busy) {
        Fault::Busy(said)
    } else {
        Fault::Refused(said)
    }
}
