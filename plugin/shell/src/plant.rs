//! Panics of the tests' own making.
//!
//! Thread: any

use crate::guard::Entry;
use std::sync::atomic::{AtomicU8, Ordering};

static ARMED: AtomicU8 = AtomicU8::new(0);

/// The next code that runs behind `entry` panics.
pub fn arm(entry: Entry) {
    ARMED.store(entry as u8, Ordering::SeqCst);
}

pub(crate) fn is_armed(entry: Entry) -> bool {
    ARMED.load(Ordering::SeqCst) == entry as u8
}

/// Panics if it was asked to.
///
/// # Panics
/// Once after [`arm`].
#[expect(clippy::panic, reason = "this is what it is for")]
pub(crate) fn trip(entry: Entry) {
    let mine = entry as u8;
    if ARMED.compare_exchange(mine, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
        panic!("planted in {entry:?}");
    }
}
