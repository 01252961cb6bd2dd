//! Which phrases are made of a segment. It is looked up once for many changes, since there may be as many phrases as
//! segments.

use crate::change::Change;
use crate::ids::{PhraseId, SegmentId};
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};

/// The phrases by the segments that they contain; `None` until somebody asks.
#[derive(Default)]
pub(crate) struct Users(Option<BTreeMap<SegmentId, BTreeSet<PhraseId>>>);

impl Users {
    /// The phrases that are made of a segment.
    pub(super) fn of(&mut self, session: &Session, segment: SegmentId) -> Vec<PhraseId> {
        let all = self.0.get_or_insert_with(|| {
            let mut all: BTreeMap<SegmentId, BTreeSet<PhraseId>> = BTreeMap::new();
            for (id, phrase) in &session.phrases {
                for on in &phrase.segments {
                    all.entry(*on).or_default().insert(*id);
                }
            }
            all
        });
        all.get(&segment).into_iter().flatten().copied().collect()
    }

    /// Takes note of a change that was made.
    pub(super) fn follow(&mut self, change: &Change) {
        let (Some(all), Change::SetPhrase(edit)) = (&mut self.0, change) else { return };
        for segment in edit.before.iter().flat_map(|phrase| &phrase.segments) {
            all.entry(*segment).or_default().remove(&edit.target);
        }
        for segment in edit.after.iter().flat_map(|phrase| &phrase.segments) {
            all.entry(*segment).or_default().insert(edit.target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Phrase;
    use crate::change::Edit;
    use crate::ids::SessionId;
    use deskhand_dsp::SampleRate;

    #[test]
    fn users_are_those_of_the_session_after_each_change() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        let mut users = Users::default();
        let segments = [1, 2, 3].map(SegmentId::new);
        let phrase = |numbers: &[usize]| {
            Some(Phrase { segments: numbers.iter().map(|n| segments[*n]).collect() })
        };
        session.phrases.insert(PhraseId::new(1), phrase(&[0, 1]).unwrap());
        for (id, after) in [(2, phrase(&[1, 2])), (1, phrase(&[2])), (2, None), (3, phrase(&[0]))] {
            let id = PhraseId::new(id);
            let edit = Edit::new(id, session.phrases.get(&id).cloned(), after.clone());
            match after {
                Some(phrase) => drop(session.phrases.insert(id, phrase)),
                None => drop(session.phrases.remove(&id)),
            }
            users.follow(&Change::SetPhrase(edit));
            for segment in segments {
                let expected = Users::default().of(&session, segment);
                assert_eq!(users.of(&session, segment), expected);
            }
        }
    }
}
