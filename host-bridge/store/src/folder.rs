//! The session folder: `session.db`, `session.lock`, `media/` and `cache/`.

use crate::db;
use crate::error::{CreateError, OpenError};
use crate::owner::LOCK;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::TempDir;

/// Conformed audio, in the session folder.
pub(crate) const MEDIA: &str = "media";
/// What instances of the plugin recorded, in the session folder.
pub const CAPTURES: &str = "media/captures";
/// What plans made, in the session folder.
const MADE: &str = "media/made";
/// Measurements that can be made again, in the session folder.
pub(crate) const CACHE: &str = "cache";

/// A folder that is about to become a session.
pub(crate) struct Made {
    /// Absolute, without links.
    pub(crate) dir: PathBuf,
    /// Whether it was not there before.
    fresh: bool,
}

impl Made {
    /// Removes the new files, after a failure.
    pub(crate) fn remove(&self) {
        let log = format!("{}-wal", db::FILE);
        for file in [db::FILE, LOCK, &log] {
            let _was_not_made = fs::remove_file(self.dir.join(file));
        }
        for room in [CAPTURES, MEDIA, CACHE] {
            let _was_not_made = fs::remove_dir(self.dir.join(room));
        }
        if self.fresh {
            let _in_use = fs::remove_dir(&self.dir);
        }
    }
}

/// Makes the folder, or takes one that is empty.
pub(crate) fn make(dir: &Path) -> Result<Made, CreateError> {
    let failed = |error| create_error(dir, error);
    if let Some(parent) = dir.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    let fresh = match fs::create_dir(dir) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_empty(dir) => false,
        Err(error) => return Err(failed(error)),
    };
    let dir = dir.canonicalize().map_err(failed)?;
    Ok(Made { dir, fresh })
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
}

/// The folder of a session, absolute and without links. Opens nothing that could make it wait.
pub(crate) fn find(dir: &Path) -> Result<PathBuf, OpenError> {
    let not = |why: &str| OpenError::NotASession { dir: dir.into(), why: why.into() };
    let failed = |error: io::Error| OpenError::Io { dir: dir.into(), why: error.to_string() };
    match dir.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(OpenError::Missing(dir.into()));
        }
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.is_dir() => return Err(not("it is not a folder")),
        Ok(_) => {}
    }
    let real = dir.canonicalize().map_err(failed)?;
    let database = plain_database(&real).map_err(|why| not(&why))?;
    if db::begins_like_ours(&database).map_err(failed)? {
        Ok(real)
    } else {
        Err(not("session.db does not begin like one; if it did before, \
             deskhand doctor DIR --repair-to NEW-DIR saves what it can"))
    }
}

/// The database file of a folder, if it is a plain file.
pub(crate) fn plain_database(dir: &Path) -> Result<PathBuf, String> {
    let database = dir.join(db::FILE);
    match database.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err("it has no session.db".into()),
        Err(error) => Err(error.to_string()),
        Ok(found) if !found.is_file() => Err("session.db is not a plain file".into()),
        Ok(_) => Ok(database),
    }
}

/// A copy of the database of a folder, with its log, that may be written.
pub(crate) fn copy_database(dir: &Path) -> io::Result<TempDir> {
    let temp = tempfile::tempdir()?;
    for ending in ["", "-wal", "-journal"] {
        let name = format!("{}{ending}", db::FILE);
        let (original, copy) = (dir.join(&name), temp.path().join(&name));
        if original.symlink_metadata().is_ok_and(|found| found.is_file()) {
            fs::copy(original, &copy)?;
            fs::set_permissions(&copy, writable(&copy)?)?;
        }
    }
    Ok(temp)
}

/// A copy of a read-only file is read-only too, until this changes it.
#[cfg(unix)]
fn writable(_copy: &Path) -> io::Result<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Ok(fs::Permissions::from_mode(0o600))
}

/// A copy of a read-only file is read-only too, until this changes it.
#[cfg(not(unix))]
fn writable(copy: &Path) -> io::Result<fs::Permissions> {
    let mut permissions = fs::metadata(copy)?.permissions();
    permissions.set_readonly(false);
    Ok(permissions)
}

/// Makes the folders for media, captures and cache where they are missing.
pub(crate) fn make_rooms(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir.join(CAPTURES))?;
    fs::create_dir_all(dir.join(CACHE))
}

/// Removes what an import or a tool that was killed left half written in `media/` and `media/made/` before `opened`.
/// Whoever calls it owns the session. What a host was recording when it was killed stays in `media/captures/`: the hub
/// completes it and takes it in.
pub(crate) fn sweep(dir: &Path, opened: SystemTime) {
    let rooms = [MEDIA, MADE].map(|room| dir.join(room));
    // Nothing outside of the session is ours, wherever a link leads.
    let own = rooms.iter().filter(|room| room.symlink_metadata().is_ok_and(|found| found.is_dir()));
    let entries = own.filter_map(|room| fs::read_dir(room).ok()).flatten();
    for entry in entries.flatten().filter(is_unfinished) {
        let found = entry.metadata();
        let written =
            found.ok().filter(fs::Metadata::is_file).and_then(|file| file.modified().ok());
        if written.is_some_and(|written| written < opened) && is_free(&entry.path()) {
            let _takes_only_room = fs::remove_file(entry.path());
        }
    }
}

/// Whether nobody holds a file.
fn is_free(path: &Path) -> bool {
    fs::File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Whether the name is temporary: the file gets its own name when it is complete.
pub(crate) fn is_unfinished(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    name.to_str().is_some_and(|name| name.starts_with(".deskhand-") && name.ends_with(".part"))
}

/// Makes the names of a new session durable.
pub(crate) fn sync(dir: &Path) -> io::Result<()> {
    sync_one(dir)?;
    dir.parent().map_or(Ok(()), sync_one)
}

#[cfg(unix)]
fn sync_one(dir: &Path) -> io::Result<()> {
    fs::File::open(dir)?.sync_all()
}

/// Windows has no handle on a folder to sync; its journal keeps names.
#[cfg(not(unix))]
fn sync_one(_dir: &Path) -> io::Result<()> {
    Ok(())
}

/// An error of the file system, in words for someone who creates a session.
pub(crate) fn create_error(dir: &Path, source: io::Error) -> CreateError {
    use io::ErrorKind as Kind;
    let dir = dir.to_owned();
    match source.kind() {
        Kind::AlreadyExists => CreateError::Exists(dir),
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
            CreateError::NotWritable { dir, source }
        }
        Kind::StorageFull | Kind::QuotaExceeded => CreateError::DiskFull(dir),
        _ => CreateError::Io { dir, why: source.to_string() },
    }
}
