//! The Anthropic Messages API: `POST {base_url}/v1/messages`, version 2023-06-01, streaming.
//!
//! Thread: any. A message becomes `{role, content: [block]}`: text `{type: text, text}`, call
//! `{type: tool_use, id, name, input}`, result `{type: tool_result, tool_use_id, content, is_error}`.
//!
//! The stream: `message_start {message: {usage}}`, then per block `content_block_start {index,
//! content_block}`, `content_block_delta {index, delta: text_delta | input_json_delta}`,
//! `content_block_stop`; `message_delta {delta: {stop_reason}, usage}`, `message_stop`; `ping` and `error`
//! at any place. A whole `message`, as an answer that is not streamed, is read too. What is not known is
//! passed over.

use super::draft::{CallDraft, Draft, Fault, OnText, fragment, text_at};
use super::history::result_text;
use super::message::{Message, Part, Role};
use super::turn::{StopReason, TurnRequest};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The request's body. The system prompt is marked for the provider's cache, and the tools before it.
pub(super) fn body(model: &str, request: &TurnRequest<'_>) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": request.max_tokens,
        "stream": true,
        "messages": request.messages.iter().map(message).collect::<Vec<_>>(),
    });
    if !request.system.is_empty() {
        let cache = json!({ "type": "ephemeral" });
        body["system"] =
            json!([{ "type": "text", "text": request.system, "cache_control": cache }]);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "input_schema": tool.input_schema,
            })
        });
        body["tools"] = tools.collect();
    }
    body
}

fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    json!({ "role": role, "content": message.parts.iter().map(block).collect::<Vec<_>>() })
}

fn block(part: &Part) -> Value {
    match part {
        Part::Text { text } => json!({ "type": "text", "text": text }),
        Part::ToolCall { id, name, arguments } => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": arguments.as_object() })
        }
        Part::ToolResult { id, content, is_error } => json!({
            "type": "tool_result",
            "tool_use_id": id,
            "content": result_text(content),
            "is_error": is_error,
        }),
    }
}

/// Reads the stream.
#[derive(Debug, Default)]
pub(super) struct Reader {
    pub(super) draft: Draft,
    /// The piece of each open block.
    places: HashMap<u64, usize>,
    /// The calls whose arguments stood in the block's start; deltas, if any come, are those arguments again.
    started: HashSet<usize>,
}

impl Reader {
    /// Takes one event, or a whole message.
    pub(super) fn take(&mut self, event: &Value, on_text: OnText<'_>) -> Result<(), Fault> {
        match text_at(event, "type") {
            "message_start" => self.usage(&event["message"]["usage"]),
            "content_block_start" => {
                self.begin_block(event["index"].as_u64(), &event["content_block"], on_text)?;
            }
            "content_block_delta" => self.delta(event, on_text)?,
            "message_delta" => {
                self.usage(&event["usage"]);
                self.stop(&event["delta"]);
            }
            "message_stop" => self.draft.ended = true,
            "message" => self.whole(event, on_text)?,
            "error" => return Err(fault(&event["error"])),
            "ping" | "content_block_stop" => {}
            "" => return Err(Fault::Unreadable("an event without a type".to_owned())),
            // The API may add events.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, message: &Value, on_text: OnText<'_>) -> Result<(), Fault> {
        let Some(blocks) = message["content"].as_array() else {
            return Err(Fault::Unreadable("a message without content".to_owned()));
        };
        for (index, block) in (0..).zip(blocks) {
            self.begin_block(Some(index), block, &mut *on_text)?;
        }
        self.usage(&message["usage"]);
        self.stop(message);
        self.draft.ended = true;
        Ok(())
    }

    fn begin_block(
        &mut self,
        index: Option<u64>,
        block: &Value,
        on_text: OnText<'_>,
    ) -> Result<(), Fault> {
        let place = match text_at(block, "type") {
            "text" => {
                let place = self.draft.begin_text();
                self.draft.add_text(place, text_at(block, "text"), on_text);
                Some(place)
            }
            "tool_use" => Some(self.begin_call(block)?),
            // Thinking, and what the API may add.
            _ => None,
        };
        match (index, place) {
            (Some(index), Some(place)) => self.places.insert(index, place),
            (Some(index), None) => self.places.remove(&index),
            (None, _) => None,
        };
        Ok(())
    }

    fn begin_call(&mut self, block: &Value) -> Result<usize, Fault> {
        // The API sends `{}` here, and deltas.
        let starts = block["input"] != json!({}) && !block["input"].is_null();
        let raw = if starts { fragment(&block["input"]) } else { String::new() };
        let (id, name) = (text_at(block, "id").to_owned(), text_at(block, "name").to_owned());
        let place = self.draft.begin_call(CallDraft { id, name, raw })?;
        if starts {
            self.started.insert(place);
        }
        Ok(place)
    }

    fn delta(&mut self, event: &Value, on_text: OnText<'_>) -> Result<(), Fault> {
        let place = event["index"].as_u64().and_then(|index| self.places.get(&index)).copied();
        let delta = &event["delta"];
        match (text_at(delta, "type"), place) {
            ("text_delta", Some(place)) if self.draft.call_mut(place).is_none() => {
                self.draft.add_text(place, text_at(delta, "text"), on_text);
            }
            ("text_delta", _) => self.draft.add_last_text(text_at(delta, "text"), on_text),
            ("input_json_delta", place) => {
                let Some(call) = place.and_then(|place| self.draft.call_mut(place)) else {
                    return Err(Fault::Unreadable("arguments that belong to no call".to_owned()));
                };
                let piece = fragment(&delta["partial_json"]);
                if !piece.is_empty() && place.is_some_and(|place| self.started.remove(&place)) {
                    call.raw.clear();
                }
                call.raw.push_str(&piece);
            }
            // Thinking, signatures, citations, and what the API may add.
            _ => {}
        }
        Ok(())
    }

    /// Counts are running totals: the last ones hold. Cached tokens are read too.
    fn usage(&mut self, usage: &Value) {
        let count = |key| usage.get(key).and_then(Value::as_u64);
        if let Some(input) = count("input_tokens") {
            let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
            let cached = cached.map(|key| count(key).unwrap_or(0));
            self.draft.input_tokens =
                Some(cached.iter().fold(input, |sum, n| sum.saturating_add(*n)));
        }
        self.draft.output_tokens = count("output_tokens").or(self.draft.output_tokens);
    }

    fn stop(&mut self, delta: &Value) {
        self.draft.stop = match text_at(delta, "stop_reason") {
            "" => self.draft.stop,
            "tool_use" => Some(StopReason::ToolUse),
            "max_tokens" | "model_context_window_exceeded" => Some(StopReason::MaxTokens),
            "refusal" => Some(StopReason::Refusal),
            "pause_turn" => Some(StopReason::Paused),
            // end_turn, stop_sequence, and what the API may add.
            _ => Some(StopReason::EndTurn),
        };
    }
}

/// An error inside the stream.
fn fault(error: &Value) -> Fault {
    let said = match (text_at(error, "type"), text_at(error, "message")) {
        (kind, "") => kind.to_owned(),
        ("", message) => message.to_owned(),
        (kind, message) => format!("{kind}: {message}"),
    };
    match text_at(error, "type") {
        "overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error" => {
            Fault::Busy(said)
        }
        _ => Fault::Refused(said),
    }
}
