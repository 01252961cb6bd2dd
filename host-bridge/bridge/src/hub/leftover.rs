//! Sockets of hubs that were killed: their files remain although nobody listens.

use deskhand_protocol::socket::socket_name;
use interprocess::local_socket::Stream;
use interprocess::local_socket::prelude::*;
use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

/// A socket younger than this may be one whose hub is about to listen.
const SETTLED: Duration = Duration::from_secs(60);

/// Finds such sockets in the folder of `socket` and removes them. It runs in a thread of its own, because a
/// paused hub may let a connection wait.
pub(super) fn sweep_beside(socket: &Path) {
    let Some(folder) = socket.parent().map(Path::to_owned) else { return };
    let named = thread::Builder::new().name("deskhand-leftover".to_owned());
    // Without a thread they stay until the next hub starts.
    drop(named.spawn(move || sweep(&folder, SystemTime::now())));
}

/// Removes the sockets in `folder` that nobody listens on at `now`. The folder belongs to this user alone.
/// A socket that cannot be checked or removed does no harm and stays.
fn sweep(folder: &Path, now: SystemTime) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_ours(entry) && is_settled(entry, now)) {
        if is_deserted(&entry.path()) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// Whether the entry is a socket with a hub's name: sixteen hexadecimal digits and the authority of the
/// connection.
fn is_ours(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    if !entry.file_type().is_ok_and(|kind| kind.is_socket()) {
        return false;
    }
    let Some((digits, role)) = name.to_str().and_then(|name| name.split_once('.')) else {
        return false;
    };
    let is_role = matches!(role, "person" | "agent" | "observer");
    is_role && digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_settled(entry: &DirEntry, now: SystemTime) -> bool {
    let made = entry.metadata().and_then(|found| found.modified());
    made.is_ok_and(|made| now.duration_since(made).is_ok_and(|age| age >= SETTLED))
}

/// Only a socket without a listener refuses; every other failure says nothing.
fn is_deserted(path: &Path) -> bool {
    let connected = socket_name(path).and_then(Stream::connect);
    connected.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Shutdown;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::{UnixListener, UnixStream};

    /// Leaves a socket's file as a killed hub does. The socket is shut down and not only dropped: a process
    /// that another test starts meanwhile has a copy of the listener until it runs, and would accept for
    /// it.
    fn leave(path: &Path) {
        let listener = UnixListener::bind(path).unwrap();
        UnixStream::from(OwnedFd::from(listener)).shutdown(Shutdown::Both).unwrap();
    }

    #[test]
    fn what_nobody_listens_behind_goes_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let killed = ["0011223344556677.person", "0011223344556677.agent"];
        for name in killed {
            leave(&at(name));
        }
        let alive = UnixListener::bind(at("8899aabbccddeeff.person")).unwrap();
        leave(&at("somebody-else.person"));
        let no_socket = at("0011223344556677.observer");
        fs::write(&no_socket, "no socket").unwrap();

        sweep(folder.path(), SystemTime::now());
        assert!(killed.iter().all(|name| at(name).exists()), "they may be about to listen");

        sweep(folder.path(), SystemTime::now() + 2 * SETTLED);
        assert!(killed.iter().all(|name| !at(name).exists()));
        assert!(at("8899aabbccddeeff.person").exists() && at("somebody-else.person").exists());
        assert!(no_socket.exists());
        drop(alive);
    }
}
