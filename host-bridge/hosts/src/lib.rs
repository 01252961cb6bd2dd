//! The DAW's own session: its project files in and out, and what is handed on to other programs.
//! Called by workers; knows no bridge, no engine and no window.

#![forbid(unsafe_code)]

mod ardour;
mod audio_files;
mod changed_values;
mod compare;
mod dawproject;
mod export_timeline;
#[cfg(test)]
mod fake_host;
pub mod file_host;
pub mod format;
mod handed_files;
pub mod handoff;
pub mod host;
#[cfg(test)]
mod host_tests;
mod import_timeline;
mod imported_tracks;
mod in_session_units;
mod incoming;
pub mod landing;
mod link;
mod link_project;
#[cfg(test)]
mod linked_tests;
mod merge;
mod open_in_daw;
mod open_project;
mod opening;
mod outgoing;
pub mod project;
mod project_file;
mod rpp;
#[cfg(test)]
mod session_edits;
#[cfg(test)]
mod session_tests;
mod splice;
mod stays_behind;
#[cfg(test)]
mod test_changes;
#[cfg(test)]
mod timeline_tests;
mod track_order;
mod validate;
mod write_project;
mod xml;

use deskhand_toolkit::{Tool, TypedTool};
use std::path::Path;
use std::sync::Arc;

/// The tools that open and write projects, and exchange timelines.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        open_project::OpenProject::tool(),
        write_project::WriteProject::tool(),
        link_project::LinkProject::tool(),
        export_timeline::ExportTimeline::tool(),
        import_timeline::ImportTimeline::tool(),
    ]
}

/// The sample rate of a project file, Hz, if it can be read and has one.
#[must_use]
pub fn rate_of(file: &Path) -> Option<u32> {
    let (bytes, _) = project_file::read(file).ok()?;
    let format = project_file::format_of(file, &bytes).ok()?;
    format::read(format, &bytes).ok()?.rate
}
