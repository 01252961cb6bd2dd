//! What the integration tests in `tests` share: how results are compared with the expectations of a file.

#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "only tests call it")]

pub mod compare;
pub mod normal;
pub mod written_files;
