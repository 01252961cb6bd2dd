//! Audio that is prepared behind an import: converted to the session's rate, and its waveform drawn. The hub tells how
//! far that is under the name of the source, and when it is over.

use deskhand_protocol::Snapshot;
use deskhand_session::{Session, SourceId};
use std::collections::{BTreeMap, BTreeSet};

/// What is prepared.
#[derive(Default)]
pub(crate) struct Preparing {
    /// Sources that need nothing any more.
    done: BTreeSet<SourceId>,
    /// How far the others are, 0 to 1, as far as it was told.
    pub(crate) fractions: BTreeMap<SourceId, f64>,
}

impl Preparing {
    /// Takes up what is being prepared.
    pub(super) fn begin(&mut self, snapshot: &Snapshot) {
        let waits = |id: &SourceId| snapshot.conforming.contains(id);
        self.done = snapshot.session.sources.keys().copied().filter(|id| !waits(id)).collect();
        self.fractions.retain(|id, _| waits(id));
        for id in &snapshot.conforming {
            self.fractions.entry(*id).or_insert(0.0);
        }
    }

    /// Notes how far `what` is; says whether it is a source that is prepared.
    pub(super) fn progress(&mut self, session: &Session, fraction: f64, what: &str) -> bool {
        let mut sources = session.sources.iter();
        let named = sources.find(|(id, source)| source.name == what && !self.done.contains(*id));
        let Some((id, _)) = named else { return false };
        self.fractions.insert(*id, fraction);
        true
    }

    /// A source is prepared, or cannot be.
    pub(super) fn end(&mut self, source: SourceId) {
        self.fractions.remove(&source);
        self.done.insert(source);
    }
}
