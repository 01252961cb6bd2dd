//! What was asked of the engine, and whether the Processor knows it.
//!
//! Thread: message

use crate::schedule::Schedule;
use deskhand_dsp::Decibels;

/// A schedule that was asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) schedule: Schedule,
    /// Whether the Processor knows it.
    pub(super) sent: Sent,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sent {
    #[default]
    Yes,
    /// There was no room; the next pump tries again.
    NotYet,
}

/// Which of the two programs is heard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Side {
    /// The current program: the schedule of [`Controller::apply`](crate::Controller::apply).
    #[default]
    Current,
    /// What could be: the schedule of [`Controller::audition`](crate::Controller::audition).
    Other {
        /// Level match: how much louder it is heard. Its meters show it without.
        gain: Decibels,
    },
}

/// The requested side.
#[derive(Debug, Default)]
pub(super) struct Listening {
    pub(super) side: Side,
    pub(super) at: Option<i64>,
    pub(super) sent: Sent,
}
