//! One command per change: the same path as every tool, without measuring. Deleting time alone may listen, for a few
//! tenths of a second, where its edges are.

mod clip_mute;
mod clip_polarity;
mod clips;
pub(crate) mod cuts;
mod document;
pub(crate) mod group;
mod landing;
mod markers;
mod names;
mod overlaps;
pub(crate) mod ripple;
mod ripple_delete;
mod stretch;
#[cfg(test)]
mod tests;
mod tracks;

use deskhand_toolkit::{Command, Tool, TypedTool};
use std::sync::Arc;

/// Every command.
// tidy: table
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        tracks::AddTrack::tool(),
        tracks::RemoveTrack::tool(),
        tracks::MoveTrack::tool(),
        tracks::RenameTrack::tool(),
        group::SetGroup::tool(),
        clips::AddClip::tool(),
        clips::RemoveClip::tool(),
        clips::DuplicateClip::tool(),
        clips::MoveClip::tool(),
        clip_mute::SetClipMute::tool(),
        clip_polarity::SetClipPolarity::tool(),
        clips::RenameClip::tool(),
        cuts::TrimClip::tool(),
        cuts::SplitClip::tool(),
        cuts::SetClipFades::tool(),
        ripple_delete::RippleDelete::tool(),
        ripple::RippleInsert::tool(),
        markers::AddMarker::tool(),
        markers::RemoveMarker::tool(),
        markers::MoveMarker::tool(),
        markers::RenameMarker::tool(),
        markers::SetMarkerCode::tool(),
        document::SetSelection::tool(),
        document::SetCurrentSource::tool(),
        document::RemoveSource::tool(),
        document::SetTempo::tool(),
        document::SetMeter::tool(),
    ]
}
