//! `deskhand tools`: what can be done with tools of one's own.

use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

/// What `deskhand tools` does beside listing.
#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List the manifests of your own tools, and those that came with a session
    List {
        /// The session folder
        dir: Option<PathBuf>,
    },
    /// Write a manifest and a program in Python that work as they are
    New {
        /// The name, in small letters, digits and _
        name: String,
        /// Where to; omitted: your own folder of tools
        folder: Option<PathBuf>,
        /// What it begins as
        #[arg(long, value_enum, default_value_t)]
        like: Like,
    },
    /// Run a tool on a test tone and say what happened
    Check {
        /// The manifest
        file: PathBuf,
        /// Parameters as one JSON object; omitted: the first of its examples
        #[arg(long, value_name = "JSON")]
        params: Option<String>,
        /// Run it without asking, though it lies outside of your own folder
        #[arg(long, short)]
        yes: bool,
    },
    /// Let a tool that came with a session be called, as it is now, on this machine
    Approve {
        /// The manifest
        file: PathBuf,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Take an approval back
    Forget {
        /// The manifest
        file: PathBuf,
    },
}

/// What a new tool begins as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Like {
    /// A change of level, without anything but Python
    #[default]
    Plain,
    /// Pitch and time by the program rubberband
    PitchAndTime,
}
