//! A hub in this process, and a person in front of it.

use crate::rig::{Rig, home};
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Hub, NoRenderer, Parts};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_media::Opener;
use deskhand_protocol::socket::{Role, SocketLink, attach};
use deskhand_protocol::{
    Apply, CallId, Decision, Hearing, InstanceState, Link, News, Op, Read, Snapshot, ToolResult,
};
use deskhand_session::{Plan, PlanId, RevisionId, Session, SessionId, SourceId, Track, TrackId};
use deskhand_store::{Cache, Store};
use deskhand_toolkit::{MeasurementCache, Pool, Registry};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A test that waits longer than this has found a bug.
const PATIENCE: Duration = Duration::from_secs(60);

/// The tests of one process take turns.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks again and again until it is so.
#[track_caller]
pub fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "it does not become so");
        std::thread::park_timeout(Duration::from_millis(8));
    }
}

/// What the project of `rig` stores under `key`.
pub fn field(rig: &mut Rig, key: &str) -> Value {
    let state: Value = serde_json::from_slice(&rig.save()[8..]).unwrap();
    let saved: Value = serde_json::from_str(state["fields"]["deskhand"].as_str().unwrap()).unwrap();
    saved[key].clone()
}

pub struct Desk {
    hub: Option<Hub>,
    person: Option<SocketLink>,
    session: SessionId,
    /// Where the session is.
    pub dir: PathBuf,
    _tmp: TempDir,
}

/// A state as hosts keep it.
fn framed(saved: &Value) -> Vec<u8> {
    let state = json!({"version": "", "params": {}, "fields": {"deskhand": saved.to_string()}});
    let state = state.to_string().into_bytes();
    [&(state.len() as u64).to_le_bytes(), state.as_slice()].concat()
}

/// Measurements in the session's folder, waveforms among them, as the helper keeps them.
struct FolderCache(Cache);

impl MeasurementCache for FolderCache {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.put(key, bytes);
    }
}

fn open(dir: &Path) -> Bridge {
    let (store, loaded) = Store::open(dir).unwrap();
    let opener = Opener::in_process();
    let parts = Parts {
        registry: Registry::new(deskhand_bridge::all_tools()),
        pool: Pool::new(1),
        audio: Arc::new(SessionAudio::new(dir, opener.clone())),
        cache: Arc::new(FolderCache(store.cache())),
        opener,
        folder: dir.to_owned(),
        renderer: Arc::new(NoRenderer),
        opened: Vec::new(),
    };
    Bridge::new(store, loaded, parts)
}

fn answer_to(person: &SocketLink, call: CallId) -> ToolResult {
    loop {
        let event = person.events().recv_timeout(PATIENCE).unwrap();
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return *result;
        }
    }
}

impl Desk {
    /// An empty session, served, which this user's data folder knows.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let session = SessionId::new(NEXT.fetch_add(1, Ordering::Relaxed));
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("song.deskhand");
        drop(Store::create(&dir, &Session::new(session, SampleRate(48_000))).unwrap());
        let known = home().join("deskhand/known");
        std::fs::create_dir_all(&known).unwrap();
        std::fs::write(known.join(session.to_string()), dir.to_str().unwrap()).unwrap();
        let mut desk = Self { hub: None, person: None, session, dir, _tmp: tmp };
        desk.start();
        desk
    }

    pub fn start(&mut self) {
        let mut hub = Hub::start(open(&self.dir), None).unwrap();
        hub.listen().unwrap();
        self.hub = Some(hub);
        self.person = Some(attach(&self.dir, Role::Person).unwrap());
    }

    /// The program that `cargo test --workspace` builds next to the tests.
    pub fn helper() -> PathBuf {
        let tests = std::env::current_exe().unwrap();
        let built = tests.ancestors().nth(2).unwrap();
        built.join(format!("deskhand{}", std::env::consts::EXE_SUFFIX))
    }

    pub fn id(&self) -> SessionId {
        self.session
    }

    /// What a hub knows that is in another process.
    pub fn snapshot_at(link: &SocketLink) -> Snapshot {
        let call = link.submit(Op::Read { what: Read::Snapshot });
        let result = answer_to(link, call);
        serde_json::from_value(result.answer.unwrap()).unwrap()
    }

    /// How many instances it knows.
    pub fn count_instances(link: &SocketLink) -> usize {
        Self::snapshot_at(link).instances.len()
    }

    /// Serves it in a process of its own, as a host's helper does; the hub here is stopped before.
    pub fn serve(&self) -> Child {
        assert!(self.hub.is_none());
        let program = Self::helper();
        let mut command = Command::new(&program);
        command.arg("serve").arg(&self.dir).stdin(Stdio::null()).stdout(Stdio::null());
        let hub = command.spawn();
        hub.unwrap_or_else(|why| {
            panic!("{}: {why}; cargo test --workspace builds it", program.display())
        })
    }

    pub fn stop(&mut self) {
        self.person = None;
        self.hub.take().unwrap().stop().unwrap();
    }

    /// What a host's project holds of an instance of this session.
    pub fn project(&self) -> Vec<u8> {
        framed(&json!({"session": self.session}))
    }

    /// The same with a part of the stored state set to `value`.
    pub fn project_with(&self, key: &str, value: Value) -> Vec<u8> {
        let mut saved = json!({"session": self.session});
        saved[key] = value;
        framed(&saved)
    }

    fn answer(&self, call: CallId) -> ToolResult {
        answer_to(self.person.as_ref().unwrap(), call)
    }

    fn ask(&self, op: Op) -> ToolResult {
        let result = self.answer(self.person.as_ref().unwrap().submit(op));
        assert_eq!(result.error, None);
        result
    }

    /// The text of the answer, or why there is none.
    pub fn say(&self, tool: &str, params: Value) -> String {
        let op = Op::Call { tool: tool.into(), params, apply: Apply::ByPolicy };
        let result = self.answer(self.person.as_ref().unwrap().submit(op));
        result.error.map_or(result.summary, |error| error.message)
    }

    /// The text of the answer, or why there is none and the way out.
    pub fn refusal_or_summary(&self, tool: &str, params: Value) -> String {
        let op = Op::Call { tool: tool.into(), params, apply: Apply::Never };
        let result = self.answer(self.person.as_ref().unwrap().submit(op));
        result.error.map_or(result.summary, |error| format!("{}; {}", error.message, error.fix))
    }

    pub fn planned(&self, tool: &str, params: Value) -> Plan {
        let op = Op::Call { tool: tool.into(), params, apply: Apply::Never };
        *self.ask(op).plan.unwrap()
    }

    pub fn plan(&self, tool: &str, params: Value) -> PlanId {
        self.planned(tool, params).id
    }

    pub fn decide(&self, plan: PlanId, decision: Decision) {
        self.ask(Op::Decide { plan, decision });
    }

    /// What applying a plan did.
    pub fn receipt(&self, plan: PlanId) -> Value {
        let (tool, params) = ("get_receipt".to_owned(), json!({"plan_id": plan}));
        self.ask(Op::Call { tool, params, apply: Apply::Never }).answer.unwrap()
    }

    /// Another front end of the person's.
    pub fn visitor(&self) -> SocketLink {
        attach(&self.dir, Role::Person).unwrap()
    }

    pub fn hearing(&self) -> Option<Box<Hearing>> {
        self.snapshot().hearing
    }

    fn read(&self, what: Read) -> Value {
        self.ask(Op::Read { what }).answer.unwrap()
    }

    fn snapshot(&self) -> Snapshot {
        serde_json::from_value(self.read(Read::Snapshot)).unwrap()
    }

    pub fn session(&self) -> Session {
        self.snapshot().session
    }

    pub fn head(&self) -> RevisionId {
        self.snapshot().head
    }

    /// The left channel of a source.
    pub fn audio(&self, source: SourceId) -> Vec<f32> {
        let audio = SessionAudio::new(&self.dir, Opener::in_process());
        let session = self.session();
        let mut reader = audio.open(&session.sources[&source], session.rate).unwrap();
        let length = reader.frames().index();
        let mut planes = vec![vec![0.0; length]; reader.channels()];
        let mut all: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
        assert_eq!(reader.read(Frames(0), &mut all).unwrap(), length);
        planes.swap_remove(0)
    }

    pub fn instances(&self) -> Vec<InstanceState> {
        self.snapshot().instances
    }

    pub fn tracks(&self) -> Vec<(TrackId, Track)> {
        self.snapshot().session.tracks.into_iter().collect()
    }

    pub fn call(&mut self, tool: &str, params: Value) {
        self.ask(Op::Call { tool: tool.into(), params, apply: Apply::Now });
    }

    pub fn undo(&mut self) {
        self.ask(Op::Undo);
    }

    /// What the newest step is called.
    pub fn last_label(&self) -> String {
        let history = self.read(Read::History);
        let revisions = history["revisions"].as_array().unwrap();
        revisions.last().unwrap()["label"].as_str().unwrap().to_owned()
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.read(Read::History)["revisions"].as_array().unwrap().len()
    }

    /// The author of the newest step.
    pub fn last_author(&self) -> String {
        let history = self.read(Read::History);
        let revisions = history["revisions"].as_array().unwrap();
        revisions.last().unwrap()["author"].as_str().unwrap().to_owned()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if self.hub.is_some() {
            self.stop();
        }
    }
}
