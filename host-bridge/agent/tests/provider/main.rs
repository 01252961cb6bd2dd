//! Providers against a local server that speaks both wire formats, well and badly.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]
#![expect(unreachable_pub, reason = "modules of one test")]

mod anthropic;
mod ask;
mod config;
mod openai;
mod server;
mod transport;
