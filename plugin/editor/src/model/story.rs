//! The conversation as lines to show.

use crate::fixes::at_window;
use deskhand_session::{PartKind, PlanId, Said};
use serde_json::Value;

/// The prefix of call ids made without a model. Their results have words of their own.
const UNAIDED: &str = "offline_";

/// A tool call of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolLine {
    pub id: String,
    pub name: String,
    pub arguments: String,
    /// The result, and whether it failed; `None` while it runs.
    pub result: Option<(String, bool)>,
    /// The person declined it: rejected its plan, or stopped it.
    pub(crate) is_declined: bool,
    /// Its plan, or the applied part of it.
    pub(crate) plan: Option<PlanId>,
    /// How long the turn took, ms, as far as the conversation shows. `None` if most of it was a person
    /// thinking.
    pub took_ms: Option<i64>,
    /// When it was called, ms since 1970.
    pub(crate) begun_ms: i64,
    pub is_open: bool,
    /// Whether it tells the person something, or asks.
    pub(crate) is_for_person: bool,
}

impl ToolLine {
    /// The question to the person; `None` if there is none, or it is answered.
    pub(crate) fn question(&self) -> Option<String> {
        if !self.is_for_person || self.result.is_some() {
            return None;
        }
        let arguments: Value = serde_json::from_str(&self.arguments).ok()?;
        let message = arguments["message"].as_str()?;
        (arguments["type"] == "query").then(|| message.to_owned())
    }

    /// Whether it is a call of `tool`, or a call that calls it.
    pub(crate) fn is_of(&self, tool: &str) -> bool {
        self.name == tool || self.arguments.contains(&format!("\"{tool}\""))
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.result.as_ref().is_some_and(|(_, failed)| *failed)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Asked(String),
    Told(String),
    /// What could be said next, each as a button.
    Offers(Vec<String>),
    /// A tool call of the model.
    Tool(ToolLine),
    /// The card of a plan, or its receipt.
    Plan(PlanId),
    /// Why a turn ended otherwise than by itself.
    Ended(String),
}

impl Entry {
    pub(crate) fn asked(&self) -> Option<&str> {
        if let Self::Asked(text) = self { Some(text) } else { None }
    }

    pub(crate) fn tool(&self) -> Option<&ToolLine> {
        if let Self::Tool(line) = self { Some(line) } else { None }
    }
}

/// Adds the parts of a message to `entries`. `teller` is the tool that tells the person something, or asks.
pub(super) fn add(entries: &mut Vec<Entry>, said: &Said, teller: Option<&str>) {
    let is_person = said.message["role"] == "user";
    for (kind, part) in said.parts() {
        match kind {
            PartKind::Text => {
                let text = part["text"].as_str().unwrap_or_default().trim().to_owned();
                let offers = offers(part);
                let text = without(&text, &offers);
                if !text.is_empty() {
                    entries.push(match is_person {
                        true => Entry::Asked(text),
                        false => Entry::Told(at_window(&text)),
                    });
                }
                if !offers.is_empty() {
                    entries.push(Entry::Offers(offers));
                }
            }
            PartKind::ToolCall => entries.push(Entry::Tool(call(part, said.time_ms, teller))),
            PartKind::ToolResult => finish(entries, part, said.time_ms),
        }
    }
}

/// What could be said instead of what was not understood.
fn offers(part: &Value) -> Vec<String> {
    let offers = part["offers"].as_array().into_iter().flatten();
    offers.filter_map(|offer| offer.as_str().map(str::to_owned)).collect()
}

/// A text without the lines that are drawn as buttons.
fn without(text: &str, offers: &[String]) -> String {
    let is_offer = |line: &str| {
        line.trim().strip_prefix("try: ").is_some_and(|line| offers.iter().any(|it| it == line))
    };
    text.lines().filter(|line| !is_offer(line)).collect::<Vec<_>>().join("\n")
}

fn call(part: &Value, begun_ms: i64, teller: Option<&str>) -> ToolLine {
    let text = |key: &str| part[key].as_str().unwrap_or_default().to_owned();
    let arguments = part["arguments"].to_string();
    let (id, name, result, took_ms) = (text("id"), text("name"), None, None);
    let (is_declined, is_open, plan) = (false, false, None);
    let is_for_person = Some(name.as_str()) == teller;
    ToolLine {
        id,
        name,
        arguments,
        result,
        is_declined,
        plan,
        took_ms,
        begun_ms,
        is_open,
        is_for_person,
    }
}

fn finish(entries: &mut [Entry], part: &Value, now_ms: i64) {
    let line = entries.iter_mut().rev().find_map(|entry| match entry {
        Entry::Tool(line) if line.id == part["id"] => Some(line),
        _ => None,
    });
    if let Some(line) = line {
        let (content, is_error) = (&part["content"], part["is_error"] == true);
        line.is_declined =
            is_error && (content["status"] == "rejected" || content["code"] == "cancelled");
        let words = match line.id.starts_with(UNAIDED) {
            true => String::new(),
            false => outcome(line.is_for_person, content, is_error),
        };
        line.result = Some((words, is_error && !line.is_declined));
        line.plan = plan_of(content);
        let waited = line.is_for_person || content["decision"].is_string();
        line.took_ms = (!waited).then_some((now_ms - line.begun_ms).max(0));
    }
}

/// The plan of a call, or the applied part of it.
fn plan_of(content: &Value) -> Option<PlanId> {
    let ids = [&content["decided_plan"], &content["plan"]["id"]];
    ids.into_iter().find_map(|id| id.as_str()?.parse().ok())
}

/// The outcome of a call, as the person reads it.
fn outcome(is_for_person: bool, content: &Value, is_error: bool) -> String {
    let summary = content["summary"].as_str().unwrap_or_default();
    if is_for_person {
        let answer = content["answer"]["answer"].as_str();
        return answer.map_or_else(|| of_person(summary), |words| format!("You answered: {words}"));
    }
    // For a rejected plan, the summary says what was planned, and the decision says the outcome.
    let said = content["reason"].as_str().filter(|_| content["status"] == "rejected");
    match (content["decision"].as_str().filter(|_| is_error), said) {
        (Some(_), Some(reason)) => format!("Rejected: {reason}"),
        (Some(decision), None) => of_person(decision.split(';').next().unwrap_or(decision)),
        (None, _) if content["code"] == "cancelled" => capital(of_person(summary)),
        (None, _) => summary.to_owned(),
    }
}

/// Words as a sentence begins.
fn capital(mut words: String) -> String {
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Rewrites words about the person, meant for a model, as words to the person.
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
            None,
        );
        assert_eq!(entries[0], Entry::Told("Measuring.".into()));
        add(
            &mut entries,
            &said(
                json!({"role": "user", "parts": [
                {"type": "tool_result", "id": "a", "content": {"summary": "done"}, "is_error": false}]}),
                3_400,
            ),
            None,
        );
        let Entry::Tool(line) = &entries[1] else { panic!("{entries:?}") };
        assert_eq!(line.result, Some(("done".into(), false)));
        assert_eq!(line.took_ms, Some(2_400));
        assert_eq!(entries.len(), 2);
    }

    #[test]
    fn what_could_be_said_instead_is_offered_and_not_told() {
        let mut entries = Vec::new();
        let text = "\"warm\" is not understood.\n  try: solo Host\nNothing was changed.";
        let part = json!({"type": "text", "text": text, "offers": ["solo Host"]});
        add(&mut entries, &said(json!({"role": "assistant", "parts": [part]}), 0), None);
        let told = "\"warm\" is not understood.\nNothing was changed.";
        assert_eq!(entries, [Entry::Told(told.into()), Entry::Offers(vec!["solo Host".into()])]);
    }

    #[test]
    fn what_a_model_is_told_of_the_person_is_told_to_the_person() {
        let ask = json!({"type": "query", "message": "Which take?"});
        let asks = json!({"id": "a", "name": "notify_user", "arguments": ask});
        let mut entries = vec![Entry::Tool(call(&asks, 1_000, Some("notify_user")))];
        let Entry::Tool(line) = &entries[0] else { panic!("{entries:?}") };
        assert_eq!(line.question(), Some("Which take?".into()));
        let summary = "the person answered; the words are in `answer`";
        let content = json!({"summary": summary, "answer": {"answer": "the second"}});
        finish(&mut entries, &json!({"id": "a", "content": content, "is_error": false}), 2_000);
        let Entry::Tool(line) = &entries[0] else { panic!("{entries:?}") };
        assert_eq!(line.result, Some(("You answered: the second".into(), false)));
        assert_eq!(line.question(), None);
        let away = json!({"summary": "the person put the question away without an answer"});
        assert_eq!(outcome(true, &away, false), "You put the question away without an answer");
        let decision = "the person rejected it; do what the reason asks for, or ask";
        let rejected = json!({"summary": "Bring 2 clips to -16 LUFS", "decision": decision});
        assert_eq!(outcome(false, &rejected, true), "You rejected it");
    }

    /// The line of a call of 1 s, with this result.
    fn ended(id: &str, tool: &str, content: Value) -> ToolLine {
        let called = json!({"id": id, "name": tool, "arguments": {}});
        let mut entries = vec![Entry::Tool(call(&called, 1_000, None))];
        finish(&mut entries, &json!({"id": id, "content": content, "is_error": true}), 2_000);
        let Some(Entry::Tool(line)) = entries.pop() else { panic!("a line") };
        line
    }

    #[test]
    fn what_the_person_did_not_want_has_not_failed_and_their_time_is_not_the_tools() {
        let decision = "the person rejected it; do what the reason asks for, or ask";
        let content = json!({"status": "rejected", "decision": decision, "reason": "too loud"});
        let rejected = ended("a", "tool_normalize", content);
        assert_eq!(rejected.result, Some(("Rejected: too loud".into(), false)));
        assert_eq!((rejected.is_declined, rejected.took_ms), (true, None));
        let content =
            json!({"status": "error", "code": "cancelled", "summary": "cancelled (4 % was done)"});
        let stopped = ended("a", "tool_normalize", content);
        assert_eq!(stopped.result, Some(("Cancelled (4 % was done)".into(), false)));
        assert_eq!((stopped.is_declined, stopped.took_ms), (true, Some(1_000)));
        let failed = ended("a", "tool_normalize", json!({"status": "error", "summary": "no file"}));
        assert_eq!(failed.result, Some(("no file".into(), true)));
        assert!(!failed.is_declined);
    }

    #[test]
    fn what_is_done_without_a_model_is_told_once() {
        let line = ended("offline_3", "tool_measure", json!({"summary": "no file"}));
        assert_eq!(line.result, Some((String::new(), true)));
    }
}
