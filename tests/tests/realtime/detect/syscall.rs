//! System calls: Syscall User Dispatch (Linux 5.11 and later) hands them to a signal handler.

use std::cell::Cell;
use std::sync::Once;

const PR_SET_SYSCALL_USER_DISPATCH: libc::c_int = 59;
const ALLOW: u8 = 0;
const BLOCK: u8 = 1;

thread_local! {
    static SELECTOR: Cell<u8> = const { Cell::new(ALLOW) };
    static CALLS: Cell<u32> = const { Cell::new(0) };
    static DISPATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Calls are caught until it is disarmed.
pub(super) struct Armed;

pub(super) fn arm() -> Armed {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(install);
    if !DISPATCHED.get() {
        dispatch();
        DISPATCHED.set(true);
    }
    CALLS.set(0);
    SELECTOR.set(BLOCK);
    Armed
}

impl Armed {
    pub(super) fn disarm(self) -> u32 {
        SELECTOR.set(ALLOW);
        CALLS.get()
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        SELECTOR.set(ALLOW);
    }
}

/// Turns dispatch on for this thread; it acts only while the selector says so.
fn dispatch() {
    // SAFETY: the selector is a thread-local byte that lives as long as the thread it serves.
    let failed = unsafe {
        libc::prctl(
            PR_SET_SYSCALL_USER_DISPATCH,
            1 as libc::c_ulong,
            0 as libc::c_ulong,
            0 as libc::c_ulong,
            SELECTOR.with(Cell::as_ptr),
        )
    };
    assert_eq!(failed, 0, "this test needs Linux 5.11 or later with Syscall User Dispatch");
}

fn install() {
    // SAFETY: an all-zero sigaction is valid; the handler has the signature that SA_SIGINFO requires and
    // does only what a signal handler may do.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) = on_call;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_NODEFER;
        assert_eq!(libc::sigaction(libc::SIGSYS, &raw const action, std::ptr::null_mut()), 0);
    }
}

/// Counts, makes the call, and stops watching: the return from the handler is a call itself.
extern "C" fn on_call(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    SELECTOR.set(ALLOW);
    CALLS.set(CALLS.get() + 1);
    // SAFETY: with SA_SIGINFO the third argument is the interrupted thread's ucontext.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let register = |name: i32| registers[usize::try_from(name).unwrap_or(0)];
    let arguments =
        [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX, libc::REG_R10, libc::REG_R8].map(register);
    let [a, b, c, d, e] = arguments;
    // SAFETY: number and arguments come from a call that the interrupted code was making.
    let mut result =
        unsafe { libc::syscall(register(libc::REG_RAX), a, b, c, d, e, register(libc::REG_R9)) };
    if result == -1 {
        // SAFETY: errno is this thread's own. The kernel returns the negated error.
        result = -libc::c_long::from(unsafe { *libc::__errno_location() });
    }
    registers[usize::try_from(libc::REG_RAX).unwrap_or(0)] = result;
}
