//! The real-time engine: what a session sounds like, live and offline.
//!
//! A [`Schedule`] says what is played; [`Bounce`] renders it offline.
//!
//! Does not know: sessions, files, plans, devices, plugins. Sources are opened by a function that
//! the caller gives.

mod denormals;
#[cfg(test)]
mod fixture;
mod meter;
mod mix;
pub mod offline;
mod program;
pub mod schedule;
mod slots;
mod source;
mod stereo;

pub use meter::MeterReading;
pub use offline::{Bounce, BounceBlock, BounceError, BounceReader, BounceSettings, Bounced};
pub use schedule::{
    Audible, Level, Output, Schedule, ScheduleError, SourceKey, Strip, StripKey, Voice, VoiceKey,
};
pub use source::SourceError;
