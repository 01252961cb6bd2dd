//! The state of the library between frames.

use deskhand_session::{PlanId, SourceId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(crate) struct LibraryView {
    pub(crate) is_open: bool,
    /// The person goes to the conversation: without room for both, the panel closes.
    pub(crate) gives_way: bool,
    pub(super) search: String,
    /// The measures taken of sources, as far as this window knows.
    pub(super) measured: BTreeMap<SourceId, BTreeSet<&'static str>>,
    /// Plans whose findings are among that.
    pub(super) looked_at: BTreeSet<PlanId>,
}
