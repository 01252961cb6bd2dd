//! What the meters have to say leaves for the Controller, thirty times a second.
//!
//! Thread: audio

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use super::Processor;
use super::deck::Deck;
use super::hearing::Hearing;
use crate::message::{MasterLoudness, Which};
use crate::meter::Meter;
use crate::program::BoundStrip;
use crate::shared::count;
use ringbuf::traits::Producer;

/// Hops of 10 ms whose energies travel together.
const TENTH: u32 = 10;

/// Collects the master's loudness for the integrated value: only what is played counts.
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

    pub(super) fn report_meters(&mut self) {
        if self.clock < self.next_meter {
            return;
        }
        self.next_meter = self.clock + self.timing.meter;
        self.push_meters();
    }

    /// Reports every strip for which there is room; the others go on collecting.
    fn push_meters(&mut self) {
        for strip in heard(&self.current, &self.other, &self.hearing) {
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
    }
}

fn master_slot(processor: &Processor) -> Option<usize> {
    processor.heard()?.strips.last().map(|master| master.slot.index)
}

/// The strips of the program that is heard.
fn heard<'a>(current: &'a Deck, other: &'a Deck, hearing: &Hearing) -> &'a [BoundStrip] {
    let deck = match hearing.heard() {
        Which::Current => current,
        Which::Other => other,
    };
    deck.program().map_or(&[], |program| &program.strips)
}
