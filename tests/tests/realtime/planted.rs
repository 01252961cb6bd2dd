//! The detectors' own test: each planted defect is caught by the detector that is there for it.

use crate::detect::{Findings, watch};
use std::hint::black_box;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// More than any callback here needs, less than the planted spin.
const BUDGET: Duration = Duration::from_millis(100);

#[test]
fn a_callback_that_does_nothing_wrong_is_clean() {
    let mut sum = 0f32;
    let samples = [0.25f32; 64];
    let found = watch(|| sum = samples.iter().map(|sample| sample * 0.5).sum());
    assert!(found.is_clean(BUDGET), "{found:?}");
    assert_eq!(sum, 8.0);
}

#[test]
fn allocating_and_freeing_are_caught() {
    let found = watch(|| drop(black_box(vec![0u8; 100])));
    assert_eq!(found.allocations, 2, "a vector: {found:?}");
    let mut last = Some(Arc::new(5));
    let found = watch(|| last = None);
    assert_eq!((found.allocations, last), (1, None), "the last owner");
}

#[test]
fn calling_the_system_is_caught() {
    let defects: [(&str, &dyn Fn()); 4] = [
        ("sleep", &|| std::thread::sleep(Duration::from_micros(1))),
        ("file metadata", &|| drop(black_box(std::fs::metadata("/")))),
        ("a raw call", &|| {
            // SAFETY: asks for a number and has no other effect.
            black_box(unsafe { libc::syscall(libc::SYS_getppid) });
        }),
        ("a line written", &|| {
            let written = std::io::stderr().write_all(b"(planted line)\n");
            assert!(written.is_ok());
        }),
    ];
    for (name, defect) in defects {
        let found = watch(defect);
        assert_eq!(found.syscalls, 1, "{name}: {found:?}");
    }
}

#[test]
fn a_call_that_is_caught_still_does_its_work() {
    let mut size = 0;
    // SAFETY: asks for a number and has no other effect.
    let found = watch(|| size = unsafe { libc::syscall(libc::SYS_getpid) });
    assert_eq!((found.syscalls, size), (1, i64::from(std::process::id())));
    let mut missing = Ok(());
    let found = watch(|| missing = std::fs::metadata("/no/such/file").map(|_| ()));
    assert_eq!(found.syscalls, 1);
    assert_eq!(missing.unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn waiting_for_a_lock_is_caught() {
    let lock = Arc::new(Mutex::new(()));
    let (tell, held) = channel();
    let wanted = Arc::new(AtomicBool::new(false));
    // SAFETY: asks for a number and has no other effect.
    let waiter = unsafe { libc::gettid() };
    let holder = std::thread::spawn({
        let (lock, wanted) = (Arc::clone(&lock), Arc::clone(&wanted));
        move || {
            let guard = lock.lock().unwrap();
            tell.send(()).unwrap();
            // The other side gives up spinning and asks the system to wait.
            while !wanted.load(Ordering::Acquire) || !is_asleep(waiter) {
                std::thread::yield_now();
            }
            drop(guard);
        }
    });
    held.recv().unwrap();
    let found = watch(|| {
        wanted.store(true, Ordering::Release);
        drop(lock.lock());
    });
    holder.join().unwrap();
    assert_eq!(found.syscalls, 1, "{found:?}");
}

/// Whether the system lets a thread of this process wait.
fn is_asleep(thread: libc::pid_t) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap();
    // The state follows the thread's name, which is in parentheses.
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('S'))
}

#[test]
fn a_panic_is_caught() {
    let mut survived = Ok(());
    let found = watch(|| {
        survived = std::panic::catch_unwind(|| panic!("(planted panic)"));
    });
    assert!(survived.is_err());
    assert!(found.allocations > 0 && found.syscalls > 0, "{found:?}");
}

#[test]
fn making_a_nan_and_meeting_a_denormal_are_caught() {
    let nan = watch(|| {
        black_box(black_box(0f32) / black_box(0f32));
    });
    assert_eq!(nan.float, 1, "{nan:?}");
    let denormal = watch(|| {
        black_box(black_box(f32::MIN_POSITIVE / 4.0) * black_box(0.5f32));
    });
    assert_eq!(denormal.float, 1, "{denormal:?}");
    let both = watch(|| {
        black_box(black_box(0f32) / black_box(0f32));
        black_box(black_box(f32::MIN_POSITIVE / 4.0) * black_box(0.5f32));
    });
    assert_eq!(both.float, 2, "{both:?}");
}

#[test]
fn running_away_is_caught() {
    let found = watch(|| {
        // No clock inside: reading one may be a system call.
        let mut turns = 0u64;
        while black_box(turns) < 400_000_000 {
            turns += 1;
        }
    });
    let quiet = Findings { time: Duration::ZERO, ..found };
    assert!(quiet.is_clean(BUDGET), "{found:?}");
    assert!(found.time > BUDGET && !found.is_clean(BUDGET), "{found:?}");
}
