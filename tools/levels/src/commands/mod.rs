//! One command per setting of the mixer: the same path as every tool, without measuring. Faders that are pushed up alone
//! may measure whether the mix has room.

mod envelopes;
mod faders;
mod gain;
mod inserts;
mod strip;
#[cfg(test)]
mod tests;

pub(crate) use gain::SetMasterGain;
pub(crate) use inserts::SetInsert;

use deskhand_toolkit::{Command, Tool, TypedTool};
use std::sync::Arc;

/// Every command.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        faders::SetTrackGain::tool(),
        gain::SetClipGain::tool(),
        SetMasterGain::tool(),
        envelopes::SetTrackEnvelope::tool(),
        envelopes::SetClipEnvelope::tool(),
        SetInsert::tool(),
        inserts::RemoveInsert::tool(),
        inserts::SwitchInsert::tool(),
        strip::SetTrackMute::tool(),
        strip::SetTrackSolo::tool(),
        strip::SetTrackPan::tool(),
        strip::SetTrackColor::tool(),
        strip::SetTrackOutput::tool(),
    ]
}
