//! Functions of ours in the tables of the framework's interfaces.
//!
//! A COM object begins with a pointer for each of its interfaces, to a table of functions. The pointer of a new
//! object is set to a copy of the table in which some functions are ours. An object of ours around the
//! framework's would need all functions of all its interfaces. The swap is sound, in the versions of
//! `Cargo.lock` (nice-plug 0.4.2, vst3 0.3.0, com-scrape-types 0.1.1):
//!
//! - Memory: `ComWrapper::new` puts the pointers into an `Arc`, in front of the object. They may be written.
//! - Provenance: interface pointers come from `Arc::as_ptr` and `Arc::into_raw`. Neither makes a reference, so
//!   its pointer may be written through.
//! - Lifetime: the framework's tables are constants (`Construct::OBJ`). They live as long as the code, and
//!   nobody writes them. Ours are leaked, and never written again.
//! - Aliasing: the framework borrows the memory of an object only for the length of a call
//!   (`ComWrapper::deref`). No borrow from before the write is used after it.
//! - Writers: after `ComWrapper::new`, only [`Patch::replace`] writes a pointer, before the host has the object.
//! - Readers: a pointer is read only by callers of its interface. The framework finds an object by its distance
//!   from the pointer (`Wrapper::data_from_header`), and the pointers of an object by their place in the list of
//!   interfaces (`InterfaceList::query`). So another table leads to the same object.
//!
//! Thread: message

#![expect(unsafe_code, reason = "the interface of a VST3 is made of pointers")]

use std::ptr;
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
    /// - `table` is in a COM object. Before this returns, nobody calls it or reads its pointers to tables.
    /// - The class of the object lists the interface of `T` itself, and no interface that extends it: the table
    ///   has no functions after those of `T`.
    /// - All objects given to one `Patch` are of one class: the table of the first has the functions of all.
    pub(super) unsafe fn replace(&self, table: *mut *const T, ours: impl FnOnce(&T) -> T) {
        // SAFETY: the object is there, and its table is a constant of the type `T`.
        let theirs: &'static T = unsafe { &**table };
        let mut patched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let patched = patched
            .get_or_insert_with(|| Box::leak(Box::new(Patched { ours: ours(theirs), theirs })));
        // SAFETY: the memory may be written (see above), and the caller says that nobody reads it now. The new
        // table is never freed. The pointer is one to all of `Patched`, as `theirs` needs it.
        unsafe { *table = ptr::from_ref(*patched).cast() };
    }
}

/// The framework's functions that our table wraps.
///
/// # Safety
/// `table` was put in place by [`Patch::replace`] for the same `T`.
pub(super) unsafe fn theirs<T>(table: *const T) -> &'static T {
    // SAFETY: it points to a `Patched<T>`, which begins with the table and is never freed or written.
    unsafe { (*table.cast::<Patched<T>>()).theirs }
}
