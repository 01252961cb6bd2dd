//! Ctrl-C: noted here once for the whole program, and looked at where something can be stopped.

use crate::output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};

static PRESSED: AtomicBool = AtomicBool::new(false);
/// Whether it ever was.
static EVER: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();
/// Raised together with it, for code that waits for something else.
static BELL: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From here on Ctrl-C, or a request to end, is noted. A second one ends the program.
pub(crate) fn listen() {
    LISTENING.call_once(|| {
        // Without a handler Ctrl-C simply ends the program; acknowledged work is stored.
        drop(ctrlc::set_handler(note));
    });
}

/// Also raises `bell` from here on; the first one stays.
pub(crate) fn ring(bell: Arc<AtomicBool>) {
    drop(BELL.set(bell));
}

fn note() {
    if output::is_asking() {
        // Nobody answered: the plan still waits.
        output::leave_question();
        std::process::exit(3);
    }
    EVER.store(true, Ordering::Relaxed);
    if PRESSED.swap(true, Ordering::Relaxed) {
        std::process::exit(130);
    }
    if let Some(bell) = BELL.get() {
        bell.store(true, Ordering::Relaxed);
    }
}

/// Whether Ctrl-C was pressed and nobody took it yet.
pub(crate) fn is_interrupted() -> bool {
    PRESSED.load(Ordering::Relaxed)
}

/// Whether Ctrl-C was pressed since the program began, whoever took it.
pub(crate) fn was_pressed() -> bool {
    EVER.load(Ordering::Relaxed)
}

/// Whether Ctrl-C was pressed; forgets it.
pub(crate) fn take() -> bool {
    PRESSED.swap(false, Ordering::Relaxed)
}
