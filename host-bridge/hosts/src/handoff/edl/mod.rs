//! CMX 3600 edit decision lists: text that names a reel, a channel and four timecodes for each cut.

mod read;
mod reels;
#[cfg(test)]
mod tests;
mod write;

pub use read::{EdlError, Problem, read};
pub use write::write;
