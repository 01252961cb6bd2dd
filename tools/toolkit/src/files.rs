//! Files that tools write outside of a session: nothing that exists is written over, and nothing is half there.

use crate::task::PlanContext;
use deskhand_session::tool_error::{Code, ToolError};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What begins the name of a file or folder until it is whole.
const PART: &str = ".deskhand-";
/// This many letters and digits follow it.
const RANDOM: usize = 6;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The last number that is tried for a name.
const LAST: u32 = 10_000;

/// `path`, or where something is there already the next name like it: `edit-2.txt`, `edit-3.txt`.
#[must_use]
pub fn next_free(path: PathBuf) -> PathBuf {
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    if !is_there(&path) {
        return path;
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let ending = path.extension().map(|end| format!(".{}", end.to_string_lossy()));
    let ending = ending.unwrap_or_default();
    let mut others = (2..=LAST).map(|n| path.with_file_name(format!("{stem}-{n}{ending}")));
    others.find(|other| !is_there(other)).unwrap_or(path)
}

/// Where a file is: a relative path is taken from the folder that holds the session's, and `~/` is the user's home.
#[must_use]
pub fn place(context: &PlanContext, path: &str) -> PathBuf {
    let folder = &context.folder;
    let at_home = path.strip_prefix("~/").zip(std::env::home_dir());
    let path = match at_home {
        Some((path, home)) => home.join(path),
        None => folder.parent().unwrap_or(folder).join(path),
    };
    std::path::absolute(&path).unwrap_or(path)
}

/// Writes a new file, whole or not at all: it gets its name when all of it is on the disk.
///
/// # Errors
/// When something is there already, or it cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), ToolError> {
    written(path, bytes).map_err(|error| {
        let message = match error.kind() {
            io::ErrorKind::AlreadyExists => format!("{} exists already", path.display()),
            _ => format!("{} cannot be written: {error}", path.display()),
        };
        ToolError::run(Code::Write, message, "give another `path`")
    })
}

fn written(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    sweep(folder, SystemTime::now());
    let mut part = new_part().tempfile_in(folder)?;
    part.write_all(bytes)?;
    part.as_file().sync_all()?;
    part.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Removes from `folder` the files of writes that were killed a day or more before `now`; no write takes
/// that long.
pub fn sweep(folder: &Path, now: SystemTime) {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(here).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_part(&entry.file_name())) {
        let Ok(found) = entry.metadata() else { continue };
        let age = found.modified().ok().and_then(|made| now.duration_since(made).ok());
        if age.is_some_and(|age| age >= DAY) {
            // What cannot be removed is in nobody's way.
            drop(match found.is_dir() {
                true => std::fs::remove_dir_all(entry.path()),
                false => std::fs::remove_file(entry.path()),
            });
        }
    }
}

fn is_part(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PART));
    let is_random = |random: &str| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    random.is_some_and(is_random)
}

/// A file that goes with the program unless it gets its name.
fn new_part() -> tempfile::Builder<'static, 'static> {
    let mut part = tempfile::Builder::new();
    part.prefix(PART).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        // As other files are made: the person's mask takes away what others may not.
        use std::os::unix::fs::PermissionsExt;
        part.permissions(std::fs::Permissions::from_mode(0o666));
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("talk.srt");
        write_new(&path, b"1").unwrap();
        let error = write_new(&path, b"2").unwrap_err().to_string();
        assert!(error.contains("talk.srt exists already"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"1");
        assert_eq!(names(folder.path()), ["talk.srt"], "nothing is left beside it");
        let nowhere = write_new(&folder.path().join("no/talk.srt"), b"1").unwrap_err().to_string();
        assert!(nowhere.contains("cannot be written"), "{nowhere}");
    }

    #[test]
    fn what_killed_writing_left_goes_a_day_later() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at(".deskhand-aB3xY9")).unwrap();
        std::fs::write(at(".deskhand-aB3xY9/part.wav"), b"1").unwrap();
        for left in [".deskhand-bbbbb1", ".deskhand-take-aaaaaa.part", ".deskhand-lock"] {
            std::fs::write(at(left), b"1").unwrap();
        }
        write_new(&at("talk.srt"), b"1").unwrap();
        assert_eq!(names(folder.path()).len(), 5, "another one may be at work in it");
        sweep(folder.path(), SystemTime::now() + DAY);
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".deskhand-lock", ".deskhand-take-aaaaaa.part", "talk.srt"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_a_file_as_they_may_any_new_one() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [ours, usual] = ["a", "b"].map(|name| folder.path().join(name));
        write_new(&ours, b"1").unwrap();
        std::fs::write(&usual, b"1").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&usual));
    }
}
