//! Hands a session's timeline on to other programs, and reads their timelines. Called by the tools that export and
//! import; the audio itself stays where it is.

pub mod aaf;
pub mod edl;
pub mod fcpxml;
mod lanes;
pub mod losses;
pub mod otio;
mod picture;
#[cfg(test)]
mod testing;
pub mod timecode;
pub mod timeline;

pub use losses::{Target, losses};
pub use timecode::FrameRate;
pub use timeline::{Clip, Imported, Marker, Media, NotTaken, Settings, Timeline, Track};
