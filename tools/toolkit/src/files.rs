//! Names of the files that tools write outside of a session: nothing that exists is written over.

use std::path::PathBuf;

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
