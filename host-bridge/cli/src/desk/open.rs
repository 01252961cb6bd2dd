//! Opening a session: at the hub that serves it, by a bridge of our own, or only to look.

use super::Guest;
use super::renderer::EngineRenderer;
use crate::exit::Failure;
use crate::interrupt;
use crate::output::Output;
use crate::tool_folder;
use deskhand_bounce::SessionAudio;
use deskhand_bridge::{Bridge, Parts};
use deskhand_media::{ChildCommand, Opener};
use deskhand_protocol::socket::{AttachError, Role, attach};
use deskhand_session::Session;
use deskhand_store::{Cache, Loaded, OpenError, Store};
use deskhand_toolkit::{MeasurementCache, Pool, Registry};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait for a session that another command has open.
const PATIENCE: Duration = Duration::from_secs(2);

/// A session that was opened one way or another.
pub(crate) struct OpenedDesk {
    pub(crate) audio: SessionAudio,
    pub(crate) cache: Arc<dyn MeasurementCache>,
    pub(crate) by: By,
}

/// The process that works on it.
pub(crate) enum By {
    /// A bridge of our own.
    Bridge(Box<Bridge>),
    /// A hub that serves it.
    Hub(Box<Guest>),
    /// Nobody: it cannot be written, and why.
    Look(Box<Loaded>, Failure),
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

/// The owner of a session.
pub(crate) enum Found {
    /// A hub.
    Served(Box<Guest>),
    /// We do, by this bridge.
    Ours(Box<Bridge>),
}

/// What looking for a session found.
enum Sought {
    Served(Box<Guest>),
    Free(Box<(Store, Loaded)>),
}

/// Opens the session in `dir` to work in it.
pub(super) fn open(dir: &Path, output: Output) -> Result<OpenedDesk, Failure> {
    match find(dir) {
        Ok(found) => found_at(found, dir, output),
        Err(failure) => Err(failure.told()),
    }
}

/// Opens the session in `dir` to look at it.
pub(super) fn look(dir: &Path, output: Output) -> Result<OpenedDesk, Failure> {
    match find(dir) {
        Ok(found) => found_at(found, dir, output),
        Err(NotFound::Store(error)) if error.leaves_a_look() => {
            let why = Failure::plain("open", &error);
            let look = Store::look(dir).map_err(|error| Failure::plain("open", error))?;
            output.warn(format!("{}; it is shown as it was stored", why.message));
            let cache: Arc<dyn MeasurementCache> = Arc::new(FolderCache(look.cache()));
            let audio = SessionAudio::new(&look.dir, Opener::in_process());
            warn_of(&look.loaded, output);
            Ok(OpenedDesk { audio, cache, by: By::Look(Box::new(look.loaded), why) })
        }
        Err(failure) => Err(failure.told()),
    }
}

/// Makes a session in `dir`.
pub(super) fn create(dir: &Path, session: &Session) -> Result<OpenedDesk, Failure> {
    let (store, loaded) =
        Store::create(dir, session).map_err(|error| Failure::plain("create", error))?;
    let tools = tool_folder::known(None).registry;
    Ok(own(store, loaded, tools))
}

/// Opens the session in `dir` by a bridge of our own, to serve it; nobody else may have it yet.
pub(crate) fn open_own(dir: &Path, output: Output) -> Result<Bridge, Failure> {
    let (store, loaded) = Store::open(dir).map_err(|error| Failure::plain("open", error))?;
    warn_of(&loaded, output);
    let tools = tool_folder::known(Some(store.dir())).told(output);
    Ok(bridge(store, loaded, tools, guarded()?).0)
}

/// A process that serves others decodes foreign files in a child process with limits: a file that breaks a
/// decoder must not take their session with it.
fn guarded() -> Result<Opener, Failure> {
    let child = ChildCommand::this_program().map_err(|error| {
        let message = format!("the path of this program is unknown: {error}");
        Failure::new("open", message, "start deskhand by its full path")
    })?;
    Ok(Opener::with_child(child))
}

/// Comes to the hub that serves the session in `dir`, or opens it by a bridge of our own, to serve it.
pub(crate) fn find_or_open(dir: &Path, output: Output) -> Result<Found, Failure> {
    match find(dir).map_err(NotFound::told)? {
        Sought::Served(guest) => Ok(Found::Served(guest)),
        Sought::Free(opened) => {
            let (store, loaded) = *opened;
            warn_of(&loaded, output);
            let tools = tool_folder::known(Some(store.dir())).told(output);
            Ok(Found::Ours(Box::new(bridge(store, loaded, tools, guarded()?).0)))
        }
    }
}

/// A session at a hub. Its folder is on this machine, to read audio and measurements.
fn visiting(guest: Box<Guest>, dir: &Path) -> OpenedDesk {
    let audio = SessionAudio::new(dir, Opener::in_process());
    let cache: Arc<dyn MeasurementCache> = Arc::new(FolderCache(Cache::new(dir.join("cache"))));
    OpenedDesk { audio, cache, by: By::Hub(guest) }
}

fn found_at(found: Sought, dir: &Path, output: Output) -> Result<OpenedDesk, Failure> {
    interrupt::listen();
    match found {
        Sought::Served(guest) => Ok(visiting(guest, dir)),
        Sought::Free(opened) => {
            let (store, loaded) = *opened;
            warn_of(&loaded, output);
            let tools = tool_folder::known(Some(store.dir())).told(output);
            Ok(own(store, loaded, tools))
        }
    }
}

fn warn_of(loaded: &Loaded, output: Output) {
    loaded.warnings.iter().for_each(|warning| output.warn(warning));
}

fn own(store: Store, loaded: Loaded, tools: Registry) -> OpenedDesk {
    interrupt::listen();
    let (bridge, audio, cache) = bridge(store, loaded, tools, Opener::in_process());
    OpenedDesk { audio, cache, by: By::Bridge(Box::new(bridge)) }
}

fn bridge(
    store: Store,
    loaded: Loaded,
    registry: Registry,
    opener: Opener,
) -> (Bridge, SessionAudio, Arc<dyn MeasurementCache>) {
    let folder = store.dir().to_owned();
    let audio = SessionAudio::new(&folder, opener.clone());
    let cache: Arc<dyn MeasurementCache> = Arc::new(FolderCache(store.cache()));
    let parts = Parts {
        registry,
        pool: Pool::for_this_machine(),
        audio: Arc::new(audio.clone()),
        cache: Arc::clone(&cache),
        opener,
        folder,
        renderer: Arc::new(EngineRenderer(audio.clone())),
        opened: Vec::new(),
    };
    (Bridge::new(store, loaded, parts), audio, cache)
}

/// Why a session was neither attached to nor opened.
enum NotFound {
    Failed(Failure),
    Store(OpenError),
}

impl NotFound {
    fn told(self) -> Failure {
        match self {
            Self::Failed(failure) => failure,
            Self::Store(error) => Failure::plain("open", error),
        }
    }
}

/// Searches for a hub, and opens the store if there is none. Another command may be about to end, or a hub
/// about to start, so it waits a moment.
fn find(dir: &Path) -> Result<Sought, NotFound> {
    let started = Instant::now();
    loop {
        match attach(dir, Role::Person) {
            Ok(link) => {
                let guest = Guest::over(Box::new(link));
                let guest = guest.map(|guest| Sought::Served(Box::new(guest)));
                return guest.map_err(NotFound::Failed);
            }
            Err(error @ AttachError::Version { .. }) => {
                return Err(NotFound::Failed(Failure::plain("version", error)));
            }
            // The owner's lock decides whether the session is free, not the answer of a socket.
            Err(AttachError::NotServed { .. } | AttachError::Io { .. }) => {}
        }
        match Store::open(dir) {
            Err(OpenError::InUse { .. }) if started.elapsed() < PATIENCE => {
                std::thread::sleep(PATIENCE / 20);
            }
            opened => {
                let found = opened.map(|opened| Sought::Free(Box::new(opened)));
                return found.map_err(NotFound::Store);
            }
        }
    }
}
