//! Arguments of `deskhand tools`: your own tools.

use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

/// Subcommands of `deskhand tools`.
#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List the manifests of your own tools and of tools that came with a session
    List {
        /// The session folder
        dir: Option<PathBuf>,
    },
    /// Make a new tool: a manifest and a working Python program
    New {
        /// The name: lowercase letters, digits and _
        name: String,
        /// The folder (default: your own tools folder)
        folder: Option<PathBuf>,
        /// The template
        #[arg(long, value_enum, default_value_t)]
        like: Like,
    },
    /// Run a tool on a test tone and report the result
    Check {
        /// The manifest
        file: PathBuf,
        /// Parameters as one JSON object (default: the tool's first example)
        #[arg(long, value_name = "JSON")]
        params: Option<String>,
        /// Run a tool outside your own tools folder without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// Allow a tool that came with a session, in its current form, on this machine
    Approve {
        /// The manifest
        file: PathBuf,
        /// Approve without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// Revoke an approval
    Forget {
        /// The manifest
        file: PathBuf,
    },
}

/// Templates of a new tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Like {
    /// A level change, with Python only
    #[default]
    Plain,
    /// Pitch and time, with the rubberband program
    PitchAndTime,
}
