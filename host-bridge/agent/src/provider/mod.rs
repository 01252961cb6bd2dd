//! Models that answer over HTTP: the Anthropic Messages API, and OpenAI-compatible chat completions.
//!
//! Thread: net. Everything here is async and runs on any tokio runtime, a current-thread one too. A turn
//! is cancelled by dropping its future: the connection closes, and the history is as it was.
//!
//! Does not know: tools, sessions, the bridge, what a reply's calls do. It fetches one [`Reply`] to one
//! [`TurnRequest`]; the loop is built on top. Nothing here can approve anything.
//!
//! The steps: [`Config`] names providers; [`Provider::open`] checks host, key and reach; `http` sends with
//! bounds and retries; `sse` cuts the stream; `anthropic` and `openai` read it; `history` keeps what every
//! provider accepts.

pub mod history;
mod ids;
mod message;
mod sent_log;
mod turn;

pub use message::{Arguments, Message, Part, Role, Usage};
pub use sent_log::{ContentKind, Sent};
pub use turn::{
    Limits, Listener, Reply, Retrying, StopReason, ToolDefinition, TurnEvent, TurnRequest,
};
