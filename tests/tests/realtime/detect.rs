//! Runs a callback under every detector and returns their findings.

mod budget;
mod float;
mod syscall;

use std::time::Duration;

/// What a callback did that it may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Allocations and frees through Rust's allocator.
    pub(crate) allocations: u32,
    /// 1 if the system was called at least once; watching ends with the first call.
    pub(crate) syscalls: u32,
    /// Kinds of operation, of two: one made a NaN, one met a denormal.
    pub(crate) float: u32,
    /// Processor time of this thread.
    pub(crate) time: Duration,
}

impl Findings {
    /// Whether nothing was found and the time is within `budget`.
    pub(crate) fn is_clean(&self, budget: Duration) -> bool {
        self.allocations == 0 && self.syscalls == 0 && self.float == 0 && self.time <= budget
    }
}

/// Watches `callback` on this thread.
///
/// The order matters: the clock is read by a system call, so it is read outside the guard.
pub(crate) fn watch(callback: impl FnOnce()) -> Findings {
    assert_no_alloc::reset_violation_count();
    let start = budget::thread_time();
    float::forget();
    let guard = syscall::arm();
    forbid(callback);
    let syscalls = guard.disarm();
    let float = float::kinds();
    let time = budget::thread_time().saturating_sub(start);
    Findings { allocations: assert_no_alloc::violation_count(), syscalls, float, time }
}

/// Forbids allocations, and under RTSan everything that blocks.
///
/// When something was allocated `assert_no_alloc` prints a warning, which may count as a call.
fn forbid(callback: impl FnOnce()) {
    #[cfg(feature = "rtsan")]
    rtsan_standalone::realtime_enter();
    assert_no_alloc::assert_no_alloc(callback);
    #[cfg(feature = "rtsan")]
    rtsan_standalone::realtime_exit();
}
