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
mod list;
mod moves;
mod original;
mod parts;
mod places;
mod regroup;
mod remove;
mod reorder;
mod restore;
mod says;
mod spans;
mod state;
mod steps;
mod takes;
pub(crate) mod talk;
#[cfg(test)]
pub(crate) mod tests;
mod timeline;
mod unassigned_words;
pub(crate) mod unit;

pub(crate) use called::renamed;
pub(crate) use places::phrases_on;

use deskhand_session::{PhraseId, Session};
use deskhand_toolkit::{Command, Tool, ToolError, TypedTool};
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

/// The phrase with this id.
pub(crate) fn phrase(session: &Session, id: &str) -> Result<PhraseId, ToolError> {
    let found = state::named(session, &[id.to_owned()])?;
    found.first().copied().ok_or_else(|| state::StepError::TooFew(0).into())
}
