//! A history that fits a budget: whole turns go first, then long results grow short.
//!
//! Thread: any.

use super::repair;
use crate::provider::message::{Message, Part, Role};
use serde_json::json;

/// A history under a budget, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Trimmed {
    /// What may be sent; in the form of [`repair`].
    pub messages: Vec<Message>,
    /// Turns of the person that were left out, the oldest first.
    pub turns_left_out: usize,
    /// Results of the last turn whose content was left out, the oldest first.
    pub results_left_out: usize,
    /// Its size ([`bytes`]). Over the budget only if the last turn alone, without its results, is.
    pub bytes: usize,
}

/// The size of messages: bytes of their JSON. Four bytes are about one token.
#[must_use]
pub fn bytes(messages: &[Message]) -> usize {
    messages.iter().map(message_bytes).sum()
}

/// The newest turns of a history that fit into `budget` bytes; the last turn is always kept.
///
/// A turn begins where the person speaks. A call and its result are kept or left out together. When the
/// last turn alone is too large, the content of its results is left out, oldest first, and says so.
/// The stored history stays as it is.
#[must_use]
pub fn trimmed(history: &[Message], budget: usize) -> Trimmed {
    let mut whole = history.to_vec();
    repair(&mut whole);
    let starts = turn_starts(&whole);
    let last = starts.len().saturating_sub(1);
    let fits = |&turn: &usize| bytes(&from_turn(&whole, starts[turn])) <= budget;
    let first = (0..last).find(fits).unwrap_or(last);
    let mut messages = match starts.get(first) {
        Some(&start) if first > 0 => from_turn(&whole, start),
        Some(_) | None => whole,
    };
    let results_left_out = leave_out_results(&mut messages, budget);
    let bytes = bytes(&messages);
    Trimmed { messages, turns_left_out: first, results_left_out, bytes }
}

/// The messages in which the person speaks.
fn turn_starts(history: &[Message]) -> Vec<usize> {
    let speaks = |message: &Message| {
        message.role == Role::User
            && message.parts.iter().any(|part| matches!(part, Part::Text { .. }))
    };
    (0..history.len()).filter(|&place| speaks(&history[place])).collect()
}

/// The history from a turn on; results of the turn before are left out with their calls.
fn from_turn(history: &[Message], start: usize) -> Vec<Message> {
    let mut kept = history[start..].to_vec();
    if let Some(first) = kept.first_mut() {
        first.parts.retain(|part| matches!(part, Part::Text { .. }));
    }
    kept
}

/// Leaves out contents until the messages fit; gives how many.
fn leave_out_results(messages: &mut [Message], budget: usize) -> usize {
    let mut size = bytes(messages);
    let mut left_out = 0;
    for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
        let Part::ToolResult { id, is_error, .. } = &*part else { continue };
        let content = json!({ "left_out": "this result is too long to keep; call the tool again" });
        let short = Part::ToolResult { id: id.clone(), content, is_error: *is_error };
        let saved = part_bytes(part).saturating_sub(part_bytes(&short));
        if size > budget && saved > 0 {
            *part = short;
            size -= saved;
            left_out += 1;
        }
    }
    left_out
}

fn message_bytes(message: &Message) -> usize {
    32 + message.parts.iter().map(part_bytes).sum::<usize>()
}

fn part_bytes(part: &Part) -> usize {
    serde_json::to_string(part).map_or(0, |text| text.len() + 1)
}
