//! Errors, one enum per operation.

use crate::owner::Holder;
use std::io;
use std::path::PathBuf;

/// Why a session was not created. No file remains.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    #[error(
        "{0:?} exists and is not an empty folder; choose another name, or open it with `deskhand show`"
    )]
    Exists(PathBuf),
    #[error("{dir:?} cannot be written ({source}); choose a folder that you may write to")]
    NotWritable { dir: PathBuf, source: io::Error },
    #[error("the disk is full: {0:?} was not created; free some space and try again")]
    DiskFull(PathBuf),
    #[error("{dir:?} is being created by {holder}; wait, or choose another name")]
    InUse { dir: PathBuf, holder: Holder },
    #[error("the session cannot be written down: {0}")]
    Invalid(String),
    #[error("{dir:?} could not be created: {why}")]
    Io { dir: PathBuf, why: String },
}

/// Why a session was not opened. The folder is as it was.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0:?} does not exist; make a session with `deskhand new DIR`")]
    Missing(PathBuf),
    #[error("{dir:?} is not a Deskhand session ({why}); make one with `deskhand new DIR`")]
    NotASession { dir: PathBuf, why: String },
    #[error("{dir:?} is open in {holder}; close it there, or work in that window")]
    InUse { dir: PathBuf, holder: Holder },
    #[error("{dir:?} was written by a newer version ({found}); update Deskhand to open it")]
    NewerVersion { dir: PathBuf, found: String },
    #[error(
        "{dir:?} is damaged: {what}; nothing was changed. \
         Save what can be saved into a new folder: deskhand doctor {dir:?} --repair-to NEW-DIR"
    )]
    Damaged { dir: PathBuf, what: String },
    #[error(
        "{dir:?} holds {object}, which Deskhand does not write; it is damaged or made to do harm. \
         Save its events into a new folder: deskhand doctor {dir:?} --repair-to NEW-DIR"
    )]
    Untrusted { dir: PathBuf, object: String },
    #[error("{dir:?} cannot be written ({why}); copy it to a folder that you may write to")]
    NotWritable { dir: PathBuf, why: String },
    #[error("the disk is full: {0:?} cannot be opened for work; free some space and try again")]
    DiskFull(PathBuf),
    #[error("{dir:?} could not be opened: {why}")]
    Io { dir: PathBuf, why: String },
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
    #[error(
        "the disk is full: the change was not saved, everything before it is; \
         free some space and open the session again"
    )]
    DiskFull,
    #[error(
        "the change was not saved: {why}; everything before it is. \
         Check the disk and open the session again"
    )]
    Failed { why: String },
    #[error("the session is read-only since saving failed ({because}); open it again")]
    ReadOnly { because: String },
    #[error("the change cannot be saved: {why}; it was left out")]
    Refused { why: String },
}
