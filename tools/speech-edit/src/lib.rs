//! The tools that edit speech by its words: the assembly of phrases, tightening, and corrections of a transcript.
//!
//! Thread: `prepare` on the message thread, `run` on a worker.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod assembly;
mod copies;
mod description;
#[cfg(test)]
mod read_aloud;
mod restore_words;
mod spoken;
#[cfg(test)]
mod sync_tests;
#[cfg(test)]
mod testing;
mod tighten;

use deskhand_toolkit::{Command, Tool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    let own = [
        spoken::SetWords::tool(),
        restore_words::RestoreWords::tool(),
        spoken::SetSpeaker::tool(),
        description::SetDescription::tool(),
    ];
    own.into_iter().chain(assembly::all()).chain(tighten::all()).collect()
}
