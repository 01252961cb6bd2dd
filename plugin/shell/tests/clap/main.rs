//! The CLAP plugin in a host of ours, in this process. The allocation guard of nice-plug is on: an
//! allocation in the audio callback ends the test.

#![allow(
    unreachable_pub,
    unsafe_code,
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "tests, outside the audio thread; a host is made of pointers"
)]

mod automation;
mod life;
mod parameters;
#[allow(dead_code, reason = "each test program uses a part of the rig")]
mod rig;
mod sound;
mod states;
