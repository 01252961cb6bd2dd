//! `deskhand locate`: where a session is whose folder was moved. Projects of hosts know a session by its id.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use deskhand_protocol::helper::data_folder;
use deskhand_protocol::socket::{Role, attach};
use deskhand_session::SessionId;
use deskhand_store::{OpenError, Store};
use serde::Deserialize;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How long is looked: somebody waits for the host's project to open.
const LONGEST: Duration = Duration::from_secs(4);

/// Tells where the session is; with `--json` `{dir}`, which is null where it was not found.
pub(crate) fn run(session: SessionId, was: Option<&Path>, output: Output) -> Result<Exit, Failure> {
    let found = located(session, was);
    output.json(&json!({"dir": found}));
    match found {
        Some(dir) => output.say(dir.display().to_string()),
        None if output.is_json() => {}
        None => {
            let message = format!("{session} was not found in the folders of sessions");
            return Err(Failure::new("no_target", message, "open its folder by its path"));
        }
    }
    Ok(Exit::Done)
}

/// Searches the nearest places first: next to its old place, in the folders next to that one, among this
/// user's sessions, and among the last ones opened in the window.
fn located(session: SessionId, was: Option<&Path>) -> Option<PathBuf> {
    let begin = Instant::now();
    let data = data_folder();
    let near = was.and_then(Path::parent);
    let beside = near.and_then(Path::parent).map(folders_in).unwrap_or_default();
    let own = data.as_ref().map(|data| data.join("sessions"));
    let places = near.into_iter().map(Path::to_owned).chain(beside).chain(own);
    let sessions = places.map(|place| sessions_in(&place));
    let recent = data.as_deref().map(recent).unwrap_or_default();
    let mut all = sessions.chain([recent]).flatten();
    all.find(|dir| begin.elapsed() < LONGEST && is_it(dir, session))
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// Session folders right inside of a folder, the one that was changed last first: copies have one id.
fn sessions_in(folder: &Path) -> Vec<PathBuf> {
    let changed = |dir: &Path| dir.join("session.db").metadata().and_then(|it| it.modified()).ok();
    let found = folders_in(folder).into_iter();
    let found = found.filter_map(|dir| changed(&dir).map(|time| (time, dir)));
    let mut found: Vec<(SystemTime, PathBuf)> = found.collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, dir)| dir).collect()
}

/// The recent sessions in the file that the window keeps.
#[derive(Default, Deserialize)]
struct Kept {
    #[serde(default)]
    recent: Vec<PathBuf>,
}

fn recent(data: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(data.join("window.toml")).unwrap_or_default();
    toml::from_str::<Kept>(&text).unwrap_or_default().recent
}

/// Whether it is the session. If a process has it open, that process is asked.
fn is_it(dir: &Path, session: SessionId) -> bool {
    match Store::session_in(dir) {
        Ok(found) => found == session,
        Err(OpenError::InUse { .. }) => {
            attach(dir, Role::Person).is_ok_and(|link| link.session() == session)
        }
        Err(_) => false,
    }
}
