//! The sockets of a session. Which one a front end knocks at settles its authority.

use super::{Door, HubError};
use crate::front::Line;
use crate::input::Input;
use crate::policy::Authority;
use crossbeam_channel::Receiver;
use deskhand_protocol::socket::lines::{LONGEST_SUBMISSION, read_line, write_line};
use deskhand_protocol::socket::{BYE, Half, Role, VERSION, Welcome, endpoint, socket_name};
use deskhand_protocol::{CallId, Event, Submission};
use deskhand_store::Spot;
use interprocess::local_socket::prelude::*;
use interprocess::local_socket::{Listener, ListenerOptions, Stream};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Front ends that may be connected at once: each instance of the plugin is one, and a big project has a hundred.
const MOST: usize = 512;

/// Open sockets; dropping them closes them.
#[derive(Debug)]
pub(super) struct Sockets {
    /// Each with the file that was made for it.
    paths: Vec<(PathBuf, Option<Numbers>)>,
    is_closing: Arc<AtomicBool>,
}

/// Which file lies at a path, as the system numbers them.
type Numbers = (u64, u64);

#[cfg(unix)]
fn file_at(path: &Path) -> Option<Numbers> {
    use std::os::unix::fs::MetadataExt;
    path.symlink_metadata().ok().map(|found| (found.dev(), found.ino()))
}

/// A pipe is no file, and is nobody else's while it is open.
#[cfg(windows)]
fn file_at(_: &Path) -> Option<Numbers> {
    None
}

impl Sockets {
    /// Opens the three sockets. The caller owns the session, so existing sockets are left over, or belong
    /// to a hub whose folder is gone.
    pub(super) fn open(folder: &Path, door: &Door, spot: &Spot) -> Result<Self, HubError> {
        let is_closing = Arc::new(AtomicBool::new(false));
        let guests = Arc::new(AtomicUsize::new(0));
        let mut paths = Vec::new();
        for role in Role::ALL {
            let path = endpoint(folder, role)?;
            let listener = listen(&path)?;
            let made = file_at(&path);
            paths.push((path, made));
            let accepting = Accepting {
                role,
                door: door.clone(),
                spot: spot.clone(),
                is_closing: Arc::clone(&is_closing),
                guests: Arc::clone(&guests),
            };
            thread::Builder::new()
                .name(format!("deskhand-{role:?}").to_lowercase())
                .spawn(move || accepting.run(&listener))?;
        }
        #[cfg(unix)]
        paths.iter().take(1).for_each(|(path, _)| super::leftover::sweep_beside(path));
        Ok(Self { paths, is_closing })
    }
}

impl Drop for Sockets {
    fn drop(&mut self) {
        self.is_closing.store(true, Ordering::Relaxed);
        for (path, made) in &self.paths {
            // The folder was removed, and the hub of another in its place took the name: that one goes on.
            if file_at(path) != *made {
                continue;
            }
            // Wakes the thread that accepts; then the name is free again.
            drop(socket_name(path).and_then(Stream::connect));
            drop(std::fs::remove_file(path));
        }
    }
}

#[cfg(unix)]
fn listen(path: &Path) -> io::Result<Listener> {
    use interprocess::os::unix::local_socket::ListenerOptionsExt;
    let options = ListenerOptions::new().name(socket_name(path)?).mode(0o600);
    // The code that knows the owner of the name gives it back. The accepting thread does not, because it
    // may end at any time.
    options.try_overwrite(true).reclaim_name(false).create_sync()
}

/// By default everybody can read a pipe. This one is for its owner only (in the security descriptor
/// language, a protected list with all rights for the owner).
#[cfg(windows)]
fn listen(path: &Path) -> io::Result<Listener> {
    use interprocess::os::windows::local_socket::ListenerOptionsExt;
    use interprocess::os::windows::security_descriptor::SecurityDescriptor;
    const OWNER_ALONE: &widestring::U16CStr = widestring::u16cstr!("D:P(A;;GA;;;OW)");
    let access = SecurityDescriptor::deserialize(OWNER_ALONE)?;
    ListenerOptions::new().name(socket_name(path)?).security_descriptor(access).create_sync()
}

/// One socket's thread.
struct Accepting {
    role: Role,
    door: Door,
    spot: Spot,
    is_closing: Arc<AtomicBool>,
    guests: Arc<AtomicUsize>,
}

/// Counts a guest as long as it exists.
struct Guest(Arc<AtomicUsize>);

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Accepting {
    fn run(&self, listener: &Listener) {
        for stream in listener.incoming() {
            if self.is_closing.load(Ordering::Relaxed) {
                return;
            }
            // A guest that fails while it enters is no reason to keep others out.
            drop(stream.map_err(HubError::from).and_then(|stream| self.let_in(stream)));
        }
    }

    fn let_in(&self, stream: Stream) -> Result<(), HubError> {
        // Here and not on the message thread: the disk may hang.
        if !self.spot.is_in_place() {
            return Ok(());
        }
        let guest = Guest(Arc::clone(&self.guests));
        if self.guests.fetch_add(1, Ordering::Relaxed) >= MOST {
            return Ok(());
        }
        let line = self.door.enter(match self.role {
            Role::Person => Authority::Person,
            Role::Agent => Authority::Agent,
            Role::Observer => Authority::Observer,
        })?;
        let (recv, send) = Half::pair(stream);
        let welcome = Welcome { deskhand: VERSION, session: self.door.session, role: self.role };
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        let events = line.events.clone();
        named("deskhand-send").spawn(move || write(send, &welcome, &events))?;
        named("deskhand-receive").spawn(move || {
            read(recv, &line);
            drop(guest);
        })?;
        Ok(())
    }
}

/// Writes the bridge's events until the bridge ends or the front end stops reading.
fn write(mut stream: Half, welcome: &Welcome, events: &Receiver<Event>) {
    let first = serde_json::to_string(welcome).unwrap_or_default();
    if write_line(&mut stream, &first).is_err() {
        return;
    }
    for event in events {
        let line = serde_json::to_string(&event).unwrap_or_default();
        if write_line(&mut stream, &line).is_err() {
            return;
        }
    }
    drop(write_line(&mut stream, BYE));
}

/// Passes on the front end's submissions. Dropping the line at the end disconnects it.
fn read(stream: Half, line: &Line) {
    let mut stream = BufReader::new(stream);
    let connection = line.connection;
    while let Ok(Some(text)) = read_line(&mut stream, LONGEST_SUBMISSION) {
        if text == BYE {
            return;
        }
        let input = match serde_json::from_str::<Submission>(&text) {
            Ok(submission) => Input::Submitted { connection, submission },
            Err(error) => {
                Input::Malformed { connection, call: call_of(&text), why: error.to_string() }
            }
        };
        if line.inbox.send(input).is_err() {
            return;
        }
    }
}

/// The number of a submission that cannot be read otherwise.
fn call_of(text: &str) -> CallId {
    let id = serde_json::from_str::<serde_json::Value>(text).ok();
    CallId(id.and_then(|value| value.get("id")?.as_u64()).unwrap_or_default())
}
