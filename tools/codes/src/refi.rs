//! Codebooks and projects in the exchange format REFI-QDA 1.5 (qdasoftware.org), which programs for qualitative
//! analysis read and write: `.qdc` is a codebook, `.qdpx` a ZIP of a project with its transcripts.

mod export_codebook;
mod export_project;
mod guid;
mod import_codebook;
mod opened;
mod project;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod transcript;
mod write;

pub(super) use export_codebook::ExportCodebook;
pub(super) use export_project::ExportProject;
pub(super) use import_codebook::ImportCodebook;

use deskhand_session::Session;
use deskhand_toolkit::files::{next_free, place, write_new};
use deskhand_toolkit::{Code, PlanContext, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// A file that is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Export {
    /// The file to write, .qdc for a codebook or .qdpx for a project; it must not exist. A relative path starts
    /// at the session's parent folder.
    #[schemars(length(min = 5, max = 4096))]
    path: String,
    /// If `path` exists, write to the next free name, such as codebook-2.qdc; omitted: refuse.
    #[serde(default)]
    or_next_free: bool,
}

impl Export {
    /// Writes the file, and says where it is.
    fn write(&self, context: &PlanContext, bytes: &[u8]) -> Result<PathBuf, ToolError> {
        let path = place(context, &self.path);
        let path = if self.or_next_free { next_free(path) } else { path };
        write_new(&path, bytes).map(|()| path)
    }
}

fn not_empty(session: &Session) -> Result<(), ToolError> {
    if session.codes.is_empty() {
        let fix = "make a code with cmd_set_code";
        return Err(ToolError::prepare(Code::NoTarget, "the codebook is empty", fix));
    }
    Ok(())
}

/// Writing into memory fails only if there is none left.
fn unwritable(error: impl std::fmt::Display) -> ToolError {
    ToolError::run(Code::Write, format!("the file cannot be made: {error}"), "try it again")
}
