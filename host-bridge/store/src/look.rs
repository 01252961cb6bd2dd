//! Looking into a session without owning it: for folders that cannot be written.
//!
//! SQLite would write to read a log, so a session that was not closed is read from a copy.

use crate::Cache;
use crate::db;
use crate::error::OpenError;
use crate::folder::{self, CACHE};
use crate::owner::Owner;
use crate::store::{Loaded, Store, open_error, read_checked};
use std::io;
use std::path::{Path, PathBuf};

/// What a session folder held when it was looked into. Nothing can be changed through it.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The session folder, absolute and without links.
    pub dir: PathBuf,
    /// What is in it.
    pub loaded: Loaded,
}

impl Look {
    /// The measurements that are there; new ones are not kept.
    #[must_use]
    pub fn cache(&self) -> Cache {
        Cache::looked_into(self.dir.join(CACHE))
    }
}

impl Store {
    /// Reads a session folder without writing to it, as it is now: for when [`Store::open`] fails with
    /// an error that [leaves a look](OpenError::leaves_a_look). Owners are kept out only meanwhile.
    ///
    /// # Errors
    /// See [`OpenError`]; one is that someone has it open.
    pub fn look(dir: &Path) -> Result<Look, OpenError> {
        let real = folder::find(dir)?;
        let visitor = Owner::keep_out(&real)
            .map_err(|holder| OpenError::InUse { dir: dir.into(), holder })?;
        let content = if is_closed(&real).map_err(|error| failed(dir, &error))? {
            let conn = db::open_to_read(&real.join(db::FILE)).map_err(Into::into);
            conn.and_then(|conn| read_checked(&conn))
        } else {
            let copy = folder::copy_database(&real).map_err(|error| failed(dir, &error))?;
            let conn = db::open(&copy.path().join(db::FILE), db::MUST_EXIST).map_err(Into::into);
            conn.and_then(|conn| read_checked(&conn))
        };
        drop(visitor);
        let content = content.map_err(|error| open_error(dir, error))?;
        Ok(Look { dir: real, loaded: content.into_loaded() })
    }
}

/// Whether all of the session is in the one file, which can then be read as it is.
fn is_closed(dir: &Path) -> io::Result<bool> {
    let left = |ending: &str| {
        let log = dir.join(format!("{}{ending}", db::FILE));
        log.symlink_metadata().is_ok_and(|found| found.len() > 0)
    };
    Ok(!left("-wal") && !left("-journal") && !db::expects_log(&dir.join(db::FILE))?)
}

fn failed(dir: &Path, error: &io::Error) -> OpenError {
    let dir = dir.to_owned();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OpenError::DiskFull(dir),
        _ => OpenError::Io { dir, why: format!("{error}, while its log was copied to be read") },
    }
}
