//! Codings that both sessions had when one was copied. The coders did not make them independently, so each
//! is marked with the others who have it, and agreement leaves it out.

use super::Merge;
use deskhand_session::{Change, Coding, Edit, Segment, SegmentId};

impl Merge<'_> {
    /// Keeps in mind which codings of before the second coder still has.
    pub(super) fn hold(&mut self, id: SegmentId, inherited: &[&Coding]) {
        if !inherited.is_empty() {
            let codes = inherited.iter().map(|coding| coding.code);
            self.held.entry(id).or_default().extend(codes);
        }
    }

    /// A segment of this session, whose codings that the second coder has too say so.
    pub(super) fn shared_with_coder(&self, id: SegmentId, segment: &Segment) -> Segment {
        let mut after = segment.clone();
        let Some(held) = self.held.get(&id) else { return after };
        for coding in &mut after.codings {
            let is_told = coding.shared_with.iter().any(|who| who == self.coder);
            if coding.coder.is_none() && held.contains(&coding.code) && !is_told {
                coding.shared_with.push(self.coder.to_owned());
            }
        }
        after
    }

    /// Marks the segments without new codings. If a coder coded nothing, there is nothing to compare.
    pub(super) fn tell_inherited(&mut self) {
        if self.told.added + self.told.already == 0 {
            return;
        }
        let (session, ids) = (self.session, self.held.keys().copied().collect::<Vec<_>>());
        for id in ids.into_iter().filter(|id| !self.made.contains_key(&(*id).into())) {
            let Some(before) = session.segments.get(&id) else { continue };
            let after = self.shared_with_coder(id, before);
            if after != *before {
                let (name, reason) = (self.quotes.of(before), format!("{} had it too", self.coder));
                let change = Change::SetSegment(Edit::new(id, Some(before.clone()), Some(after)));
                self.draft.change(change, name, reason);
            }
        }
    }
}
