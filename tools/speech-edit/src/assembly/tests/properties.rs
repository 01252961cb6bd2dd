//! Whatever is done, every phrase stays accounted for, and the timeline is the sum of its parts.

use super::{Line, interview};
use deskhand_dsp::Frames;
use deskhand_edit::assembly::block::{Block, crossfade, laid, standing};
use deskhand_session::apply::inverses;
use deskhand_session::{Change, Duplicates, PhraseId, Session};
use deskhand_toolkit::Draft;
use deskhand_toolkit::testing::{Desk, RATE};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const LINES: [Line; 8] = [
    (0.3, 1.0, "One is here."),
    (1.2, 1.9, "Two is here."),
    (3.5, 4.2, "Three is here."),
    (4.3, 5.0, "Four is here."),
    (6.5, 7.2, "Five is here."),
    (7.4, 8.1, "Six is here."),
    (10.0, 10.7, "Seven is here."),
    (10.9, 11.6, "Eight is here."),
];

/// Said at once on both tracks: a short line over a long one, and the end of one over the beginning of the next.
const OVER: [[Line; 2]; 2] = [
    [(12.2, 13.8, "Nine is here and long."), (14.8, 15.8, "Eleven is here.")],
    [(12.8, 13.3, "Ten is over it."), (15.6, 16.8, "Twelve is here.")],
];
/// The number of phrases from all lines: the tenth line does not form its own.
const PHRASES: usize = 11;

/// An interview with these lines, and overlapping ones, as phrases in order.
pub(super) fn assembled(mine: &[Line], yours: &[Line]) -> Desk {
    let (mine, yours) = ([mine, &OVER[0]].concat(), [yours, &OVER[1]].concat());
    let (mut desk, _) = interview(18.0, &mine, &yours);
    desk.settle("tool_find_phrases", &json!({"targets": "Host"}));
    assert_eq!(desk.session.assembly.order.len(), PHRASES);
    desk
}

/// A step, with numbers that choose phrases.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Reorder(Vec<usize>),
    Remove(Vec<usize>),
    Restore(Vec<usize>),
    Mark(Vec<usize>, usize),
    Find,
    Tighten,
    Undo,
    Redo,
}

pub(super) fn acts() -> impl Strategy<Value = Vec<Act>> {
    let some = || prop::collection::vec(0usize..PHRASES, 1..4);
    let act = prop_oneof![
        prop::collection::vec(0usize..PHRASES, PHRASES).prop_map(Act::Reorder),
        some().prop_map(Act::Remove),
        some().prop_map(Act::Restore),
        (prop::collection::vec(0usize..PHRASES, 2..4), 0usize..4)
            .prop_map(|(ids, c)| Act::Mark(ids, c)),
        Just(Act::Find),
        Just(Act::Undo),
        Just(Act::Redo),
    ];
    prop::collection::vec(act, 1..10)
}

/// The call of a step on a session.
fn call(session: &Session, act: &Act) -> Option<(&'static str, Value)> {
    let all: Vec<PhraseId> = session.phrases.keys().copied().collect();
    let chosen = |numbers: &[usize]| -> Vec<PhraseId> {
        let mut ids: Vec<_> = numbers.iter().map(|n| all[n % all.len()]).collect();
        ids.sort();
        ids.dedup();
        ids
    };
    Some(match act {
        Act::Reorder(keys) => {
            let mut order: Vec<_> = session.assembly.order.iter().zip(keys).collect();
            order.sort_by_key(|(id, key)| (**key, **id));
            let ids: Vec<_> = order.into_iter().map(|(id, _)| *id).collect();
            ("tool_reorder_segments", json!({"ordered_group_ids": ids}))
        }
        Act::Remove(numbers) => ("tool_remove_segments", json!({"group_ids": chosen(numbers)})),
        Act::Restore(numbers) => ("tool_restore_segments", json!({"group_ids": chosen(numbers)})),
        Act::Mark(numbers, pick) => {
            let ids = chosen(numbers);
            let best = ids[pick % ids.len()];
            let params = json!({"phrase": "is here", "group_ids": ids, "recommended_group_id": best, "reason": "r"});
            ("tool_mark_duplicates", params)
        }
        Act::Find => ("tool_find_phrases", json!({"targets": "Host"})),
        Act::Tighten => {
            let params =
                json!({"targets": "all", "pauses_longer_than_s": 0.15, "pause_to_s": 0.08});
            ("tool_tighten", params)
        }
        Act::Undo | Act::Redo => return None,
    })
}

pub(super) fn accounted(session: &Session) {
    let assembly = &session.assembly;
    let others: Vec<_> = assembly.duplicates.iter().flat_map(Duplicates::others).collect();
    let all: Vec<_> =
        assembly.order.iter().chain(&assembly.removed).copied().chain(others).collect();
    let each: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!(all.len(), each.len(), "none is in two places");
    assert!(each.iter().eq(session.phrases.keys()), "all are somewhere");
    let along = session.along();
    let said = session.phrases.values().flat_map(|phrase| &phrase.segments);
    let said: BTreeSet<_> = said.chain(along.values().flatten()).collect();
    assert!(
        said.into_iter().eq(session.segments.keys()),
        "all that is said is of a phrase or along with one"
    );
    session.validate().unwrap();
}

/// The steps that can be undone, and those that can be redone, with their results.
#[derive(Default)]
pub(super) struct Steps {
    undo: Vec<Vec<Change>>,
    redo: Vec<(Vec<Change>, Session)>,
}

impl Steps {
    pub(super) fn act(&mut self, desk: &mut Desk, act: &Act) {
        match act {
            Act::Undo => {
                let Some(back) = self.undo.pop() else { return };
                self.redo.push((inverses(&back), desk.session.clone()));
                desk.session = desk.session.with(&back).unwrap();
            }
            Act::Redo => {
                let Some((again, expected)) = self.redo.pop() else { return };
                desk.session = desk.session.with(&again).unwrap();
                assert_eq!(desk.session, expected, "it is as it was");
                self.undo.push(inverses(&again));
            }
            _ => {
                let Some((tool, params)) = call(&desk.session, act) else { return };
                let draft = match desk.call(tool, params) {
                    Ok(draft) => draft,
                    Err(refused) => return may_be_refused(act, &refused.message),
                };
                self.take(desk, &draft);
            }
        }
    }

    /// Does what a draft says.
    pub(super) fn take(&mut self, desk: &mut Desk, draft: &Draft) {
        let changes: Vec<_> = draft.changes.iter().map(|c| c.change.clone()).collect();
        self.undo.push(inverses(&changes));
        self.redo.clear();
        desk.apply(draft);
    }

    /// Takes back all that was done.
    pub(super) fn undo_all(&mut self, desk: &mut Desk) {
        while !self.undo.is_empty() {
            self.act(desk, &Act::Undo);
        }
    }
}

/// Phrases that are no takes of one another cannot be marked as such; all else can always be asked for.
fn may_be_refused(act: &Act, why: &str) {
    let is_known = match act {
        Act::Mark(..) => why.contains("one phrase alone") || why.contains("is a take of"),
        Act::Tighten => true,
        _ => false,
    };
    assert!(is_known, "{act:?}: {why}");
}

/// The timeline plays the assembly in order. Its length is that of the parts less their crossfades.
fn follows(session: &Session) {
    let blocks = standing(session);
    let phrases: Vec<_> = blocks.iter().map(|placed| placed.block.phrase).collect();
    assert_eq!(phrases, session.assembly.order);
    let parts: Vec<_> = blocks.iter().map(|placed| placed.block.clone()).collect();
    let total = parts.iter().fold(Frames::ZERO, |sum, part| sum + part.length);
    let crossed = parts.windows(2).fold(Frames::ZERO, |sum, pair| sum + over(&pair[0], &pair[1]));
    let end = blocks.last().map_or(Frames::ZERO, |last| last.start + last.block.length);
    assert_eq!(end, total - crossed);
    assert_eq!(laid(parts, RATE), blocks, "it is laid already");
    for placed in &blocks {
        for (_, clip) in &placed.block.clips {
            let host = &placed.block.clips[0].1;
            assert_eq!(clip.position - clip.start, host.position - host.start, "in sync");
        }
    }
}

/// How long a part overlaps the next one: not at all if the sound continues, else a crossfade, and at most
/// half of the shorter.
fn over(part: &Block, next: &Block) -> Frames {
    let goes_on = part.clips.iter().all(|(_, clip)| {
        let from = clip.start + clip.length;
        let mut begin = next.clips.iter();
        begin.any(|(_, it)| (it.track, it.source, it.start) == (clip.track, clip.source, from))
    });
    let half = Frames(part.length.min(next.length).0 / 2);
    if goes_on { Frames::ZERO } else { crossfade(RATE).min(half) }
}

/// The frames up to the last that sounds.
fn rendered(desk: &Desk) -> usize {
    let context = desk.context("render", &Value::Null);
    let mut reader = context.audio.render(&desk.session, desk.session.id.into()).unwrap();
    let mut planes = vec![vec![0.0f32; reader.frames().index()]; 2];
    let mut out: Vec<&mut [f32]> = planes.iter_mut().map(Vec::as_mut_slice).collect();
    reader.read(Frames::ZERO, &mut out).unwrap();
    planes[0].iter().rposition(|sample| *sample != 0.0).map_or(0, |last| last + 1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn every_phrase_stays_accounted_for(acts in acts(), host in prop::collection::vec(any::<bool>(), 8)) {
        let (mut mine, mut yours) = (Vec::new(), Vec::new());
        for (line, host) in LINES.iter().zip(&host) {
            if *host { mine.push(*line) } else { yours.push(*line) }
        }
        let mut desk = assembled(&mine, &yours);
        let begun = desk.session.clone();
        let mut steps = Steps::default();
        for act in &acts {
            steps.act(&mut desk, act);
            accounted(&desk.session);
            follows(&desk.session);
        }
        let end = standing(&desk.session).last().map_or(Frames::ZERO, |last| last.start + last.block.length);
        let heard = rendered(&desk);
        prop_assert!(heard <= end.index() && heard + 10 >= end.index(), "{heard} of {end:?}");
        steps.undo_all(&mut desk);
        prop_assert_eq!(desk.session, begun);
    }
}
