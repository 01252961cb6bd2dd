//! Errors, one enum per operation.

use crate::owner::Holder;
use std::io;
use std::path::PathBuf;

/// Why a session was not created. No file remains.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Something is there.
    #[error(
        "{0:?} exists and is not an empty folder; choose another name, or open it with `deskhand show`"
    )]
    Exists(PathBuf),
    /// The place cannot be written.
    #[error("{dir:?} cannot be written ({source}); choose a folder that you may write to")]
    NotWritable {
        /// The folder.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk is full.
    #[error("the disk is full: {0:?} was not created; free some space and try again")]
    DiskFull(PathBuf),
    /// Another process is at it.
    #[error("{dir:?} is being created by {holder}; wait, or choose another name")]
    InUse {
        /// The folder.
        dir: PathBuf,
        /// The owner.
        holder: Holder,
    },
    /// The session is not one that could be opened again.
    #[error("the session cannot be written down: {0}")]
    Invalid(String),
    /// Anything else.
    #[error("{dir:?} could not be created: {why}")]
    Io {
        /// The folder.
        dir: PathBuf,
        /// What the system or the database said.
        why: String,
    },
}

/// Why a session was not opened. The folder is as it was.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Nothing is there.
    #[error("{0:?} does not exist; make a session with `deskhand new DIR`")]
    Missing(PathBuf),
    /// It is something else.
    #[error("{dir:?} is not a Deskhand session ({why}); make one with `deskhand new DIR`")]
    NotASession {
        /// The folder to open.
        dir: PathBuf,
        /// What is missing.
        why: String,
    },
    /// Another process owns it.
    #[error("{dir:?} is open in {holder}; close it there, or work in that window")]
    InUse {
        /// The session.
        dir: PathBuf,
        /// The process that has it open.
        holder: Holder,
    },
    /// A newer Deskhand wrote it.
    #[error("{dir:?} was written by a newer version ({found}); update Deskhand to open it")]
    NewerVersion {
        /// The session.
        dir: PathBuf,
        /// The newer part.
        found: String,
    },
    /// The written data contradicts itself.
    #[error(
        "{dir:?} is damaged: {what}; nothing was changed. \
         Save what can be saved into a new folder: deskhand doctor {dir:?} --repair-to NEW-DIR"
    )]
    Damaged {
        /// The session.
        dir: PathBuf,
        /// The problem.
        what: String,
    },
    /// The database holds what Deskhand never writes.
    #[error(
        "{dir:?} holds {object}, which Deskhand does not write; it is damaged or made to do harm. \
         Save its events into a new folder: deskhand doctor {dir:?} --repair-to NEW-DIR"
    )]
    Untrusted {
        /// The session.
        dir: PathBuf,
        /// The table, trigger, view or index.
        object: String,
    },
    /// The folder cannot be written.
    #[error("{dir:?} cannot be written ({why}); copy it to a folder that you may write to")]
    NotWritable {
        /// The session.
        dir: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The disk is full.
    #[error("the disk is full: {0:?} cannot be opened for work; free some space and try again")]
    DiskFull(PathBuf),
    /// Anything else.
    #[error("{dir:?} could not be opened: {why}")]
    Io {
        /// The session.
        dir: PathBuf,
        /// What the system or the database said.
        why: String,
    },
}

impl OpenError {
    /// Whether the session can still be looked into with [`crate::Store::look`]: only writing failed.
    #[must_use]
    pub fn leaves_a_look(&self) -> bool {
        match self {
            Self::NotWritable { .. } | Self::DiskFull(_) => true,
            Self::Missing(_)
            | Self::NotASession { .. }
            | Self::InUse { .. }
            | Self::NewerVersion { .. }
            | Self::Damaged { .. }
            | Self::Untrusted { .. }
            | Self::Io { .. } => false,
        }
    }
}

/// Why events were not stored. They are not on the disk; earlier ones are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The disk is full.
    #[error(
        "the disk is full: the change was not saved, everything before it is; \
         free some space and open the session again"
    )]
    DiskFull,
    /// Writing failed; the session is read-only from here on.
    #[error(
        "the change was not saved: {why}; everything before it is. \
         Check the disk and open the session again"
    )]
    Failed {
        /// What the system or the database said.
        why: String,
    },
    /// Writing failed earlier.
    #[error("the session is read-only since saving failed ({because}); open it again")]
    ReadOnly {
        /// The first failure.
        because: String,
    },
    /// The event does not follow from the stored ones, or could not be read again.
    #[error("the change cannot be saved: {why}; it was left out")]
    Refused {
        /// The problem of the event.
        why: String,
    },
}
