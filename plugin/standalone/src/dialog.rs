//! The system's dialogs for files and folders, where there are any; else the window asks for the path itself.

use crate::question::Wanted;
use crossbeam_channel::{Receiver, bounded};
use deskhand_session::binding::PROJECT_ENDINGS;
use rfd::FileDialog;
use std::env;
use std::path::{Path, PathBuf};

/// An open dialog. It gives the chosen paths; none if it was closed.
pub(crate) struct Dialog {
    pub(crate) wanted: Wanted,
    pub(crate) chosen: Receiver<Vec<PathBuf>>,
}

impl Dialog {
    /// Opens a dialog, which suggests `path` for a file to write. `None` if the system has no dialog.
    /// `wake` is called when it is answered.
    pub(crate) fn open(
        wanted: Wanted,
        path: PathBuf,
        wake: impl Fn() + Send + 'static,
    ) -> Option<Self> {
        if !is_there() {
            return None;
        }
        let (done, chosen) = bounded(1);
        let ask = move || {
            drop(done.send(chosen_for(wanted, &path)));
            wake();
        };
        start(ask)?;
        Some(Self { wanted, chosen })
    }

    /// The answer, once it is there.
    pub(crate) fn answer(&self) -> Option<Vec<PathBuf>> {
        match self.chosen.try_recv() {
            Ok(chosen) => Some(chosen),
            Err(crossbeam_channel::TryRecvError::Empty) => None,
            Err(crossbeam_channel::TryRecvError::Disconnected) => Some(Vec::new()),
        }
    }
}

fn chosen_for(wanted: Wanted, path: &Path) -> Vec<PathBuf> {
    let dialog = FileDialog::new();
    match wanted {
        Wanted::Open => dialog.set_title("Open a session").pick_folder().into_iter().collect(),
        Wanted::Project => {
            let dialog = dialog.set_title("Open a project");
            let dialog = dialog.add_filter("Projects", &PROJECT_ENDINGS);
            dialog.pick_file().into_iter().collect()
        }
        Wanted::New | Wanted::Example => {
            let dialog = dialog.set_title("New session").set_file_name("song.deskhand");
            dialog.save_file().into_iter().collect()
        }
        Wanted::Import => {
            let dialog = dialog
                .set_title("Import audio")
                .add_filter("Audio", &deskhand_media::AUDIO_ENDINGS);
            dialog.pick_files().unwrap_or_default()
        }
        Wanted::File(call) => {
            let dialog = dialog.set_title(call.title()).add_filter("Files", call.endings());
            let chosen = if call.is_written() {
                offering(dialog, path).save_file()
            } else {
                dialog.pick_file()
            };
            chosen.into_iter().collect()
        }
    }
}

fn offering(dialog: FileDialog, path: &Path) -> FileDialog {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let dialog = dialog.set_file_name(name);
    match path.parent() {
        Some(folder) => dialog.set_directory(folder),
        None => dialog,
    }
}

/// macOS shows dialogs on the window's thread only.
#[cfg(target_os = "macos")]
fn start(ask: impl FnOnce()) -> Option<()> {
    ask();
    Some(())
}

#[cfg(not(target_os = "macos"))]
fn start(ask: impl FnOnce() + Send + 'static) -> Option<()> {
    std::thread::Builder::new().name("dialog".into()).spawn(ask).ok().map(drop)
}

/// Whether the desktop can show one. Without a portal and without zenity nothing would appear, and nobody
/// would know.
#[cfg(target_os = "linux")]
fn is_there() -> bool {
    let on_path = env::var_os("PATH").unwrap_or_default();
    let has_zenity = env::split_paths(&on_path).any(|folder| folder.join("zenity").is_file());
    has_zenity || (has_bus() && has_portal())
}

#[cfg(not(target_os = "linux"))]
fn is_there() -> bool {
    true
}

#[cfg(target_os = "linux")]
fn has_bus() -> bool {
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || runtime.is_some_and(|folder| folder.join("bus").exists())
}

/// Desktops describe their portals in files.
#[cfg(target_os = "linux")]
fn has_portal() -> bool {
    let usual = || "/usr/local/share:/usr/share".into();
    let folders = env::var_os("XDG_DATA_DIRS").filter(|it| !it.is_empty()).unwrap_or_else(usual);
    env::split_paths(&folders).any(|folder| {
        let portals = std::fs::read_dir(folder.join("xdg-desktop-portal/portals"));
        portals.is_ok_and(|mut portals| portals.next().is_some())
    })
}
