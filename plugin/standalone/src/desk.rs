//! A person's link to the session in a folder: at the hub that serves it, which is started if need be.

use crossbeam_channel::{Receiver, TryRecvError};
use deskhand_protocol::helper::{self, HelperError};
use deskhand_protocol::socket::{Role, SocketLink};
use deskhand_protocol::{CallId, Event, Link, Op};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// How long the hub stays after its last front end left, s. A window that was closed by mistake, or by a
/// driver's crash, can attach again to the running session.
const LINGER: u32 = 30;

/// An open session.
pub struct Desk {
    link: Arc<SocketLink>,
    heard: Receiver<Event>,
    dir: PathBuf,
}

/// Why a session cannot be come to.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error("{dir} is not there ({why}); choose another folder")]
    Absent { dir: PathBuf, why: String },
    /// There is no hub.
    #[error(transparent)]
    Helper(#[from] HelperError),
    #[error("no thread could be started ({0}); end other programs and try again")]
    Thread(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the hub of this session ended; what was acknowledged is stored")]
pub struct HubGone;

/// Whether a folder holds a session.
pub(crate) fn is_session(path: &Path) -> bool {
    path.join("session.db").is_file()
}

impl Desk {
    /// Comes to the session in `dir`. `wake` is called, on another thread, whenever there is news. This may
    /// take seconds.
    ///
    /// # Errors
    /// When there is no session, or nobody serves it and that cannot be started.
    pub fn open(dir: &Path, wake: impl Fn() + Send + 'static) -> Result<Self, DeskError> {
        let absent = |error: std::io::Error| DeskError::Absent {
            dir: dir.to_owned(),
            why: error.to_string(),
        };
        let dir = dir.canonicalize().map_err(absent)?;
        let link = helper::attach_or_start(&dir, Role::Person, beside().as_deref(), LINGER)?;
        let link = Arc::new(link);
        let (sender, heard) = crossbeam_channel::unbounded();
        let events = link.events().clone();
        let listen = move || {
            for event in events {
                if sender.send(event).is_err() {
                    return;
                }
                wake();
            }
            drop(sender);
            wake();
        };
        let thread = thread::Builder::new().name("news".into()).spawn(listen);
        thread.map_err(|error| DeskError::Thread(error.to_string()))?;
        Ok(Self { link, heard, dir })
    }

    /// Makes a session at `rate` in `dir`, which is not there yet.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub fn create(dir: &Path, rate: u32) -> Result<(), DeskError> {
        Ok(helper::create(dir, rate, beside().as_deref())?)
    }

    /// Makes a session with the example interview in `dir`, which is not there yet.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub fn create_example(dir: &Path) -> Result<(), DeskError> {
        Ok(helper::create_example(dir, beside().as_deref())?)
    }

    /// Makes a session from the project of a DAW in `dir`, which is not there yet.
    ///
    /// # Errors
    /// When it cannot be made there, or the project cannot be read.
    pub fn open_project(file: &Path, dir: &Path) -> Result<(), DeskError> {
        Ok(helper::open_project(file, dir, beside().as_deref())?)
    }

    /// The session folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Says something; the number comes back with the answer.
    pub fn submit(&self, op: Op) -> CallId {
        self.link.submit(op)
    }

    /// The next event that was heard.
    ///
    /// # Errors
    /// When the hub is gone.
    pub fn next(&self) -> Result<Option<Event>, HubGone> {
        match self.heard.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(HubGone),
        }
    }

    /// The next event before `until`; `None` if there is none.
    pub(crate) fn wait(&self, until: Instant) -> Option<Event> {
        self.heard.recv_deadline(until).ok()
    }
}

/// The folder of this program.
fn beside() -> Option<PathBuf> {
    env::current_exe().ok().and_then(|app| app.parent().map(Path::to_owned))
}
