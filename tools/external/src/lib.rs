//! Tools that anyone can add. A manifest names a program, the program gets audio files in a folder, and its
//! output becomes a plan.
//!
//! Thread: [`load`] when a session is opened; `prepare` on the message thread, `run` on a worker, which waits for
//! the program with a limit of time. The program runs in a process group of its own, started by this very
//! program in a hidden mode that gives up what the program may not do ([`launch::run_if_asked`]).
//!
//! Does not know: the engine, the host, the bridge, the agent, the database. Whether a program may run is asked
//! by the bridge.

#![forbid(unsafe_code)]

mod approvals;
mod candidate;
mod findings;
pub mod fixture;
mod folder;
pub mod launch;
mod lines;
mod manifest;
mod outcome;
mod plan_changes;
mod results;
mod run_folder;
mod sanitize;
mod schema;
#[cfg(unix)]
mod stale_runs;
mod template;
mod tool;

pub use approvals::{Approvals, ApprovalsError};
pub use candidate::{Candidate, CandidateError};
pub use folder::{ENDING, Entry, Loaded, Places, State, load};
pub use launch::Launcher;
pub use manifest::{Gives, Manifest, ManifestError, Takes};
pub use template::{Template, TemplateError};
pub use tool::External;
