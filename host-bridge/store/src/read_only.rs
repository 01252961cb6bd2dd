//! Looking into a session without owning it: for folders that cannot be written.
//!
//! SQLite would write to read a log, so a session that was not closed is read from a copy.

use crate::Cache;
use crate::db;
use crate::error::OpenError;
use crate::folder::{self, CACHE};
use crate::load::ReadError;
use crate::owner::Owner;
use crate::store::{Loaded, Store, open_error, read_checked};
use deskhand_session::SessionId;
use rusqlite::Connection;
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};

/// What a session folder held when it was looked into. Nothing can be changed through it.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The session folder, absolute and without links.
    pub dir: PathBuf,
    /// The content of the session.
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
    /// Reads the current state of a session folder without writing to it, for when [`Store::open`] fails
    /// with an error that [leaves a look](OpenError::leaves_a_look). Owners are kept out only meanwhile.
    ///
    /// # Errors
    /// See [`OpenError`]; one is that someone has it open.
    pub fn look(dir: &Path) -> Result<Look, OpenError> {
        let (real, content) = read(dir, read_checked)?;
        Ok(Look { dir: real, loaded: content.into_loaded() })
    }

    /// Which session is in a folder, without reading the rest of it: many folders can be asked. Nothing is written.
    ///
    /// # Errors
    /// See [`OpenError`]; one is that someone has it open.
    pub fn session_in(dir: &Path) -> Result<SessionId, OpenError> {
        read(dir, session_of).map(|(_, session)| session)
    }
}

/// Reads of the database of a folder, which is returned without links. Owners are kept out only meanwhile.
fn read<T>(
    dir: &Path,
    of: impl FnOnce(&Connection) -> Result<T, ReadError>,
) -> Result<(PathBuf, T), OpenError> {
    let real = folder::find(dir)?;
    let visitor =
        Owner::keep_out(&real).map_err(|holder| OpenError::InUse { dir: dir.into(), holder })?;
    let content = if is_closed(&real).map_err(|error| failed(dir, &error))? {
        let conn = db::open_to_read(&real.join(db::FILE)).map_err(Into::into);
        conn.and_then(|conn| of(&conn))
    } else {
        let copy = folder::copy_database(&real).map_err(|error| failed(dir, &error))?;
        let conn = db::open(&copy.path().join(db::FILE), db::MUST_EXIST).map_err(Into::into);
        conn.and_then(|conn| of(&conn))
    };
    drop(visitor);
    let content = content.map_err(|error| open_error(dir, error))?;
    Ok((real, content))
}

/// The first record of a session, read only for its name.
#[derive(Deserialize)]
struct Named {
    id: SessionId,
}

fn session_of(conn: &Connection) -> Result<SessionId, ReadError> {
    let damaged = |what: &str| ReadError::Damaged(what.into());
    if !db::has_events(conn)? {
        return Err(damaged("no table of events"));
    }
    let body = db::created(conn)?.ok_or_else(|| damaged("it was never created"))?;
    let named: Named = serde_json::from_str(&body).map_err(|why| damaged(&why.to_string()))?;
    Ok(named.id)
}

/// Whether all of the session is in the one file, which can then be read directly.
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
