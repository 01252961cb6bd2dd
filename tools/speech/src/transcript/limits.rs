//! How much of a transcript file is read.

/// The largest file that is read, in bytes.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most phrases of a file: a hundred hours of short ones.
pub(super) const MOST_PHRASES: usize = 200_000;
/// The most words of a phrase.
pub(super) const MOST_WORDS: usize = 4_000;
/// The longest word or name, in characters, as a session takes it.
pub(super) const LONGEST_NAME: usize = 200;
/// The most speakers of a file.
pub(super) const MOST_SPEAKERS: usize = 1_000;
