//! A bridge with front ends, driven by hand.

use crate::sound::{MemoryCache, Sound, session, shared};
use crate::tools;
use deskhand_bridge::{AgentFront, Bridge, Parts, PersonFront};
use deskhand_media::Opener;
use deskhand_protocol::{Apply, CallId, Decision, Event, News, Op, Status, ToolResult};
use deskhand_session::tool_error::Code;
use deskhand_session::{PlanId, PlanState, Session, StoredPlan};
use deskhand_store::{Loaded, Store, StoreError};
use deskhand_toolkit::{Pool, Registry};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A test that waits longer than this has found a bug.
const PATIENCE: Duration = Duration::from_secs(60);

/// The number of workers for long tasks.
pub(crate) const WORKERS: usize = 4;

/// A bridge over a session in a temporary folder, a person and an agent in front of it.
pub(crate) struct Desk {
    pub(crate) bridge: Bridge,
    pub(crate) sound: Arc<Sound>,
    pub(crate) person: PersonFront,
    pub(crate) agent: AgentFront,
    /// The events that the person received.
    pub(crate) heard: Vec<Event>,
    /// The events that the agent received.
    pub(crate) agent_heard: Vec<Event>,
    cache: Arc<MemoryCache>,
    folder: PathBuf,
    /// Removed at the end; `None` if the folder belongs to somebody else.
    tmp: Option<TempDir>,
}

/// Which of the two front ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Person,
    Agent,
}

impl Desk {
    /// A new session in a folder of its own.
    pub(crate) fn new() -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let folder = tmp.path().join("session");
        Self { tmp: Some(tmp), ..Self::create(&folder) }
    }

    /// A new session in `folder`.
    pub(crate) fn create(folder: &Path) -> Self {
        Self::create_with(folder, &session())
    }

    /// A session of its own choice in `folder`.
    pub(crate) fn create_with(folder: &Path, session: &Session) -> Self {
        let (store, loaded) = Store::create(folder, session).unwrap();
        Self::over(store, loaded, shared())
    }

    /// A new session whose person opened `folder` as well.
    pub(crate) fn with_opened(folder: &Path) -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let (store, loaded) = Store::create(&tmp.path().join("session"), &session()).unwrap();
        let opened = vec![folder.to_owned()];
        Self { tmp: Some(tmp), ..Self::over_opened(store, loaded, shared(), opened) }
    }

    /// The session in `folder`.
    pub(crate) fn open(folder: &Path) -> Self {
        let (store, loaded) = Store::open(folder).unwrap();
        Self::over(store, loaded, shared())
    }

    fn over(store: Store, loaded: Loaded, shared: (Arc<Sound>, Arc<MemoryCache>)) -> Self {
        Self::over_opened(store, loaded, shared, Vec::new())
    }

    fn over_opened(
        store: Store,
        loaded: Loaded,
        (sound, cache): (Arc<Sound>, Arc<MemoryCache>),
        opened: Vec<PathBuf>,
    ) -> Self {
        let folder = store.dir().to_owned();
        let parts = Parts {
            registry: Registry::new(tools::all()),
            pool: Pool::new(WORKERS),
            audio: Arc::clone(&sound) as _,
            cache: Arc::clone(&cache) as _,
            opener: Opener::in_process(),
            folder: folder.clone(),
            renderer: Arc::clone(&sound) as _,
            opened,
        };
        let mut bridge = Bridge::new(store, loaded, parts);
        // The audio is looked through once, before the tests hold it back.
        while bridge.conforming() > 0 {
            bridge.pump_next();
        }
        let (person, agent) = (bridge.connect_person(), bridge.connect_agent());
        let (heard, agent_heard) = (Vec::new(), Vec::new());
        let tmp = None;
        Self { bridge, sound, person, agent, heard, agent_heard, cache, folder, tmp }
    }

    /// Closes the session and opens it again.
    pub(crate) fn reopened(self) -> Self {
        self.reopened_with(Result::is_ok)
    }

    /// Closes a session that could not be stored, and opens it again.
    pub(crate) fn reopened_after_failure(self) -> Self {
        self.reopened_with(Result::is_err)
    }

    fn reopened_with(self, expected: fn(&Result<(), StoreError>) -> bool) -> Self {
        let Self { bridge, sound, cache, folder, tmp, .. } = self;
        let closed = bridge.close();
        assert!(expected(&closed), "{closed:?}");
        let (store, loaded) = Store::open(&folder).unwrap();
        assert_eq!(loaded.warnings, Vec::<String>::new());
        Self { tmp, ..Self::over(store, loaded, (sound, cache)) }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn session(&self) -> &Session {
        self.bridge.session()
    }

    /// Takes inputs until `holds`.
    pub(crate) fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        self.listen();
        while !holds(self) {
            assert!(start.elapsed() < PATIENCE, "waited in vain; heard {:#?}", self.heard);
            self.bridge.pump_next();
            self.listen();
        }
    }

    pub(crate) fn listen(&mut self) {
        self.heard.extend(self.person.events());
        self.agent_heard.extend(self.agent.events());
    }

    /// The answer to `call`, which must be the only one.
    pub(crate) fn answer(&mut self, who: Who, call: CallId) -> ToolResult {
        self.until(|desk| !desk.answers(who, call).is_empty());
        let mut answers = self.answers(who, call);
        assert_eq!(answers.len(), 1, "{answers:#?}");
        answers.remove(0)
    }

    /// Every answer to `call` so far.
    pub(crate) fn answers(&self, who: Who, call: CallId) -> Vec<ToolResult> {
        let heard = match who {
            Who::Person => &self.heard,
            Who::Agent => &self.agent_heard,
        };
        let of_call = heard.iter().filter(|event| event.call == Some(call));
        let done = of_call.filter_map(|event| {
            if let News::Done { result } = &event.news {
                Some(result.as_ref().clone())
            } else {
                None
            }
        });
        done.collect()
    }

    /// A person's submission, answered.
    pub(crate) fn ask(&mut self, op: Op) -> ToolResult {
        let call = self.person.submit(op);
        self.answer(Who::Person, call)
    }

    /// An agent's submission, answered.
    pub(crate) fn ask_as_agent(&mut self, op: Op) -> ToolResult {
        let call = self.agent.submit(op);
        self.answer(Who::Agent, call)
    }

    /// A person's call that waits for a decision, whatever it is.
    pub(crate) fn plan(&mut self, tool: &str, params: Value) -> PlanId {
        let result = self.ask(call(tool, params, Apply::Never));
        assert_eq!(result.status, Status::Waiting, "{result:#?}");
        result.plan.unwrap().id
    }

    /// A person's call that is applied with it.
    pub(crate) fn now(&mut self, tool: &str, params: Value) -> ToolResult {
        self.ask(call(tool, params, Apply::Now))
    }

    pub(crate) fn decide(&mut self, plan: PlanId, decision: Decision) -> ToolResult {
        self.ask(Op::Decide { plan, decision })
    }

    pub(crate) fn apply(&mut self, plan: PlanId) -> ToolResult {
        self.decide(plan, Decision::Apply)
    }

    pub(crate) fn undo(&mut self) -> ToolResult {
        self.ask(Op::Undo)
    }

    pub(crate) fn redo(&mut self) -> ToolResult {
        self.ask(Op::Redo)
    }

    pub(crate) fn stored(&self, plan: PlanId) -> &StoredPlan {
        let mut plans = self.bridge.plans().iter();
        plans.find(|stored| stored.plan.id == plan).unwrap()
    }

    pub(crate) fn state(&self, plan: PlanId) -> PlanState {
        self.stored(plan).state
    }

    /// Labels of the reported steps, oldest first.
    pub(crate) fn moves(&self) -> Vec<&str> {
        let moved = self.heard.iter().filter_map(|event| {
            if let News::Moved { label, .. } = &event.news { Some(label.as_str()) } else { None }
        });
        moved.collect()
    }
}

pub(crate) fn call(tool: &str, params: Value, apply: Apply) -> Op {
    Op::Call { tool: tool.into(), params, apply }
}

/// The code of an answer that is an error.
pub(crate) fn code(result: &ToolResult) -> Code {
    assert_eq!(result.status, Status::Error, "{result:#?}");
    result.error.as_ref().unwrap().code
}
