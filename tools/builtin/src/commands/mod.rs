//! One command per change: the same path as every tool, without measuring. Deleting time alone may listen, for a few
//! tenths of a second, where its edges are, and faders that are pushed up may measure whether the mix has room.

mod clips;
mod copies;
pub(crate) mod cuts;
mod description;
mod document;
mod envelopes;
mod faders;
mod gain;
pub(crate) mod group;
mod inserts;
mod landing;
mod markers;
mod names;
mod overlaps;
mod restore_words;
pub(crate) mod ripple;
mod ripple_delete;
mod spoken;
mod stretch;
mod strip;
#[cfg(test)]
mod tests;
mod tracks;

use deskhand_toolkit::{Command, Tool, TypedTool};
use std::sync::Arc;

/// Every command.
// tidy: table
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        faders::SetTrackGain::tool(),
        gain::SetClipGain::tool(),
        gain::SetMasterGain::tool(),
        envelopes::SetTrackEnvelope::tool(),
        envelopes::SetClipEnvelope::tool(),
        inserts::SetInsert::tool(),
        inserts::RemoveInsert::tool(),
        inserts::SwitchInsert::tool(),
        strip::SetTrackMute::tool(),
        strip::SetTrackSolo::tool(),
        strip::SetTrackPan::tool(),
        strip::SetTrackColor::tool(),
        strip::SetTrackOutput::tool(),
        tracks::AddTrack::tool(),
        tracks::RemoveTrack::tool(),
        tracks::MoveTrack::tool(),
        tracks::RenameTrack::tool(),
        group::SetGroup::tool(),
        clips::AddClip::tool(),
        clips::RemoveClip::tool(),
        clips::DuplicateClip::tool(),
        clips::MoveClip::tool(),
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
        spoken::SetWords::tool(),
        restore_words::RestoreWords::tool(),
        spoken::SetSpeaker::tool(),
        description::SetDescription::tool(),
        document::SetSelection::tool(),
        document::SetCurrentSource::tool(),
        document::RemoveSource::tool(),
        document::SetTempo::tool(),
        document::SetMeter::tool(),
    ]
}
