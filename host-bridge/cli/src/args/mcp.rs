//! Arguments of `deskhand mcp`.

use clap::{Args, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

/// `deskhand mcp`.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) setup: Option<McpCommand>,
    /// The session folder
    pub(crate) dir: Option<PathBuf>,
    /// A folder whose sessions the client may open; may be repeated
    #[arg(long = "in", value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Serve over HTTP on a loopback address instead of stdin and stdout
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) http: Option<SocketAddr>,
    /// Which tools to list
    #[arg(long, value_enum, default_value_t)]
    pub(crate) tools: Tools,
    /// Never open a window for a plan that waits
    #[arg(long)]
    pub(crate) no_window: bool,
    /// Apply plans that the `policy` table of this file allows, without asking
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// While no window is attached, show the model's questions in the client; answers approve nothing
    #[arg(long)]
    pub(crate) elicit: bool,
    /// Add the tools of the conformance suite
    #[arg(long, hide = true)]
    pub(crate) fixtures: bool,
}

/// Subcommands of `deskhand mcp`.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Show the configuration entry an AI client needs, and write it if you agree
    Setup {
        /// The client
        client: Client,
        /// The session folder
        dir: PathBuf,
        /// Write without asking
        #[arg(long, short)]
        yes: bool,
    },
}

/// Which tools are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    /// At most 30; the others are found by searching.
    #[default]
    Core,
    /// Every tool.
    All,
}

/// An AI client whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Desktop
    ClaudeDesktop,
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Zed
    Zed,
    /// VS Code
    #[value(name = "vscode")]
    VsCode,
}
