//! The findings of running calls: lines and ranges on the lanes, removed when the call ends.

use deskhand_protocol::CallId;
use deskhand_session::Provisional;
use std::collections::BTreeMap;

/// Most of one call that is drawn.
const MOST: usize = 20_000;

/// Findings of running calls. Calls of other front ends have no number here.
#[derive(Debug, Default)]
pub(crate) struct Found {
    by_call: BTreeMap<Option<CallId>, Vec<Provisional>>,
}

impl Found {
    pub(crate) fn add(&mut self, call: Option<CallId>, found: &[Provisional]) {
        let known = self.by_call.entry(call).or_default();
        let room = MOST.saturating_sub(known.len());
        known.extend(found.iter().take(room).cloned());
    }

    /// A call is answered: now the session has it, or nobody.
    pub(crate) fn end(&mut self, call: Option<CallId>) {
        self.by_call.remove(&call);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Provisional> {
        self.by_call.values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::Frames;
    use deskhand_session::{ClipId, ObjectId};

    #[test]
    fn what_is_found_is_drawn_until_its_call_ends() {
        let target = ObjectId::Clip(ClipId::new(1));
        let hit = |at| Provisional {
            target,
            position: Frames(at),
            length: Frames::ZERO,
            label: String::new(),
        };
        let mut found = Found::default();
        found.add(Some(CallId(1)), &[hit(1), hit(2)]);
        found.add(Some(CallId(1)), &[hit(3)]);
        found.add(None, &[hit(4)]);
        assert_eq!(found.iter().count(), 4);
        found.end(Some(CallId(1)));
        assert_eq!(found.iter().collect::<Vec<_>>(), [&hit(4)]);
        found.end(None);
        assert_eq!(found.iter().count(), 0);
    }
}
