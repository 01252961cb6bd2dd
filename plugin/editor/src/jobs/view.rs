//! The state of the list of jobs between frames.

use deskhand_protocol::CallId;
use std::collections::BTreeMap;

/// The state that the list of jobs keeps between frames.
#[derive(Default)]
pub(crate) struct JobsView {
    /// When each was seen first, s.
    pub(super) since: BTreeMap<CallId, f64>,
}
