//! Questions through the client, in both versions of the protocol.

use crate::host_program::Shown;
use crate::options::{Options, Questions};
use crate::testing::{Hub, OneDoor, call, client, link, newest, opened, shared};
use deskhand_protocol::{CallId, Op};
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, Implementation, InputRequiredResult,
};
use rmcp::service::{RequestContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ServiceError};
use serde_json::{Value, json};
use std::sync::Arc;

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

/// Which version the client speaks.
#[derive(Clone, Copy, Debug)]
enum Speaks {
    Older,
    Newest,
}

const BOTH: [Speaks; 2] = [Speaks::Older, Speaks::Newest];

type Reached = Arc<Mutex<Vec<Op>>>;

async fn person_at(
    speaks: Speaks,
    person: Person,
    questions: Questions,
    is_person_here: bool,
) -> (RunningService<RoleClient, Person>, Reached) {
    let reached = shared(Vec::new());
    let noted = Arc::clone(&reached);
    let hub = move |hub: &Hub, id: CallId, op: Op| {
        if let Op::Call { .. } = op {
            let answer =
                json!({"notice_id": null, "is_person_here": is_person_here, "answer": null});
            hub.answer(id, answer);
        }
        noted.lock().push(op);
    };
    let options = Options { questions, ..opened() };
    let door = OneDoor::new(link(hub).0, Shown::Terminal);
    let client = match speaks {
        Speaks::Older => client(door, options, person).await,
        Speaks::Newest => newest(door, options, person).await,
    };
    (client, reached)
}

fn query() -> Value {
    json!({"message": "Which\u{202e} take?", "type": "query"})
}

async fn asked(
    speaks: Speaks,
    person: &Person,
    questions: Questions,
    is_person_here: bool,
) -> Value {
    let (client, reached) = person_at(speaks, person.clone(), questions, is_person_here).await;
    let answer = call(&client, "notify_user", query()).await["answer"].clone();
    let reached = reached.lock();
    let is_call = |op: &Op| matches!(op, Op::Call { tool, .. } if tool == "notify_user");
    assert!(reached.len() == 1 && reached.iter().all(is_call), "{speaks:?}: {reached:?}");
    answer
}

fn says(action: ElicitationAction, words: &str) -> Person {
    Person(Some((action, json!(words))))
}

fn nobody() -> Value {
    json!({"notice_id": null, "is_person_here": false, "answer": null})
}

#[tokio::test]
async fn a_question_goes_through_the_client_where_that_is_switched_on() {
    let person = says(ElicitationAction::Accept, "the\u{7} second");
    let second = json!({"notice_id": null, "is_person_here": true, "answer": "the second"});
    for speaks in BOTH {
        let answer = asked(speaks, &person, Questions::ThroughClient, false).await;
        assert_eq!(answer, second, "{speaks:?}");
        let off = asked(speaks, &person, Questions::Here, false).await;
        assert_eq!(off, nobody(), "{speaks:?}: off by default");
        let here = asked(speaks, &person, Questions::ThroughClient, true).await;
        assert_eq!(here["answer"], Value::Null, "{speaks:?}: who is here is asked here");
    }
}

#[tokio::test]
async fn what_is_not_answered_is_no_answer() {
    let silent = [
        says(ElicitationAction::Decline, "yes"),
        says(ElicitationAction::Cancel, "yes"),
        says(ElicitationAction::Accept, "  "),
        Person(Some((ElicitationAction::Accept, json!(true)))),
        Person(None),
    ];
    for speaks in BOTH {
        for person in &silent {
            let answer = asked(speaks, person, Questions::ThroughClient, false).await;
            assert_eq!(answer, nobody(), "{speaks:?}");
        }
    }
}

/// The question as a newer client gets it, one round of it.
async fn once(
    client: &RunningService<RoleClient, Person>,
    tool: &'static str,
    params: Value,
    given: Option<(Value, Option<&str>)>,
) -> Result<CallToolResponse, ServiceError> {
    let params = params.as_object().unwrap().clone();
    let mut request = CallToolRequestParams::new(tool).with_arguments(params);
    if let Some((answer, state)) = given {
        request.input_responses = Some([("answer".to_owned(), answer)].into());
        request.request_state = state.map(str::to_owned);
    }
    client.call_tool_once(request).await
}

fn required(response: Result<CallToolResponse, ServiceError>) -> InputRequiredResult {
    match response {
        Ok(CallToolResponse::InputRequired(required)) => required,
        other => panic!("{other:?} asks nothing"),
    }
}

#[tokio::test]
async fn only_the_question_that_was_put_is_answered() {
    let person = says(ElicitationAction::Accept, "yes");
    let (client, reached) =
        person_at(Speaks::Newest, person, Questions::ThroughClient, false).await;
    let put = required(once(&client, "notify_user", query(), None).await);
    let state = put.request_state.unwrap();
    assert_eq!(json!(put.input_requests)["answer"]["params"]["message"], "Which take?");
    let yes = json!({"action": "accept", "content": {"answer": "yes"}});
    // An answer to a question that was not asked is ignored, and the question is asked.
    required(once(&client, "notify_user", query(), Some((yes.clone(), None))).await);
    let other = json!({"message": "May I apply the plan?", "type": "query"});
    let changed = format!("{state}x");
    for (params, state) in [(other, &state), (query(), &changed)] {
        let refused = once(&client, "notify_user", params, Some((yes.clone(), Some(state)))).await;
        let Err(ServiceError::McpError(error)) = refused else {
            panic!("{refused:?} was taken");
        };
        assert!(error.message.ends_with("call again without it"), "{}", error.message);
    }
    let nothing = once(&client, "notify_user", query(), Some((json!(7), Some(&state)))).await;
    let Ok(CallToolResponse::Complete(nothing)) = nothing else {
        panic!("{nothing:?}");
    };
    assert_eq!(nothing.structured_content.unwrap()["answer"], nobody());
    assert!(reached.lock().iter().all(|op| matches!(op, Op::Call { .. })));
}

#[tokio::test]
async fn choices_are_those_of_the_form_and_belong_to_the_question() {
    let person = says(ElicitationAction::Accept, "one");
    let (client, _) = person_at(Speaks::Newest, person, Questions::ThroughClient, false).await;
    let asks = |choices: Value| json!({"message": "Which?", "type": "query", "choices": choices});
    let put = required(once(&client, "notify_user", asks(json!(["one", "t\u{7}wo"])), None).await);
    let requests = json!(put.input_requests);
    let schema = &requests["answer"]["params"]["requestedSchema"]["properties"]["answer"];
    assert_eq!(schema["enum"], json!(["one", "two"]), "{requests}");
    let yes = json!({"action": "accept", "content": {"answer": "one"}});
    let given = Some((yes, put.request_state.as_deref()));
    let refused = once(&client, "notify_user", asks(json!(["one", "none"])), given).await;
    assert!(matches!(refused, Err(ServiceError::McpError(_))), "{refused:?}");
}

#[tokio::test]
async fn a_question_that_is_called_by_name_is_put_as_well() {
    let person = says(ElicitationAction::Accept, "the second");
    let (client, _) = person_at(Speaks::Newest, person, Questions::ThroughClient, false).await;
    let params = json!({"name": "notify_user", "arguments": query()});
    assert_eq!(call(&client, "call_tool", params).await["answer"]["answer"], "the second");
}
