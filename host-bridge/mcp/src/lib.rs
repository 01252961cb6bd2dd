//! A session as an MCP server: any AI client can read it, plan on it, and wait for a person's decision.
//!
//! Thread: any; a runtime of its own while it serves.
//!
//! Does not know the bridge, tools or files of a session. It may do what a model's
//! [`deskhand_protocol::Link`] may do: it cannot approve, and none of its tools does.

#![forbid(unsafe_code)]

mod ask;
mod calls;
mod connection;
mod decision;
mod desk;
mod elicit;
mod file;
mod fixtures;
mod host_program;
mod http;
#[cfg(test)]
mod http_tests;
mod job;
mod listing;
mod notices;
mod options;
mod own;
mod own_calls;
mod prompts;
mod resources;
mod schema;
mod server;
mod shape;
mod stdio;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod token;
mod words;

pub use host_program::{Door, Opened, SessionInfo, Shown};
pub use http::serve_http;
pub use options::{Fixtures, Listed, McpError, Options, Questions};
pub use stdio::serve_stdio;
