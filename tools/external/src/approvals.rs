//! Which manifests outside of the person's own folder a person approved on this machine: a file in the person's
//! configuration.

use crate::candidate::Candidate;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file of approvals.
#[derive(Clone, Debug)]
pub struct Approvals {
    path: PathBuf,
}

#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}; mend it, or remove it and approve again")]
pub struct ApprovalsError {
    file: String,
    why: String,
}

/// What the approvals say about a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// This exact manifest was approved.
    Approved,
    /// It was approved, and is another one now.
    Changed,
    /// Nobody approved it.
    Never,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    approved: Vec<Line>,
}

/// One approval. The fingerprint decides; the rest is for people.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    fingerprint: String,
    tool: String,
    file: PathBuf,
    command: PathBuf,
}

impl Approvals {
    /// The approvals that are kept in that file, which may not be there yet.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Approves a manifest and its program in their current form; an earlier approval of that file is
    /// dropped.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn approve(&self, candidate: &Candidate) -> Result<(), ApprovalsError> {
        let mut table = self.table()?;
        table.approved.retain(|line| line.file != candidate.file);
        table.approved.push(Line {
            fingerprint: candidate.fingerprint.clone(),
            tool: candidate.manifest.name.clone(),
            file: candidate.file.clone(),
            command: candidate.command.clone(),
        });
        self.write(&table).map_err(|why| self.failed(&why.to_string()))
    }

    /// Removes the approval of a manifest. Returns whether there was one.
    pub fn forget(&self, file: &Path) -> Result<bool, ApprovalsError> {
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let mut table = self.table()?;
        let before = table.approved.len();
        table.approved.retain(|line| line.file != file);
        if table.approved.len() == before {
            return Ok(false);
        }
        self.write(&table).map_err(|why| self.failed(&why.to_string())).map(|()| true)
    }

    /// Whether that file was ever approved, or nobody can tell.
    pub(crate) fn name(&self, file: &Path) -> bool {
        let Ok(file) = file.canonicalize() else {
            return false;
        };
        self.table().map_or(true, |table| table.approved.iter().any(|line| line.file == file))
    }

    /// What the approvals say about a manifest.
    pub(crate) fn of(&self, candidate: &Candidate) -> Result<Known, ApprovalsError> {
        let lines = self.table()?.approved;
        let same = lines.iter().any(|line| line.fingerprint == candidate.fingerprint);
        let before = lines.iter().any(|line| line.file == candidate.file);
        Ok(match (same, before) {
            (true, _) => Known::Approved,
            (false, true) => Known::Changed,
            (false, false) => Known::Never,
        })
    }

    fn table(&self) -> Result<Table, ApprovalsError> {
        match fs::read_to_string(&self.path) {
            Ok(text) => {
                toml::from_str(&text).map_err(|error: toml::de::Error| self.failed(error.message()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Table::default()),
            Err(error) => Err(self.failed(&error.to_string())),
        }
    }

    /// Writes a whole new file next to it and renames that, so that a crash leaves the old or the new list.
    fn write(&self, table: &Table) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or_else(|| Path::new("."));
        fs::create_dir_all(folder)?;
        let text = toml::to_string(table).map_err(io::Error::other)?;
        let mut draft = tempfile::NamedTempFile::new_in(folder)?;
        draft.write_all(text.as_bytes())?;
        draft.as_file().sync_all()?;
        draft.persist(&self.path)?;
        Ok(())
    }

    fn failed(&self, why: &str) -> ApprovalsError {
        ApprovalsError { file: crate::candidate::shown(&self.path), why: why.to_owned() }
    }
}
