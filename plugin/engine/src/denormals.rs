//! Arithmetic without denormal numbers, which can cost a hundred times more than others.
//!
//! Thread: any

/// Runs `work` with denormals flushed to zero, as inputs too, and restores the thread's setting after it.
#[expect(unsafe_code, reason = "changes the floating point control register")]
pub fn without_denormals<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: the register is restored when `work` ends, also when it unwinds; nothing in it
    // depends on denormals, and the compiler does not move floating point work of ours across an
    // opaque closure call in a way that matters: at worst a sample is flushed or is not.
    unsafe { no_denormals::no_denormals(work) }
}
