//! What front ends say ([`Submission`]) and hear ([`Event`]): values in process, JSON lines on a socket.
//!
//! Thread: any.
//!
//! Does not know: the bridge, tools, files. Authority is not in here: it belongs to the connection.

#![forbid(unsafe_code)]

pub mod event;
pub mod result;
pub mod submission;

pub use event::{CallId, Event, News};
pub use result::{Status, ToolResult};
pub use submission::{Apply, Decision, Op, Submission};
