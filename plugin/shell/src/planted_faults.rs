//! Faults that tests plant: panics, a disk that hangs, and limits below what a person can set.
//!
//! Thread: any

use crate::guard::Entry;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

static ARMED: AtomicU8 = AtomicU8::new(0);
/// Bytes; 0 where the preferences hold.
static MOST_CAPTURED: AtomicU64 = AtomicU64::new(0);
/// 0 where it is as in a host.
static ARMED_MINUTES: AtomicU32 = AtomicU32::new(0);
static HANGS: AtomicBool = AtomicBool::new(false);
static WAITS: AtomicBool = AtomicBool::new(false);

/// Makes the next code after `entry` panic.
pub fn arm(entry: Entry) {
    ARMED.store(entry as u8, Ordering::SeqCst);
}

/// Limits the captured audio of a session to this many bytes, less than a person can set. `None` removes
/// the limit.
pub fn capture_at_most(bytes: Option<u64>) {
    MOST_CAPTURED.store(bytes.unwrap_or(0), Ordering::SeqCst);
}

/// Makes the disk hang, or work again: writes wait, and so does opening files for playback.
pub fn hang_disk(hangs: bool) {
    HANGS.store(hangs, Ordering::SeqCst);
}

/// Waits as long as the disk hangs.
pub(crate) fn wait_for_disk() {
    while HANGS.load(Ordering::SeqCst) {
        WAITS.store(true, Ordering::SeqCst);
        std::thread::park_timeout(std::time::Duration::from_millis(2));
    }
}

/// Whether anything waited for the disk since this was asked last.
#[must_use]
pub fn waited_for_disk() -> bool {
    WAITS.swap(false, Ordering::SeqCst)
}

/// Makes a recording continue in another file after this many minutes; `None` is as in a host.
pub fn armed_goes_on_after(minutes: Option<u32>) {
    ARMED_MINUTES.store(minutes.unwrap_or(0), Ordering::SeqCst);
}

pub(crate) fn armed_minutes() -> Option<u32> {
    Some(ARMED_MINUTES.load(Ordering::SeqCst)).filter(|minutes| *minutes > 0)
}

pub(crate) fn most_captured() -> Option<u64> {
    Some(MOST_CAPTURED.load(Ordering::SeqCst)).filter(|most| *most > 0)
}

/// Whether that code has not run yet.
#[must_use]
pub fn is_armed(entry: Entry) -> bool {
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
