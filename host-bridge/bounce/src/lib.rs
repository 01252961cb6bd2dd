//! Offline audio of a session: sources from their files, tracks and the mix through the engine.
//!
//! Thread: worker. A crate of its own because only here the engine, the media files and the toolkit
//! meet: the bridge hands it to tools as [`deskhand_toolkit::Audio`], the applications render with it.
//!
//! Does not know: the bridge, the store, front ends.

#![forbid(unsafe_code)]

mod originals;
mod pick;
mod render;
mod sources;

pub use render::{RenderError, RenderJob, Rendered, render};
pub use sources::SessionAudio;
