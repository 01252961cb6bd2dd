//! The names of markers. A marker of a phrase that does not play has the phrase's text, and takes have
//! distinct texts.

use crate::words::distinct_names;
use deskhand_session::{Duplicates, Marker, MarkerId, PhraseId, Session};
use std::collections::BTreeMap;

/// The names of markers whose name is not unique, with a suffix that tells them apart.
#[derive(Default)]
pub(super) struct Apart(BTreeMap<MarkerId, String>);

impl Apart {
    pub(super) fn of(session: &Session) -> Self {
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for marker in session.markers.values() {
            *named.entry(&marker.name).or_default() += 1;
        }
        if named.len() == session.markers.len() {
            return Self::default();
        }
        let assembly = &session.assembly;
        let takes = assembly.duplicates.iter().flat_map(Duplicates::others);
        let silent = takes.chain(assembly.removed.iter().copied());
        let told = silent.filter_map(|phrase: PhraseId| {
            let (id, marker) = session.markers.get_key_value(&phrase.marker())?;
            let is_known = named.get(marker.name.as_str()).is_some_and(|others| *others > 1);
            let first = session.phrases.get(&phrase)?.segments.first()?;
            let first = session.segments.get(first).filter(|_| is_known)?;
            let place = distinct_names::place(session, first.source, first.start);
            Some((*id, format!("{place} · {}", marker.name)))
        });
        Self(told.collect())
    }

    pub(super) fn name<'s>(&'s self, id: MarkerId, marker: &'s Marker) -> &'s str {
        self.0.get(&id).unwrap_or(&marker.name)
    }
}
