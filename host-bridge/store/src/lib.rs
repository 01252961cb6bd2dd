//! The session on disk.
