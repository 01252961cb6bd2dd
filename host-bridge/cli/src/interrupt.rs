//! Ctrl-C: noted here once for the whole program, and looked at where something can be stopped.

use crate::output;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static PRESSED: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// From here on Ctrl-C, or being told to end, is noted; a second one ends the program.
pub(crate) fn listen() {
    LISTENING.call_once(|| {
        // Without a handler Ctrl-C simply ends the program; what was acknowledged is stored.
        drop(ctrlc::set_handler(note));
    });
}

fn note() {
    if output::is_asking() {
        // Nobody answered: the plan still waits, nothing has changed.
        std::process::exit(3);
    }
    if PRESSED.swap(true, Ordering::Relaxed) {
        std::process::exit(130);
    }
}

/// Whether Ctrl-C was pressed and nobody took it yet.
pub(crate) fn is_interrupted() -> bool {
    PRESSED.load(Ordering::Relaxed)
}

/// Whether Ctrl-C was pressed; forgets it.
pub(crate) fn take() -> bool {
    PRESSED.swap(false, Ordering::Relaxed)
}
