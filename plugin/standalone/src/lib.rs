//! Deskhand in a window of its own: the session of a hub, the views of the editor, a device that plays.
//!
//! Thread: window; news, waveforms, the sound device and each measurement have threads of their own.
//!
//! The session is written by a hub: the one that serves it, or `deskhand serve`, which is started and
//! stays while it has front ends. [`OpenSession`] is all of a window but its picture.

#![forbid(unsafe_code)]

mod app;
mod closing_sessions;
mod desk;
mod dialog;
mod icon;
mod models;
mod open;
pub mod peaks;
mod playback;
mod preferences;
mod question;
mod recording;
mod saved_state;
mod session_tools;
pub mod sound;
mod spectrogram;

pub use app::{App, Start};
pub use desk::{Desk, DeskError, HubGone};
pub use icon::icon;
pub use open::{OpenSession, Wake};
pub use playback::{Playback, PlaybackError};
pub use saved_state::{Kept, KeptInput, KeptSeen};
