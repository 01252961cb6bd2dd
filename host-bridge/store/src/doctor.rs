//! Checking a session folder without touching it, and saving what can be saved into another.
//!
//! The database is copied before it is opened: SQLite would tidy up, and a damaged file is evidence.

mod copy;
mod media;
mod repair;
mod salvage;

pub use repair::{Repair, repair_to};

use crate::folder;
use crate::owner::{Holder, Owner, Visitor};
use copy::Copied;
use deskhand_session::{RevisionId, SessionId};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// Why a folder was not examined or not repaired.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    #[error("{0:?} does not exist; name the folder of a session")]
    Missing(PathBuf),
    #[error("{dir:?} is not a Deskhand session: {why}")]
    NotASession { dir: PathBuf, why: String },
    #[error("{dir:?} is open in {holder}; close it there first")]
    InUse { dir: PathBuf, holder: Holder },
    #[error("{0}")]
    Target(String),
    #[error(
        "nothing can be saved from {dir:?}: {why}; restore a backup, \
         the audio files in media/ are as they were"
    )]
    NothingLeft { dir: PathBuf, why: String },
    #[error("{dir:?} could not be examined: {source}")]
    Io { dir: PathBuf, source: io::Error },
}

/// The content of a session folder, and its problems.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The session's identity, if its first event can be read.
    pub session: Option<SessionId>,
    /// Events that are as they were written, from the first on.
    pub events: i64,
    /// Revisions among them, also those of abandoned branches.
    pub revisions: usize,
    /// The revision they lead to.
    pub head: RevisionId,
    /// Plans among them.
    pub plans: usize,
    /// Snapshots that agree with the events.
    pub snapshots: usize,
    /// Audio files in the library.
    pub sources: usize,
    /// The problems of the database; empty if it is sound.
    pub damage: Vec<String>,
    /// Audio files that are missing or changed; the session itself opens without them.
    pub media: Vec<String>,
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty() && self.media.is_empty()
    }
}

/// Examines a session: the file's pages, the chain of events, what they lead to, snapshots, media.
/// Nothing in the folder is written.
///
/// # Errors
/// When it cannot be examined at all; damage is in the report.
pub fn verify(dir: &Path) -> Result<Report, DoctorError> {
    let copied = copy::database(dir)?;
    Ok(examine(&copied).0)
}

/// The report, and the events that are as they were written.
fn examine(copied: &Copied) -> (Report, salvage::Salvage) {
    let salvage = salvage::read(&copied.file);
    let mut report = Report {
        events: salvage.chain.seq,
        snapshots: salvage.snapshots,
        damage: salvage.damage.clone(),
        ..Report::default()
    };
    if let Some(replay) = &salvage.replay {
        report.session = Some(replay.session.id);
        report.revisions = replay.history.iter().count();
        report.head = replay.history.head();
        report.plans = replay.plans.len();
        report.sources = replay.session.sources.len();
        report.media = media::problems(&copied.dir, &replay.session);
    }
    (report, salvage)
}

/// The folder to examine, and a lock that keeps owners out meanwhile.
fn enter(dir: &Path) -> Result<(PathBuf, Option<Visitor>), DoctorError> {
    let not = |why: &str| DoctorError::NotASession { dir: dir.into(), why: why.into() };
    let failed = |source| DoctorError::Io { dir: dir.into(), source };
    match dir.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(DoctorError::Missing(dir.into()));
        }
        Err(error) => return Err(failed(error)),
        Ok(found) if !found.is_dir() => return Err(not("it is not a folder")),
        Ok(_) => {}
    }
    let real = dir.canonicalize().map_err(failed)?;
    folder::plain_database(&real).map_err(|why| not(&why))?;
    let held = |holder| DoctorError::InUse { dir: dir.into(), holder };
    let lock = Owner::keep_out(&real).map_err(held)?;
    Ok((real, lock))
}
