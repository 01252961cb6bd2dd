//! The server as a client meets it, in both versions of the protocol.

use crate::host_program::Shown;
use crate::options::{Fixtures, Options};
use crate::testing::{
    OneDoor, call, client, impatient, link, mortal, newest, opened, plan, result, shared, waiting,
};
use deskhand_protocol::{News, Op, Read, ToolResult};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, PlanId, PlanState, RevisionId, StoredPlan};
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities,
    ClientConfig, ClientRequest, GetPromptRequestParams, GetTaskParams, Implementation,
    NumberOrString, ProgressNotificationParam, ProgressToken, ReadResourceRequestParams,
    ReadResourceResult, RequestMetaObject, ResourceUpdatedNotificationParam,
    SubscribeRequestParams, SubscriptionFilter, TaskStatus,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RoleClient};
use rmcp::{ClientHandler, ServiceError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

fn silent() -> OneDoor {
    OneDoor::new(link(|_, _, _| {}).0, Shown::Terminal)
}

#[tokio::test]
async fn both_versions_list_the_same_tools_in_the_same_order() {
    let old = client(silent(), opened(), ()).await;
    let new = newest(silent(), opened(), ()).await;
    let listed = old.list_all_tools().await.unwrap();
    assert_eq!(listed, new.list_all_tools().await.unwrap());
    assert_eq!(listed, old.list_all_tools().await.unwrap());
    for tool in listed {
        let notes = tool.annotations.unwrap();
        assert!(tool.title.is_some() && tool.output_schema.is_some(), "{}", tool.name);
        assert!(notes.read_only_hint.and(notes.destructive_hint).is_some());
        assert!(notes.idempotent_hint.and(notes.open_world_hint).is_some());
        let decides = ["apply", "approve", "decide", "accept"];
        assert!(!decides.iter().any(|word| tool.name.contains(word)), "{} decides", tool.name);
    }
}

#[tokio::test]
async fn a_planning_call_waits_and_says_how_a_person_decides() {
    let answers = |hub: &crate::testing::Hub, id, op: Op| {
        if let Op::Call { .. } = op {
            hub.done(id, waiting(plan(5, "the\u{202e} tempo\nto 90")));
        }
    };
    let client = client(OneDoor::new(link(answers).0, Shown::Window), opened(), ()).await;
    let found = result(&client, "cmd_set_tempo", json!({"bpm": 90})).await;
    let words = found.content[0].as_text().unwrap().text.clone();
    let value = found.structured_content.unwrap();
    assert_eq!(found.content[1].as_text().unwrap().text, value.to_string());
    assert_eq!((&value["status"], &value["plan_id"]), (&json!("waiting"), &json!(PlanId::new(5))));
    assert_eq!(value["summary"], "Change the tempo\nto 90");
    let command = format!("deskhand apply /talks/one.deskhand {}", PlanId::new(5));
    assert_eq!(
        (&value["decide"]["where"], &value["decide"]["command"]),
        (&json!("window"), &json!(command))
    );
    assert!(words.starts_with("waiting: plan_000000000005") && !words.contains("tempo"), "{words}");
}

/// A client of a hub that notes the tools it is to call, and lets each plan wait.
async fn noting() -> (rmcp::service::RunningService<RoleClient, ()>, Arc<Mutex<Vec<String>>>) {
    let called = shared(Vec::new());
    let noted = Arc::clone(&called);
    let answers = move |hub: &crate::testing::Hub, id, op: Op| {
        if let Op::Call { tool, .. } = op {
            noted.lock().push(tool);
            hub.done(id, waiting(plan(5, "the tempo")));
        }
    };
    (client(OneDoor::new(link(answers).0, Shown::Window), opened(), ()).await, called)
}

#[tokio::test]
async fn plain_words_become_the_calls_that_they_ask_for() {
    let (client, called) = noting().await;
    let one = call(&client, "ask", json!({"words": "set the tempo to 90 bpm"})).await;
    assert_eq!((&one["status"], &one["plan_id"]), (&json!("waiting"), &json!(PlanId::new(5))));
    let words = "set the tempo to 90 bpm and then add a marker called Intro at 0:05";
    let two = call(&client, "ask", json!({"words": words})).await;
    assert_eq!(two["results"].as_array().unwrap().len(), 2);
    assert_eq!(two["results"][1]["words"], "add a marker called Intro at 0:05");
    assert_eq!(*called.lock(), ["cmd_set_tempo", "cmd_set_tempo", "cmd_add_marker"]);
    let steps = call(&client, "ask", json!({"words": "how many tracks are there?"})).await;
    assert_eq!(steps["answer"]["text"], "0");
}

#[tokio::test]
async fn plain_words_that_are_not_understood_in_full_call_nothing() {
    let (client, called) = noting().await;
    let words = "set the tempo to 90 bpm and flibber the kick";
    let found = call(&client, "ask", json!({"words": words})).await;
    assert_eq!(found["status"], "error");
    assert!(found["message"].as_str().unwrap().contains("flibber"), "{found}");
    assert!(found["fix"].as_str().unwrap().starts_with("say one of these"), "{found}");
    assert_eq!(*called.lock(), [""; 0]);
}

fn stored(id: u64, state: PlanState, reason: Option<&str>) -> Value {
    let reason = reason.map(str::to_owned);
    let plan = plan(id, "the tempo");
    json!(StoredPlan {
        plan,
        state,
        author: Author::Agent,
        reason,
        receipt: None,
        follows: None,
        time_ms: 0,
        decided_ms: None,
    })
}

#[tokio::test]
async fn a_decision_is_waited_for_along_the_plans_that_follow() {
    let states = shared([PlanState::Waiting, PlanState::Waiting]);
    let told = Arc::clone(&states);
    let (asked, mut asking) = mpsc::unbounded_channel();
    let (link, hub) = link(move |hub, id, op| match op {
        Op::Read { what: Read::Plan { plan } } => {
            let index = usize::try_from(plan.bits()).unwrap() - 1;
            hub.answer(id, stored(plan.bits(), told.lock()[index], Some("too loud")));
            asked.send(plan).unwrap();
        }
        _ => hub.answer(id, json!([])),
    });
    let client = client(OneDoor::new(link, Shown::Attached), opened(), ()).await;
    let still =
        call(&client, "wait_for_decision", json!({"plan_id": PlanId::new(1), "wait_s": 0})).await;
    assert_eq!((&still["status"], &still["plan_id"]), (&json!("waiting"), &json!(PlanId::new(1))));
    assert!(still["decide"]["command"].as_str().unwrap().ends_with("plan_000000000001"));

    asking.recv().await.unwrap();
    let decide = async {
        asking.recv().await.unwrap();
        let decided = |plan, state, follows| News::Decided {
            plan: PlanId::new(plan),
            state,
            reason: None,
            receipt: None,
            follows,
            time_ms: None,
        };
        hub.tell(None, decided(1, PlanState::Rejected, Some(PlanId::new(2))));
        while asking.recv().await.unwrap() != PlanId::new(2) {}
        states.lock()[1] = PlanState::Rejected;
        hub.tell(None, decided(2, PlanState::Rejected, None));
    };
    let params = json!({"plan_id": PlanId::new(1), "wait_s": 45});
    let (found, ()) = tokio::join!(call(&client, "wait_for_decision", params), decide);
    assert_eq!((&found["status"], &found["reason"]), (&json!("rejected"), &json!("too loud")));
    assert_eq!(
        (&found["plan_id"], &found["followed"]),
        (&json!(PlanId::new(2)), &json!([PlanId::new(1)]))
    );
}

#[tokio::test]
async fn a_long_call_goes_on_as_a_job() {
    let made = shared(None);
    let (hub_made, cancelled) = (Arc::clone(&made), shared(0));
    let stops = Arc::clone(&cancelled);
    let (link, hub) = link(move |hub, id, op| match op {
        Op::Call { .. } => {
            *hub_made.lock() = Some(id);
            hub.tell(Some(id), News::Progress { fraction: 0.25, what: "listening".into() });
        }
        Op::Cancel { call } => {
            *stops.lock() += 1;
            let error = ToolError::run(Code::Cancelled, "cancelled", "call it again");
            hub.done(call, ToolResult::failed(error, RevisionId(1)));
        }
        _ => {}
    });
    let client = impatient(OneDoor::new(link, Shown::Terminal)).await;
    let mut first = call(&client, "tool_measure", json!({})).await;
    assert_eq!((&first["status"], &first["job_id"]), (&json!("running"), &json!("job_1")));
    while first["progress"] != json!(0.25) {
        first = call(&client, "get_job", json!({"job_id": "job_1", "wait_s": 0})).await;
    }
    assert_eq!((&first["status"], &first["doing"]), (&json!("running"), &json!("listening")));
    let call_id = made.lock().unwrap();
    hub.answer(call_id, json!([-16.0]));
    let done = call(&client, "get_job", json!({"job_id": "job_1", "wait_s": 45})).await;
    assert_eq!((&done["status"], &done["answer"]), (&json!("ok"), &json!([-16.0])));

    call(&client, "tool_measure", json!({})).await;
    let stopped = call(&client, "cancel_job", json!({"job_id": "job_2"})).await;
    assert_eq!((&stopped["status"], &stopped["code"]), (&json!("error"), &json!("cancelled")));
    assert_eq!(*cancelled.lock(), 1);
    let none = result(&client, "get_job", json!({"job_id": "job_9"})).await;
    assert_eq!(none.is_error, Some(true));
}

#[tokio::test(start_paused = true)]
async fn a_cancel_is_answered_at_once_though_the_worker_goes_on() {
    let (link, hub) = link(|_, _, _| {});
    let client = impatient(OneDoor::new(link, Shown::Terminal)).await;
    let running = call(&client, "tool_measure", json!({})).await;
    let asked = tokio::time::Instant::now();
    let told = call(&client, "cancel_job", json!({"job_id": running["job_id"]})).await;
    assert!(asked.elapsed() <= Duration::from_millis(100), "{:?}", asked.elapsed());
    assert_eq!((&told["status"], &told["job_id"]), (&json!("running"), &running["job_id"]));
    assert!(told["summary"].as_str().unwrap().starts_with("cancelling: "), "{told}");
    // The first submission of the line is the call.
    let error = ToolError::run(Code::Cancelled, "cancelled", "nothing was changed");
    hub.done(deskhand_protocol::CallId(1), ToolResult::failed(error, RevisionId(1)));
    let ended = loop {
        let found = call(&client, "get_job", json!({"job_id": running["job_id"]})).await;
        if found["status"] != "running" {
            break found;
        }
    };
    assert_eq!(ended["code"], "cancelled");
}

#[tokio::test]
async fn a_cancelled_request_is_cancelled_at_the_hub() {
    let (begun, stopped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (told_begun, told_stopped) = (Arc::clone(&begun), Arc::clone(&stopped));
    let (link, _hub) = link(move |_, _, op| match op {
        Op::Call { .. } => told_begun.notify_one(),
        Op::Cancel { .. } => told_stopped.notify_one(),
        _ => {}
    });
    let client = client(OneDoor::new(link, Shown::Terminal), opened(), ()).await;
    let request = CallToolRequest::new(CallToolRequestParams::new("tool_measure"));
    let request = ClientRequest::CallToolRequest(request);
    let handle =
        client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    begun.notified().await;
    handle.cancel(Some("not wanted".into())).await.unwrap();
    stopped.notified().await;
}

type Told = Vec<(f64, Option<String>)>;

#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Told>>, Arc<Notify>, Arc<Notify>);

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        note: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().push((note.progress, note.message));
        self.1.notify_one();
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.2.notify_one();
    }
}

#[tokio::test]
async fn progress_reaches_a_client_that_asked_for_it() {
    let (link, hub) = link(|hub, id, op| {
        if let Op::Call { .. } = op {
            hub.tell(Some(id), News::Progress { fraction: 0.5, what: "Take\u{200b} 2".into() });
        }
    });
    let listener = Listener::default();
    let client = client(OneDoor::new(link, Shown::Terminal), opened(), listener.clone()).await;
    let mut params = CallToolRequestParams::new("tool_measure");
    let token = ProgressToken(NumberOrString::Number(1));
    params.meta = Some(RequestMetaObject::with_progress_token(token));
    let answered = async {
        listener.1.notified().await;
        // The first submission of the line is the call.
        hub.answer(deskhand_protocol::CallId(1), json!([]));
    };
    let (found, ()) = tokio::join!(client.call_tool(params), answered);
    assert_eq!(found.unwrap().is_error, Some(false));
    let told = listener.0.lock().clone();
    assert!(told.contains(&(0.5, Some("Take 2".into()))), "{told:?}");
}

#[tokio::test]
async fn without_a_session_one_is_opened_first() {
    let client = client(silent(), Options::default(), ()).await;
    assert_eq!(client.list_all_tools().await.unwrap().len(), 3);
    let refused = result(&client, "get_session", json!({})).await;
    assert_eq!(refused.is_error, Some(true));
    let words = refused.structured_content.unwrap();
    assert_eq!(words["fix"], "call list_sessions, then open_session or new_session");
    let listed = call(&client, "list_sessions", json!({})).await;
    let dir = listed["sessions"][0]["dir"].as_str().unwrap();
    let missing = result(&client, "open_session", json!({"dir": "/nowhere"})).await;
    assert_eq!(missing.is_error, Some(true));
    let open = call(&client, "open_session", json!({"dir": dir})).await;
    assert_eq!((&open["status"], &open["revision"]), (&json!("ok"), &json!(1)));
    assert!(client.list_all_tools().await.unwrap().len() > 3);
}

#[tokio::test]
async fn a_tool_that_nobody_has_is_refused_by_the_protocol() {
    let (link, _hub) = link(|hub, id, op| {
        if let Op::Call { tool, .. } = op {
            let error =
                ToolError::prepare(Code::UnknownTool, format!("no tool {tool}"), "list them");
            hub.done(id, ToolResult::failed(error, RevisionId(1)));
        }
    });
    let client = client(OneDoor::new(link, Shown::Terminal), opened(), ()).await;
    for tool in ["apply", "approve", "decide"] {
        let refused = client.call_tool(CallToolRequestParams::new(tool)).await;
        assert!(matches!(refused, Err(ServiceError::McpError(_))), "{tool}");
        let refused = result(&client, "call_tool", json!({"name": tool})).await;
        assert_eq!(refused.structured_content.unwrap()["code"], "unknown_tool");
    }
    let nested = call(&client, "call_tool", json!({"name": "call_tool"})).await;
    assert_eq!(nested["code"], "bad_params");
    let extra = call(&client, "wait_for_decision", json!({"plan_id": "plan_1", "yes": true})).await;
    assert_eq!(extra["code"], "bad_params");
}

#[tokio::test]
async fn resources_are_listed_read_and_refused() {
    let answers = |hub: &crate::testing::Hub, id, op: Op| match op {
        Op::Call { tool, .. } => hub.answer(id, json!({"tool": tool, "name": "a\u{202e}b"})),
        Op::Read { what: Read::Plan { .. } } => hub.answer(id, stored(3, PlanState::Waiting, None)),
        _ => {}
    };
    let client = newest(OneDoor::new(link(answers).0, Shown::Terminal), opened(), ()).await;
    let listed = client.list_all_resources().await.unwrap();
    assert_eq!(listed[0].uri, "deskhand://session");
    assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 13);
    let read = |uri: &str| client.read_resource(ReadResourceRequestParams::new(uri));
    let text = |found: ReadResourceResult| json!(found.contents)[0]["text"].clone();
    let session = text(read("deskhand://session").await.unwrap());
    assert_eq!(session, json!(r#"{"name":"ab","tool":"get_session"}"#));
    let tool = text(read("deskhand://tools/cmd_set_tempo").await.unwrap());
    assert!(tool.as_str().unwrap().contains("\"suggest\""));
    let plan = text(read("deskhand://plans/plan_000000000003").await.unwrap());
    assert!(plan.as_str().unwrap().contains("\"waiting\""));
    assert!(text(read("deskhand://events").await.unwrap()).as_str().unwrap().contains("events"));
    let away =
        ["deskhand://tools/none", "deskhand://tracks/track_000000000001", "file:///etc/passwd"];
    for uri in away.into_iter().chain(["deskhand://files/../x.wav", "deskhand://files/no.wav"]) {
        let Err(ServiceError::McpError(error)) = read(uri).await else {
            panic!("{uri} was read");
        };
        assert_eq!((error.code.0, &error.data.unwrap()["uri"]), (-32602, &json!(uri)));
    }
}

/// Reports a plan again and again, for a client that may not listen yet.
async fn tell_for_ever(hub: &crate::testing::Hub) {
    loop {
        hub.tell(None, News::Review { plan: Box::new(plan(3, "it")) });
        tokio::task::yield_now().await;
    }
}

#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<Vec<String>>>, Arc<Notify>);

impl ClientHandler for Watcher {
    async fn on_resource_updated(
        &self,
        note: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().push(note.uri);
        self.1.notify_one();
    }
}

#[tokio::test]
#[expect(deprecated, reason = "older clients subscribe so")]
async fn a_client_hears_of_the_plan_it_watches() {
    let (link, hub) = link(|_, _, _| {});
    let watcher = Watcher::default();
    let client = client(OneDoor::new(link, Shown::Terminal), opened(), watcher.clone()).await;
    let uri = "deskhand://plans/plan_000000000003";
    client.subscribe(SubscribeRequestParams::new(uri)).await.unwrap();
    // A request after the notification that the client is ready.
    client.list_all_tools().await.unwrap();
    assert!(client.subscribe(SubscribeRequestParams::new("http://x")).await.is_err());
    tokio::select! {
        () = watcher.1.notified() => {}
        () = tell_for_ever(&hub) => unreachable!(),
    }
    assert_eq!(watcher.0.lock()[0], uri);
}

#[tokio::test]
async fn opening_a_session_is_announced() {
    let listener = Listener::default();
    let client = client(silent(), Options::default(), listener.clone()).await;
    client.list_all_tools().await.unwrap();
    call(&client, "open_session", json!({"dir": "/talks/one.deskhand"})).await;
    listener.2.notified().await;
}

#[tokio::test]
async fn prompts_are_there_and_fixtures_are_not() {
    let client = client(silent(), opened(), ()).await;
    let names: Vec<_> =
        client.list_all_prompts().await.unwrap().into_iter().map(|p| p.name).collect();
    assert_eq!(names, ["podcast", "rough_mix", "loudness_delivery"]);
    assert!(client.get_prompt(GetPromptRequestParams::new("podcast")).await.is_ok());
    assert!(client.get_prompt(GetPromptRequestParams::new("test_simple_prompt")).await.is_err());
    let tools = client.list_all_tools().await.unwrap();
    assert!(!tools.iter().any(|tool| tool.name.starts_with("test_")));
    let served = Options { fixtures: Fixtures::Served, ..opened() };
    let client = crate::testing::client(silent(), served, ()).await;
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.iter().filter(|tool| tool.name.starts_with("test_")).count(), 28);
}

#[derive(Clone)]
struct Tasking;

impl ClientHandler for Tasking {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_tasks().build();
        ClientConfig::new(capabilities, Implementation::new("tasking", "1"))
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_call_is_a_task_where_the_client_speaks_them() {
    let calls = shared(Vec::new());
    let made = Arc::clone(&calls);
    let (link, hub) = link(move |hub, id, op| match op {
        Op::Call { .. } => made.lock().push(id),
        Op::Cancel { call } => hub.answer(call, json!("stopped")),
        _ => {}
    });
    let client = newest(OneDoor::new(link, Shown::Terminal), opened(), Tasking).await;
    let begin = || client.call_tool_once(CallToolRequestParams::new("tool_measure"));
    let Ok(CallToolResponse::Task(task)) = begin().await else {
        panic!("no task was made");
    };
    let state = |id: &str| client.get_task(GetTaskParams::new(id));
    let id = task.task.task_id;
    assert_eq!(state(&id).await.unwrap().task.status(), TaskStatus::Working);
    hub.answer(calls.lock()[0], json!([-16.0]));
    let done = loop {
        let found = json!(state(&id).await.unwrap());
        if found["status"] != "working" {
            break found;
        }
    };
    assert_eq!(done["result"]["structuredContent"]["answer"], json!([-16.0]));

    let Ok(CallToolResponse::Task(task)) = begin().await else {
        panic!("no task was made");
    };
    let id = task.task.task_id;
    client.cancel_task(CancelTaskParams::new(&*id)).await.unwrap();
    while state(&id).await.unwrap().task.status() == TaskStatus::Working {}
    assert_eq!(state(&id).await.unwrap().task.status(), TaskStatus::Cancelled);
}

#[tokio::test]
async fn a_newer_client_listens_to_what_it_asked_for() {
    let (link, hub) = link(|_, _, _| {});
    let client = newest(OneDoor::new(link, Shown::Terminal), opened(), ()).await;
    let uri = "deskhand://plans/plan_000000000003";
    let wanted = SubscriptionFilter::builder().resource_subscription(uri);
    let wanted = wanted.resource_subscription("file:///etc/passwd").build();
    let mut heard = client.listen(wanted).await.unwrap();
    let accepted = heard.acknowledged().resource_subscriptions.clone();
    assert_eq!(accepted, Some(vec![uri.to_owned()]));
    // The subscription is acknowledged before it listens.
    let note = tokio::select! {
        note = heard.next() => note.unwrap().unwrap(),
        () = tell_for_ever(&hub) => unreachable!(),
    };
    assert!(json!(note).to_string().contains(uri));
}

#[tokio::test]
async fn a_session_whose_hub_ended_is_opened_anew() {
    let (first, sender) = mortal();
    let (second, _hub) = link(|hub, id, _| hub.answer(id, json!("back")));
    let door = OneDoor::leading_to(vec![second, first], Shown::Terminal);
    let client = client(door, opened(), ()).await;
    let params = json!({"plan_id": PlanId::new(1), "wait_s": 45});
    let ended = async {
        tokio::task::yield_now().await;
        drop(sender);
    };
    let (waited, ()) = tokio::join!(call(&client, "wait_for_decision", params), ended);
    assert_eq!(waited["status"], "error", "{waited}");
    let found = call(&client, "tool_measure", json!({})).await;
    assert_eq!((&found["status"], &found["answer"]), (&json!("ok"), &json!("back")));
}
