//! The end of threads that the window has beside it.
//!
//! Thread: window

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Waits until `thread`, which was told to end, is gone, for `patience` at most. In a host the code may go with
/// the last instance: the thread has to be gone before, unless a disk holds it up.
pub(crate) fn await_end(thread: &JoinHandle<()>, patience: Duration) {
    let end = Instant::now() + patience;
    while !thread.is_finished() && Instant::now() < end {
        thread::park_timeout(Duration::from_millis(2));
    }
}
