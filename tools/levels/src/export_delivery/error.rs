//! Why a file could not be delivered.

use deskhand_media::WriteError;
use deskhand_toolkit::{Code, ToolError};
use std::io;

/// Why a file could not be delivered.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExportError {
    /// The disk.
    #[error("the file cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The encoder.
    #[error("the encoder failed: {0}")]
    Encode(String),
    /// No program makes MP3 here.
    #[error("MP3 needs the program lame or ffmpeg, and neither is installed")]
    NoProgram,
    /// The program that makes MP3 failed.
    #[error("{program} failed: {told}")]
    Program {
        /// Its name.
        program: &'static str,
        /// The end of its error output.
        told: String,
    },
    /// What the run itself failed with.
    #[error(transparent)]
    Run(#[from] ToolError),
}

/// Without the name of the file: it has not got its own yet.
impl From<WriteError> for ExportError {
    fn from(error: WriteError) -> Self {
        Self::Io(match error {
            WriteError::DiskFull { .. } => io::ErrorKind::StorageFull.into(),
            WriteError::Denied { cause, .. } | WriteError::Io { cause, .. } => {
                io::Error::other(cause)
            }
            error => io::Error::other(error.to_string()),
        })
    }
}

impl From<ExportError> for ToolError {
    fn from(error: ExportError) -> Self {
        let fix = match &error {
            ExportError::Run(error) => return error.clone(),
            ExportError::Io(_) => "give another `path`, or free some space",
            ExportError::Encode(_) => "deliver it as wav, and convert that",
            ExportError::NoProgram => "install lame (apt install lame), or deliver opus or flac",
            ExportError::Program { .. } => "deliver it as wav, and convert that",
        };
        Self::run(Code::Write, error.to_string(), fix)
    }
}
