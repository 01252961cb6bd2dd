//! Which of the two programs is heard.
//!
//! Thread: audio

use super::{Processor, deck::Deck};
use crate::message::{Ear, Which};
use crate::program::Program;
use crate::shared::count;
use deskhand_dsp::{Frames, GainRamp};

/// Fades between the current program and the other.
pub(super) struct Hearing {
    /// How much of the other program is heard, 0 to 1, by the clock.
    share: GainRamp,
    /// The level of the other program, by the clock.
    gain: GainRamp,
    pending: Option<Pending>,
    pub(super) other: Other,
}

/// A change of ears that is still to come.
#[derive(Clone, Copy)]
struct Pending {
    ear: Ear,
    /// When it begins, by the clock; `None` at once.
    due: Option<i64>,
}

/// Whether the other program is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    Wanted,
    /// It goes home as soon as it is inaudible.
    Closing,
}

impl Default for Hearing {
    fn default() -> Self {
        Self {
            share: GainRamp::constant(0.0),
            gain: GainRamp::constant(1.0),
            pending: None,
            other: Other::Wanted,
        }
    }
}

impl Hearing {
    /// Which program is heard, or fades in.
    pub(super) fn heard(&self) -> Which {
        if self.share.to > 0.5 { Which::Other } else { Which::Current }
    }

    /// Whether nothing of the other program is heard.
    pub(super) fn is_current_alone(&self, clock: i64) -> bool {
        self.share.to <= 0.0 && self.share.end().0 <= clock
    }

    /// Stores which side to hear from `due` on, by the clock.
    pub(super) fn plan(&mut self, ear: Ear, due: Option<i64>) {
        self.pending = Some(Pending { ear, due });
    }

    /// Returns to the current program at once, so that the other can be freed.
    pub(super) fn close(&mut self) {
        self.other = Other::Closing;
        self.plan(Ear { which: Which::Current, gain: 1.0 }, None);
    }

    /// Frames until the next change of ears.
    pub(super) fn until_due(&self, clock: i64) -> i64 {
        let due = self.pending.and_then(|pending| pending.due);
        due.map_or(i64::MAX, |due| due.saturating_sub(clock).max(0))
    }

    /// Begins a due change, as a fade of `length` frames. Returns whether the requested program is missing.
    fn settle(&mut self, deck: &Deck, moves: bool, clock: i64, length: i64) -> bool {
        let left = self.until_due(clock);
        let Some(pending) = &mut self.pending else {
            return false;
        };
        // Where nothing is heard there is nothing to wait for.
        if left <= 0 || !moves {
            pending.due = None;
        }
        let Pending { ear, due } = *pending;
        let is_there = ear.which == Which::Current || deck.current.is_some();
        if due.is_some() || (!is_there && !deck.is_empty()) {
            return false;
        }
        self.pending = None;
        if is_there {
            self.turn(ear, clock, length);
        }
        !is_there
    }

    fn turn(&mut self, ear: Ear, clock: i64, length: i64) {
        let (start, length) = (Frames(clock), Frames(length));
        let ramp = |from, to| GainRamp { from, to, start, length };
        if ear.which == Which::Other {
            let from = self.gain.value(start);
            let silent = self.is_current_alone(clock);
            self.gain = if silent { GainRamp::constant(ear.gain) } else { ramp(from, ear.gain) };
        }
        let to = if ear.which == Which::Other { 1.0 } else { 0.0 };
        self.share = ramp(self.share.value(start), to);
    }

    /// Moves `side` from the current program towards the other. Where both have the same bits
    /// nothing changes.
    pub(super) fn blend(&self, side: &mut [f32], other: &[f32], clock: i64) {
        for ((n, sample), other) in (clock..).map(Frames).zip(side).zip(other) {
            let (share, other) = (self.share.value(n), other * self.gain.value(n));
            *sample = if share >= 1.0 { other } else { *sample + (other - *sample) * share };
        }
    }
}

impl Processor {
    /// The program that is heard, or fades in.
    pub(super) fn heard(&self) -> Option<&Program> {
        match self.hearing.heard() {
            Which::Current => self.current.program(),
            Which::Other => self.other.program(),
        }
    }

    pub(super) fn deck(&mut self, which: Which) -> &mut Deck {
        match which {
            Which::Current => &mut self.current,
            Which::Other => &mut self.other,
        }
    }

    /// Changes ears when it is time, and sends the other program home when it is not wanted.
    pub(super) fn settle_hearing(&mut self) {
        // Where nothing is heard nothing need fade.
        let moves = self.playhead.moves();
        let length = if moves { self.timing.ramp } else { 0 };
        let is_missing = self.hearing.settle(&self.other, moves, self.clock, length);
        count(&self.shared.counters.unknown, u64::from(is_missing));
        if self.hearing.other == Other::Wanted || !self.hearing.is_current_alone(self.clock) {
            return;
        }
        self.hearing.other = Other::Wanted;
        while let Some(cargo) = self.other.empty() {
            self.send_home(cargo);
        }
    }
}
