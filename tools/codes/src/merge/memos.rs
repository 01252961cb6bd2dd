//! The memos of a second coder. They go to what they are on, below those that are there, with the name of the coder.

use super::{Merge, Place, find, is_coded};
use deskhand_session::{Change, Edit, ObjectId};

impl Merge<'_> {
    /// Takes over the memos that the second coder wrote.
    pub(super) fn memos(&mut self) {
        let (other, shared) = (self.other, self.shared);
        let own = other.memos.iter().filter(|(on, memo)| shared.memos.get(on) != Some(memo));
        for (on, memo) in own {
            match self.here(*on) {
                Some(target) => self.note(target, memo),
                None => self.told.memos_left += 1,
            }
        }
    }

    /// What a code, segment or source of the other session is here.
    fn here(&self, on: ObjectId) -> Option<ObjectId> {
        if let ObjectId::Code(id) = on {
            let path = find::folded(&find::path(self.other, id));
            let known = self.codes.get(&id).or_else(|| self.paths.get(&path));
            return known.map(|id| (*id).into());
        }
        if let ObjectId::Source(id) = on {
            return self.source(id).map(Into::into);
        }
        let ObjectId::Segment(id) = on else { return None };
        let theirs = self.other.segments.get(&id)?;
        let place = self.place(theirs)?;
        if is_coded(theirs) {
            return self.there.get(&place.key()).map(|id| (*id).into());
        }
        let own = self.session.segments.get(&id);
        own.filter(|own| Place::of(own).key() == place.key()).map(|_| id.into())
    }

    fn note(&mut self, target: ObjectId, memo: &str) {
        let noted = self.notes.get(&target).or_else(|| self.session.memos.get(&target)).cloned();
        let theirs = format!("{}: {memo}", self.coder);
        if noted.iter().any(|noted| noted == memo || noted.contains(&theirs)) {
            return;
        }
        let after = match &noted {
            Some(noted) => format!("{noted}\n\n{theirs}"),
            None => theirs,
        };
        self.notes.insert(target, after.clone());
        let needs = self.made.get(&target).cloned().into_iter().collect();
        let change = Change::SetMemo(Edit::new(target, noted, Some(after)));
        let reason = format!("{} wrote it", self.coder);
        self.draft.dependent(change, memo.to_owned(), reason, needs);
        self.told.memos += 1;
    }
}
