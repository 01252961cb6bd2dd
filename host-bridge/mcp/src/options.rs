//! How a server is run, and why one ends.

use std::net::SocketAddr;
use std::path::PathBuf;

/// How a server is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The session that is open from the start.
    pub dir: Option<PathBuf>,
    pub tools: Listed,
    /// A text for the model on calls that run without a person, if a policy file has one.
    pub unattended: Option<String>,
    /// Adds the tools, resources and prompts that the conformance suite asks for.
    pub fixtures: Fixtures,
    /// Whether questions to the person may go through the client.
    pub questions: Questions,
}

/// Which tools are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listed {
    /// At most 30; the others are found with `search_tools` and called with `call_tool`.
    #[default]
    Core,
    /// Every tool.
    All,
}

/// Where a question to the person goes while no front end of a person's is attached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Questions {
    /// Nowhere: the model learns that nobody is there.
    #[default]
    Here,
    /// To the person at the client, by elicitation. It is no way to decide anything.
    ThroughClient,
}

/// Whether the conformance suite's fixtures are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fixtures {
    /// Never outside of tests.
    #[default]
    Absent,
    /// Next to the tools.
    Served,
}

/// Why a server did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    #[error("{0}")]
    Session(#[from] deskhand_session::tool_error::ToolError),
    #[error("no thread can be started: {0}; end other programs, and start this one again")]
    Runtime(std::io::Error),
    #[error("the client could not be served: {0}; let it speak MCP 2026-07-28 or 2025-11-25")]
    Client(String),
    #[error("{0} is no loopback address; use 127.0.0.1:PORT")]
    NotLoopback(SocketAddr),
    #[error("{addr} cannot be listened on: {why}; choose another port, or 0 for a free one")]
    Listen { addr: SocketAddr, why: std::io::Error },
    #[error("the token file {path} cannot be used: {why}; remove it, and start again")]
    Token { path: PathBuf, why: String },
}
