//! Where the sessions are that projects name: a small file for each in this user's data folder. Where one is not there
//! any more it is looked for.
//!
//! Thread: dialer

use deskhand_protocol::helper;
use deskhand_session::SessionId;
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn file(data: &Path, session: SessionId) -> PathBuf {
    data.join("known").join(session.to_string())
}

/// Where the session was when an instance was last in it. A file that cannot be read says nothing.
pub(super) fn last(data: &Path, session: SessionId) -> Option<PathBuf> {
    let word = fs::read_to_string(file(data, session)).ok()?;
    Some(PathBuf::from(word.trim())).filter(|dir| dir.is_absolute())
}

/// Whether a session is in a folder.
pub(super) fn is_session(dir: &Path) -> bool {
    dir.join("session.db").is_file()
}

pub(super) fn remember(data: &Path, session: SessionId, dir: &Path) {
    let write = || -> io::Result<()> {
        let file = file(data, session);
        let half = file.with_extension(format!("new-{}", std::process::id()));
        fs::write(&half, dir.as_os_str().as_encoded_bytes())?;
        fs::rename(half, file)
    };
    // Without it the project's session has to be looked for again; nothing else is lost.
    drop(write());
}

/// Remembers the folder if no other is known. Of two copies the one that the person chose last is used.
pub(super) fn came_to(data: &Path, session: SessionId, dir: &Path) {
    if !last(data, session).is_some_and(|dir| is_session(&dir)) {
        remember(data, session, dir);
    }
}

/// The person chose a folder, so any replacement is over.
pub(super) fn choose(data: &Path, session: SessionId, dir: &Path) {
    remember(data, session, dir);
    set_anew(data, session, false);
}

fn mark(data: &Path, session: SessionId) -> PathBuf {
    file(data, session).with_extension("anew")
}

/// Whether the remembered folder replaces one that was not found.
pub(super) fn is_anew(data: &Path, session: SessionId) -> bool {
    mark(data, session).is_file()
}

pub(super) fn set_anew(data: &Path, session: SessionId, is_anew: bool) {
    let mark = mark(data, session);
    // Without the mark the other instances of the project do not follow by themselves: they can be sent.
    drop(if is_anew { fs::write(mark, "") } else { fs::remove_file(mark) });
}

#[derive(Deserialize)]
struct Located {
    dir: Option<PathBuf>,
}

/// Looks for a session that is not where it was. The helper can read session folders.
pub(super) fn locate(
    session: SessionId,
    was: Option<&Path>,
    beside: Option<&Path>,
) -> Option<PathBuf> {
    let mut command = Command::new(helper::program(beside)?);
    command.args(["locate", &session.to_string(), "--json"]);
    command.args(was.into_iter().flat_map(|was| ["--was".as_ref(), was.as_os_str()]));
    command.stdin(Stdio::null()).stderr(Stdio::null());
    // An older helper cannot, and says so.
    let told = command.output().ok().filter(|told| told.status.success())?;
    let located: Located = serde_json::from_slice(&told.stdout).ok()?;
    located.dir.filter(|dir| is_session(dir))
}
