//! What the network hears at once, in samples at 16 kHz.

use crate::mel::HOP;
use deskhand_inference::MEL_FRAMES;

/// Samples that the network hears at once.
pub(super) const WINDOW: usize = MEL_FRAMES * HOP;
/// Units of time of the network, in samples.
pub(super) const TICK: usize = 2 * HOP;
