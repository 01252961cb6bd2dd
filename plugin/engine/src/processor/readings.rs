//! What the meters have to say leaves for the Controller, thirty times a second.
//!
//! Thread: audio

use super::Processor;
use super::deck::Deck;
use super::hearing::Hearing;
use crate::inserts::reductions;
use crate::message::{MasterLoudness, Which};
use crate::meter::Meter;
use crate::program::BoundStrip;
use crate::shared::count;
use deskhand_dsp::Frames;
use ringbuf::traits::Producer;
use std::ops::Range;

/// Hops of 10 ms whose energies travel together.
const TENTH: u32 = 10;

/// Collects the master's loudness for the integrated value: only playback counts.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// How many resets there were.
    reset: u32,
    /// Hops of the master's meter that were looked at.
    seen: u64,
    hops: u32,
    energy: f32,
}

impl Collected {
    pub(super) fn reset(&mut self, number: u32) {
        *self = Self { reset: number, seen: self.seen, ..Self::default() };
    }

    /// Adds the next hop that is complete; the energy of a tenth of a second when it is one.
    fn next(&mut self, meter: &Meter) -> Option<MasterLoudness> {
        self.energy += meter.loudness.hop(self.seen);
        self.seen += 1;
        self.hops += 1;
        if self.hops < TENTH {
            return None;
        }
        let energy = std::mem::take(&mut self.energy) / TENTH as f32;
        self.hops = 0;
        Some(MasterLoudness { reset: self.reset, energy })
    }
}

impl Processor {
    /// Takes the master's hops of a block that was played.
    pub(super) fn collect_loudness(&mut self) {
        let Some(meter) = master_slot(self).and_then(|slot| self.tables.meters.get(slot)) else {
            return;
        };
        // A meter counts from the beginning when its strip begins to sound: tenths counted at rest never
        // come.
        self.collected.seen = self.collected.seen.min(meter.loudness.hops());
        while self.collected.seen < meter.loudness.hops() {
            let Some(tenth) = self.collected.next(meter) else {
                continue;
            };
            if self.ends.loudness.try_push(tenth).is_err() {
                count(&self.shared.counters.lost_loudness, 1);
            }
        }
    }

    /// Lets the meters see silence, which the integrated loudness does not count.
    pub(super) fn rest_meters(&mut self, frames: usize) {
        for strip in heard(&self.current, &self.other, &self.hearing) {
            if let Some(meter) = self.tables.meters.get_mut(strip.slot.index) {
                meter.rest(&self.filter, frames);
            }
        }
        if let Some(meter) = master_slot(self).and_then(|slot| self.tables.meters.get(slot)) {
            self.collected.seen = meter.loudness.hops();
        }
    }

    /// Reports the strips in turn: all of them once in a round, evenly spread over its blocks. Reading
    /// sixty at once would take longer than a small block allows. Strips without room in the queue continue
    /// collecting.
    pub(super) fn report_meters(&mut self) {
        let strips = heard(&self.current, &self.other, &self.hearing);
        let due = self.round.due(strips.len(), self.clock, self.timing.meter);
        for strip in strips.get(due.clone()).unwrap_or_default() {
            let slot = strip.slot.index;
            let Some(meter) = self.tables.meters.get_mut(slot) else {
                continue;
            };
            let Some(reading) = meter.reading(slot) else {
                continue;
            };
            if self.ends.meters.try_push(reading).is_ok() {
                meter.begin();
            }
        }
        self.report_reductions(due);
    }

    /// Reports the gain reduction of the processors of these strips. Reports without room are dropped.
    fn report_reductions(&mut self, due: Range<usize>) {
        let which = self.hearing.heard();
        let deck = match which {
            Which::Current => &mut self.current,
            Which::Other => &mut self.other,
        };
        let Some(cargo) = &mut deck.current else { return };
        for place in due {
            for reduction in reductions(&mut cargo.rack, place) {
                if self.ends.reductions.try_push(reduction).is_err() {
                    return;
                }
            }
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Round {
    /// The clock at its start.
    since: i64,
    /// Strips that had their turn.
    reported: usize,
}

impl Round {
    /// The strips out of `strips` whose turn it is at `clock`; a round lasts `length` frames.
    fn due(&mut self, strips: usize, clock: i64, length: i64) -> Range<usize> {
        let passed = (clock - self.since).clamp(0, length);
        let until = strips * Frames(passed).index() / Frames(length).index().max(1);
        let due = self.reported.min(until)..until;
        self.reported = until;
        if passed >= length {
            let next = self.since + length;
            // A block longer than a round is one round.
            self.since = if clock - next < length { next } else { clock };
            self.reported = 0;
        }
        due
    }
}

fn master_slot(processor: &Processor) -> Option<usize> {
    processor.heard()?.strips.last().map(|master| master.slot.index)
}

fn heard<'a>(current: &'a Deck, other: &'a Deck, hearing: &Hearing) -> &'a [BoundStrip] {
    let deck = match hearing.heard() {
        Which::Current => current,
        Which::Other => other,
    };
    deck.program().map_or(&[], |program| &program.strips)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strip_has_its_turn_once_in_a_round() {
        for block in [1, 64, 333, 1600, 2027, 8192] {
            let mut round = Round::default();
            let mut turns = [0; 65];
            let mut most = 0;
            let blocks = 160_000 / block;
            for n in 1..=blocks {
                let due = round.due(65, n * block, 1600);
                most = most.max(due.len());
                due.for_each(|strip| turns[strip] += 1);
            }
            let rounds = (blocks * block / 1600.max(block)) as i32;
            assert!(turns.iter().all(|turns| (rounds..=rounds + 1).contains(turns)), "{turns:?}");
            assert!(block > 64 || most <= 3, "{most} in one block");
        }
    }
}
