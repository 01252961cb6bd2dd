//! A DAW's session by its project file: a plan is written into the file itself, with a dated copy next to it.

use crate::compare::{difference, names};
use crate::format::{self, Format};
use crate::host::{Applied, Caps, Host, HostError, HostPlan, Snapshot, UndoKind};
use crate::merge::merged;
use crate::{open_in_daw, project_file};
use deskhand_toolkit::ToolError;
use deskhand_toolkit::files::{next_free, write_new};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The project file of a DAW.
pub struct FileHost {
    path: PathBuf,
    format: Format,
    /// Where copies go.
    copies: PathBuf,
}

impl FileHost {
    /// The file at `path`, absolute.
    ///
    /// # Errors
    /// When no format reads it.
    pub fn new(path: &Path) -> Result<Self, ToolError> {
        let (bytes, _) = project_file::read(path)?;
        let format = project_file::format_of(path, &bytes)?;
        let copies = path.parent().unwrap_or(Path::new(".")).to_path_buf();
        Ok(Self { path: path.to_path_buf(), format, copies })
    }

    /// The same with copies in another folder.
    #[must_use]
    pub fn keeping_copies_in(self, copies: PathBuf) -> Self {
        Self { copies, ..self }
    }

    fn read(&self) -> Result<(Vec<u8>, Snapshot), HostError> {
        let (bytes, hash) = project_file::read(&self.path).map_err(|error| refused(&error))?;
        let project = format::read(self.format, &bytes).map_err(|error| refused(&error))?;
        Ok((bytes, Snapshot { project, token: hash.0 }))
    }

    /// Puts `bytes` in the place of the file, which is still `token`, whole or not at all.
    fn replace(&self, bytes: &[u8], token: &str) -> Result<(), HostError> {
        if let Some(program) = open_in_daw::holder(&self.path) {
            return Err(HostError::Refused(format!(
                "{program} has the project open: close it there first"
            )));
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut part = tempfile::NamedTempFile::new_in(folder).map_err(|error| refused(&error))?;
        part.write_all(bytes)
            .and_then(|()| part.as_file().sync_all())
            .map_err(|error| refused(&error))?;
        let meta = std::fs::metadata(&self.path).map_err(|error| refused(&error))?;
        std::fs::set_permissions(part.path(), meta.permissions())
            .map_err(|error| refused(&error))?;
        // As late as can be: the DAW may have saved meanwhile.
        let (_, now) = project_file::read(&self.path).map_err(|error| refused(&error))?;
        if now.0 != token {
            return Err(HostError::Refused(
                "the DAW saved the project meanwhile: try again".into(),
            ));
        }
        part.persist(&self.path).map(drop).map_err(|error| refused(&error.error))
    }

    /// A dated copy of the file: "song before Deskhand 2026-11-30 22.09.01.RPP".
    fn keep_copy(&self, bytes: &[u8]) -> Result<PathBuf, HostError> {
        let time = chrono::Local::now().format("%Y-%m-%d %H.%M.%S");
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.path.extension().unwrap_or_default().to_string_lossy();
        std::fs::create_dir_all(&self.copies).map_err(|error| refused(&error))?;
        let copy = next_free(self.copies.join(format!("{stem} before Deskhand {time}.{ending}")));
        write_new(&copy, bytes).map_err(|error| refused(&error))?;
        Ok(copy)
    }
}

fn refused(error: &impl ToString) -> HostError {
    HostError::Refused(error.to_string())
}

impl Host for FileHost {
    fn caps(&self) -> Caps {
        Caps {
            program: self.format.name().into(),
            clips: true,
            mixer: true,
            markers: true,
            undo: UndoKind::FileCopy,
            is_live: false,
            was_tried: false,
        }
    }

    fn snapshot(&mut self) -> Result<Snapshot, HostError> {
        self.read().map(|(_, snapshot)| snapshot)
    }

    fn apply(&mut self, plan: &HostPlan) -> Result<(Applied, Snapshot), HostError> {
        let (bytes, now) = self.read()?;
        let named = merged(plan, &now.project).map_err(HostError::Moved)?;
        let wanted = named.clone().without_new_ids();
        let written =
            format::write(self.format, &bytes, &wanted).map_err(|error| refused(&error))?;
        let read = format::read(self.format, &written).map_err(|error| refused(&error))?;
        if let Some(what) = difference(self.format, &wanted, &read) {
            return Err(HostError::Refused(format!("{what} would not be as planned")));
        }
        let copy = self.keep_copy(&bytes)?;
        if let Err(error) = self.replace(&written, &now.token) {
            // It would be a copy of what is there.
            drop(std::fs::remove_file(&copy));
            return Err(error);
        }
        // Not from the disk: the DAW may have saved again.
        let token = project_file::hash(&written).0;
        let names = names(&named, &read);
        let applied = Applied { token: token.clone(), copy: Some(copy), names };
        Ok((applied, Snapshot { project: read, token }))
    }

    /// Puts the copy back, byte for byte.
    fn undo(&mut self, applied: &Applied) -> Result<Snapshot, HostError> {
        let not_newest = || HostError::NotNewest(self.format.name().into());
        let (_, now) = self.read()?;
        if now.token != applied.token {
            return Err(not_newest());
        }
        let copy = applied.copy.as_ref().ok_or_else(not_newest)?;
        let bytes = std::fs::read(copy).map_err(|error| refused(&error))?;
        let project = format::read(self.format, &bytes).map_err(|error| refused(&error))?;
        self.replace(&bytes, &now.token)?;
        Ok(Snapshot { project, token: project_file::hash(&bytes).0 })
    }
}
