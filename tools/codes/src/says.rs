//! What requests that code something have in common: the code, and where it is held to.

use deskhand_session::intent::{Intent, Kinds, TextKind};

/// "… as Budget".
pub(super) fn with_code(intent: Intent) -> Intent {
    intent.said("code", "as | with", TextKind::CodeName).needs("code").or_left_out()
}

/// "… as Budget in the guest mic"; without a place, wherever something is said.
pub(super) fn coded(intent: Intent) -> Intent {
    with_code(intent).also("only | everywhere").named("targets", "in | on", Kinds::Sound)
}
