//! NaN and denormals: the processor keeps a flag for each, which is set by the first operation that
//! meets one.
//!
//! The flags are cleared and read, and no control bit is changed, so that this is no undefined behavior
//! (`core::arch::x86_64::_mm_setcsr`). Rust promises nothing about the flags; that a planted NaN and a
//! planted denormal are found is tested.

use std::arch::asm;

/// Sticky flags: invalid operation (a NaN is made), denormal operand.
const FLAGS: u32 = 0b11;

/// Begins to watch.
pub(super) fn forget() {
    let value = control() & !FLAGS;
    // SAFETY: the value is that of the register with two status flags cleared: no mode changes.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, readonly)) };
}

/// How many of the two kinds were met since.
pub(super) fn kinds() -> u32 {
    (control() & FLAGS).count_ones()
}

fn control() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores the register into a live local.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack)) };
    value
}
