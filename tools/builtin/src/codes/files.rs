//! Files outside of the session: new ones that are written whole or not at all, and ones of others that are read up to
//! a limit.

use deskhand_toolkit::{Code, PlanContext, ToolError};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

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

    /// What `path` ends with, of what is allowed.
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

/// Where a file is: a relative path is taken from the folder that holds the session's.
pub(super) fn place(context: &PlanContext, path: &str) -> PathBuf {
    let folder = &context.folder;
    let path = folder.parent().unwrap_or(folder).join(Path::new(path));
    std::path::absolute(&path).unwrap_or(path)
}

/// Writes a new file, and says where it is. Nothing that exists is written over.
///
/// # Errors
/// When something is there already, or it cannot be written.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<PathBuf, ToolError> {
    let failed = |error: std::io::Error| {
        let message = match error.kind() {
            std::io::ErrorKind::AlreadyExists => format!("{} exists already", path.display()),
            _ => format!("{} cannot be written: {error}", path.display()),
        };
        ToolError::run(Code::Write, message, "give another `path`")
    };
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // A part of a file is worse than none.
        drop(std::fs::remove_file(path));
        failed(error)
    })?;
    Ok(path.to_owned())
}

/// Opens a file to be read.
///
/// # Errors
/// When it is none, or cannot be opened.
pub(super) fn open(path: &Path) -> Result<File, ToolError> {
    // Asked ahead of opening: a pipe would be waited for.
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !metadata.is_file() {
        return Err(unreadable(path, &"it is no file"));
    }
    File::open(path).map_err(|error| unreadable(path, &error))
}

/// Reads what `from`, which is of the file `path`, holds: at most `most` bytes.
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
