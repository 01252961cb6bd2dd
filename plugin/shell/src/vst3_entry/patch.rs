//! Functions of ours in the tables of the framework's interfaces.
//!
//! Thread: message

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]

use std::sync::{Mutex, PoisonError};

/// The functions of one of the framework's interfaces with some of ours among them, and the way to theirs.
#[repr(C)]
struct Patched<T: 'static> {
    ours: T,
    theirs: &'static T,
}

/// The one table that all instances share, made with the first.
pub(super) struct Patch<T: 'static>(Mutex<Option<&'static Patched<T>>>);

impl<T> Patch<T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Lets an instance be called through a table of ours.
    ///
    /// # Safety
    /// `table` belongs to an instance of the framework that nobody uses yet.
    pub(super) unsafe fn replace(&self, table: *mut *const T, ours: impl FnOnce(&T) -> T) {
        // SAFETY: the table of a class is there as long as the code is.
        let theirs: &'static T = unsafe { &**table };
        let mut patched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let patched = patched
            .get_or_insert_with(|| Box::leak(Box::new(Patched { ours: ours(theirs), theirs })));
        // SAFETY: nobody reads it yet, and the new table is never freed.
        unsafe { *table = &raw const patched.ours };
    }
}

/// The framework's functions that our table wraps.
///
/// # Safety
/// `table` was put in place by a [`Patch`]: it is the first field of a [`Patched`].
pub(super) unsafe fn theirs<T>(table: *const T) -> &'static T {
    // SAFETY: as said.
    unsafe { (*table.cast::<Patched<T>>()).theirs }
}
