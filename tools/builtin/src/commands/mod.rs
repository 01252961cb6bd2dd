//! One command per change: the same path as every tool, without measuring.

mod gain;
mod strip;
mod tracks;

use deskhand_toolkit::{Command, Tool};
use std::sync::Arc;

/// Every command.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        gain::SetTrackGain::tool(),
        gain::SetClipGain::tool(),
        gain::SetMasterGain::tool(),
        strip::SetTrackMute::tool(),
        strip::SetTrackSolo::tool(),
        strip::SetTrackPan::tool(),
        strip::SetTrackColor::tool(),
        strip::SetTrackOutput::tool(),
        tracks::AddTrack::tool(),
        tracks::RemoveTrack::tool(),
        tracks::MoveTrack::tool(),
        tracks::RenameTrack::tool(),
        tracks::SetGroup::tool(),
    ]
}
