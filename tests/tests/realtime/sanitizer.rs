//! RTSan's own self-test: a planted defect ends the process, so it is planted in a child.
//!
//! The soak needs no code here: with the feature `rtsan` every watched callback is real-time
//! context, and a finding ends the test.

use std::process::Command;

const PLANTED: &str = "DESKHAND_PLANTED";

#[test]
fn malloc_of_c_is_caught() {
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this)
        .args(["--exact", "sanitizer::plant", "--nocapture"])
        .env(PLANTED, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && said.contains("RealtimeSanitizer"), "{said}");
}

/// Does nothing unless it is the child.
#[test]
fn plant() {
    if std::env::var_os(PLANTED).is_none() {
        return;
    }
    rtsan_standalone::realtime_enter();
    // SAFETY: a plain allocation that is freed at once.
    unsafe { libc::free(std::hint::black_box(libc::malloc(100))) };
    rtsan_standalone::realtime_exit();
}
