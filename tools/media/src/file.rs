//! Opening a file for reading, with every refusal named, and noticing when it changes later.

use crate::error::{OpenError, shown};
use std::fs::{File, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::SystemTime;

/// Opens a regular, non-empty file. Looks before it opens: opening a named pipe would wait forever.
pub(crate) fn open_regular(path: &Path) -> Result<(File, Metadata), OpenError> {
    let look = std::fs::metadata(path).map_err(|e| open_error(path, &e))?;
    let file = shown(path);
    if look.is_dir() {
        return Err(OpenError::IsDirectory { file });
    }
    if !look.is_file() {
        return Err(OpenError::NotAFile { file });
    }
    if look.len() == 0 {
        return Err(OpenError::Empty { file });
    }
    let opened = File::open(path).map_err(|e| open_error(path, &e))?;
    let metadata = opened.metadata().map_err(|e| open_error(path, &e))?;
    Ok((opened, metadata))
}

/// An I/O error while opening, in our words.
pub(crate) fn open_error(path: &Path, error: &std::io::Error) -> OpenError {
    let file = shown(path);
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => OpenError::NotFound { file },
        ErrorKind::PermissionDenied => OpenError::Unreadable { file },
        _ => OpenError::Io { file, cause: error.to_string() },
    }
}

/// Size and time stamp of an open file, to tell whether it was written to since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self { len: metadata.len(), modified: metadata.modified().ok() }
    }
}
