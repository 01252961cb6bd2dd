//! The tools that set levels: faders, pans and processors, loudness, balance, ducking, mastering and delivery.
//!
//! Thread: `prepare` on the message thread, `run` on a worker.
//!
//! Does not know: the engine, the host, the bridge, the agent, the database.

#![forbid(unsafe_code)]

mod auto_mix;
mod bands;
mod commands;
mod duck;
mod eq_balance;
mod export_delivery;
mod feeding;
mod gain;
mod gain_staging;
mod level_speech;
mod master;
mod match_loudness;
mod measure;
mod mix_peak;
mod normalize;
mod reduce_bleed;
mod reset_mix;
mod roles;
mod shape_tone;
mod speech;
mod targets;

use deskhand_toolkit::{Tool, TypedTool};
use std::sync::Arc;

/// Every tool of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    let tools = [
        measure::MeasureLevels::tool(),
        normalize::Normalize::tool(),
        gain_staging::GainStage::tool(),
        level_speech::LevelSpeech::tool(),
        reduce_bleed::ReduceBleed::tool(),
        duck::Duck::tool(),
        match_loudness::MatchLoudness::tool(),
        master::Master::tool(),
        export_delivery::ExportDelivery::tool(),
        export_delivery::PredictDelivery::tool(),
        eq_balance::EqBalance::tool(),
        shape_tone::ShapeTone::tool(),
        auto_mix::AutoMix::tool(),
        reset_mix::ResetMix::tool(),
    ];
    tools.into_iter().chain(commands::all()).collect()
}
