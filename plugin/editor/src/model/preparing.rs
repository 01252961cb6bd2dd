//! Audio that is prepared after an import: converted to the session rate, and its waveform drawn. The hub
//! reports progress and the end under the name of the source.

use deskhand_protocol::Snapshot;
use deskhand_session::{Session, SourceId};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(crate) struct Preparing {
    /// Sources that need nothing any more.
    done: BTreeSet<SourceId>,
    /// The reported progress of the others, 0 to 1.
    pub(crate) fractions: BTreeMap<SourceId, f64>,
}

impl Preparing {
    /// Starts with the sources that are being prepared.
    pub(super) fn begin(&mut self, snapshot: &Snapshot) {
        let waits = |id: &SourceId| snapshot.conforming.contains(id);
        self.done = snapshot.session.sources.keys().copied().filter(|id| !waits(id)).collect();
        self.fractions.retain(|id, _| waits(id));
        for id in &snapshot.conforming {
            self.fractions.entry(*id).or_insert(0.0);
        }
    }

    /// Records the progress of `what`. Returns whether it is a source being prepared.
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
