//! What of a plan is heard: a side of it, or the place of the change that was stepped to; and which of the rows that are
//! to be heard first were.

use super::ticks::Ticks;
use crate::action::{Action, Actions};
use crate::live::{Live, Motion};
use deskhand_dsp::{Frames, SampleRate};
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::{Plan, PlannedChange};
use std::collections::BTreeSet;

/// The step to the other end of a long change comes this long before the stretch ends, so that the stretch
/// does not repeat: 1/20 s.
const AHEAD: i64 = 20;

#[derive(Clone, Debug)]
struct Stepped {
    /// The loop before the first step.
    before: Option<(Frames, Frames)>,
    /// The stretches to play: the whole change, or its beginning and its end.
    stretches: Vec<(Frames, Frames)>,
    now: usize,
    /// Where the player was seen in it last.
    seen: Option<Frames>,
}

/// What of a plan is heard, and was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hearing {
    /// Rows that were heard in place, of those that are to be.
    pub(super) heard: BTreeSet<String>,
    /// The row to hear in place as soon as the card has the keyboard.
    pub(super) asked: Option<usize>,
    /// The row that is heard in place, though it may have no tick.
    pub(super) row: Option<usize>,
    /// The session is heard again, as nothing of the plan has a tick.
    pub(super) was_hushed: bool,
    /// The person turned level match off.
    pub(super) is_unmatched: bool,
    /// Stepping repeats the place of a change, in place of this.
    stepped: Option<Stepped>,
    /// The row that was stepped to and is not heard, and why.
    pub(super) unheard: Option<(usize, String)>,
}

impl Stepped {
    /// Whether the stretch that is heard has come to its end, now that the player is at `position`.
    fn is_through(&mut self, position: Frames, rate: SampleRate) -> bool {
        let Some((from, to)) = self.stretches.get(self.now).copied() else { return false };
        if position < from || position >= to {
            // It is on its way there, or the person went elsewhere.
            self.seen = None;
            return false;
        }
        let began_anew = self.seen.is_some_and(|seen| position < seen);
        self.seen = Some(position);
        began_anew || position >= to - Frames(i64::from(rate.0) / AHEAD)
    }
}

impl Hearing {
    /// The planned side as this card hears it.
    pub(super) fn planned(&self) -> Which {
        if self.is_unmatched { Which::Plan } else { Which::LevelMatched }
    }

    pub(super) fn is_stepping(&self) -> bool {
        self.stepped.is_some()
    }

    /// Repeats the first of these stretches, in place of the loop that plays.
    pub(super) fn repeat(&mut self, stretches: Vec<(Frames, Frames)>, live: &Live) {
        let before = match self.stepped.take() {
            Some(stepped) => stepped.before,
            None => live.cycle,
        };
        self.stepped = Some(Stepped { before, stretches, now: 0, seen: None });
    }

    /// Ends stepping through changes: the loop from before is set again.
    pub(crate) fn end_steps(&mut self, out: &mut Actions) {
        self.row = None;
        if let Some(Stepped { before, .. }) = self.stepped.take() {
            out.push(Action::Play(Play::Loop { range: before }));
        }
    }

    /// Moves from the start of a long change to its end, and back.
    pub(super) fn follow(&mut self, live: &Live, rate: SampleRate, out: &mut Actions) {
        let Some(stepped) = &mut self.stepped else { return };
        let is_long = stepped.stretches.len() > 1 && live.motion == Motion::Playing;
        if !is_long || !stepped.is_through(live.position, rate) {
            return;
        }
        stepped.now = (stepped.now + 1) % stepped.stretches.len();
        stepped.seen = None;
        let range = stepped.stretches[stepped.now];
        out.push(Action::Play(Play::Loop { range: Some(range) }));
        out.push(Action::Play(Play::Seek { at: range.0 }));
    }

    /// The changes that play without a tick: the row that must be heard and was stepped to, with those it
    /// needs.
    pub(crate) fn without_tick(&self, plan: &Plan, ticks: &Ticks) -> BTreeSet<String> {
        let row = self.row.and_then(|row| plan.changes.get(row));
        let mut open: Vec<&PlannedChange> = row.filter(|it| it.to_hear).into_iter().collect();
        let mut found = BTreeSet::new();
        while let Some(change) = open.pop() {
            let is_there = ticks.taken.rows.contains(&change.id);
            if !is_there && ticks.off.contains(&change.id) && found.insert(change.id.clone()) {
                let is_needed = |it: &&PlannedChange| change.needs.contains(&it.id);
                open.extend(plan.changes.iter().filter(is_needed));
            }
        }
        found
    }

    pub(super) fn is_all_heard(&self, plan: &Plan) -> bool {
        plan.changes.iter().all(|change| self.was_heard(change) != Some(false))
    }

    pub(super) fn was_heard(&self, change: &PlannedChange) -> Option<bool> {
        change.to_hear.then(|| self.heard.contains(&change.id))
    }

    /// A row is heard in place.
    pub(super) fn hears(&mut self, change: &PlannedChange) {
        if change.to_hear {
            self.heard.insert(change.id.clone());
        }
    }
}
