//! One command per change: the same path as every tool, without measuring.

mod gain;

use deskhand_toolkit::{Command, Tool};
use std::sync::Arc;

/// Every command.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    vec![
        gain::SetTrackGain::tool(),
        gain::SetClipGain::tool(),
        gain::SetMasterGain::tool(),
    ]
}
