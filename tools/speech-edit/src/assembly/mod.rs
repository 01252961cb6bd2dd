//! The assembly: phrases of transcripts on tracks of their own, put in order step by step.
//!
//! The recordings and their tracks stay as they are. Each step is a plan: the state of the assembly, and
//! only the clips on the assembly tracks that differ. All ids derive from what they represent, so nothing
//! is stored outside the session.

mod called;
mod export;
pub(crate) mod extent;
mod find;
mod finish;
mod left;
mod list;
mod parts;
mod places;
mod regroup;
mod remove;
mod reorder;
mod restore;
mod spans;
mod state;
mod steps;
mod takes;
pub(crate) mod talk;
#[cfg(test)]
pub(crate) mod tests;
mod timeline;
pub(crate) mod unit;

pub(crate) use called::renamed;
pub(crate) use places::phrases_on;

use deskhand_toolkit::{Command, Tool, TypedTool};
use std::sync::Arc;

/// The tools of the assembly.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        find::FindPhrases::tool(),
        list::ListPhrases::tool(),
        takes::MarkDuplicates::tool(),
        reorder::Reorder::tool(),
        remove::Remove::tool(),
        restore::Restore::tool(),
        finish::Finish::tool(),
        export::ExportAssembly::tool(),
    ]
}
