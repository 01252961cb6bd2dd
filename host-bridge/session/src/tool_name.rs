//! How the names of tools begin.

/// The beginning of the names of commands.
pub const COMMAND: &str = "cmd_";

/// The beginning of the names of other tools that plan.
pub const TOOL: &str = "tool_";
