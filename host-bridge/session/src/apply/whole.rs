//! Checks a whole session, such as one from outside.

use super::{relations, values};
use crate::session::Session;
use std::collections::BTreeSet;

impl Session {
    /// Whether every object is as changes would leave it.
    ///
    /// # Errors
    /// The first object that is not, and why.
    pub fn validate(&self) -> Result<(), String> {
        values::rate(self.rate)?;
        self.validate_order()?;
        for (id, track) in &self.tracks {
            values::track(track).and_then(|()| relations::output(self, *id)).map_err(of(id))?;
        }
        for (id, source) in &self.sources {
            values::source(source).map_err(of(id))?;
        }
        for (id, clip) in &self.clips {
            relations::clip(self, clip).map_err(of(id))?;
        }
        for (id, marker) in &self.markers {
            values::marker(marker).map_err(of(id))?;
        }
        for id in self.groups.keys() {
            relations::group(self, *id).map_err(of(id))?;
        }
        for id in self.inserts.keys() {
            relations::insert(self, *id).map_err(of(id))?;
        }
        for (id, segment) in &self.segments {
            relations::segment_itself(self, segment).map_err(of(id))?;
        }
        for (id, code) in &self.codes {
            values::code(code).and_then(|()| relations::code(self, *id)).map_err(of(id))?;
        }
        for (id, memo) in &self.memos {
            values::memo(memo).map_err(of(id))?;
        }
        for id in self.phrases.keys() {
            relations::phrase(self, *id).map_err(of(id))?;
        }
        values::takes(&self.assembly)?;
        self.assembly.check(self)?;
        values::selection(&self.selection)?;
        values::gain(self.master_gain)?;
        values::tempo(&self.tempo)?;
        self.host.as_deref().map_or(Ok(()), values::binding)?;
        values::meter(&self.meter)
    }

    fn validate_order(&self) -> Result<(), String> {
        let ordered: BTreeSet<_> = self.track_order.iter().collect();
        let complete = ordered.len() == self.track_order.len()
            && ordered.iter().copied().eq(self.tracks.keys());
        values::ensure(complete, || "the order of tracks does not name each track once".into())
    }
}

fn of(id: impl std::fmt::Display) -> impl FnOnce(String) -> String {
    move |why| format!("{id}: {why}")
}
