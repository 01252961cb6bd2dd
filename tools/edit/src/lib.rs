//! The tools that edit: tracks, clips, groups, markers and time, the library, and what cuts silence.
//!
//! Thread: `prepare` on the message thread, `run` on a worker. Every tool is a function from a snapshot
//! of the session and parameters to a draft of a plan; planning again after applying gives an empty one.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

pub mod assembly;
mod commands;
mod cross_talk;
mod fades;
mod import;
mod names;
mod rename_tracks;
mod select_source;
mod source_facts;
mod strip_silence;
pub mod sync;

pub use commands::cuts::moved;
pub use commands::group::group_offer;
pub use commands::ripple::moved_with_time::Beside;
pub use commands::ripple::{LENT, Together};
pub use import::source_of_file;
pub use strip_silence::sound;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    let tools = [
        import::ImportAudio::tool(),
        select_source::SelectSource::tool(),
        rename_tracks::RenameTracks::tool(),
        fades::AddFades::tool(),
        strip_silence::StripSilence::tool(),
    ];
    tools.into_iter().chain(commands::all()).collect()
}
