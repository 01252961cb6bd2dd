//! The app without its picture: a hub with the real tools, a session that is open as a window opens it, and a
//! device that is pulled by hand, or a JACK server that pulls.
//!
//! Thread: the test's own thread is the window, and plays the device where there is none.

#![expect(clippy::unwrap_used, reason = "test code; clippy sees only #[test] functions as tests")]

mod crossfade;
mod device;
mod example;
mod flow;
#[cfg(target_os = "linux")]
mod jack;
#[cfg(target_os = "linux")]
mod record;
mod user_session;
mod window;
mod words;

/// Counts what the audio thread allocates and frees.
#[global_allocator]
static ALLOCATOR: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
