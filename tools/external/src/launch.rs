//! Starting a program so that it can be ended and can do little else than its work.
//!
//! The program is not started directly. This very program is started, in a hidden mode, as the first of a
//! new process group. It drops the rights that the tool may not have, permanently and for all its children,
//! and then becomes the tool. So no code runs between `fork` and `exec`, and none of it is unsafe.

#[cfg(target_os = "linux")]
mod fence;
#[cfg(unix)]
mod guard;
#[cfg(unix)]
mod process;
#[cfg(target_os = "linux")]
mod usage;

#[cfg(unix)]
pub(crate) use process::{RunError, Running};

use deskhand_toolkit::Network;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The argument that makes a program the guard; the order follows.
pub const MODE: &str = "__run-tool";

/// The largest file that a tool may write, in bytes.
pub(crate) const LARGEST_FILE: u64 = 4 << 30;
/// The most that all files of a run may take on the disk, in bytes.
pub(crate) const LARGEST_ROOM: u64 = 8 << 30;
/// The most processes of one tool.
#[cfg(target_os = "linux")]
pub(crate) const MOST_PROCESSES: usize = 64;

/// How programs are started: by a program that calls [`run_if_asked`] first thing, usually this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    pub program: PathBuf,
    /// Its arguments before those added here.
    pub args: Vec<OsString>,
}

impl Launcher {
    /// This very program in its hidden mode.
    ///
    /// # Errors
    /// When the system does not say where this program is.
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, args: Vec::new() })
    }
}

/// The instructions for the guard.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// Program and arguments.
    pub(crate) argv: Vec<String>,
    /// The only folder that may be written to; the working folder.
    pub(crate) room: PathBuf,
    /// Whether the network may be used.
    pub(crate) network: bool,
    /// Bytes of memory of one process.
    pub(crate) memory: u64,
    /// Seconds of processor time of one process.
    pub(crate) processor_s: u64,
    /// Bytes of one file.
    pub(crate) file: u64,
}

impl Order {
    pub(crate) fn network_of(network: Network) -> bool {
        match network {
            Network::Open => true,
            Network::Closed => false,
        }
    }
}

/// Becomes a tool if this program was started to do so: call it first in `main` and return its result.
/// `None` on an ordinary start.
#[must_use]
pub fn run_if_asked() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let asked = args.next().is_some_and(|mode| mode == MODE);
    let order = args.next().filter(|_| asked)?;
    #[cfg(unix)]
    return Some(guard::become_tool(&order));
    #[cfg(not(unix))]
    {
        drop(order);
        Some(ExitCode::FAILURE)
    }
}

/// What this system keeps a tool from, in words for people; and what it does not.
#[must_use]
pub fn kept_from(network: Network) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut kept, mut open) = (Vec::new(), Vec::new());
    let mut sort = |is_kept: bool, what| if is_kept { kept.push(what) } else { open.push(what) };
    #[cfg(target_os = "linux")]
    let (folders, calls) = (fence::keeps_folders(), fence::keeps_calls());
    #[cfg(not(target_os = "linux"))]
    let (folders, calls) = (false, false);
    sort(folders, "writing outside of its own folder");
    sort(folders, "signals to other programs");
    sort(calls, "leaving its process group");
    match network {
        Network::Closed => sort(calls, "the network"),
        Network::Open => open.push("the network"),
    }
    open.push("reading what you can read");
    (kept, open)
}

/// The longest processor time of a process: all cores for the whole time.
pub(crate) fn processor_s(timeout: Duration) -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    timeout.as_secs().saturating_add(1).saturating_mul(cores)
}
