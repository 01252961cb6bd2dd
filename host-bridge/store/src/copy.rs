//! A copy of an open session with its media, in a new folder.
//!
//! Thread: a worker's; the database is copied by the storage thread, between two appends.

use crate::db;
use crate::error::CreateError;
use crate::folder::{self, MEDIA};
use crate::writer::{CopyOrder, Order};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::time::Duration;

/// How often a wait looks whether it is still wanted.
const TICK: Duration = Duration::from_millis(50);
/// Bytes of a file that are copied between two looks.
const CHUNK: u64 = 8 << 20;

/// Hears the share that is done, 0 to 1, and may break to cancel.
pub(crate) type GoOn<'a> = dyn FnMut(f64) -> ControlFlow<()> + 'a;

/// Copies a session that a [`crate::Store`] has open. Works until the store is closed, and holds up
/// neither it nor its closing.
#[derive(Clone, Debug)]
pub struct Copier {
    pub(crate) dir: PathBuf,
    pub(crate) orders: Weak<Sender<Order>>,
}

/// A file from elsewhere that a copy has inside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extra {
    /// Where it is in the copy, relative to its folder.
    pub to: PathBuf,
    pub file: PathBuf,
    pub bytes: u64,
}

/// The result of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The new folder, absolute and without links.
    pub dir: PathBuf,
    pub media_files: usize,
    /// Their bytes.
    pub media_bytes: u64,
}

/// Why nothing was copied. No file remains.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{0:?} exists already; a copy is a new folder")]
    Exists(PathBuf),
    #[error("{0:?} is inside the session; choose a folder elsewhere")]
    Inside(PathBuf),
    /// The folder cannot be made.
    #[error(transparent)]
    Create(#[from] CreateError),
    #[error("the session was not copied: {why}")]
    Database { why: String },
    #[error("{file:?} was not copied: {error}")]
    Media { file: PathBuf, error: io::Error },
    #[error("cancelled; nothing was copied")]
    Cancelled,
}

impl Copier {
    /// Copies the stored session to `target`, which must not exist: the files of `media/`, and `more` from elsewhere.
    pub fn copy_with(
        &self,
        target: &Path,
        more: &[Extra],
        go_on: &mut GoOn<'_>,
    ) -> Result<Copied, CopyError> {
        self.refuse(target)?;
        let made = folder::make(target)?;
        self.fill(&made.dir, more, go_on).inspect_err(|_| {
            // It was made just now, so all in it is ours.
            let _in_use = fs::remove_dir_all(&made.dir);
        })
    }

    fn refuse(&self, target: &Path) -> Result<(), CopyError> {
        if target.symlink_metadata().is_ok() {
            return Err(CopyError::Exists(target.into()));
        }
        let absolute = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
        let real = absolute.ancestors().find_map(|path| path.canonicalize().ok());
        if real.is_some_and(|real| real.starts_with(&self.dir)) {
            return Err(CopyError::Inside(target.into()));
        }
        Ok(())
    }

    fn fill(&self, dir: &Path, more: &[Extra], go_on: &mut GoOn<'_>) -> Result<Copied, CopyError> {
        let failed = |file: &Path, error| CopyError::Media { file: file.into(), error };
        self.copy_database(&dir.join(db::FILE), go_on)?;
        folder::make_rooms(dir).map_err(|error| failed(dir, error))?;
        let media = self.dir.join(MEDIA);
        let files = files_in(&media).map_err(|error| failed(&media, error))?;
        let own = files.into_iter().map(|(file, bytes)| {
            let to = file.strip_prefix(&self.dir).unwrap_or(&file).to_owned();
            Extra { file, to, bytes }
        });
        let mut files: Vec<Extra> = own.collect();
        files.extend(more.iter().filter(|extra| !dir.join(&extra.to).exists()).cloned());
        files.dedup_by(|one, other| one.to == other.to);
        let all: u64 = files.iter().map(|file| file.bytes).sum();
        let mut done = 0;
        for Extra { file, to, bytes } in &files {
            let go_on = &mut |part| go_on((done + part) as f64 / all.max(1) as f64);
            copy_file(file, &dir.join(to), go_on)?;
            done += bytes;
        }
        folder::sync(dir).map_err(|error| failed(dir, error))?;
        Ok(Copied { dir: dir.into(), media_files: files.len(), media_bytes: done })
    }

    fn copy_database(&self, file: &Path, go_on: &mut GoOn<'_>) -> Result<(), CopyError> {
        let failed = |why: &str| CopyError::Database { why: why.into() };
        let closed = || failed("it is being closed; open it and try again");
        let (reply, answer) = bounded(1);
        let orders = self.orders.upgrade().ok_or_else(closed)?;
        let order = Order::Copy(CopyOrder { file: file.into(), reply });
        orders.try_send(order).map_err(|_| failed("the disk does not keep up; try again"))?;
        drop(orders);
        wait(&answer, go_on)?.ok_or_else(closed)?.map_err(|why| failed(&why))?;
        let synced = File::open(file).and_then(|file| file.sync_all());
        synced.map_err(|error| failed(&error.to_string()))
    }
}

/// The answer; `None` if nobody will answer any more.
fn wait<T>(answer: &Receiver<T>, go_on: &mut GoOn<'_>) -> Result<Option<T>, CopyError> {
    loop {
        match answer.recv_timeout(TICK) {
            Ok(answer) => return Ok(Some(answer)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if go_on(0.0).is_break() {
            return Err(CopyError::Cancelled);
        }
    }
}

/// Plain files with their sizes, in subfolders too. Links are skipped: they could lead anywhere. Unfinished
/// files are skipped as well: they are made again.
fn files_in(folder: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() && !folder::is_unfinished(&entry) {
                found.push((entry.path(), entry.metadata()?.len()));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn copy_file(
    from: &Path,
    to: &Path,
    go_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<(), CopyError> {
    let failed = |error| CopyError::Media { file: from.into(), error };
    to.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    let mut source = File::open(from).map_err(failed)?;
    let mut target = File::create_new(to).map_err(failed)?;
    let mut done = 0;
    loop {
        if go_on(done).is_break() {
            return Err(CopyError::Cancelled);
        }
        let mut part = source.by_ref().take(CHUNK);
        match io::copy(&mut part, &mut target).map_err(failed)? {
            0 => return target.sync_all().map_err(failed),
            copied => done += copied,
        }
    }
}
