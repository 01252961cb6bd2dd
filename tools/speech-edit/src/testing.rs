//! For tests: the tools that sessions are edited with.

use deskhand_toolkit::Tool;
use std::sync::Arc;

/// The tools of this crate, and those that they build on.
pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    crate::all().into_iter().chain(deskhand_edit::all()).collect()
}
