//! A DAW's session, whatever the way to it: its project file, or the running program. Every way passes the tests of
//! `host_tests`.

use crate::merge::merged;
use crate::project::Project;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// How a change in the DAW is taken back. A person sees it before the plan is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoKind {
    /// By one undo in the DAW.
    OneStep,
    /// By one undo in the DAW, but for faders, pans and mutes: Deskhand sets those back.
    OneStepExceptMixer,
    /// By Deskhand.
    Own,
    /// By the copy of the file that was there before.
    FileCopy,
}

/// What a way to a DAW's session can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caps {
    /// The name of the DAW.
    pub program: String,
    /// Clips can be changed.
    pub clips: bool,
    /// Faders, pans and mutes can be changed.
    pub mixer: bool,
    /// Markers can be changed.
    pub markers: bool,
    /// How a change is taken back.
    pub undo: UndoKind,
    /// The program runs.
    pub is_live: bool,
    /// It was tried in the program itself.
    pub was_tried: bool,
}

/// The session of the DAW at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// All that Deskhand models of it.
    pub project: Project,
    /// Stands for all of it: another token means that something changed.
    pub token: String,
}

/// Changes for the DAW's session: all in which two projects differ. The values of the first are what the plan expects,
/// those of the second what it makes of them. Other values may have changed meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct HostPlan {
    /// The name of the undo step.
    pub title: String,
    /// The project as the plan was made on it.
    pub base: Project,
    /// The project as it is to be. Objects without an id, or with one that begins with
    /// [`crate::project::NEW`], are new.
    pub wanted: Project,
}

/// A value of the DAW that is not as a plan expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The kind and name of the object.
    pub object: String,
    /// What of it: "the fader".
    pub value: &'static str,
    /// As the plan has it.
    pub expected: String,
    /// As it is.
    pub found: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { object, value, expected, found } = self;
        write!(f, "{object}: {value} is {found}, not {expected}")
    }
}

/// What was done, and how it is taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Applied {
    /// Stands for the session right after it.
    pub token: String,
    /// The copy of the project file that was made first.
    pub copy: Option<PathBuf>,
    /// What objects of the plan are called in the DAW now, by their ids in the plan: new ones, and those that it calls
    /// otherwise since.
    pub names: BTreeMap<String, String>,
}

/// Why a way to a DAW did not do what it was asked for.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum HostError {
    /// The DAW's session is not as the plan expects. Nothing changed.
    #[error("{}; nothing was changed", told(.0))]
    Moved(Vec<Mismatch>),
    /// The DAW refused, or its file cannot be read or written. Nothing changed.
    #[error("{0}; nothing was changed")]
    Refused(String),
    /// The DAW did not answer: what it did is not known until it is read again.
    #[error("{0} did not answer, so it is not known what changed there; read its session again")]
    Unknown(String),
    /// The newest step of the DAW is not the one to take back. Nothing changed.
    #[error(
        "the newest step in {0} is not Deskhand's, so it is not taken back; undo it there first"
    )]
    NotNewest(String),
}

fn told(moved: &[Mismatch]) -> String {
    moved.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// A way to a DAW's session.
pub trait Host {
    /// What it can do.
    fn caps(&self) -> Caps;

    /// The session as it is now.
    ///
    /// # Errors
    /// When the DAW does not answer, or its file cannot be read.
    fn snapshot(&mut self) -> Result<Snapshot, HostError>;

    /// Every value that is not as the plan expects; empty if it can be applied.
    ///
    /// # Errors
    /// As [`Host::snapshot`].
    fn check(&mut self, plan: &HostPlan) -> Result<Vec<Mismatch>, HostError> {
        let now = self.snapshot()?;
        Ok(merged(plan, &now.project).err().unwrap_or_default())
    }

    /// Checks again, makes all changes or none as one undo step, and reads each value back. Returns the session right
    /// after it: what others do next is not in it.
    ///
    /// # Errors
    /// [`HostError::Moved`] if the session moved on; [`HostError::Unknown`] if the DAW did not answer.
    fn apply(&mut self, plan: &HostPlan) -> Result<(Applied, Snapshot), HostError>;

    /// Takes the newest step back, if it is still this one. Returns the session right after that.
    ///
    /// # Errors
    /// [`HostError::NotNewest`] if something else was done since.
    fn undo(&mut self, applied: &Applied) -> Result<Snapshot, HostError>;
}
