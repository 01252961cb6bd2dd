//! Which project formats there are, and reading and writing each. The door of this crate's formats.

use std::path::Path;

use crate::project::Project;
use crate::splice::Overlap;
use crate::{ardour, dawproject, rpp};

/// A project file's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// REAPER's `.RPP`.
    Reaper,
    /// DAWproject 1.0, of Bitwig, Studio One and Cubase.
    DawProject,
    /// A session of Ardour.
    Ardour,
}

impl Format {
    /// By the ending of `path`, or else by its first bytes.
    #[must_use]
    pub fn of(path: &Path, first: &[u8]) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "rpp" | "rpp-bak" => Some(Self::Reaper),
            "dawproject" => Some(Self::DawProject),
            "ardour" => Some(Self::Ardour),
            _ if first.starts_with(b"<REAPER_PROJECT") => Some(Self::Reaper),
            _ => None,
        }
    }

    /// The program's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reaper => "REAPER",
            Self::DawProject => "DAWproject",
            Self::Ardour => "Ardour",
        }
    }
}

/// Why a project file cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReadError {
    /// The file is of another kind.
    #[error("this is no {0} project")]
    Kind(&'static str),
    /// The file is damaged or cut off.
    #[error("line {line}: {what}; open the project in {program} and save it again")]
    Damaged {
        /// The format's program.
        program: &'static str,
        /// Counted from 1.
        line: usize,
        /// What is wrong, as a clause.
        what: String,
    },
    /// More than a project would hold.
    #[error("the file has {what}: it is too large or made to do harm")]
    TooLarge {
        /// What exceeds which limit.
        what: String,
    },
}

/// Why a change cannot be written. Nothing was written then.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum WriteError {
    /// The original cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The wanted project names an object that the file does not have, or names one twice.
    #[error("{0}: read the project again")]
    Identity(String),
    /// A value is out of its range.
    #[error("{0}; choose another value")]
    Value(String),
    /// The object is locked, or automation sets the value.
    #[error("{object}: {why}")]
    Refused {
        /// Kind and name.
        object: String,
        /// Why, and the way out.
        why: String,
    },
    /// A defect of ours.
    #[error(transparent)]
    Overlap(#[from] Overlap),
}

/// The project in `bytes`.
///
/// # Errors
/// Where the bytes are of another kind, damaged or larger than any project.
pub fn read(format: Format, bytes: &[u8]) -> Result<Project, ReadError> {
    match format {
        Format::Reaper => rpp::read(bytes),
        Format::DawProject => dawproject::read(bytes),
        Format::Ardour => ardour::read(bytes),
    }
}

/// `original` with the least bytes changed that make it read as `wanted`: objects of the original
/// that `wanted` does not name are deleted, those without an id are new, and values that are equal
/// to the last bit stay as they are written. `Project::left` does not count.
///
/// # Errors
/// Where the original cannot be read, or a change is not possible in this format.
pub fn write(format: Format, original: &[u8], wanted: &Project) -> Result<Vec<u8>, WriteError> {
    match format {
        Format::Reaper => rpp::write(original, wanted),
        Format::DawProject => dawproject::write(original, wanted),
        Format::Ardour => ardour::write(original, wanted),
    }
}
