//! The project file on the disk.

use crate::format::Format;
use deskhand_session::ContentHash;
use deskhand_toolkit::{Code, ToolError};
use std::path::Path;

/// The largest project that is read, bytes: the plugin states of a big one are tens of megabytes.
const MOST: u64 = 1 << 30;

/// Its bytes and their hash.
///
/// # Errors
/// When it is not there, cannot be read, or is too large.
pub(crate) fn read(path: &Path) -> Result<(Vec<u8>, ContentHash), ToolError> {
    let refused = |why: String| unreadable(path, why);
    let found = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?;
    if found.len() > MOST {
        return Err(refused("it is larger than 1 GB".into()));
    }
    let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    let hash = hash(&bytes);
    Ok((bytes, hash))
}

/// The hash of a project's bytes.
pub(crate) fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash(blake3::hash(bytes).to_hex().to_string())
}

/// # Errors
/// When no format reads it.
pub(crate) fn format_of(path: &Path, bytes: &[u8]) -> Result<Format, ToolError> {
    Format::of(path, bytes).ok_or_else(|| {
        let message = format!("{} is no project that Deskhand reads", path.display());
        ToolError::run(
            Code::Media,
            message,
            "open a project of REAPER (.RPP) or Ardour (.ardour), or a .dawproject",
        )
    })
}

pub(crate) fn unreadable(path: &Path, why: String) -> ToolError {
    let message = format!("{}: {why}", path.display());
    ToolError::run(Code::Media, message, "choose another file")
}

/// The name of the file.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn unwritten(path: &Path, why: String) -> ToolError {
    let message = format!("{}: {why}", path.display());
    ToolError::run(Code::Write, message, "undo the change that is named, and write again")
}
