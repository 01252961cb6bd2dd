//! The owner of a session: the process that holds the lock on `session.lock`.
//!
//! The lock is the system's, so it ends with the process however that ends. The words in the file only tell
//! others the owner.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The lock file in a session folder.
pub(crate) const LOCK: &str = "session.lock";

/// The process that has a session open, as far as it said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    pub program: Option<String>,
    /// Process id.
    pub pid: Option<u32>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program.as_deref().unwrap_or("another program");
        match self.pid {
            Some(pid) => write!(f, "{program} (pid {pid})"),
            None => f.write_str(program),
        }
    }
}

impl Holder {
    fn this_process() -> Self {
        let exe = std::env::current_exe().ok();
        let stem = exe.as_deref().and_then(Path::file_stem);
        Self {
            program: stem.map(|stem| stem.to_string_lossy().into_owned()),
            pid: Some(std::process::id()),
        }
    }

    /// Reads `pid program`. Anyone may have written the file, so only a short plain name is believed.
    fn parse(text: &str) -> Self {
        let (pid, program) = text.split_once(' ').unwrap_or((text, ""));
        let program: String = program.chars().filter(|c| !c.is_control()).take(60).collect();
        Self {
            program: Some(program.trim().to_owned()).filter(|name| !name.is_empty()),
            pid: pid.parse().ok(),
        }
    }

    fn read(mut file: &File) -> Self {
        let mut text = String::new();
        let read = file.rewind().and_then(|()| file.take(200).read_to_string(&mut text));
        read.map_or_else(|_| Self::default(), |_| Self::parse(&text))
    }
}

/// The lock, held until dropped.
#[derive(Debug)]
pub(crate) struct Owner(File);

/// Keeps owners out until dropped.
#[derive(Debug)]
pub(crate) struct Visitor(File);

/// Why the lock was not taken.
#[derive(Debug)]
pub(crate) enum LockError {
    Held(Holder),
    /// The file could not be opened or locked.
    Io(io::Error),
}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Owner {
    /// Takes the lock of a session folder, making the file if needed.
    pub(crate) fn take(dir: &Path) -> Result<Self, LockError> {
        let path = dir.join(LOCK);
        refuse_link(&path)?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(Holder::read(&file))),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let owner = Self(file);
        // The words are a courtesy: on a full disk the lock still holds.
        let _unsaid = owner.say(&Holder::this_process());
        Ok(owner)
    }

    /// Keeps owners out while a folder is only read; writes nothing. A folder without the file, or on a
    /// system without locks, is read anyway.
    ///
    /// # Errors
    /// The process that has the session open.
    pub(crate) fn keep_out(dir: &Path) -> Result<Option<Visitor>, Holder> {
        let path = dir.join(LOCK);
        let file = refuse_link(&path).and_then(|()| File::open(path));
        let Ok(file) = file else {
            return Ok(None);
        };
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Err(Holder::read(&file)),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(Visitor(file))),
        }
    }

    fn say(&self, holder: &Holder) -> io::Result<()> {
        let mut file = &self.0;
        file.set_len(0)?;
        file.rewind()?;
        let program = holder.program.as_deref().unwrap_or_default();
        write!(file, "{} {program}", holder.pid.unwrap_or_default())
    }
}

/// Where a session was opened: its folder, and which file the lock in it was.
#[derive(Clone, Debug)]
pub struct Spot {
    dir: PathBuf,
    lock: Option<Place>,
}

impl Spot {
    /// The current state of `dir`.
    pub(crate) fn of(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), lock: Place::of(dir) }
    }

    /// The session folder.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether the folder is still where it was opened: not moved, not removed, and no other in its place. Asks the
    /// disk.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        Place::of(&self.dir) == self.lock
    }
}

/// Which file the lock of a folder is; of a system without numbers for files, that there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place(u64, u64);

impl Place {
    /// The current lock in `dir`; `None` if there is none.
    fn of(dir: &Path) -> Option<Self> {
        let found = dir.join(LOCK).symlink_metadata().ok()?;
        #[cfg(unix)]
        let numbers = {
            use std::os::unix::fs::MetadataExt;
            (found.dev(), found.ino())
        };
        // Windows does not move a folder in which a file is open.
        #[cfg(not(unix))]
        let numbers = (0, u64::from(found.is_file()));
        Some(Self(numbers.0, numbers.1))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Only so that nobody reads an old name.
        let _kept = self.0.set_len(0);
        release(&self.0);
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        release(&self.0);
    }
}

/// Closing the file is not enough: a child that another thread is starting this moment has a copy of
/// the handle, and with it the lock, until its own program is loaded.
fn release(file: &File) {
    let _never_locked = file.unlock();
}

/// A folder from elsewhere could hold a link, through which the lock would write into another file, or
/// a pipe, on which opening would wait.
fn refuse_link(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if !found.is_file() => {
            Err(io::Error::other(format!("{LOCK} is not a plain file; remove it")))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_is_first() {
        let dir = tempfile::tempdir().unwrap();
        let first = Owner::take(dir.path()).unwrap();
        let Err(LockError::Held(holder)) = Owner::take(dir.path()) else {
            panic!("two owners");
        };
        assert_eq!(holder, Holder::this_process());
        assert_eq!(Owner::keep_out(dir.path()).unwrap_err(), holder);
        drop(first);
        drop(Owner::keep_out(dir.path()).unwrap());
        drop(Owner::take(dir.path()).unwrap());
    }

    #[test]
    fn words_of_strangers_are_tamed() {
        let holder = Holder::parse("12 a\x1b[31mb");
        assert_eq!(holder.to_string(), "a[31mb (pid 12)");
        assert_eq!(Holder::parse("").to_string(), "another program");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let victim = dir.path().join("victim");
        std::fs::write(&victim, "keep me").unwrap();
        std::os::unix::fs::symlink(&victim, dir.path().join(LOCK)).unwrap();
        assert!(matches!(Owner::take(dir.path()), Err(LockError::Io(_))));
        assert_eq!(std::fs::read_to_string(victim).unwrap(), "keep me");
    }
}
