//! NaN and denormals: the processor is set to trap, and a signal handler counts and continues.
//!
//! Reading the sticky flags afterwards would miss everything inside a scope that restores the
//! control register, and the engine's scope without denormals is one. Trap masks survive it.

use std::arch::asm;
use std::cell::Cell;
use std::sync::Once;

/// Sticky flags: invalid operation (a NaN is made), denormal operand.
const FLAGS: u32 = 0b11;
/// The masks of the same two, which keep them from trapping.
const MASKS: u32 = 0b11 << 7;

thread_local! {
    static TRAPS: Cell<u32> = const { Cell::new(0) };
}

/// Traps are on until it is disarmed.
pub(super) struct Armed {
    before: u32,
}

pub(super) fn arm() -> Armed {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(install);
    TRAPS.set(0);
    let before = control();
    set_control(before & !FLAGS & !MASKS);
    Armed { before }
}

impl Armed {
    pub(super) fn disarm(self) -> u32 {
        set_control(self.before);
        TRAPS.get()
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        set_control(self.before);
    }
}

fn control() -> u32 {
    let mut value = 0u32;
    // SAFETY: stores the register into a live local.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack)) };
    value
}

fn set_control(value: u32) {
    // SAFETY: the value is one that was read before, with other flags and masks; reserved bits
    // are untouched. Test code only: a trap ends in the handler below.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, readonly)) };
}

fn install() {
    // SAFETY: an all-zero sigaction is valid; the handler has the signature that SA_SIGINFO requires and
    // does only what a signal handler may do.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = on_trap;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        assert_eq!(libc::sigaction(libc::SIGFPE, &raw const action, std::ptr::null_mut()), 0);
    }
}

/// Counts, masks the kind of trap that came, and lets the operation run again.
extern "C" fn on_trap(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    super::syscall::let_through();
    TRAPS.set(TRAPS.get() + 1);
    // SAFETY: with SA_SIGINFO the third argument is the interrupted thread's ucontext, and its
    // floating point state is present on x86-64.
    let state = unsafe { &mut *(*context.cast::<libc::ucontext_t>()).uc_mcontext.fpregs };
    let raised = state.mxcsr & FLAGS;
    state.mxcsr = (state.mxcsr | raised << 7) & !FLAGS;
}
