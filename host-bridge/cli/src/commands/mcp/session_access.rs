//! The sessions that an AI client may open, and their hubs.

use crate::commands::new;
use crate::exit::Failure;
use crate::output::Output;
use crate::serving::{Serving, Wishes};
use deskhand_mcp::{Door, Opened, SessionInfo, Shown};
use deskhand_protocol::socket::{AttachError, Role, SocketLink, attach};
use deskhand_protocol::{Link, News, Op, Read, Snapshot};
use deskhand_session::PlanId;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_store::Store;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a hub is asked whether somebody is there.
const GLANCE: Duration = Duration::from_secs(2);

/// Whether a plan that waits may open a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    Allowed,
    Never,
}

/// Sessions in allowed folders, each with its hub: another process's, or one of our own.
pub(super) struct Doors {
    /// What may be opened: this folder itself, or everything right inside.
    session: Option<PathBuf>,
    folders: Vec<PathBuf>,
    window: Window,
    policy: Option<PathBuf>,
    hubs: Mutex<BTreeMap<PathBuf, Serving>>,
}

impl Doors {
    pub(super) fn new(
        dir: Option<&Path>,
        folders: &[PathBuf],
        window: Window,
        policy: Option<PathBuf>,
    ) -> Result<Self, Failure> {
        let session = dir.map(whole).transpose()?;
        let folders = folders.iter().map(|folder| whole(folder)).collect::<Result<_, _>>()?;
        Ok(Self { session, folders, window, policy, hubs: Mutex::default() })
    }

    /// The folder without links and dots, if it may be opened.
    fn allowed(&self, dir: &Path) -> Result<PathBuf, ToolError> {
        let base = self.folders.first().or(self.session.as_ref());
        let dir = base.map_or_else(|| dir.to_owned(), |base| base.join(dir));
        let parent = dir.parent().and_then(|parent| parent.canonicalize().ok());
        let real = dir.canonicalize().ok().or_else(|| Some(parent?.join(dir.file_name()?)));
        let inside = |real: &PathBuf| {
            self.session.as_ref() == Some(real)
                || self.folders.iter().any(|folder| real.parent() == Some(folder))
        };
        real.filter(inside).ok_or_else(|| {
            let message = format!("{} is not in a folder that the person allowed", dir.display());
            ToolError::prepare(
                Code::Refused,
                message,
                "list_sessions lists the sessions you can open",
            )
        })
    }

    fn link_to(&self, dir: &Path) -> Result<Box<dyn Link>, ToolError> {
        match attach(dir, Role::Agent) {
            Ok(link) => return Ok(Box::new(link)),
            Err(error @ AttachError::Version { .. }) => return Err(unreachable(error)),
            // Whether the session is free is known by the owner's lock.
            Err(AttachError::NotServed { .. } | AttachError::Io { .. }) => {}
        }
        let mut hubs = self.hubs.lock();
        hubs.retain(|_, hub| hub.is_running());
        let wishes = Wishes {
            policy: self.policy.clone(),
            linger: None,
            local_only: false,
            on_sent: Box::new(|_| {}),
        };
        // A hub of our own, which other front ends find as well.
        let hub = Serving::start(dir, wishes, Output::new(false)).map_err(told)?;
        let front = hub.door().agent().map_err(unreachable)?;
        hubs.insert(dir.to_owned(), hub);
        Ok(Box::new(front))
    }
}

impl Drop for Doors {
    fn drop(&mut self) {
        for (_, hub) in std::mem::take(&mut *self.hubs.lock()) {
            // Acknowledged work is stored; nobody is left to hear of the rest.
            drop(hub.stop());
        }
    }
}

impl Door for Doors {
    fn sessions(&self) -> Vec<SessionInfo> {
        let mut dirs: Vec<PathBuf> = self.session.iter().cloned().collect();
        for folder in &self.folders {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            dirs.extend(
                entries.map(|entry| entry.path()).filter(|dir| dir.join("session.db").is_file()),
            );
        }
        dirs.sort();
        dirs.dedup();
        dirs.into_iter().map(info).collect()
    }

    fn open(&self, dir: &Path) -> Result<Opened, ToolError> {
        let dir = self.allowed(dir)?;
        let link = self.link_to(&dir)?;
        Ok(Opened { dir, link })
    }

    fn create(&self, dir: &Path, rate: u32) -> Result<Opened, ToolError> {
        let dir = self.allowed(dir)?;
        let empty = new::empty(rate).map_err(told)?;
        let (store, _) = Store::create(&dir, &empty).map_err(unreachable)?;
        store.close().map_err(unreachable)?;
        self.open(&dir)
    }

    fn show(&self, dir: &Path, plan: PlanId) -> Shown {
        if is_attended(dir) {
            return Shown::Attached;
        }
        match self.window {
            Window::Allowed if open_window(dir, plan) => Shown::Window,
            Window::Allowed | Window::Never => Shown::Terminal,
        }
    }

    fn command(&self, dir: &Path, plan: PlanId) -> String {
        format!("deskhand apply {} {plan}", quoted(dir))
    }
}

fn info(dir: PathBuf) -> SessionInfo {
    let name = dir.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_served = attach(&dir, Role::Observer).is_ok();
    SessionInfo { dir, name, is_served }
}

/// The folder without links and dots.
pub(super) fn whole(dir: &Path) -> Result<PathBuf, Failure> {
    dir.canonicalize().map_err(|error| {
        Failure::new("open", format!("{}: {error}", dir.display()), "name an existing folder")
    })
}

/// Whether somebody who can decide is connected to the hub.
fn is_attended(dir: &Path) -> bool {
    let asked = attach(dir, Role::Observer).ok();
    asked.and_then(|link| snapshot(&link)).is_some_and(|snapshot| snapshot.is_attended)
}

fn snapshot(link: &SocketLink) -> Option<Snapshot> {
    let call = link.submit(Op::Read { what: Read::Snapshot });
    loop {
        let event = link.events().recv_timeout(GLANCE).ok()?;
        if let (Some(of), News::Done { result }) = (event.call, event.news)
            && of == call
        {
            return serde_json::from_value(result.answer?).ok();
        }
    }
}

/// Opens the standalone app on a plan, if it is installed next to this program and there is a screen.
fn open_window(dir: &Path, plan: PlanId) -> bool {
    let has_screen = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let beside = std::env::current_exe().ok();
    let app = beside
        .map(|exe| exe.with_file_name(format!("deskhand-app{}", std::env::consts::EXE_SUFFIX)));
    let Some(app) = app.filter(|app| has_screen && app.is_file()) else {
        return false;
    };
    let mut command = Command::new(app);
    // stdout is the protocol's.
    command.arg(dir).arg("--plan").arg(plan.to_string()).stdin(Stdio::null()).stdout(Stdio::null());
    command.spawn().is_ok()
}

/// A path as a POSIX shell reads it back.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%".contains(c);
    if text.chars().all(is_plain) && !text.is_empty() {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn told(failure: Failure) -> ToolError {
    ToolError::prepare(Code::Storage, failure.message, failure.fix)
}

fn unreachable(error: impl std::fmt::Display) -> ToolError {
    told(Failure::plain("hub", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_right_inside_an_allowed_folder_is_opened() {
        let tmp = tempfile::tempdir().unwrap();
        let (allowed, other) = (tmp.path().join("allowed"), tmp.path().join("other"));
        std::fs::create_dir_all(allowed.join("song")).unwrap();
        std::fs::create_dir_all(other.join("secret")).unwrap();
        let folders = std::slice::from_ref(&allowed);
        let doors = Doors::new(None, folders, Window::Never, None).unwrap();
        let song = allowed.join("song").canonicalize().unwrap();
        assert_eq!(doors.allowed(Path::new("song")).unwrap(), song);
        assert_eq!(doors.allowed(&song).unwrap(), song);
        let new = song.with_file_name("new");
        assert_eq!(doors.allowed(Path::new("new")).unwrap(), new, "one that is still to be made");
        for outside in ["../other/secret", "song/../../other/secret", "..", ".", "song/deeper"] {
            assert!(doors.allowed(Path::new(outside)).is_err(), "{outside}");
        }
        assert!(doors.allowed(&other.join("secret")).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(other.join("secret"), allowed.join("link")).unwrap();
            assert!(doors.allowed(Path::new("link")).is_err());
        }
    }

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(quoted(Path::new("/srv/a/song.deskhand")), "/srv/a/song.deskhand");
        assert_eq!(quoted(Path::new("/my songs/it's $HOME")), r"'/my songs/it'\''s $HOME'");
    }
}
