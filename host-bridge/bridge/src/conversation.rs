//! The conversation: the person's words and the model's, in order, stored with the session.

use crate::bridge::Bridge;
use crate::commit::Then;
use crate::ids::{Asker, HOUSE};
use crate::plans::now_ms;
use crate::policy::Authority;
use deskhand_protocol::desk::{TurnEnd, TurnReason};
use deskhand_protocol::{News, Speech};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Said};
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
}

impl Bridge {
    /// Takes the person's words and asks the model to answer.
    pub(crate) fn say(
        &mut self,
        asker: Asker,
        text: &str,
        provider: Option<String>,
        attended: bool,
    ) {
        let listens = self.connections.has_model();
        let refusal = if !listens {
            Some(("no model listens here", "ask with `deskhand chat DIR` or `deskhand ask`"))
        } else if self.conversation.is_turn_running {
            Some(("the model is still answering", "wait for it, or stop its turn"))
        } else if text.trim().is_empty() {
            Some(("there are no words", "say what you want"))
        } else {
            None
        };
        if let Some((message, fix)) = refusal {
            return self.fail(asker, ToolError::prepare(Code::Refused, message, fix));
        }
        let message = json!({"role": "user", "parts": [{"type": "text", "text": text}]});
        let asked = News::TurnAsked { provider, attended };
        self.keep(asker, message, Some(asked));
    }

    /// Handles a message of the model.
    pub(crate) fn speak(&mut self, asker: Asker, speech: Speech) {
        match speech {
            Speech::Piece { text } => {
                self.tell(asker.author, Some(asker), News::Saying { text });
                self.reply(asker, self.ok("told"));
            }
            Speech::Message { message } if is_the_persons(&message) => {
                let error = "only a person can say what a person says";
                self.fail(asker, ToolError::prepare(Code::Refused, error, "speak as the model"));
            }
            Speech::Message { message } => self.keep(asker, message, None),
            Speech::Unaided => {
                self.conversation.is_unaided = self.conversation.is_turn_running;
                self.reply(asker, self.ok("noted"));
            }
            Speech::End { end } => self.end_turn(asker, end),
        }
    }

    /// The coder of a call. If the person's words are turned into calls without a model, the person is the
    /// coder. The connection still decides what is allowed.
    pub(crate) fn coder_of(&self, asker: Asker) -> Author {
        let Conversation { is_turn_running, is_unaided, .. } = self.conversation;
        let is_of_talk = self.authority_of(asker.connection) == Authority::Conversation;
        match is_of_talk && is_turn_running && is_unaided {
            true => Author::User,
            false => asker.author,
        }
    }

    fn end_turn(&mut self, asker: Asker, end: TurnEnd) {
        self.conversation.is_turn_running = false;
        self.tell(asker.author, Some(asker), News::TurnEnded { end });
        let result = self.ok("the turn is over");
        self.answer(asker, result);
    }

    /// Tells the model to stop. It ends its turn by itself.
    pub(crate) fn stop_turn(&mut self, asker: Asker) {
        let summary = if self.conversation.is_turn_running {
            self.tell(asker.author, Some(asker), News::StopTurn);
            "stopping"
        } else {
            "the model is not answering anything"
        };
        let result = self.ok(summary);
        self.answer(asker, result);
    }

    /// Stores a message. `then` follows words that ask the model: its turn begins with them.
    fn keep(&mut self, asker: Asker, message: Value, then: Option<News>) {
        if message.to_string().len() > LONGEST {
            let message = "the message is longer than 4 MB";
            return self.fail(asker, ToolError::prepare(Code::BadParams, message, "say less"));
        }
        if then.is_some() {
            (self.conversation.is_turn_running, self.conversation.is_unaided) = (true, false);
        }
        let said = Said { author: asker.author, message, time_ms: now_ms() };
        self.conversation.said.push(said.clone());
        let result = self.ok("said");
        let news = std::iter::once(News::Said { said: said.clone() }).chain(then).collect();
        self.commit_said(asker, said, news, Then::Answer(Box::new(result)));
    }

    /// Answers the calls of the model that have no result: the program ended, or the model did, before they were over.
    pub(crate) fn answer_interrupted(&mut self) {
        let open = unanswered(&self.conversation.said);
        if open.is_empty() {
            return;
        }
        let summary = "interrupted before it was over; run it again?";
        let content = json!({"status": "error", "code": "cancelled", "summary": summary});
        let result = |id: &str| json!({"type": "tool_result", "id": id, "content": content, "is_error": true});
        let parts: Vec<Value> = open.into_iter().map(result).collect();
        let message = json!({"role": "user", "parts": parts});
        let said = Said { author: Author::Agent, message, time_ms: now_ms() };
        self.conversation.said.push(said.clone());
        let asker = Asker::nobody(Author::Agent);
        self.commit_said(asker, said.clone(), vec![News::Said { said }], Then::Rest);
    }

    /// The model is gone: its turn is over, whatever it was doing.
    pub(crate) fn model_is_gone(&mut self) {
        if std::mem::take(&mut self.conversation.is_turn_running) {
            self.answer_interrupted();
            let end = TurnEnd {
                reason: TurnReason::Failed,
                message: "the model ended without an answer; ask again".into(),
                reply: String::new(),
                turns: 0,
                input_tokens: 0,
                output_tokens: 0,
                pending: Vec::new(),
            };
            self.tell(HOUSE, None, News::TurnEnded { end });
        }
    }
}

/// The ids of calls without a result.
fn unanswered(said: &[Said]) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    for part in said.iter().filter_map(|said| said.message["parts"].as_array()).flatten() {
        match (part["type"].as_str(), part["id"].as_str()) {
            (Some("tool_call"), Some(id)) => open.push(id),
            (Some("tool_result"), Some(id)) => open.retain(|open| *open != id),
            _ => {}
        }
    }
    open
}

/// Whether a message claims to be the person's words. From a model's connection, that role may only carry
/// the results of its calls.
fn is_the_persons(message: &Value) -> bool {
    let parts = message.get("parts").and_then(Value::as_array);
    let is_result = |part: &Value| part.get("type") == Some(&json!("tool_result"));
    let is_results = parts.is_some_and(|parts| parts.iter().all(is_result));
    message.get("role") != Some(&json!("assistant")) && !is_results
}
