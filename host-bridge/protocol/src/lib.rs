//! What front ends say ([`Submission`]) and hear ([`Event`]): values in process, JSON lines on a socket.
//!
//! Thread: any.
//!
//! Does not know: the bridge, tools, files. Authority is not in here: it belongs to the connection.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod approval_settings;
pub mod clean;
pub mod desk;
pub mod event;
pub mod hearing;
pub mod helper;
pub mod instance;
pub mod link;
pub mod mirror;
pub mod peaks;
pub mod result;
pub mod show_file;
pub mod socket;
pub mod submission;
pub mod tool_info;
pub mod transcript_tables;
pub mod values;

pub use approval_settings::{Asking, Rule, ToolRule, is_small};
pub use event::{CallId, Event, News};
pub use hearing::Hearing;
pub use instance::{
    CaptureKind, Clock, Instance, InstanceState, Joined, LEAD, Saved, Switches, TempoStretch,
    WAY_TO_CAPTURE,
};
pub use link::Link;
pub use mirror::{Followed, Mirror, Snapshot};
pub use result::{Status, ToolResult};
pub use submission::{Apply, Decision, Op, Read, Speech, Submission};
pub use tool_info::ToolInfo;
