//! The tools that clean recordings and line them up: noise, hum, DC offset, polarity, delays between microphones.
//!
//! Thread: `prepare` on the message thread, `run` on a worker. They make new files and change no file that is there.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod align_clips;
mod check_polarity;
mod clean;
mod denoise;
mod processed_clips;
#[cfg(test)]
mod real_speech;
mod remove_dc;
mod remove_hum;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        clean::Cleaner::<remove_dc::RemoveDc>::tool(),
        denoise::Denoise::tool(),
        clean::Cleaner::<remove_hum::RemoveHum>::tool(),
        align_clips::AlignClips::tool(),
        check_polarity::CheckPolarity::tool(),
    ]
}
