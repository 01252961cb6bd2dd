//! Why a tool call gave no plan: in words that a person and a model can act on.
//!
//! It is defined here because tools make it and the protocol carries it, and neither knows the other.

use serde::{Deserialize, Serialize};

/// Where it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before any work: parameters and targets.
    Prepare,
    /// While measuring and planning.
    Run,
    /// While applying.
    Apply,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// No tool has that name.
    UnknownTool,
    /// The parameters do not fit the schema or contradict each other.
    BadParams,
    /// The targets match nothing.
    NoTarget,
    /// The same targets are being worked on.
    InProgress,
    /// A file cannot be read, or changed.
    Media,
    /// A file cannot be written.
    Write,
    /// Someone cancelled.
    Cancelled,
    /// It took longer than it may.
    TimedOut,
    /// The tool has a bug.
    Panicked,
    /// The result would not be a valid session.
    Invalid,
    /// The session moved on.
    Conflict,
    /// A person's decision is needed.
    DecisionNeeded,
    /// It was refused by a rule or for want of authority.
    Refused,
    /// The session cannot be stored.
    Storage,
}

/// Why a tool call gave no plan. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}; {fix}")]
pub struct ToolError {
    /// Where it failed.
    pub phase: Phase,
    /// What kind of failure.
    pub code: Code,
    /// What failed, naming the thing.
    pub message: String,
    /// The way out.
    pub fix: String,
}

impl ToolError {
    /// A failure before any work.
    pub fn prepare(code: Code, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { phase: Phase::Prepare, code, message: message.into(), fix: fix.into() }
    }

    /// A failure while planning.
    pub fn run(code: Code, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { phase: Phase::Run, code, message: message.into(), fix: fix.into() }
    }

    /// Audio that could not be read.
    pub fn media(error: impl std::fmt::Display) -> Self {
        Self::run(Code::Media, error.to_string(), "check that the file is there and unchanged")
    }
}
