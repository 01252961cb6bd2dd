//! Passes that were recorded before there is a session: they wait in a folder of this process.
//!
//! Thread: disk, hub's link

use super::name;
use crate::shared::{Pass, Seated};
use deskhand_protocol::helper;
use std::path::{Path, PathBuf};
use std::{fs, io};

fn root() -> io::Result<PathBuf> {
    let data = helper::data_folder();
    let data =
        data.ok_or_else(|| io::Error::other("this user has no folder for data; set HOME"))?;
    Ok(data.join("waiting"))
}

fn own() -> io::Result<PathBuf> {
    Ok(root()?.join(std::process::id().to_string()))
}

/// The folder where passes of this process wait, created if needed. Removes the folders of processes that
/// ended.
pub(super) fn folder() -> io::Result<PathBuf> {
    let own = own()?;
    if !own.is_dir() {
        fs::create_dir_all(&own)?;
        for folder in fs::read_dir(root()?)?.flatten() {
            if is_left(&folder.path()) {
                fs::remove_dir_all(folder.path()).ok();
            }
        }
    }
    Ok(own)
}

/// Whether its process has ended: for a day nothing was written there.
fn is_left(folder: &Path) -> bool {
    const DAY: u64 = 24 * 60 * 60;
    let modified = fs::metadata(folder).and_then(|found| found.modified());
    let age = modified.ok().and_then(|modified| modified.elapsed().ok());
    age.is_some_and(|age| age.as_secs() > DAY)
}

/// A pass as it lies in the folder of a session: one that waited is moved there.
pub(crate) fn moved_into(pass: Pass, seated: &Seated, instance: &str) -> io::Result<Pass> {
    if !own().is_ok_and(|own| pass.file.starts_with(own)) {
        return Ok(pass);
    }
    let file = seated.captures.join(name(pass.kind, instance, seated.track, pass.at));
    // Another disk takes a copy.
    if fs::rename(&pass.file, &file).is_err() {
        fs::copy(&pass.file, &file)?;
        fs::remove_file(&pass.file)?;
    }
    Ok(Pass { file, ..pass })
}

/// No instance of this process is left, so its waiting passes are removed.
pub(crate) fn leave() {
    if let Ok(own) = own() {
        fs::remove_dir_all(own).ok();
    }
}
