//! Where this library lies on the disk.
//!
//! Thread: any

use std::path::PathBuf;

/// The file that this code was loaded from.
#[cfg(unix)]
pub(crate) fn library() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;
    let here: fn() -> Option<PathBuf> = library;
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the address is of running code, and `info` is as large as the call writes.
    #[expect(unsafe_code, reason = "the loader is asked where it found this code")]
    let found = unsafe { libc::dladdr(here as *const libc::c_void, info.as_mut_ptr()) };
    if found == 0 {
        return None;
    }
    // SAFETY: the call succeeded, and all bytes were zero before, which is a value of every field.
    #[expect(unsafe_code, reason = "written by the call above")]
    let name = unsafe { info.assume_init() }.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: the loader keeps the name, ended by zero, as long as the library is loaded, which runs.
    #[expect(unsafe_code, reason = "the loader's string")]
    let name = unsafe { CStr::from_ptr(name) };
    PathBuf::from(OsStr::from_bytes(name.to_bytes())).canonicalize().ok()
}

/// Elsewhere the record that the installer leaves is enough.
#[cfg(not(unix))]
pub(crate) fn library() -> Option<PathBuf> {
    None
}
