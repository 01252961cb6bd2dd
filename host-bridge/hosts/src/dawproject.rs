//! DAWproject 1.0 (Bitwig, Studio One, Cubase): `project.xml` in a zip file. Called by `format`.

mod archive;
mod clip;
mod ids;
mod program;
mod read;
mod tempo;
mod write;
mod write_clip;

use crate::format::{ReadError, WriteError};
use crate::project::Project;
use std::io;
use std::path::{Path, PathBuf};

/// The most that one packed file may unpack to, bytes.
const MOST_AUDIO: u64 = 8 << 30;

pub(crate) fn read(bytes: &[u8]) -> Result<Project, ReadError> {
    let xml = archive::Archive::open(bytes)?.project;
    Ok(read::parse(&xml)?.project)
}

pub(crate) fn write(original: &[u8], wanted: &Project) -> Result<Vec<u8>, WriteError> {
    let archive = archive::Archive::open(original)?;
    let xml = write::write(&archive, wanted)?;
    match xml == archive.project {
        true => Ok(original.to_vec()),
        false => archive.with_project(&xml),
    }
}

/// Puts a file of the archive below `folder`; `None` if it is not in there.
pub(crate) fn unpack(bytes: &[u8], name: &str, folder: &Path) -> io::Result<Option<PathBuf>> {
    archive::unpack(bytes, name, (folder, MOST_AUDIO))
}

#[cfg(test)]
mod tests;
