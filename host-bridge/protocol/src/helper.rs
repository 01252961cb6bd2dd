//! The program that serves sessions to windows and plugins: where it is, and starting it.
//!
//! Windows and plugins never own a session. They connect to its hub, and start one with `deskhand serve
//! --background` if there is none.

use crate::socket::{AttachError, Role, SocketLink, attach};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Its name, without what the system adds to programs.
const PROGRAM: &str = "deskhand";
/// Names another program to use, for tests and for installations out of the ordinary.
const VARIABLE: &str = "DESKHAND_HELPER";

/// Why there is no hub.
#[derive(Debug, thiserror::Error)]
pub enum HelperError {
    /// The program is not installed.
    #[error(
        "the program `deskhand` is not installed; run `deskhand install` from the folder that Deskhand came in"
    )]
    Absent,
    /// It was found and cannot be started.
    #[error("{program} cannot be started: {why}; install Deskhand again")]
    Broken {
        /// Where it is.
        program: PathBuf,
        /// What the system said.
        why: String,
    },
    /// It ran, and refused.
    #[error("{said}")]
    Refused {
        /// Its words, with the way out.
        said: String,
    },
    /// The hub is there and cannot be spoken with.
    #[error(transparent)]
    Attach(#[from] AttachError),
}

/// The folder of this user's sessions and of the record of the installed program; `None` without a home.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let named = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(target_os = "macos") {
        named("HOME").map(|home| home.join("Library/Application Support"))
    } else if cfg!(windows) {
        named("LOCALAPPDATA")
    } else {
        named("XDG_DATA_HOME").or_else(|| named("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join(PROGRAM))
}

/// The folder of this user's music: the system's, else the home; `None` without a home.
#[must_use]
pub fn music_folder() -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let home = env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())?;
    let music = home.join("Music");
    Some(if music.is_dir() { music } else { home })
}

/// The file in the data folder that holds the path of the installed program.
#[must_use]
pub fn record(data: &Path) -> PathBuf {
    data.join("helper")
}

/// Finds the program: named by `DESKHAND_HELPER`, in the folder `beside`, where it was installed, or on the PATH.
#[must_use]
pub fn program(beside: Option<&Path>) -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let near = beside.map(|folder| folder.join(&name));
    let on_path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&on_path).map(|folder| folder.join(&name)).collect::<Vec<_>>();
    named.into_iter().chain(near).chain(installed()).chain(on_path).find(|path| path.is_file())
}

fn installed() -> Option<PathBuf> {
    let text = fs::read_to_string(record(&data_folder()?)).ok()?;
    Some(PathBuf::from(text.trim()))
}

/// Connects to the hub of the session in `dir`. If there is none, it is started, and stays for `linger`
/// seconds after its last front end left. Waits at most as long as `deskhand serve --background` does.
///
/// # Errors
/// When the program is missing, refuses, or its hub cannot be spoken with.
pub fn attach_or_start(
    dir: &Path,
    role: Role,
    beside: Option<&Path>,
    linger: u32,
) -> Result<SocketLink, HelperError> {
    match attach(dir, role) {
        Err(AttachError::NotServed { .. }) => {}
        link @ (Ok(_) | Err(AttachError::Version { .. } | AttachError::Io { .. })) => {
            return Ok(link?);
        }
    }
    let linger = linger.to_string();
    let words =
        ["serve".into(), dir.into(), "--background".into(), "--linger".into(), linger.into()];
    run(beside, words)?;
    Ok(attach(dir, role)?)
}

/// Makes an empty session in `dir`.
///
/// # Errors
/// When the program is missing, or refuses.
pub fn create(dir: &Path, rate: u32, beside: Option<&Path>) -> Result<(), HelperError> {
    run(beside, ["new".into(), dir.into(), "--rate".into(), rate.to_string().into()])
}

/// Makes a session with the example interview in `dir`.
///
/// # Errors
/// When the program is missing, or refuses.
pub fn create_example(dir: &Path, beside: Option<&Path>) -> Result<(), HelperError> {
    run(beside, ["new".into(), dir.into(), "--example".into()])
}

/// Makes a session from the project of a DAW in `dir`.
///
/// # Errors
/// When the program is missing, or refuses.
pub fn open_project(file: &Path, dir: &Path, beside: Option<&Path>) -> Result<(), HelperError> {
    run(beside, ["open".into(), file.into(), dir.into()])
}

/// Runs the program to its end.
fn run<const N: usize>(beside: Option<&Path>, words: [OsString; N]) -> Result<(), HelperError> {
    let program = program(beside).ok_or(HelperError::Absent)?;
    let mut command = Command::new(&program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let broken = |error: std::io::Error| HelperError::Broken { program, why: error.to_string() };
    let ended = command.output().map_err(broken)?;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let said = said.trim().trim_start_matches("error: ").to_owned();
    Err(HelperError::Refused { said })
}
