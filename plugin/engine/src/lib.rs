//! The real-time engine: what a session sounds like, live and offline.
//!
//! A [`Schedule`] says what is played. Live, [`engine()`] makes three parts: the [`Controller`] on the
//! message thread, the [`Processor`] on the audio thread, and the [`Disk`] that reads files early. Offline,
//! [`Bounce`] renders a schedule through the same code as fast as it can be read.
//!
//! A plugin in a host plays the same with [`Processor::process_following`], locked to the host's clock.
//! [`Controller::audition`] opens a second schedule next to the first, and [`Controller::listen`] chooses
//! which is heard. Meters come back through [`Controller::meters`]. [`capture`] records the input.
//!
//! Strips have inserts before their faders. A limiter needs future samples, so each strip is rendered early
//! by the delay of everything after it, and the mix is never late.
//!
//! Thread: any (every module says its own)
//!
//! Does not know: sessions, files, plans, devices, plugins. Sources are opened by a function that
//! the caller gives.

#![warn(missing_docs)]
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the fence of clippy.toml is around the modules of the audio thread, which deny them"
)]

pub mod capture;
pub mod clicks;
mod controller;
mod disk;
mod disk_wait;
mod engine;
#[cfg(test)]
mod fixture;
mod insert_tap;
mod inserts;
#[cfg(test)]
mod live;
mod message;
mod meter;
mod mix;
pub mod offline;
mod processor;
mod program;
mod roll;
pub mod schedule;
mod shared;
mod slots;
mod source;
mod stereo;
mod stream;
mod worker;

pub use controller::{ControlError, Controller, Delivery, Position, Side, Trouble};
pub use disk::{Disk, DiskThread, Worked};
pub use engine::{EngineConfig, EngineError, engine};
pub use meter::MeterReading;
pub use offline::{Bounce, BounceBlock, BounceError, BounceReader, BounceSettings, Bounced, Stems};
pub use processor::{DiskLate, HostClock, Processor};
pub use schedule::{
    Audible, Insert, InsertKey, Level, Output, Schedule, ScheduleError, SourceKey, Strip, StripKey,
    Voice, VoiceKey,
};
pub use shared::Motion;
pub use source::SourceError;
