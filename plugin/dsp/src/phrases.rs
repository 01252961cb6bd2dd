//! Phrases of speech, found by level.

use crate::envelope::Envelope;
use crate::level::{ActivityGate, active_rms};
use crate::silence::{SilenceSettings, active_ranges};
use crate::{Decibels, Frames};
use std::ops::Range;

/// Speech begins this far below the level of the active parts: breaths and rooms lie lower.
const BELOW_ACTIVE: f64 = 18.0;
/// It lies at least this far above the noise floor.
const ABOVE_FLOOR: f64 = 10.0;
/// It never needs to come nearer than this to the level of the active parts.
const NEAREST: f64 = 8.0;
/// Below where it begins, where it ends.
const HYSTERESIS: f64 = 5.0;
/// Share of the 10 ms blocks that lie below the noise floor.
const FLOOR_SHARE: f64 = 0.1;
/// How speech is cut into phrases, in frames.
#[derive(Clone, Copy, Debug)]
pub struct Phrasing {
    /// Shorter pauses are part of a phrase.
    pub pause: Frames,
    /// Shorter sounds are clicks.
    pub least: Frames,
    /// Kept on both sides.
    pub around: Frames,
}

/// The level at which speech begins; `None` for silence.
#[must_use]
pub fn begins(envelope: &Envelope) -> Option<Decibels> {
    let gate = ActivityGate { floor: Decibels(-90.0), ..ActivityGate::DEFAULT };
    let active = active_rms(envelope.energies(), gate)?.0;
    let floor = envelope.noise_floor(FLOOR_SHARE).map_or(-120.0, |floor| floor.0);
    let open = (floor + ABOVE_FLOOR).max(active - BELOW_ACTIVE).min(active - NEAREST);
    Some(Decibels(open))
}

/// The phrases in an envelope, in its frames.
#[must_use]
pub fn phrases(envelope: &Envelope, phrasing: Phrasing) -> Vec<Range<Frames>> {
    let Some(open) = begins(envelope) else {
        return Vec::new();
    };
    let settings = SilenceSettings {
        open,
        close: open - Decibels(HYSTERESIS),
        min_silence: phrasing.pause,
        min_sound: phrasing.least,
        pre_roll: phrasing.around,
        post_roll: phrasing.around,
    };
    active_ranges(envelope, settings)
}
