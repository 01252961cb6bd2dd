//! The built-in tools: one file each, and one command per change.
//!
//! Thread: `prepare` on the message thread, `run` on a worker. Every tool is a function from a snapshot
//! of the session and parameters to a draft of a plan; planning again after applying gives an empty one.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod about;
mod commands;
mod fades;
mod find;
mod gain;
mod gain_staging;
mod import;
mod measure;
mod names;
mod normalize;
mod rename_tracks;
mod sketch;
mod strip_silence;
#[cfg(test)]
mod testing;
mod words;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every built-in tool and command.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    let tools = [
        measure::MeasureLevels::tool(),
        normalize::Normalize::tool(),
        import::ImportAudio::tool(),
        rename_tracks::RenameTracks::tool(),
        fades::AddFades::tool(),
        strip_silence::StripSilence::tool(),
        gain_staging::GainStage::tool(),
    ];
    tools.into_iter().chain(commands::all()).collect()
}
