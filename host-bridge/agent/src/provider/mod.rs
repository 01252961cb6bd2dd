//! Models that answer over HTTP: the Anthropic Messages API, and OpenAI-compatible chat completions.
//!
//! Thread: net. Everything here is async and runs on any tokio runtime with I/O and time, a current-thread
//! one too. A turn is cancelled by dropping its future: the connection closes, and the history is as it
//! was.
//!
//! Does not know: tools, sessions, the bridge, what a reply's calls do. It fetches one [`Reply`] to one
//! [`TurnRequest`]; the loop is built on top. Nothing here can approve anything.
//!
//! The steps: [`Config`] names providers; [`Provider::open`] checks host, key and reach; `http` sends with
//! bounds and retries; `stream` and `sse` cut the answer; `anthropic` and `openai` read it into a `draft`;
//! [`history`] keeps what every provider accepts.
//!
//! ```text
//! let config = Config::load(&process_environment)?;
//! let Chosen::Model(provider) = Provider::open(&config, name, reach, &process_environment)? else { planner };
//! history::say(&mut stored, words);
//! loop {
//!     history::repair(&mut stored);
//!     let messages = history::trimmed(&stored, budget).messages;
//!     let request = TurnRequest { system, messages: &messages, tools, max_tokens: provider.max_tokens() };
//!     let reply = provider.turn(&request, &mut |event| tell(event)).await?;   // drop = cancel
//!     // one result for each call, in order, in one message; or the turn ends
//!     stored.push(Message::assistant(reply.parts)); stored.push(Message::results(results));
//! }
//! ```

#![cfg_attr(
    not(feature = "network"),
    allow(dead_code, unused_imports, reason = "the wire formats wait for a network")
)]

mod address;
#[cfg(feature = "network")]
mod answer;
mod anthropic;
mod config;
mod config_file;
mod draft;
mod error;
pub mod history;
#[cfg(feature = "network")]
mod http;
#[cfg(not(feature = "network"))]
#[path = "without_network.rs"]
mod http;
mod ids;
mod key;
mod list;
pub mod manage;
mod message;
mod open;
mod openai;
mod openai_calls;
mod secret;
mod sent_log;
mod sse;
mod stream;
mod turn;
#[cfg(test)]
mod wire_tests;

pub use address::AddressError;
pub use config::{
    Budget, Config, ConfigError, Environment, KeySource, Kind, ModelConfig, ProviderConfig, path,
    process_environment,
};
pub use error::{Place, ProviderError};
pub use key::KeyError;
pub use message::{Arguments, Message, Part, Role, Usage};
pub use open::{Chosen, OpenError, Provider, Reach};
pub use secret::{Secret, WrongHost};
pub use sent_log::{ContentKind, Sent, open_private};
pub use turn::{
    Limits, Listener, Reply, Retrying, StopReason, ToolDefinition, TurnEvent, TurnRequest,
};
