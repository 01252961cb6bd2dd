//! What a tool is, what it may see, and the pool that runs it.
//!
//! Thread: `prepare` on the message thread, `run` on a worker. A tool is a function from a snapshot of
//! the session and parameters to a [`Draft`] of a plan; it changes nothing.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod about;
pub mod audio;
pub mod cache;
pub mod cancel;
pub mod faults;
pub mod file_url;
pub mod files;
pub mod find;
pub mod generated_audio;
pub mod growing_draft;
pub mod levels;
pub mod peaks;
pub mod pool;
pub mod program;
pub mod registry;
pub mod spec;
pub mod target;
pub mod task;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod typed;
mod unheard;

pub use audio::{Audio, ClipReader};
pub use cache::{MeasurementCache, NoCache};
pub use cancel::{CancelToken, Stopped};
pub use deskhand_session::command_line::Reads;
pub use deskhand_session::offers::{Gesture, Menu, Offers};
pub use deskhand_session::tool_error::{Code, Phase, ToolError};
pub use deskhand_session::{Category, CommandLine, Provisional, ToolEffect, Trust};
pub use pool::Pool;
pub use program::{Network, Program};
pub use registry::Registry;
pub use spec::ToolSpec;
pub use target::Targets;
pub use task::{
    CallRequest, Draft, Estimate, HostInputs, PlanContext, PlanTask, Prepared, Progress, Tool,
};
pub use typed::{Command, CommandCall, TypedTool};
