//! A front end's end of a socket: one thread reads, one writes.

use super::endpoint::{Role, endpoint};
use super::half::Half;
use super::lines::{LONGEST, read_line, write_line};
use super::{BYE, VERSION, Welcome};
use crate::event::{CallId, Event, News};
use crate::link::Link;
use crate::submission::{Op, Submission};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use deskhand_session::{Author, SessionId};
use interprocess::local_socket::prelude::*;
use interprocess::local_socket::{GenericFilePath, Name, Stream};
use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Events that wait to be looked at before the hub is no longer read.
const WAITING: usize = 4_096;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// No hub serves the session.
    #[error("{dir} is not being served; start `deskhand serve {dir}`")]
    NotServed {
        /// The session folder.
        dir: PathBuf,
    },
    /// A hub of another version.
    #[error("the hub of {dir} is of another version of Deskhand; end it, and start this one")]
    Version {
        /// The session folder.
        dir: PathBuf,
    },
    /// The socket failed.
    #[error("the hub of {dir} cannot be reached: {why}; end it, and start it again")]
    Io {
        /// The session folder.
        dir: PathBuf,
        /// What the system said.
        why: String,
    },
}

/// A connection over a socket. Dropping it ends the connection.
#[derive(Debug)]
pub struct SocketLink {
    session: SessionId,
    outbox: Sender<String>,
    events: Receiver<Event>,
    calls: AtomicU64,
}

impl SocketLink {
    /// The session that is served.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Sends a line unchanged, for tests of what a hub refuses.
    pub fn send_line(&self, line: &str) {
        // Once the hub is closed, there is no receiver for an error.
        drop(self.outbox.send(line.to_owned()));
    }
}

impl Link for SocketLink {
    fn submit(&self, op: Op) -> CallId {
        let id = CallId(self.calls.fetch_add(1, Ordering::Relaxed) + 1);
        // A submission is plain data with string keys: it can be written.
        let line = serde_json::to_string(&Submission { id, op }).unwrap_or_default();
        self.send_line(&line);
        id
    }

    fn events(&self) -> &Receiver<Event> {
        &self.events
    }
}

impl Drop for SocketLink {
    fn drop(&mut self) {
        self.send_line(BYE);
    }
}

/// Connects to the hub that serves the session in `dir`.
///
/// # Errors
/// When there is no hub, or it speaks another version.
pub fn attach(dir: &Path, role: Role) -> Result<SocketLink, AttachError> {
    let failed = |error: io::Error| failed(dir, &error);
    let path = endpoint(dir, role).map_err(failed)?;
    let stream = Stream::connect(socket_name(&path).map_err(failed)?).map_err(failed)?;
    let (recv, send) = Half::pair(stream);
    let mut recv = BufReader::new(recv);
    // A hub that is ending still listens for a moment, and says nothing.
    let nothing = || AttachError::NotServed { dir: dir.to_owned() };
    let first = read_line(&mut recv, LONGEST).map_err(failed)?.ok_or_else(nothing)?;
    let version = || AttachError::Version { dir: dir.to_owned() };
    let welcome: Welcome = serde_json::from_str(&first).map_err(|_| version())?;
    if welcome.deskhand != VERSION || welcome.role != role {
        return Err(version());
    }
    start(welcome.session, recv, send).map_err(failed)
}

/// The name of a socket file, as the system's sockets take it.
///
/// # Errors
/// When the path cannot be a socket's.
pub fn socket_name(path: &Path) -> io::Result<Name<'_>> {
    path.to_fs_name::<GenericFilePath>()
}

fn failed(dir: &Path, error: &io::Error) -> AttachError {
    let dir = dir.to_owned();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => AttachError::NotServed { dir },
        _ => AttachError::Io { dir, why: error.to_string() },
    }
}

fn start(session: SessionId, recv: BufReader<Half>, send: Half) -> io::Result<SocketLink> {
    let (outbox, lines) = unbounded();
    let (heard, events) = bounded(WAITING);
    let named = |name: &str| thread::Builder::new().name(name.to_owned());
    named("deskhand-reader").spawn(move || read(recv, &heard))?;
    named("deskhand-writer").spawn(move || write(send, &lines))?;
    Ok(SocketLink { session, outbox, events, calls: AtomicU64::new(0) })
}

fn read(mut stream: BufReader<Half>, heard: &Sender<Event>) {
    while let Ok(Some(line)) = read_line(&mut stream, LONGEST) {
        let event = serde_json::from_str(&line).unwrap_or_else(|_| unread());
        if line == BYE || heard.send(event).is_err() {
            return;
        }
    }
}

/// A line that this version cannot read counts as missed.
fn unread() -> Event {
    Event { number: 0, author: Author::User, call: None, news: News::Lagged }
}

fn write(mut stream: Half, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        let sent = write_line(&mut stream, &line);
        if line == BYE || sent.is_err() {
            return;
        }
    }
}
