//! The conversation as lines to show.

use deskhand_session::{PlanId, Said};
use serde_json::Value;

/// A tool call of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolLine {
    /// Its id in the conversation.
    pub id: String,
    /// The tool.
    pub name: String,
    /// How it was called.
    pub arguments: String,
    /// What came back, and whether it failed; none while it runs.
    pub result: Option<(String, bool)>,
    /// Whether the person opened it.
    pub is_open: bool,
}

impl ToolLine {
    /// Whether it ended badly.
    pub(crate) fn has_failed(&self) -> bool {
        self.result.as_ref().is_some_and(|(_, failed)| *failed)
    }
}

/// Something in the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Words of the person.
    Asked(String),
    /// Words of the model.
    Told(String),
    /// A tool call of the model.
    Tool(ToolLine),
    /// The card of a plan, or its receipt.
    Plan(PlanId),
    /// Why a turn ended otherwise than by itself.
    Ended(String),
}

/// Adds what a message says to `entries`.
pub(super) fn add(entries: &mut Vec<Entry>, said: &Said) {
    let is_person = said.message["role"] == "user";
    for part in said.message["parts"].as_array().into_iter().flatten() {
        match part["type"].as_str() {
            Some("text") => {
                let text = part["text"].as_str().unwrap_or_default().trim().to_owned();
                if !text.is_empty() {
                    entries.push(if is_person { Entry::Asked(text) } else { Entry::Told(text) });
                }
            }
            Some("tool_call") => entries.push(Entry::Tool(call(part))),
            Some("tool_result") => finish(entries, part),
            Some(_) | None => {}
        }
    }
}

fn call(part: &Value) -> ToolLine {
    let text = |key: &str| part[key].as_str().unwrap_or_default().to_owned();
    let arguments = part["arguments"].to_string();
    ToolLine { id: text("id"), name: text("name"), arguments, result: None, is_open: false }
}

fn finish(entries: &mut [Entry], part: &Value) {
    let line = entries.iter_mut().rev().find_map(|entry| match entry {
        Entry::Tool(line) if line.id == part["id"] => Some(line),
        Entry::Tool(_) | Entry::Asked(_) | Entry::Told(_) | Entry::Plan(_) | Entry::Ended(_) => {
            None
        }
    });
    if let Some(line) = line {
        let summary = part["content"]["summary"].as_str().unwrap_or_default().to_owned();
        line.result = Some((summary, part["is_error"] == true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::Author;
    use serde_json::json;

    fn said(message: Value) -> Said {
        Said { author: Author::Agent, message, time_ms: 1 }
    }

    #[test]
    fn a_call_is_a_line_that_gets_its_result() {
        let mut entries = Vec::new();
        add(
            &mut entries,
            &said(json!({"role": "assistant", "parts": [
                {"type": "text", "text": "Measuring. "},
                {"type": "tool_call", "id": "a", "name": "tool_measure", "arguments": {"x": 1}}]})),
        );
        assert_eq!(entries[0], Entry::Told("Measuring.".into()));
        add(
            &mut entries,
            &said(json!({"role": "user", "parts": [
                {"type": "tool_result", "id": "a", "content": {"summary": "done"}, "is_error": false}]})),
        );
        let Entry::Tool(line) = &entries[1] else { panic!("{entries:?}") };
        assert_eq!(line.result, Some(("done".into(), false)));
        assert_eq!(entries.len(), 2);
    }
}
