//! Writing what can be saved into a new folder.

use super::{DoctorError, Report, copy, examine, verify};
use crate::db;
use crate::folder::{self, MEDIA};
use crate::load::Chain;
use crate::owner::Owner;
use crate::writer;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The saved parts and the lost ones.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Repair {
    /// The problems of the session.
    pub found: Report,
    /// The content of the new folder.
    pub saved: Report,
    /// Files of `media/` that were copied.
    pub media_files: usize,
    /// What the new folder lacks, in sentences; empty if it is complete.
    pub lost: Vec<String>,
}

/// Saves the events that are as they were written, up to the first that is not, and the media into
/// `target`, which must not exist or be empty. Nothing in `dir` is written.
///
/// # Errors
/// When nothing can be saved, or `target` cannot be written; then it is as before.
pub fn repair_to(dir: &Path, target: &Path) -> Result<Repair, DoctorError> {
    let copied = copy::database(dir)?;
    refuse_inside(&copied.dir, target)?;
    let (found, salvage) = examine(&copied);
    if salvage.replay.is_none() {
        return Err(DoctorError::NothingLeft { dir: dir.into(), why: found.damage.join("; ") });
    }
    let made = folder::make(target).map_err(|error| DoctorError::Target(error.to_string()))?;
    let mut lost = Vec::new();
    lost.extend(lost_events(salvage.chain.seq, salvage.written, &found.damage));
    write_events(&made.dir, &salvage.records).map_err(|why| {
        made.remove();
        DoctorError::Target(format!("{target:?} could not be written: {why}"))
    })?;
    let mut media = MediaCopy { files: 0, lost: &mut lost };
    media.copy(&copied.dir.join(MEDIA), &made.dir.join(MEDIA));
    let media_files = media.files;
    let saved = verify(&made.dir)?;
    Ok(Repair { found, saved, media_files, lost })
}

/// A folder inside the damaged session would change it.
fn refuse_inside(dir: &Path, target: &Path) -> Result<(), DoctorError> {
    let absolute = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
    let real = absolute.ancestors().find_map(|path| path.canonicalize().ok());
    if real.is_some_and(|real| real.starts_with(dir)) {
        let what = format!("{target:?} is inside the session; choose a folder elsewhere");
        return Err(DoctorError::Target(what));
    }
    Ok(())
}

fn lost_events(kept: i64, written: Option<i64>, damage: &[String]) -> Option<String> {
    let why = damage.first().map_or("", String::as_str);
    match written {
        Some(last) if last > kept => {
            Some(format!("events {} to {last} of {last}, because {why}", kept + 1))
        }
        Some(_) => None,
        None => Some(format!("events after {kept}, if there were any, because {why}")),
    }
}

fn write_events(dir: &Path, records: &[(String, String)]) -> Result<(), String> {
    let _owner = Owner::take(dir).map_err(|error| format!("{error:?}"))?;
    folder::make_rooms(dir).map_err(|error| error.to_string())?;
    let write = || -> rusqlite::Result<()> {
        let conn = db::open(&dir.join(db::FILE), db::MAY_CREATE)?;
        let tx = conn.unchecked_transaction()?;
        db::make_tables(&tx)?;
        let mut chain = Chain::START;
        for (kind, body) in records {
            chain = writer::insert_text(&tx, &chain, (kind, body))?;
        }
        tx.commit()?;
        db::finish(conn)
    };
    write().map_err(|error| error.to_string())?;
    folder::sync(dir).map_err(|error| error.to_string())
}

/// Copies plain files and folders, and notes what could not be copied. Links are passed over: they
/// could lead anywhere.
struct MediaCopy<'a> {
    files: usize,
    lost: &'a mut Vec<String>,
}

impl MediaCopy<'_> {
    fn copy(&mut self, from: &Path, to: &Path) {
        let mut open: Vec<(PathBuf, PathBuf)> = vec![(from.into(), to.into())];
        while let Some((from, to)) = open.pop() {
            match self.copy_folder(&from, &to) {
                Ok(below) => open.extend(below),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.lost.push(format!("the files in {from:?}: {error}")),
            }
        }
    }

    /// Copies the files of one folder and returns the folders in it.
    fn copy_folder(&mut self, from: &Path, to: &Path) -> io::Result<Vec<(PathBuf, PathBuf)>> {
        let entries = fs::read_dir(from)?;
        fs::create_dir_all(to)?;
        let mut below = Vec::new();
        for entry in entries {
            let entry = entry?;
            let (source, target) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if kind.is_dir() {
                below.push((source, target));
            } else if kind.is_file() {
                match fs::copy(&source, target) {
                    Ok(_) => self.files += 1,
                    Err(error) => self.lost.push(format!("{source:?}: {error}")),
                }
            }
        }
        Ok(below)
    }
}
