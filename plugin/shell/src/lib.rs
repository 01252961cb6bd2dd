//! Deskhand in a DAW: one binary that is a CLAP and a VST3 plugin.
//!
//! Thread: any (every module says its own)
//!
//! An instance is a track of the desk. Its audio runs in `audio`, guarded against panics. A process of its
//! own, the hub, owns the session. Does not know: a database, a decoder, a model. The only crate that names
//! nice-plug.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "the fence of clippy.toml is around the modules of the audio thread, which deny them"
)]

mod after_block;
mod audio;
mod audition;
mod capture;
pub mod capturing;
mod clap_entry;
pub mod clock;
mod declick;
pub mod guard;
mod hub;
mod kernel;
pub mod meter;
mod panic_fuse;
pub mod param_ranges;
pub mod params;
#[cfg(feature = "test-probes")]
pub mod planted_faults;
pub mod played_timeline;
mod plugin;
mod port;
mod scope;
mod session_out;
pub mod shared;
pub mod state;
mod tempo;
#[cfg(feature = "test-probes")]
pub mod test_probes;
pub mod trim_moves;
mod voice;
mod vst3_entry;
mod whereabouts;
mod window;

pub use clap_entry::clap_entry;
pub use plugin::Deskhand;
pub use vst3_entry::*;
