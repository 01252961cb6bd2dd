//! The XML in which the codebook of a file stands: the file itself, or the project in its archive.

use crate::codes::files;
use deskhand_toolkit::{Code, ToolError};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use zip::ZipArchive;

/// The largest codebook that is read.
const MOST_BYTES: u64 = 10_000_000;
/// The largest project; it holds what is coded of all sources as well.
const MOST_OF_PROJECT: u64 = 100_000_000;
/// How an archive begins.
const ARCHIVE: [u8; 4] = *b"PK\x03\x04";
/// What holds a project in its archive.
const PROJECT: &str = "project.qde";

/// Reads the XML of a codebook (.qdc) or a project (.qdpx), whatever it is called.
///
/// # Errors
/// When the file cannot be read, is too large, or is an archive of something else.
pub(super) fn open(path: &Path) -> Result<Vec<u8>, ToolError> {
    let mut file = files::open(path)?;
    if !is_archive(&mut file).map_err(|error| files::unreadable(path, &error))? {
        return files::read(path, file, MOST_BYTES);
    }
    let other = |cause: &dyn std::fmt::Display| {
        let message = format!("{} is an archive, but no REFI-QDA project: {cause}", path.display());
        let fix = "choose a REFI-QDA codebook (.qdc) or project (.qdpx)";
        ToolError::run(Code::Media, message, fix)
    };
    let mut archive = ZipArchive::new(file).map_err(|error| other(&error))?;
    let project = archive.by_name(PROJECT).map_err(|error| match error {
        zip::result::ZipError::FileNotFound => other(&format!("{PROJECT} is not in it")),
        error => other(&error),
    })?;
    files::read(path, project, MOST_OF_PROJECT)
}

fn is_archive(file: &mut File) -> std::io::Result<bool> {
    let mut mark = Vec::new();
    Read::by_ref(file).take(ARCHIVE.len() as u64).read_to_end(&mut mark)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(mark == ARCHIVE)
}
