//! Rounds of the hub's link, for tests that wait until it has looked at everything.
//!
//! Thread: any

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A link that looks at nothing for this long is gone, or hangs.
const PATIENCE: Duration = Duration::from_secs(60);

static ROUNDS: Mutex<u64> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// The link's thread has looked at everything, or ends.
pub(crate) fn end() {
    *ROUNDS.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    ENDED.notify_all();
}

/// How many rounds there were.
#[must_use]
pub fn count() -> u64 {
    *ROUNDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until there were more rounds than `seen`.
///
/// # Panics
/// When no instance lives that keeps the thread running.
pub fn wait_for_more_than(seen: u64) {
    let rounds = ROUNDS.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = ENDED.wait_timeout_while(rounds, PATIENCE, |rounds| *rounds <= seen);
    let (rounds, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
    drop(rounds);
    assert!(!timeout.timed_out(), "the link's thread does not look");
}
