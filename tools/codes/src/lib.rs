//! Codes: the codebook, coded places, and reports on them. Text comes from transcripts. Each coding is a
//! segment of its own over a region of a source, so a new transcript loses no coding.
//!
//! Thread: `prepare` on the message thread, `run` on a worker.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod codebook;
mod coding;
mod exact;
mod files;
mod find;
mod importance;
#[cfg(test)]
mod long_tests;
mod loose;
mod merge;
mod places;
mod playback_times;
mod quote;
mod refi;
mod region;
mod region_facts;
mod report;
mod says;
mod similar;
mod spectral;
#[cfg(test)]
mod testing;
mod text;
mod uncode;

pub use merge::merge_codings;

use deskhand_toolkit::{Command, Tool, TypedTool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        codebook::SetCode::tool(),
        codebook::RemoveCode::tool(),
        codebook::MergeCodes::tool(),
        codebook::SetMemo::tool(),
        region::CodeRegion::tool(),
        spectral::CodeSpectral::tool(),
        importance::SetImportance::tool(),
        uncode::Uncode::tool(),
        exact::CodeExact::tool(),
        similar::CodeSimilar::tool(),
        report::ReportCodes::tool(),
        refi::ImportCodebook::tool(),
        refi::ExportCodebook::tool(),
        refi::ExportProject::tool(),
    ]
}
