//! Decoding foreign files in a child process with limits.
//!
//! A file made to do harm can make a decoder ask for absurd memory, which ends the process, or loop
//! forever. So a process that serves others decodes in a child, with limited memory, limited processor time
//! per request, and a time limit for each answer. The child speaks over its standard input and output.
//!
//! The program that is started calls [`run_if_asked`] first thing in `main`.

mod decoder;
#[cfg(unix)]
mod limits;
mod protocol;
mod serve;

pub(crate) use decoder::ChildDecoder;
pub use serve::{run_if_asked, serve};

use std::ffi::OsString;
use std::path::PathBuf;

/// The argument that makes a program the decode child; the file follows.
pub const MODE: &str = "__decode";

/// How to start the decode child: a program that calls [`run_if_asked`] first thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildCommand {
    /// The program, usually this one.
    pub program: PathBuf,
    /// Its arguments before those that media adds.
    pub args: Vec<OsString>,
}

impl ChildCommand {
    /// This very program in its hidden mode.
    ///
    /// # Errors
    /// When the system does not say where this program is.
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, args: vec![MODE.into()] })
    }
}
