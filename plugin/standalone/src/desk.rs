//! A person's link to the session in a folder: at the hub that serves it, which is started if need be.

use anyhow::{Context as _, Result, bail};
use crossbeam_channel::Receiver;
use deskhand_protocol::socket::{AttachError, Role, SocketLink, attach};
use deskhand_protocol::{CallId, Event, Link, Op};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a hub may take to start.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the hub stays after its last front end left.
const LINGER: &str = "5";

/// An open session.
pub(crate) struct Desk {
    link: Arc<SocketLink>,
    heard: Receiver<Event>,
    pub(crate) dir: PathBuf,
}

impl Desk {
    /// Comes to the session in `dir`. `wake` is called, on another thread, whenever there is news.
    pub(crate) fn open(dir: &Path, wake: impl Fn() + Send + 'static) -> Result<Self> {
        let dir = dir.canonicalize().with_context(|| format!("{} is not there", dir.display()))?;
        let link = Arc::new(come(&dir)?);
        let (sender, heard) = crossbeam_channel::unbounded();
        let events = link.events().clone();
        thread::Builder::new().name("news".into()).spawn(move || {
            for event in events {
                if sender.send(event).is_err() {
                    return;
                }
                wake();
            }
            drop(sender);
            wake();
        })?;
        Ok(Self { link, heard, dir })
    }

    /// Makes a session in `dir` and opens it.
    pub(crate) fn create(dir: &Path, wake: impl Fn() + Send + 'static) -> Result<Self> {
        let made = Command::new(program()).arg("new").arg(dir).stdin(Stdio::null()).output();
        let made = made.with_context(no_program)?;
        if !made.status.success() {
            bail!("{}", String::from_utf8_lossy(&made.stderr).trim());
        }
        Self::open(dir, wake)
    }

    pub(crate) fn submit(&self, op: Op) -> CallId {
        self.link.submit(op)
    }

    /// The next event that was heard; an error when the hub is gone.
    pub(crate) fn next(&self) -> Result<Option<Event>> {
        match self.heard.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(crossbeam_channel::TryRecvError::Empty) => Ok(None),
            Err(crossbeam_channel::TryRecvError::Disconnected) => {
                bail!(
                    "the hub of this session ended; what was acknowledged is stored. Open it again"
                )
            }
        }
    }
}

fn come(dir: &Path) -> Result<SocketLink> {
    match attach(dir, Role::Person) {
        Ok(link) => return Ok(link),
        Err(AttachError::NotServed { .. }) => {}
        Err(error @ (AttachError::Version { .. } | AttachError::Io { .. })) => {
            return Err(error.into());
        }
    }
    let mut hub = Command::new(program())
        .arg("serve")
        .arg(dir)
        .args(["--linger", LINGER])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(no_program)?;
    let started = Instant::now();
    loop {
        if let Ok(link) = attach(dir, Role::Person) {
            // Nobody reads what it says from here on; the thread ends with it.
            thread::spawn(move || hub.wait_with_output());
            return Ok(link);
        }
        if hub.try_wait()?.is_some() {
            let said = hub.wait_with_output()?;
            bail!("{}", String::from_utf8_lossy(&said.stderr).trim());
        }
        if started.elapsed() > PATIENCE {
            hub.kill()?;
            bail!("`deskhand serve` did not start in {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The command line beside this program, else the one that the shell would find.
fn program() -> PathBuf {
    let name = format!("deskhand{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().map(|app| app.with_file_name(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

fn no_program() -> String {
    "`deskhand` could not be started: put it beside deskhand-app or on the PATH".into()
}
