//! An open session with its bridge, as the commands use it.

use crate::exit::Failure;
use crate::output::{self, Output};
use crate::progress::Bar;
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Parts, PersonFront};
use deskhand_media::Opener;
use deskhand_protocol::{Apply, CallId, Decision, Event, Status, ToolResult};
use deskhand_session::{Plan, PlanId, Session};
use deskhand_store::{Cache, Loaded, OpenError, Store};
use deskhand_toolkit::{MeasurementCache, Pool, Registry};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long to wait for a session that another command has open.
const PATIENCE: Duration = Duration::from_secs(2);

/// An open session.
pub(crate) struct Desk {
    pub(crate) bridge: Bridge,
    pub(crate) audio: SessionAudio,
    front: PersonFront,
    cache: Arc<dyn MeasurementCache>,
    interrupted: Arc<AtomicBool>,
}

/// Measurements in the session folder.
struct FolderCache(Cache);

impl MeasurementCache for FolderCache {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        self.0.put(key, bytes);
    }
}

/// Every tool there is.
pub(crate) fn registry() -> Registry {
    Registry::new(deskhand_tools::all())
}

impl Desk {
    /// Opens the session in `dir`.
    pub(crate) fn open(dir: &Path, output: Output) -> Result<Self, Failure> {
        let (store, loaded) = open_patiently(dir)?;
        for warning in &loaded.warnings {
            output.warn(warning);
        }
        Ok(Self::over(store, loaded))
    }

    /// Makes a session in `dir`.
    pub(crate) fn create(dir: &Path, session: &Session) -> Result<Self, Failure> {
        let (store, loaded) =
            Store::create(dir, session).map_err(|error| Failure::plain("create", error))?;
        Ok(Self::over(store, loaded))
    }

    fn over(store: Store, loaded: Loaded) -> Self {
        let folder = store.dir().to_owned();
        let opener = Opener::in_process();
        let audio = SessionAudio::new(&folder, opener.clone());
        let cache: Arc<dyn MeasurementCache> = Arc::new(FolderCache(store.cache()));
        let parts = Parts {
            registry: registry(),
            pool: Pool::for_this_machine(),
            audio: Arc::new(audio.clone()),
            cache: Arc::clone(&cache),
            opener,
            folder,
        };
        let mut bridge = Bridge::new(store, loaded, parts);
        let front = bridge.connect_person();
        Self { bridge, audio, front, cache, interrupted: interrupts() }
    }

    /// Measurements and waveforms made before.
    pub(crate) fn cache(&self) -> Arc<dyn MeasurementCache> {
        Arc::clone(&self.cache)
    }

    /// Calls a tool.
    pub(crate) fn call(
        &mut self,
        tool: &str,
        params: Value,
        apply: Apply,
    ) -> Result<ToolResult, Failure> {
        let call = self.front.call(tool, params, apply);
        self.wait(call, tool)
    }

    /// Decides on a plan.
    pub(crate) fn decide(
        &mut self,
        plan: PlanId,
        decision: Decision,
    ) -> Result<ToolResult, Failure> {
        let call = self.front.decide(plan, decision);
        self.wait(call, "applying")
    }

    /// Brings in a plan.
    pub(crate) fn add_plan(&mut self, plan: Plan) -> Result<ToolResult, Failure> {
        let call = self.front.add_plan(plan);
        self.wait(call, "reading the plan")
    }

    /// Takes back the last step.
    pub(crate) fn undo(&mut self) -> Result<ToolResult, Failure> {
        let call = self.front.undo();
        self.wait(call, "undo")
    }

    /// Does the last undone step again.
    pub(crate) fn redo(&mut self) -> Result<ToolResult, Failure> {
        let call = self.front.redo();
        self.wait(call, "redo")
    }

    /// Runs the bridge until `call` is answered. Ctrl-C cancels the call; the answer then says so.
    fn wait(&mut self, call: CallId, what: &str) -> Result<ToolResult, Failure> {
        let bar = Bar::new(what);
        let front = &self.front;
        let interrupted = &self.interrupted;
        let events = || -> Vec<Event> {
            if interrupted.swap(false, Ordering::Relaxed) {
                front.cancel(call);
            }
            front.events().collect()
        };
        let result = self.bridge.pump_until_done(call, events, &mut |event| bar.hear(event));
        match result.status {
            Status::Error | Status::Conflict => Err(Failure::of_result(&result)),
            Status::Ok
            | Status::Planned
            | Status::Running
            | Status::Waiting
            | Status::Applied
            | Status::RolledBack
            | Status::Rejected => Ok(result),
        }
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Waits until all media is conformed and drawn. Ctrl-C leaves the rest for the next import; until
    /// then the originals are decoded.
    pub(crate) fn finish_media(&mut self, output: Output) {
        let bar = Bar::new("conforming");
        while self.bridge.conforming() > 0 && !self.is_interrupted() {
            self.bridge.pump_next();
            for event in self.front.events() {
                bar.hear(&event);
                warn_of_media(&self.bridge, &event, output);
            }
        }
    }

    /// Closes the session; media that is still being conformed is left for the next import.
    pub(crate) fn close(self) -> Result<(), Failure> {
        self.bridge.close().map_err(|error| Failure::plain("storage", error))
    }
}

fn warn_of_media(bridge: &Bridge, event: &Event, output: Output) {
    if let deskhand_protocol::News::Media { source, failed: Some(why) } = &event.news {
        let name = bridge.session().name_of((*source).into());
        output.warn(format!("\"{name}\" was not conformed: {why}"));
    }
}

/// Another command may be about to end: the lock is waited for a moment.
fn open_patiently(dir: &Path) -> Result<(Store, Loaded), Failure> {
    let started = Instant::now();
    loop {
        match Store::open(dir) {
            Err(OpenError::InUse { .. }) if started.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 20);
            }
            opened => return opened.map_err(|error| Failure::plain("open", error)),
        }
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program.
fn interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let handler = move || {
        if output::is_asking() {
            // Nobody answered: the plan still waits, nothing has changed.
            std::process::exit(3);
        }
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Without a handler Ctrl-C simply ends the program; what was acknowledged is stored.
    drop(ctrlc::set_handler(handler));
    flag
}
