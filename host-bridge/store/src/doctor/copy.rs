//! A copy of the database to look into.

use super::{DoctorError, enter};
use crate::db;
use crate::folder;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A session folder and a copy of its database.
pub(super) struct Copied {
    /// The session folder, absolute and without links.
    pub(super) dir: PathBuf,
    pub(super) file: PathBuf,
    _temp: TempDir,
}

/// Copies the database of a session with its log.
pub(super) fn database(dir: &Path) -> Result<Copied, DoctorError> {
    let (real, lock) = enter(dir)?;
    let copy = || -> io::Result<Copied> {
        let temp = folder::copy_database(&real)?;
        let file = temp.path().join(db::FILE);
        mend_header(&file)?;
        Ok(Copied { dir: real, file, _temp: temp })
    };
    let copied = copy().map_err(|source| DoctorError::Io { dir: dir.into(), source })?;
    drop(lock);
    Ok(copied)
}

/// Writes the parts of the header that are the same in all our files, in case they are damaged (SQLite file
/// format, "The Database Header").
fn mend_header(copy: &Path) -> io::Result<()> {
    if fs::metadata(copy)?.len() < 512 {
        return Ok(());
    }
    let mut file = File::options().write(true).open(copy)?;
    let fixed: [(u64, &[u8]); 4] = [
        (0, b"SQLite format 3\0"),
        // Largest and smallest embedded payload, leaf payload.
        (21, &[64, 32, 32]),
        // Schema format 4.
        (44, &[0, 0, 0, 4]),
        // UTF-8.
        (56, &[0, 0, 0, 1]),
    ];
    for (at, bytes) in fixed {
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)?;
    }
    Ok(())
}
