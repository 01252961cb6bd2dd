//! The conversation: the person's words and the model's, in order, stored with the session.

use crate::effect::Effect;
use crate::ids::{Asker, HOUSE};
use crate::plans::now_ms;
use deskhand_protocol::desk::{TurnEnd, TurnReason};
use deskhand_protocol::{News, Speech};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, PartKind, Said};
use serde_json::{Value, json};

/// The longest message that is kept, in bytes of JSON.
const LONGEST: usize = 4 << 20;

/// The messages, and whether a turn runs.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    said: Vec<Said>,
    is_turn_running: bool,
    /// Whether this turn turns the person's words into calls without a model.
    is_unaided: bool,
}

impl Conversation {
    pub(crate) fn new(said: Vec<Said>) -> Self {
        Self { said, is_turn_running: false, is_unaided: false }
    }

    pub(crate) fn said(&self) -> &[Said] {
        &self.said
    }

    pub(crate) fn is_turn_running(&self) -> bool {
        self.is_turn_running
    }

    /// Forgets a message that could not be stored. Nobody answers it.
    pub(crate) fn forget_last(&mut self) {
        self.said.pop();
        self.is_turn_running = false;
    }

    /// Takes the person's words and asks the model to answer, if one `listens`.
    pub(crate) fn say(
        &mut self,
        asker: Asker,
        text: &str,
        asked: News,
        listens: bool,
    ) -> Vec<Effect> {
        let refusal = if !listens {
            Some(("no model listens here", "ask with `deskhand chat DIR` or `deskhand ask`"))
        } else if self.is_turn_running {
            Some(("the model is still answering", "wait for it, or stop its turn"))
        } else if text.trim().is_empty() {
            Some(("there are no words", "say what you want"))
        } else {
            None
        };
        if let Some((message, fix)) = refusal {
            return vec![Effect::Fail(asker, ToolError::prepare(Code::Refused, message, fix))];
        }
        let message = json!({"role": "user", "parts": [{"type": "text", "text": text}]});
        vec![self.keep(asker, message, Some(asked))]
    }

    /// Handles a message of the model.
    pub(crate) fn speak(&mut self, asker: Asker, speech: Speech) -> Vec<Effect> {
        match speech {
            Speech::Piece { text } => {
                let saying = Effect::Tell(asker.author, Some(asker), News::Saying { text });
                vec![saying, Effect::Reply(asker, "told")]
            }
            Speech::Message { message } if is_the_persons(&message) => {
                let error = "only a person can say what a person says";
                let error = ToolError::prepare(Code::Refused, error, "speak as the model");
                vec![Effect::Fail(asker, error)]
            }
            Speech::Message { message } => vec![self.keep(asker, message, None)],
            Speech::Unaided => {
                self.is_unaided = self.is_turn_running;
                vec![Effect::Reply(asker, "noted")]
            }
            Speech::End { end } => {
                self.is_turn_running = false;
                let ended = Effect::Tell(asker.author, Some(asker), News::TurnEnded { end });
                vec![ended, Effect::done(asker, "the turn is over")]
            }
        }
    }

    /// Whether the person's words are turned into calls without a model.
    pub(crate) fn is_unaided(&self) -> bool {
        self.is_turn_running && self.is_unaided
    }

    /// Tells the model to stop. It ends its turn by itself.
    pub(crate) fn stop_turn(&self, asker: Asker) -> Vec<Effect> {
        if self.is_turn_running {
            let stop = Effect::Tell(asker.author, Some(asker), News::StopTurn);
            vec![stop, Effect::done(asker, "stopping")]
        } else {
            vec![Effect::done(asker, "the model is not answering anything")]
        }
    }

    /// Stores a message. `then` follows words that ask the model: its turn begins with them.
    fn keep(&mut self, asker: Asker, message: Value, then: Option<News>) -> Effect {
        if message.to_string().len() > LONGEST {
            let message = "the message is longer than 4 MB";
            let error = ToolError::prepare(Code::BadParams, message, "say less");
            return Effect::Fail(asker, error);
        }
        if then.is_some() {
            (self.is_turn_running, self.is_unaided) = (true, false);
        }
        let said = Said { author: asker.author, message, time_ms: now_ms() };
        self.said.push(said.clone());
        Effect::Said(asker, said, then, Some("said"))
    }

    /// Answers the calls of the model that have no result: the program ended, or the model did, before they were over.
    pub(crate) fn answer_interrupted(&mut self) -> Option<Effect> {
        let open = unanswered(&self.said);
        if open.is_empty() {
            return None;
        }
        let summary = "interrupted before it was over; run it again?";
        let content = json!({"status": "error", "code": "cancelled", "summary": summary});
        let result = |id: &str| json!({"type": PartKind::ToolResult, "id": id, "content": content, "is_error": true});
        let parts: Vec<Value> = open.into_iter().map(result).collect();
        let message = json!({"role": "user", "parts": parts});
        let said = Said { author: Author::Agent, message, time_ms: now_ms() };
        self.said.push(said.clone());
        Some(Effect::Said(Asker::nobody(Author::Agent), said, None, None))
    }

    /// The model is gone: its turn is over, whatever it was doing.
    pub(crate) fn model_is_gone(&mut self) -> Vec<Effect> {
        if !std::mem::take(&mut self.is_turn_running) {
            return Vec::new();
        }
        let end = TurnEnd {
            reason: TurnReason::Failed,
            message: "the model ended without an answer; ask again".into(),
            reply: String::new(),
            turns: 0,
            input_tokens: 0,
            output_tokens: 0,
            pending: Vec::new(),
        };
        let ended = Effect::Tell(HOUSE, None, News::TurnEnded { end });
        self.answer_interrupted().into_iter().chain([ended]).collect()
    }
}

/// The ids of calls without a result.
fn unanswered(said: &[Said]) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    for (kind, part) in said.iter().flat_map(Said::parts) {
        match (kind, part["id"].as_str()) {
            (PartKind::ToolCall, Some(id)) => open.push(id),
            (PartKind::ToolResult, Some(id)) => open.retain(|open| *open != id),
            (PartKind::Text, _) | (_, None) => {}
        }
    }
    open
}

/// Whether a message claims to be the person's words. From a model's connection, that role may only carry
/// the results of its calls.
fn is_the_persons(message: &Value) -> bool {
    let parts = message.get("parts").and_then(Value::as_array);
    let is_result = |part: &Value| PartKind::of(part) == Some(PartKind::ToolResult);
    let is_results = parts.is_some_and(|parts| parts.iter().all(is_result));
    message.get("role") != Some(&json!("assistant")) && !is_results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_runs_until_the_model_ends_it_or_is_gone() {
        let mut talk = Conversation::default();
        let asker = Asker::nobody(HOUSE);
        let asked = || News::TurnAsked { provider: None, attended: true };
        assert!(matches!(talk.say(asker, "hi", asked(), false)[..], [Effect::Fail(..)]));
        assert!(matches!(talk.say(asker, "hi", asked(), true)[..], [Effect::Said(.., Some(_))]));
        assert!(matches!(talk.say(asker, "and", asked(), true)[..], [Effect::Fail(..)]));
        let call = json!({"role": "assistant", "parts": [{"type": "tool_call", "id": "1"}]});
        talk.speak(Asker::nobody(Author::Agent), Speech::Message { message: call });
        let gone = talk.model_is_gone();
        assert!(
            matches!(gone[..], [Effect::Said(.., None), Effect::Tell(..)]),
            "its call is answered"
        );
        assert!(!talk.is_turn_running() && talk.model_is_gone().is_empty());
    }
}
