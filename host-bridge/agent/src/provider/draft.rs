//! A reply while it comes in: what the readers of both wire formats write to.
//!
//! Thread: any.

use super::ids::Taken;
use super::message::{Arguments, Part, Usage};
use super::turn::{Reply, StopReason, TurnRequest};
use serde_json::Value;

/// The most calls of one reply; more is a broken model.
const MOST_CALLS: usize = 256;

/// About how many bytes a token takes, where a provider counts none.
const BYTES_PER_TOKEN: usize = 4;

/// Why a stream gave no reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The server is overloaded, limits the rate or fails: another attempt may do.
    Busy(String),
    /// The server refuses.
    Refused(String),
    /// Not in the wire format.
    Unreadable(String),
}

/// Who hears words as they come.
pub(super) type OnText<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A piece of a reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Call(CallDraft),
}

/// A call while it comes in.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CallDraft {
    /// As the server gave it; empty when it did not.
    pub(super) id: String,
    pub(super) name: String,
    /// The arguments' JSON so far.
    pub(super) raw: String,
}

/// A reply while it comes in.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pieces: Vec<Piece>,
    calls: usize,
    /// Why the model stopped, once it said so.
    pub(super) stop: Option<StopReason>,
    /// The stream said that it is over.
    pub(super) ended: bool,
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
}

impl Draft {
    /// Begins a piece of words; gives its place.
    pub(super) fn begin_text(&mut self) -> usize {
        self.pieces.push(Piece::Text(String::new()));
        self.pieces.len() - 1
    }

    /// Begins a call; gives its place.
    pub(super) fn begin_call(&mut self, call: CallDraft) -> Result<usize, Fault> {
        self.calls += 1;
        if self.calls > MOST_CALLS {
            return Err(Fault::Unreadable(format!("more than {MOST_CALLS} tool calls")));
        }
        self.pieces.push(Piece::Call(call));
        Ok(self.pieces.len() - 1)
    }

    /// Adds words to the piece at a place.
    pub(super) fn add_text(&mut self, place: usize, words: &str, on_text: OnText<'_>) {
        if let Some(Piece::Text(text)) = self.pieces.get_mut(place)
            && !words.is_empty()
        {
            text.push_str(words);
            on_text(words);
        }
    }

    /// Adds words to the last piece, or to a new one behind a call.
    pub(super) fn add_last_text(&mut self, words: &str, on_text: OnText<'_>) {
        let place = match self.pieces.last() {
            Some(Piece::Text(_)) => self.pieces.len() - 1,
            Some(Piece::Call(_)) | None => self.begin_text(),
        };
        self.add_text(place, words, on_text);
    }

    /// The call at a place.
    pub(super) fn call_mut(&mut self, place: usize) -> Option<&mut CallDraft> {
        match self.pieces.get_mut(place) {
            Some(Piece::Call(call)) => Some(call),
            Some(Piece::Text(_)) | None => None,
        }
    }

    /// Nothing more is needed.
    pub(super) const fn complete(&self) -> bool {
        self.ended || self.stop.is_some()
    }

    /// The reply to a request of `sent` bytes. `clean` takes a key out of what the server says.
    pub(super) fn into_reply(
        self,
        request: &TurnRequest<'_>,
        sent: usize,
        clean: &dyn Fn(&str) -> String,
    ) -> Reply {
        let usage = self.usage(sent);
        let said = self.stop.unwrap_or(StopReason::EndTurn);
        let mut taken = Taken::of(request.messages);
        let last = self.pieces.len().saturating_sub(1);
        let mut parts = Vec::new();
        for (place, piece) in self.pieces.into_iter().enumerate() {
            match piece {
                Piece::Text(text) if text.trim().is_empty() => {}
                Piece::Text(text) => parts.push(Part::text(clean(&text))),
                Piece::Call(_) if said == StopReason::Refusal => {}
                Piece::Call(call) => {
                    let cut_short = said == StopReason::MaxTokens && place == last;
                    parts.push(call.into_part(cut_short, &mut taken, clean));
                }
            }
        }
        Reply { stop: stop_of(said, &parts), parts, usage }
    }

    fn usage(&self, sent: usize) -> Usage {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Call(call) => call.name.len() + call.raw.len(),
        });
        let estimate = |bytes: usize| u64::try_from(bytes.div_ceil(BYTES_PER_TOKEN)).unwrap_or(0);
        Usage {
            input_tokens: self.input_tokens.unwrap_or_else(|| estimate(sent)),
            output_tokens: self.output_tokens.unwrap_or_else(|| estimate(pieces.sum())),
        }
    }
}

impl CallDraft {
    fn into_part(self, cut_short: bool, taken: &mut Taken, clean: &dyn Fn(&str) -> String) -> Part {
        // A call that was cut before its first argument looks like one without arguments.
        let arguments = if cut_short && self.raw.trim().is_empty() {
            Arguments::Malformed(String::new())
        } else {
            Arguments::read(&clean(&self.raw))
        };
        Part::ToolCall { id: taken.claim(&clean(&self.id)), name: clean(&self.name), arguments }
    }
}

/// Some servers say `stop` where they mean that they wait for results.
fn stop_of(said: StopReason, parts: &[Part]) -> StopReason {
    let calls = parts.iter().any(|part| matches!(part, Part::ToolCall { .. }));
    match said {
        StopReason::EndTurn | StopReason::ToolUse if calls => StopReason::ToolUse,
        StopReason::EndTurn | StopReason::ToolUse => StopReason::EndTurn,
        StopReason::MaxTokens | StopReason::Refusal | StopReason::Paused => said,
    }
}

/// The text at a key; empty when there is none.
pub(super) fn text_at<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A fragment of arguments: text is JSON already, and anything else is written as JSON.
pub(super) fn fragment(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}
