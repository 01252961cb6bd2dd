//! Checks a whole session, such as one that comes from elsewhere.

use super::check;
use crate::session::Session;
use std::collections::BTreeSet;

impl Session {
    /// Whether every object is as changes would leave it.
    ///
    /// # Errors
    /// The first object that is not, and why.
    pub fn validate(&self) -> Result<(), String> {
        check::rate(self.rate)?;
        self.validate_order()?;
        for (id, track) in &self.tracks {
            check::track(track)
                .and_then(|()| check::output(self, *id))
                .map_err(of(id))?;
        }
        for (id, source) in &self.sources {
            check::source(source).map_err(of(id))?;
        }
        for (id, clip) in &self.clips {
            check::clip(self, clip).map_err(of(id))?;
        }
        for (id, marker) in &self.markers {
            check::marker(marker).map_err(of(id))?;
        }
        for id in self.groups.keys() {
            check::group(self, *id).map_err(of(id))?;
        }
        check::gain(self.master_gain)?;
        check::tempo(&self.tempo)?;
        check::meter(&self.meter)
    }

    fn validate_order(&self) -> Result<(), String> {
        let ordered: BTreeSet<_> = self.track_order.iter().collect();
        let complete = ordered.len() == self.track_order.len()
            && ordered.iter().copied().eq(self.tracks.keys());
        check::ensure(complete, || {
            "the order of tracks does not name each track once".into()
        })
    }
}

fn of(id: impl std::fmt::Display) -> impl FnOnce(String) -> String {
    move |why| format!("{id}: {why}")
}
