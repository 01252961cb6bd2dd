//! Phrases that are grouped again after words changed. A phrase that is still recognizable keeps its place
//! in the assembly.

use super::spans::Said;
use deskhand_session::{Assembly, Duplicates, PhraseId, SegmentId, Session};
use std::collections::{BTreeMap, BTreeSet};

/// The new phrases that take the places of stale ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Heirs {
    /// The parts of each stale phrase, in the order they are said.
    parts: BTreeMap<PhraseId, Vec<Part>>,
    /// The new phrase that has most of the segments of a stale one, whichever place it takes.
    holders: BTreeMap<PhraseId, PhraseId>,
}

/// A new phrase in the place of a stale one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    phrase: PhraseId,
    /// How many segments of the stale one it has.
    shared: usize,
}

impl Heirs {
    /// Matches the phrases `found` now, in order, to the places of the `stale` ones.
    pub(super) fn new(session: &Session, found: &[Said], stale: &BTreeSet<PhraseId>) -> Self {
        let old = stale.iter().filter_map(|id| Some((*id, session.phrases.get(id)?)));
        let owners: BTreeMap<SegmentId, PhraseId> =
            old.flat_map(|(id, old)| old.segments.iter().map(move |one| (*one, id))).collect();
        let plays: BTreeSet<PhraseId> = session.assembly.order.iter().copied().collect();
        let mut heirs = Self::default();
        let mut most: BTreeMap<PhraseId, usize> = BTreeMap::new();
        for said in found.iter().filter(|said| !session.phrases.contains_key(&said.id)) {
            let own: Vec<PhraseId> =
                said.segments.iter().filter_map(|id| owners.get(id).copied()).collect();
            for (old, shared) in shares(&own) {
                if most.get(&old).is_none_or(|most| shared > *most) {
                    most.insert(old, shared);
                    heirs.holders.insert(old, said.id);
                }
            }
            if own.len() * 2 >= said.segments.len()
                && let Some((old, shared)) = place(own, &plays)
            {
                let part = Part { phrase: said.id, shared };
                heirs.parts.entry(old).or_default().push(part);
            }
        }
        heirs
    }

    /// The assembly with the new phrases in their places. New phrases without a place, and stale ones
    /// without a replacement, are left out.
    pub(super) fn placed(&self, old: &Assembly, stale: &BTreeSet<PhraseId>) -> Assembly {
        let all = |id: &PhraseId| self.all(*id, stale);
        let order: Vec<PhraseId> = old.order.iter().flat_map(all).collect();
        let mut removed: Vec<PhraseId> = old.removed.iter().flat_map(all).collect();
        let mut duplicates = Vec::new();
        for group in &old.duplicates {
            // Of a take that did not play one part is a take, and the others do not begin to play.
            for take in group.others() {
                let main = self.main(take, stale);
                removed.extend(self.all(take, stale).into_iter().filter(|id| Some(*id) != main));
            }
            let holder = self.holders.get(&group.chosen).filter(|id| order.contains(id)).copied();
            let chosen = self.main(group.chosen, stale).or(holder);
            let heir = |take: &PhraseId| {
                if *take == group.chosen { chosen } else { self.main(*take, stale) }
            };
            let takes: Vec<PhraseId> = group.takes.iter().filter_map(heir).collect();
            if let Some(chosen) = chosen.filter(|_| takes.len() >= 2) {
                duplicates.push(Duplicates { takes, chosen, ..group.clone() });
            }
        }
        Assembly { order, duplicates, removed, finished: old.finished.clone() }
    }

    /// What replaces `id`: itself, if it is not stale.
    fn all(&self, id: PhraseId, stale: &BTreeSet<PhraseId>) -> Vec<PhraseId> {
        if !stale.contains(&id) {
            return vec![id];
        }
        self.parts.get(&id).into_iter().flatten().map(|part| part.phrase).collect()
    }

    /// The phrase among them with most of its segments.
    fn main(&self, id: PhraseId, stale: &BTreeSet<PhraseId>) -> Option<PhraseId> {
        if !stale.contains(&id) {
            return Some(id);
        }
        // The first of equals.
        let parts = self.parts.get(&id)?.iter().rev();
        parts.max_by_key(|part| part.shared).map(|part| part.phrase)
    }

    /// The stale phrase that a new one replaces.
    pub(super) fn old_of(&self, new: PhraseId) -> Option<PhraseId> {
        let mut all = self.parts.iter();
        all.find(|(_, parts)| parts.iter().any(|part| part.phrase == new)).map(|(old, _)| *old)
    }

    /// The stale phrases, each with the first of those in its place.
    pub(super) fn firsts(&self) -> impl Iterator<Item = (PhraseId, PhraseId)> + '_ {
        self.parts.iter().filter_map(|(old, parts)| Some((*old, parts.first()?.phrase)))
    }
}

/// How many segments are of each phrase.
fn shares(owners: &[PhraseId]) -> BTreeMap<PhraseId, usize> {
    let mut shares = BTreeMap::new();
    for owner in owners {
        *shares.entry(*owner).or_default() += 1;
    }
    shares
}

/// The stale phrase whose place a new one takes, and how many of its segments it has; `owners` are the stale phrases
/// that its segments are of. It plays where at least as many of them played as did not, and takes the place of that
/// which most of them are of, the first of equals.
fn place(owners: Vec<PhraseId>, plays: &BTreeSet<PhraseId>) -> Option<(PhraseId, usize)> {
    let (on, off): (Vec<PhraseId>, Vec<PhraseId>) =
        owners.into_iter().partition(|id| plays.contains(id));
    let meant = if on.len() >= off.len() { on } else { off };
    let shares = shares(&meant);
    let shared = |id: &PhraseId| shares.get(id).copied().unwrap_or_default();
    let old = meant.iter().rev().copied().max_by_key(shared)?;
    Some((old, shared(&old)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_edit::assembly::ids;
    use deskhand_session::{Phrase, SessionId, SourceId, TrackId};

    fn said(numbers: &[u64]) -> Said {
        let segments: Vec<SegmentId> = numbers.iter().copied().map(SegmentId::new).collect();
        Said {
            id: ids::phrase(&segments),
            segments,
            source: SourceId::new(1),
            track: TrackId::new(1),
            span: Frames::ZERO..Frames(1),
        }
    }

    fn id(numbers: &[u64]) -> PhraseId {
        said(numbers).id
    }

    /// Three phrases of one segment each; none is in the assembly yet.
    fn three() -> Session {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        for number in 1..=3 {
            let said = said(&[number]);
            session.phrases.insert(said.id, Phrase { segments: said.segments });
        }
        session
    }

    fn regrouped(session: &Session, phrases: &[&[u64]]) -> Assembly {
        let found: Vec<Said> = phrases.iter().map(|numbers| said(numbers)).collect();
        let is_stale = |id: &&PhraseId| found.iter().all(|said| said.id != **id);
        let stale: BTreeSet<PhraseId> = session.phrases.keys().filter(is_stale).copied().collect();
        Heirs::new(session, &found, &stale).placed(&session.assembly, &stale)
    }

    #[test]
    fn what_is_joined_plays_where_half_of_it_did_and_else_stays_out() {
        let mut session = three();
        session.assembly.order = [[3], [2]].map(|one| id(&one)).into();
        session.assembly.removed = vec![id(&[1])];
        let after = regrouped(&session, &[&[1, 2], &[3]]);
        assert_eq!((after.order, after.removed), (vec![id(&[3]), id(&[1, 2])], vec![]));
        session.assembly.order = vec![id(&[3])];
        session.assembly.removed = [[2], [1]].map(|one| id(&one)).into();
        let after = regrouped(&session, &[&[1, 2], &[3]]);
        assert_eq!((after.order, after.removed), (vec![id(&[3])], vec![id(&[1, 2])]));
        let after = regrouped(&session, &[&[1, 2, 3]]);
        assert_eq!((after.order, after.removed), (vec![], vec![id(&[1, 2, 3])]));
    }

    #[test]
    fn a_chosen_take_is_chosen_in_whatever_it_is_joined_to() {
        let mut session = three();
        session.assembly.order = [[1], [2]].map(|one| id(&one)).into();
        session.assembly.duplicates.push(Duplicates {
            phrase: "we begin".into(),
            takes: [[2], [3]].map(|one| id(&one)).into(),
            chosen: id(&[2]),
            reason: String::new(),
        });
        let after = regrouped(&session, &[&[1, 2], &[3]]);
        assert_eq!(after.order, [id(&[1, 2])]);
        let [takes] = after.duplicates.as_slice() else { panic!("{after:?}") };
        assert_eq!((takes.chosen, &takes.takes[..]), (id(&[1, 2]), &[id(&[1, 2]), id(&[3])][..]));
    }

    #[test]
    fn what_is_mostly_of_no_phrase_is_new() {
        let mut session = three();
        session.assembly.order = [[1], [2], [3]].map(|one| id(&one)).into();
        let after = regrouped(&session, &[&[1], &[2], &[3, 4, 5]]);
        assert_eq!(after.order, [id(&[1]), id(&[2])], "it has no place yet");
    }
}
