//! Folders of runs whose process was killed, which could not remove them: nobody holds their lock any more.

use crate::run_folder::PREFIX;
use rustix::fs::OFlags;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The file in it that is locked as long as the run lasts; and its name before it is.
const LOCK: &str = ".deskhand-lock";
const UNLOCKED: &str = ".deskhand-lock-new";

/// Marks `room` as in use, as long as the file lives: the system lets go of a lock however its process ends.
pub(crate) fn hold(room: &Path) -> io::Result<File> {
    // It has its name only when it is locked, so that whoever sweeps sees it locked or not at all.
    let file = File::create_new(room.join(UNLOCKED))?;
    file.try_lock()?;
    fs::rename(room.join(UNLOCKED), room.join(LOCK))?;
    Ok(file)
}

/// Removes the folders of runs in `among` that are this user's and that no process holds. What cannot be looked at or
/// removed stays.
pub(crate) fn sweep(among: &Path) {
    let entries = fs::read_dir(among).into_iter().flatten().flatten();
    for entry in entries.filter(is_ours) {
        if is_deserted(&entry.path()) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// A folder, not a link to one, made by a run of this user.
fn is_ours(entry: &DirEntry) -> bool {
    let is_run = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
    let user = rustix::process::getuid().as_raw();
    is_run && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user)
}

/// Whether the lock is there and nobody has it. A program could have put anything in its place: no link is followed,
/// and no pipe waited for.
fn is_deserted(room: &Path) -> bool {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(room.join(LOCK));
    file.is_ok_and(|file| {
        file.metadata().is_ok_and(|found| found.is_file()) && file.try_lock().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_process_holds_is_removed() {
        let among = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = among.path().join(name);
            fs::create_dir_all(path.join("out")).unwrap();
            fs::write(path.join("out/1.wav"), "audio").unwrap();
            path
        };
        let killed = make("deskhand-tool-killed");
        drop(hold(&killed).unwrap());
        let alive = make("deskhand-tool-alive");
        let lock = hold(&alive).unwrap();
        let unmarked = make("deskhand-tool-unmarked");
        let strange = make("somebody-else");
        drop(hold(&strange).unwrap());
        let piped = make("deskhand-tool-piped");
        let pipe = std::process::Command::new("mkfifo").arg(piped.join(LOCK)).status().unwrap();
        assert!(pipe.success());
        let linked = among.path().join("deskhand-tool-linked");
        std::os::unix::fs::symlink(&strange, &linked).unwrap();

        sweep(among.path());

        assert!(!killed.exists());
        for kept in [&alive, &unmarked, &strange, &piped, &linked] {
            assert!(kept.join("out/1.wav").exists(), "{}", kept.display());
        }
        drop(lock);
        sweep(among.path());
        assert!(!alive.exists());
    }
}
