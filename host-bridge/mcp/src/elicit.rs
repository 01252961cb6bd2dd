//! A question to the person through the client, where the operator switched that on and no front end of a
//! person's is attached. It serves questions alone: nothing is decided by it, and what the client does not
//! answer stays unanswered.

use deskhand_protocol::ToolResult;
use deskhand_protocol::clean::clean;
use rmcp::model::{ElicitRequestParams, ElicitationAction};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use std::time::Duration;

/// The tool whose questions these are.
const TOOL: &str = "notify_user";

/// The longest question and the longest answer, in characters.
const LONGEST: usize = 4_000;

/// Clients give up on a request after a minute.
const WAIT: Duration = Duration::from_secs(40);

/// The question of a call that nobody here can answer.
pub(crate) fn question<'a>(tool: &str, params: &'a Value, result: &ToolResult) -> Option<&'a str> {
    let is_query = tool == TOOL && params["type"] == "query";
    let is_alone =
        result.answer.as_ref().is_some_and(|answer| answer["is_person_here"] == json!(false));
    (is_query && is_alone).then(|| params["message"].as_str()).flatten()
}

/// The answer of the person at the client; none when the client cannot ask, or nobody answers.
pub(crate) async fn ask(question: &str, context: &RequestContext<RoleServer>) -> Option<String> {
    context.client_capabilities()?.elicitation?;
    let schema = json!({
        "type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"],
    });
    let question = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: clean(question, LONGEST),
        requested_schema: serde_json::from_value(schema).ok()?,
    };
    let asked = tokio::time::timeout(WAIT, context.peer.create_elicitation(question));
    let answered = tokio::select! {
        () = context.ct.cancelled() => return None,
        answered = asked => answered.ok()?.ok()?,
    };
    let words = answered.content?["answer"].as_str().map(|words| clean(words, LONGEST));
    let is_accepted = matches!(answered.action, ElicitationAction::Accept);
    words.filter(|words| is_accepted && !words.trim().is_empty())
}

/// The result with the person's answer in it.
pub(crate) fn answered(result: &ToolResult, words: String) -> ToolResult {
    let answer = json!({"notice_id": null, "is_person_here": true, "answer": words});
    let summary = "the person answered through this client; the words are in `answer`".into();
    ToolResult { summary, answer: Some(answer), ..result.clone() }
}

#[cfg(test)]
mod tests {
    use crate::door::Shown;
    use crate::options::{Options, Questions};
    use crate::testing::{Hub, OneDoor, call, client, link, opened};
    use deskhand_protocol::{CallId, Op};
    use rmcp::ClientHandler;
    use rmcp::model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
        ErrorData, Implementation,
    };
    use rmcp::service::{RequestContext, RoleClient};
    use serde_json::{Value, json};

    /// A client whose person answers so, or that cannot ask.
    #[derive(Clone)]
    struct Person(Option<(ElicitationAction, Value)>);

    impl ClientHandler for Person {
        fn get_info(&self) -> ClientConfig {
            let capabilities = match self.0 {
                Some(_) => ClientCapabilities::builder().enable_elicitation().build(),
                None => ClientCapabilities::default(),
            };
            ClientConfig::new(capabilities, Implementation::new("person", "1"))
        }

        async fn create_elicitation(
            &self,
            asked: ElicitRequestParams,
            _: RequestContext<RoleClient>,
        ) -> Result<ElicitResult, ErrorData> {
            let ElicitRequestParams::FormElicitationParams { message, .. } = asked else {
                return Err(ErrorData::internal_error("no form", None));
            };
            assert_eq!(message, "Which take?", "without what hides or reorders");
            let gone = || ErrorData::internal_error("gone", None);
            let (action, answer) = self.0.clone().ok_or_else(gone)?;
            let mut result = ElicitResult::new(action);
            result.content = Some(json!({"answer": answer}));
            Ok(result)
        }
    }

    async fn asked(person: Person, questions: Questions, is_person_here: bool) -> Value {
        let hub = move |hub: &Hub, id: CallId, op: Op| {
            if let Op::Call { .. } = op {
                let answer =
                    json!({"notice_id": null, "is_person_here": is_person_here, "answer": null});
                hub.answer(id, answer);
            }
        };
        let options = Options { questions, ..opened() };
        let client = client(OneDoor::new(link(hub).0, Shown::Terminal), options, person).await;
        let params = json!({"message": "Which\u{202e} take?", "type": "query"});
        call(&client, "notify_user", params).await["answer"].clone()
    }

    fn says(action: ElicitationAction, words: &str) -> Person {
        Person(Some((action, json!(words))))
    }

    #[tokio::test]
    async fn a_question_goes_through_the_client_where_that_is_switched_on() {
        let person = says(ElicitationAction::Accept, "the\u{7} second");
        let answer = asked(person.clone(), Questions::ThroughClient, false).await;
        assert_eq!(
            answer,
            json!({"notice_id": null, "is_person_here": true, "answer": "the second"})
        );
        let nobody = json!({"notice_id": null, "is_person_here": false, "answer": null});
        assert_eq!(asked(person.clone(), Questions::Here, false).await, nobody, "off by default");
        let here = asked(person, Questions::ThroughClient, true).await;
        assert_eq!(here["answer"], Value::Null, "who is here is asked here");
    }

    #[tokio::test]
    async fn what_is_not_answered_is_no_answer() {
        let nobody = json!({"notice_id": null, "is_person_here": false, "answer": null});
        let silent = [
            says(ElicitationAction::Decline, "yes"),
            says(ElicitationAction::Cancel, "yes"),
            says(ElicitationAction::Accept, "  "),
            Person(Some((ElicitationAction::Accept, json!(true)))),
            Person(None),
        ];
        for person in silent {
            assert_eq!(asked(person, Questions::ThroughClient, false).await, nobody);
        }
    }
}
