//! Integration tests live in this crate's `tests` modules.
