//! Files outside of the session: what they are by their ending, and ones of others that are read up to a limit.

use deskhand_toolkit::{Code, ToolError};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What a file is, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Csv,
    Json,
    Qdc,
    Qdpx,
}

impl Ending {
    fn text(self) -> &'static str {
        match self {
            Self::Csv => ".csv",
            Self::Json => ".json",
            Self::Qdc => ".qdc",
            Self::Qdpx => ".qdpx",
        }
    }

    /// The ending of `path`, among the allowed ones.
    ///
    /// # Errors
    /// When it ends with something else.
    pub(super) fn of(path: &str, allowed: &[Self]) -> Result<Self, ToolError> {
        let lower = path.to_lowercase();
        let found = allowed.iter().find(|ending| lower.ends_with(ending.text()));
        found.copied().ok_or_else(|| {
            let endings: Vec<&str> = allowed.iter().map(|ending| ending.text()).collect();
            let message = format!("{path:?} does not say what it is");
            let fix = format!("let `path` end in {}", endings.join(" or "));
            ToolError::prepare(Code::BadParams, message, fix)
        })
    }
}

/// Opens a file to be read.
///
/// # Errors
/// When it is no file, or cannot be opened.
pub(super) fn open(path: &Path) -> Result<File, ToolError> {
    // Check the file type before opening: opening a pipe would block.
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !metadata.is_file() {
        return Err(unreadable(path, &"it is no file"));
    }
    File::open(path).map_err(|error| unreadable(path, &error))
}

/// Reads the content of `from`, a part of the file `path`: at most `most` bytes.
///
/// # Errors
/// When it is longer, or cannot be read.
pub(super) fn read(path: &Path, from: impl Read, most: u64) -> Result<Vec<u8>, ToolError> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > most {
        return Err(unreadable(path, &format!("it has more than {} MB", most / 1_000_000)));
    }
    Ok(bytes)
}

/// That a file cannot be read, and why.
pub(super) fn unreadable(path: &Path, cause: &dyn std::fmt::Display) -> ToolError {
    let message = format!("{} cannot be read: {cause}", path.display());
    ToolError::run(Code::Media, message, "check the path and the permissions")
}
