//! Final Cut Pro XML 1.10, as Final Cut Pro and DaVinci Resolve exchange it
//! (<https://developer.apple.com/documentation/professional-video-applications/fcpxml-reference>).

mod assemble;
mod level;
mod read;
#[cfg(test)]
mod tests;
mod time;
mod write;

pub use read::{FcpxmlError, Problem, read};
pub use write::write;
