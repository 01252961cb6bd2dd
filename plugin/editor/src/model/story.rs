//! The conversation as lines to show.

use deskhand_session::{PlanId, Said};
use serde_json::Value;

/// The tool that tells the person something, or asks.
const NOTIFY: &str = "notify_user";

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
    /// How long it took, ms, as far as the conversation tells.
    pub took_ms: Option<i64>,
    /// When it was called, ms since 1970.
    pub(crate) begun_ms: i64,
    /// Whether the person opened it.
    pub is_open: bool,
}

impl ToolLine {
    /// What it asks the person; none where it does not, or has the answer.
    pub(crate) fn question(&self) -> Option<String> {
        if self.name != NOTIFY || self.result.is_some() {
            return None;
        }
        let arguments: Value = serde_json::from_str(&self.arguments).ok()?;
        let message = arguments["message"].as_str()?;
        (arguments["type"] == "query").then(|| message.to_owned())
    }

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
            Some("tool_call") => entries.push(Entry::Tool(call(part, said.time_ms))),
            Some("tool_result") => finish(entries, part, said.time_ms),
            Some(_) | None => {}
        }
    }
}

fn call(part: &Value, begun_ms: i64) -> ToolLine {
    let text = |key: &str| part[key].as_str().unwrap_or_default().to_owned();
    let arguments = part["arguments"].to_string();
    let (id, name, result) = (text("id"), text("name"), None);
    ToolLine { id, name, arguments, result, took_ms: None, begun_ms, is_open: false }
}

fn finish(entries: &mut [Entry], part: &Value, now_ms: i64) {
    let line = entries.iter_mut().rev().find_map(|entry| match entry {
        Entry::Tool(line) if line.id == part["id"] => Some(line),
        Entry::Tool(_) | Entry::Asked(_) | Entry::Told(_) | Entry::Plan(_) | Entry::Ended(_) => {
            None
        }
    });
    if let Some(line) = line {
        let is_error = part["is_error"] == true;
        line.result = Some((outcome(&line.name, &part["content"], is_error), is_error));
        line.took_ms = Some((now_ms - line.begun_ms).max(0));
    }
}

/// What came of a call, as the person reads it.
fn outcome(tool: &str, content: &Value, is_error: bool) -> String {
    let summary = content["summary"].as_str().unwrap_or_default();
    if tool == NOTIFY {
        let answer = content["answer"]["answer"].as_str();
        return answer.map_or_else(|| of_person(summary), |words| format!("You answered: {words}"));
    }
    // Of a plan that was rejected the summary tells what it was to be, and the decision what came of it.
    match content["decision"].as_str().filter(|_| is_error) {
        Some(decision) => of_person(decision.split(';').next().unwrap_or(decision)),
        None => summary.to_owned(),
    }
}

/// What a model is told of the person, told to the person.
fn of_person(words: &str) -> String {
    match words.strip_prefix("the person ") {
        Some(rest) => format!("You {rest}"),
        None => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::Author;
    use serde_json::json;

    fn said(message: Value, time_ms: i64) -> Said {
        Said { author: Author::Agent, message, time_ms }
    }

    #[test]
    fn a_call_is_a_line_that_gets_its_result() {
        let mut entries = Vec::new();
        add(
            &mut entries,
            &said(
                json!({"role": "assistant", "parts": [
                {"type": "text", "text": "Measuring. "},
                {"type": "tool_call", "id": "a", "name": "tool_measure", "arguments": {"x": 1}}]}),
                1_000,
            ),
        );
        assert_eq!(entries[0], Entry::Told("Measuring.".into()));
        add(
            &mut entries,
            &said(
                json!({"role": "user", "parts": [
                {"type": "tool_result", "id": "a", "content": {"summary": "done"}, "is_error": false}]}),
                3_400,
            ),
        );
        let Entry::Tool(line) = &entries[1] else { panic!("{entries:?}") };
        assert_eq!(line.result, Some(("done".into(), false)));
        assert_eq!(line.took_ms, Some(2_400));
        assert_eq!(entries.len(), 2);
    }

    #[test]
    fn what_a_model_is_told_of_the_person_is_told_to_the_person() {
        let ask = json!({"type": "query", "message": "Which take?"});
        let mut entries =
            vec![Entry::Tool(call(&json!({"id": "a", "name": NOTIFY, "arguments": ask}), 1_000))];
        let Entry::Tool(line) = &entries[0] else { panic!("{entries:?}") };
        assert_eq!(line.question(), Some("Which take?".into()));
        let summary = "the person answered; the words are in `answer`";
        let content = json!({"summary": summary, "answer": {"answer": "the second"}});
        finish(&mut entries, &json!({"id": "a", "content": content, "is_error": false}), 2_000);
        let Entry::Tool(line) = &entries[0] else { panic!("{entries:?}") };
        assert_eq!(line.result, Some(("You answered: the second".into(), false)));
        assert_eq!(line.question(), None);
        let away = json!({"summary": "the person put the question away without an answer"});
        assert_eq!(outcome(NOTIFY, &away, false), "You put the question away without an answer");
        let decision = "the person rejected it; do what the reason asks for, or ask";
        let rejected = json!({"summary": "Bring 2 clips to -16 LUFS", "decision": decision});
        assert_eq!(outcome("tool_normalize", &rejected, true), "You rejected it");
    }
}
