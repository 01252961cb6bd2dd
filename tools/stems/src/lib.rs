//! Stem separation: a recording into vocals and accompaniment, harmonic and percussive, mid and side.
//!
//! Thread: `prepare` on the message thread, `run` on a worker, which streams: memory is bounded however
//! long the recording is.
//!
//! Does not know: the engine, the host, the bridge, and how models are run.

#![forbid(unsafe_code)]

mod demucs;
mod hybrid;
mod median;
mod mid_side;
mod own_models;
mod plan;
mod read_ahead;
mod recipe;
mod region;
mod rough;
mod segments;
mod separate;
mod spleeter;
mod stft;
mod stream;
#[cfg(test)]
mod testing;
mod work;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    vec![separate::SeparateStems::tool()]
}
