//! The XML with the codebook: the file itself, or the project in its archive, with the texts next to it.

use crate::files;
use deskhand_toolkit::{Code, ToolError};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use zip::ZipArchive;

/// The largest codebook that is read.
const MOST_BYTES: u64 = 10_000_000;
/// The largest project; it also holds the codings of all sources.
const MOST_OF_PROJECT: u64 = 100_000_000;
/// How an archive begins.
const ARCHIVE: [u8; 4] = *b"PK\x03\x04";
/// What holds a project in its archive.
const PROJECT: &str = "project.qde";
/// How the path of a file in the archive begins.
const INSIDE: &str = "internal://";
/// The folder in which such files are.
const FOLDERS: [&str; 2] = ["sources", "Sources"];

/// A file that is open.
pub(super) struct Opened {
    pub(super) xml: Vec<u8>,
    /// What a project is in.
    archive: Option<ZipArchive<File>>,
}

impl Opened {
    /// The text of a file inside of a project, by its path in it; `None` if it does not exist, is no UTF-8,
    /// or has more than `most` bytes.
    pub(super) fn text(&mut self, path: &str, most: usize) -> Option<String> {
        let name = path.strip_prefix(INSIDE)?.trim_start_matches('/');
        let archive = self.archive.as_mut()?;
        let names = FOLDERS.map(|folder| format!("{folder}/{name}"));
        let index = names.iter().find_map(|name| archive.index_for_name_raw(name.as_bytes()))?;
        let file = archive.by_index(index).ok()?;
        let mut bytes = Vec::new();
        file.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
        String::from_utf8(bytes).ok().filter(|text| text.len() <= most)
    }
}

/// Reads the XML of a codebook (.qdc) or a project (.qdpx), whatever it is called.
///
/// # Errors
/// When the file cannot be read, is too large, or is an archive of something else.
pub(super) fn open(path: &Path) -> Result<Opened, ToolError> {
    let mut file = files::open(path)?;
    if !is_archive(&mut file).map_err(|error| files::unreadable(path, &error))? {
        return Ok(Opened { xml: files::read(path, file, MOST_BYTES)?, archive: None });
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
    let xml = files::read(path, project, MOST_OF_PROJECT)?;
    Ok(Opened { xml, archive: Some(archive) })
}

fn is_archive(file: &mut File) -> std::io::Result<bool> {
    let mut mark = Vec::new();
    Read::by_ref(file).take(ARCHIVE.len() as u64).read_to_end(&mut mark)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(mark == ARCHIVE)
}
