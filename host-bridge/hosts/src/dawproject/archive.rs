//! The zip file: `project.xml` out of it, and a changed one into it with all else copied as it is.

use std::collections::HashSet;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::program::PROGRAM;
use crate::format::{ReadError, WriteError};
use crate::validate::refused;

const PROJECT: &str = "project.xml";
const MOST_ENTRIES: usize = 100_000;
const MOST_BYTES: u64 = 256 << 20;

pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    pub(super) project: Vec<u8>,
    /// Names of all files in it.
    pub(super) names: HashSet<String>,
}

fn wrong(what: String) -> ReadError {
    ReadError::Damaged { program: "the DAW that exported it", line: 1, what }
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| ReadError::Kind(PROGRAM))?;
        if zip.len() > MOST_ENTRIES {
            return Err(ReadError::TooLarge { what: format!("more than {MOST_ENTRIES} files") });
        }
        let mut names = HashSet::new();
        for index in 0..zip.len() {
            let entry = zip.by_index_raw(index).map_err(|error| wrong(error.to_string()))?;
            let is_inside = entry.enclosed_name().is_some();
            let name = entry.name().map_err(|error| wrong(error.to_string()))?.into_owned();
            if !is_inside || name.contains('\\') {
                return Err(ReadError::TooLarge {
                    what: format!("a file {name:?} outside of itself"),
                });
            }
            names.insert(name);
        }
        let project = project(&mut zip, MOST_BYTES)?;
        Ok(Self { bytes, project, names })
    }

    /// The same archive with another project.
    pub(super) fn with_project(&self, xml: &[u8]) -> Result<Vec<u8>, WriteError> {
        let result = || -> Result<Vec<u8>, zip::result::ZipError> {
            let mut from = ZipArchive::new(Cursor::new(self.bytes))?;
            let mut to = ZipWriter::new(Cursor::new(Vec::new()));
            for index in 0..from.len() {
                let entry = from.by_index_raw(index)?;
                if entry.name()? == PROJECT {
                    let options =
                        SimpleFileOptions::default().compression_method(entry.compression());
                    let time = entry.last_modified().unwrap_or_default();
                    to.start_file(PROJECT, options.last_modified_time(time))?;
                    to.write_all(xml)?;
                } else {
                    to.raw_copy_file(entry)?;
                }
            }
            Ok(to.finish()?.into_inner())
        };
        result().map_err(|error| refused("the file", format!("it cannot be packed: {error}")))
    }
}

/// Puts the file `name` of an archive below `folder`; `None` if the archive has no such file. At most `most` bytes.
pub(super) fn unpack(
    bytes: &[u8],
    name: &str,
    (folder, most): (&Path, u64),
) -> io::Result<Option<PathBuf>> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(io::Error::other)?;
    let Ok(entry) = zip.by_name(name) else { return Ok(None) };
    let Some(inside) = entry.enclosed_name() else { return Ok(None) };
    let path = folder.join(inside);
    if path.is_file() {
        return Ok(Some(path));
    }
    std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
    let mut part = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(folder))?;
    if io::copy(&mut entry.take(most + 1), &mut part)? > most {
        return Err(io::Error::other(format!("{name} unpacks to more than {} GB", most >> 30)));
    }
    part.persist(&path).map_err(|error| error.error)?;
    Ok(Some(path))
}

fn project(zip: &mut ZipArchive<Cursor<&[u8]>>, most: u64) -> Result<Vec<u8>, ReadError> {
    let entry = zip.by_name(PROJECT).map_err(|_| ReadError::Kind(PROGRAM))?;
    let mut xml = Vec::new();
    let read = entry.take(most + 1).read_to_end(&mut xml);
    read.map_err(|error| wrong(format!("{PROJECT} cannot be unpacked: {error}")))?;
    match xml.len() as u64 > most {
        true => Err(ReadError::TooLarge { what: format!("a {PROJECT} above {} MB", most >> 20) }),
        false => Ok(xml),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_unpacks_to_too_much_is_refused() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file(PROJECT, SimpleFileOptions::default()).unwrap();
        zip.write_all(&vec![b' '; (2 << 20) + 1]).unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        let unpacked = |most| {
            let mut zip = ZipArchive::new(Cursor::new(&bytes[..])).unwrap();
            project(&mut zip, most)
        };
        assert!(bytes.len() < 10_000 && unpacked(3 << 20).is_ok());
        assert!(unpacked(2 << 20).unwrap_err().to_string().contains("above 2 MB"));
    }
}
