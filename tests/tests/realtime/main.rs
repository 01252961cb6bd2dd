//! Real-time safety: the audio callback allocates nothing, frees nothing, calls no system, makes
//! no denormals and no NaN, and does not run away.
//!
//! Each detector first has to catch a planted defect ([`planted`]): one that misses fails the build. Then
//! the engine runs under all of them ([`soak`]): 100,000 callbacks of 64 frames with random edits while a
//! plan is heard. As many more run on a tone ([`hearing`]): they also follow a host's clock, record the
//! sound, and may not click. A million more run with `DESKHAND_LONG=1`.
//!
//! | planted | allocations | system calls | floating point | processor time | sanitizer |
//! |---|---|---|---|---|---|
//! | a vector, a last owner dropped | caught | | | | caught |
//! | malloc and free of C | | | | | caught |
//! | a contended lock | | caught | | | caught |
//! | sleep, file metadata, a raw system call | | caught | | | |
//! | a line written, a panic | panic | caught | | | caught |
//! | a spin of half a second | | | | caught | |
//! | a denormal, a NaN | | | caught | | |
//!
//! No detector sees an uncontended lock; the lint fence in `plugin/engine/clippy.toml` keeps locks out.
//!
//! The sanitizer column runs only with the feature `rtsan`: the soak again, and the sanitizer's own
//! planted defect (it ends the process at a finding, so the others are left out). It needs the
//! runtime that the stable toolchain ships:
//!
//! ```text
//! RTSAN_ENABLE=1 \
//! RTSAN_LIB_PATH=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/lib/librustc-stable_rt.rtsan.a \
//! cargo test -p deskhand-tests --features rtsan --test realtime
//! ```
//!
//! Thread: the test's own thread plays the audio thread; it is watched only inside the callback.

#![expect(
    unsafe_code,
    reason = "the detectors reach into signals, system calls and the floating point unit"
)]
#![expect(clippy::unwrap_used, reason = "test code; clippy sees only #[test] functions as tests")]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod detect;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod dice;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod hearing;
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(feature = "rtsan")))]
mod planted;
#[cfg(all(target_os = "linux", target_arch = "x86_64", feature = "rtsan"))]
mod sanitizer;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod soak;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
