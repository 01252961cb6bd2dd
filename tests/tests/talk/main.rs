//! The conversation from end to end: a scripted model on a local server, the loop, a hub with the real tools,
//! and a person on a connection of their own.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "all of this crate is a test, and says what it skips"
)]

mod again;
mod canary;
mod claims;
mod desk;
mod folders;
mod injection;
mod mix;
mod model;
mod prompt;
mod recording;
mod script;
mod turns;
mod unaided;
mod words;
