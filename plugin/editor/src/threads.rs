//! Waits for the end of the window's threads.
//!
//! Thread: window

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Waits, for at most `patience`, until `thread` ends after it was asked to. In a host the code may be
/// unloaded with the last instance, so the thread must end first, unless a disk delays it.
pub(crate) fn await_end(thread: &JoinHandle<()>, patience: Duration) {
    let end = Instant::now() + patience;
    while !thread.is_finished() && Instant::now() < end {
        thread::park_timeout(Duration::from_millis(2));
    }
}
