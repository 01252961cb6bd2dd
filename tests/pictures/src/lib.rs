//! A song for pictures: a session, its waveforms and plans, told to a [`deskhand_editor::Model`] by the events
//! that a bridge would send.
//!
//! Thread: any.

#![forbid(unsafe_code)]

pub mod interview;
pub mod song;

pub use interview::interview;
pub use song::{Song, bare, cuts, fillers, forward, in_parts, permitted};
