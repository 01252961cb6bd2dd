//! A small hub for the tests: a link whose answers the test decides.

use crate::desk::Desk;
use crate::host_program::{Door, Opened, SessionInfo, Shown};
use crate::options::Options;
use crate::server::Server;
use deskhand_protocol::{
    CallId, Event, Link, News, Op, Read, Snapshot, Status, ToolInfo, ToolResult,
};
use deskhand_session::intent::{Intent, Slot};
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Author, Category, RevisionId, Session, SessionId, ToolEffect, Trust};
use deskhand_session::{Plan, PlanId};
use parking_lot::Mutex;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ServiceExt};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tools that the little hub has.
pub(crate) const NAMES: [(&str, Trust); 9] = [
    ("cmd_add_marker", Trust::Notify),
    ("cmd_remove_track", Trust::Suggest),
    ("cmd_render", Trust::Require),
    ("cmd_set_tempo", Trust::Suggest),
    ("cmd_set_track_gain", Trust::Suggest),
    ("get_session", Trust::Autonomous),
    ("import_audio", Trust::Require),
    ("search_tools", Trust::Autonomous),
    ("tool_measure", Trust::Autonomous),
];

/// Those of them that are listed first.
const CORE: [&str; 6] = [
    "cmd_add_marker",
    "cmd_render",
    "cmd_set_track_gain",
    "get_session",
    "import_audio",
    "tool_measure",
];

pub(crate) fn info(name: &str, trust: Trust) -> ToolInfo {
    info_with(name, trust, &[])
}

/// A tool of that name that does this.
pub(crate) fn info_with(name: &str, trust: Trust, effects: &[ToolEffect]) -> ToolInfo {
    ToolInfo {
        name: name.into(),
        title: name.replace('_', " "),
        description: format!("Does what {name} says."),
        category: Category::Level,
        trust,
        input_schema: json!({"type": "object"}),
        output_schema: Value::Null,
        examples: vec![],
        says: says(name),
        effects: effects.to_vec(),
        is_core: CORE.contains(&name),
        offers: Default::default(),
        program: None,
    }
}

/// How the tools that the tests ask for in words are asked for.
fn says(name: &str) -> Vec<Intent> {
    let says = match name {
        "cmd_set_tempo" => Intent::verbs("set").about("tempo").slot(Slot::of("bpm").preps("to")),
        "cmd_add_marker" => {
            Intent::verbs("add marker").name("called").slot(Slot::place("at_s").preps("at"))
        }
        _ => return Vec::new(),
    };
    vec![says]
}

/// The small hub's reaction to an operation.
pub(crate) type Answers = Box<dyn Fn(&Hub, CallId, Op) + Send + Sync>;

/// The hub's end of a link.
#[derive(Clone)]
pub(crate) struct Hub {
    events: crossbeam_channel::Sender<Event>,
    number: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

/// A link to a little hub: reads of tools and session are answered, the rest by the test.
pub(crate) struct FakeLink {
    hub: Hub,
    events: crossbeam_channel::Receiver<Event>,
    calls: std::sync::atomic::AtomicU64,
    answers: Answers,
}

impl Hub {
    /// Sends an event to everybody.
    pub(crate) fn tell(&self, call: Option<CallId>, news: News) {
        let number = self.number.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        drop(self.events.send(Event { number, author: Author::Agent, call, news }));
    }

    /// Answers a submission.
    pub(crate) fn done(&self, call: CallId, result: ToolResult) {
        self.tell(Some(call), News::Done { result: Box::new(result) });
    }

    pub(crate) fn answer(&self, call: CallId, answer: Value) {
        let ok = ToolResult::new(Status::Ok, "read", RevisionId(1));
        self.done(call, ToolResult { answer: Some(answer), ..ok });
    }
}

/// A link, and its hub's end.
pub(crate) fn link(
    answers: impl Fn(&Hub, CallId, Op) + Send + Sync + 'static,
) -> (Box<FakeLink>, Hub) {
    let (sender, events) = crossbeam_channel::unbounded();
    let hub = Hub { events: sender, number: std::sync::Arc::default() };
    let answers = Box::new(answers);
    let link = FakeLink { hub: hub.clone(), events, calls: 0.into(), answers };
    (Box::new(link), hub)
}

/// The session of the little hub.
pub(crate) fn snapshot() -> Snapshot {
    let rate = deskhand_dsp::SampleRate(48_000);
    Snapshot {
        folder: "/talks/one.deskhand".into(),
        is_attended: true,
        ..Snapshot::of(Session::new(SessionId::new(7), rate), RevisionId(1))
    }
}

impl Link for FakeLink {
    fn submit(&self, op: Op) -> CallId {
        let call = CallId(self.calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        match op {
            Op::Read { what: Read::Tools } => {
                let infos = NAMES.iter().map(|(name, trust)| info(name, *trust));
                let listens = info_with("tool_transcribe", Trust::Notify, &[ToolEffect::Listens]);
                let infos: Vec<_> = infos.chain([listens]).collect();
                self.hub.answer(call, json!(infos));
            }
            Op::Read { what: Read::Snapshot } => self.hub.answer(call, json!(snapshot())),
            op => (self.answers)(&self.hub, call, op),
        }
        call
    }

    fn events(&self) -> &crossbeam_channel::Receiver<Event> {
        &self.events
    }
}

/// A link whose hub ends when the sender is dropped, and answers nothing.
pub(crate) fn mortal() -> (Box<dyn Link>, crossbeam_channel::Sender<Event>) {
    let (sender, events) = crossbeam_channel::unbounded();
    (Box::new(Mortal(events)), sender)
}

struct Mortal(crossbeam_channel::Receiver<Event>);

impl Link for Mortal {
    fn submit(&self, _: Op) -> CallId {
        CallId(1)
    }

    fn events(&self) -> &crossbeam_channel::Receiver<Event> {
        &self.0
    }
}

/// A door to one session that the test answers.
pub(crate) struct OneDoor {
    /// One for each time it is opened, the last first.
    links: Mutex<Vec<Box<dyn Link>>>,
    shown: Shown,
}

impl OneDoor {
    /// A door to the session at the other end of `link`; plans are shown as `shown`.
    pub(crate) fn new(link: Box<FakeLink>, shown: Shown) -> Self {
        Self::leading_to(vec![link], shown)
    }

    /// A door that leads through each of `links` once, the last first.
    pub(crate) fn leading_to(links: Vec<Box<dyn Link>>, shown: Shown) -> Self {
        Self { links: Mutex::new(links), shown }
    }
}

impl Door for OneDoor {
    fn sessions(&self) -> Vec<SessionInfo> {
        let dir = PathBuf::from("/talks/one.deskhand");
        vec![SessionInfo { dir, name: "one".into(), is_served: false }]
    }

    fn open(&self, dir: &Path) -> Result<Opened, ToolError> {
        let link = dir.ends_with("one.deskhand").then(|| self.links.lock().pop()).flatten();
        let link = link.ok_or_else(|| {
            let message = format!("there is no session in {}", dir.display());
            ToolError::prepare(Code::NoTarget, message, "call list_sessions")
        })?;
        Ok(Opened { dir: dir.to_owned(), link })
    }

    fn create(&self, dir: &Path, _rate: u32) -> Result<Opened, ToolError> {
        self.open(dir)
    }

    fn show(&self, _dir: &Path, _plan: PlanId) -> Shown {
        self.shown
    }

    fn command(&self, dir: &Path, plan: PlanId) -> String {
        format!("deskhand apply {} {plan}", dir.display())
    }
}

/// Options with the session of [`OneDoor`] open.
pub(crate) fn opened() -> Options {
    Options { dir: Some("/talks/one.deskhand".into()), ..Options::default() }
}

/// A client of a server on `door`, at the version of the protocol before the newest.
pub(crate) async fn client<C: ClientHandler>(
    door: OneDoor,
    options: Options,
    client: C,
) -> RunningService<RoleClient, C> {
    client_of(Desk::new(door, options).unwrap(), client, ClientLifecycleMode::Initialize).await
}

/// A client that speaks the newest version.
pub(crate) async fn newest<C: ClientHandler>(
    door: OneDoor,
    options: Options,
    client: C,
) -> RunningService<RoleClient, C> {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let mode = ClientLifecycleMode::Discover { preferred_versions };
    client_of(Desk::new(door, options).unwrap(), client, mode).await
}

/// A client of a server that makes a job of every call.
pub(crate) async fn impatient(door: OneDoor) -> RunningService<RoleClient, ()> {
    let mut desk = Desk::new(door, opened()).unwrap();
    Arc::get_mut(&mut desk).unwrap().patience = std::time::Duration::ZERO;
    client_of(desk, (), ClientLifecycleMode::Initialize).await
}

async fn client_of<C: ClientHandler>(
    desk: Arc<Desk>,
    client: C,
    mode: ClientLifecycleMode,
) -> RunningService<RoleClient, C> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let server = Server::new(desk);
    tokio::spawn(async move { server.serve(ours).await.unwrap().waiting().await });
    client.serve_with_lifecycle(theirs, mode).await.unwrap()
}

/// Calls a tool; its structured result.
pub(crate) async fn call<C: ClientHandler>(
    client: &RunningService<RoleClient, C>,
    tool: &'static str,
    params: Value,
) -> Value {
    result(client, tool, params).await.structured_content.unwrap()
}

/// Calls a tool.
pub(crate) async fn result<C: ClientHandler>(
    client: &RunningService<RoleClient, C>,
    tool: &'static str,
    params: Value,
) -> CallToolResult {
    let params = params.as_object().unwrap().clone();
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(params)).await.unwrap()
}

/// A plan of `count` changes of markers.
pub(crate) fn plan(id: u64, name: &str) -> Plan {
    let id = PlanId::new(id);
    serde_json::from_value(json!({
        "format": "deskhand.plan/1", "id": id, "digest": "blake3:00", "tool": "cmd_set_tempo",
        "params": {}, "session": SessionId::new(7), "base_revision": 1,
        "summary": format!("Change {name}"), "changes": [],
    }))
    .unwrap()
}

pub(crate) fn waiting(plan: Plan) -> ToolResult {
    let result = ToolResult::new(Status::Waiting, plan.summary.clone(), RevisionId(1));
    ToolResult { plan: Some(Box::new(plan)), ..result }
}

/// Keeps the server's `Arc` of a value out of the way of `Send` closures.
pub(crate) fn shared<T>(value: T) -> Arc<Mutex<T>> {
    Arc::new(Mutex::new(value))
}
