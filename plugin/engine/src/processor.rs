//! The audio side: plays the current program, block by block.
//!
//! Thread: audio. It allocates, frees, locks, waits and reads nothing; whatever it was sent and
//! needs no more goes home through a ring in which its place was reserved.

// The modules below inherit it.
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

mod deck;
mod following;
mod freewheel;
mod hearing;
mod mailbox;
mod playhead;
mod readings;

pub use following::HostClock;
pub use freewheel::DiskLate;

use crate::disk_wait::Patience;
use crate::insert_tap::InsertTap;
use crate::inserts::Reduction;
use crate::message::{Cargo, FromEngine, MasterLoudness, Tables, ToEngine, ToTables, Which};
use crate::meter::{Measured, Meters};
use crate::mix::{self, Span};
use crate::program::Scratch;
use crate::shared::{Shared, count};
use crate::stereo::Stereo;
use crate::stream::{Stream, StreamFeed};
use deck::Deck;
use deskhand_dsp::Frames;
use deskhand_dsp::loudness::StripFilter;
use hearing::Hearing;
use playhead::Playhead;
use readings::{Collected, Round};
use ringbuf::{HeapCons, HeapProd};
use std::sync::Arc;

/// The Processor's ends of all rings.
pub(crate) struct AudioEnds {
    pub(crate) messages: HeapCons<ToEngine>,
    pub(crate) home: HeapProd<FromEngine>,
    pub(crate) meters: HeapProd<Measured>,
    pub(crate) loudness: HeapProd<MasterLoudness>,
    pub(crate) reductions: HeapProd<Reduction>,
    pub(crate) tap: InsertTap,
    pub(crate) streams: HeapCons<ToTables>,
    pub(crate) streams_home: HeapProd<Box<Stream>>,
}

/// How many frames things take at the engine's rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// Longest block that is rendered in one go.
    pub(crate) block: usize,
    /// A fade around a start, a stop, a gap: 5 ms.
    pub(crate) declick: i64,
    /// A move of a fader, and the crossfade to another program: 10 ms.
    pub(crate) ramp: i64,
    /// How often meters report.
    pub(crate) meter: i64,
    /// How long a new program waits for its streams while the old one plays.
    pub(crate) swap_patience: i64,
    /// How long a start waits for its streams.
    pub(crate) start_patience: i64,
}

/// Turns a schedule into sound, on the audio thread. Drop it on the message thread.
pub struct Processor {
    ends: AudioEnds,
    shared: Arc<Shared>,
    timing: Timing,
    tables: Tables,
    current: Deck,
    /// The program that is compared with the current one.
    other: Deck,
    hearing: Hearing,
    playhead: Playhead,
    scratch: Scratch,
    /// What the other program sounds like.
    compared: Stereo,
    /// Frames since the engine was made, whether it moves or not.
    clock: i64,
    round: Round,
    filter: StripFilter,
    collected: Collected,
    /// How long an offline host's blocks wait for the disk thread.
    patience: Patience,
}

impl Processor {
    pub(crate) fn new(
        ends: AudioEnds,
        shared: Arc<Shared>,
        timing: Timing,
        current: Box<Cargo>,
        tables: Tables,
        filter: StripFilter,
    ) -> Self {
        Self {
            ends,
            shared,
            timing,
            tables,
            current: Deck::new(Some(current)),
            other: Deck::new(None),
            hearing: Hearing::default(),
            playhead: Playhead::default(),
            scratch: Scratch::new(timing.block),
            compared: Stereo::new(timing.block),
            clock: 0,
            round: Round::default(),
            filter,
            collected: Collected::default(),
            patience: Patience::default(),
        }
    }

    /// Writes the next frames over `out`: left and right, of any one length.
    ///
    /// Messages that arrived are taken at the start.
    pub fn process(&mut self, out: [&mut [f32]; 2]) {
        self.playhead.lead_alone();
        self.process_block(out);
    }

    /// The timeline frame at the start of the next block, at the engine's rate; `None` while it is stopped.
    #[must_use]
    pub fn next_frame(&self) -> Option<Frames> {
        let roll = &self.playhead.roll;
        self.playhead.runs().then(|| Frames(roll.position(roll.ran)))
    }

    fn process_block(&mut self, out: [&mut [f32]; 2]) {
        self.receive_streams();
        self.receive_messages();
        let [mut left, mut right] = out;
        let frames = left.len().min(right.len());
        let mut rest = frames;
        while rest > 0 {
            self.settle();
            let length = self.chunk_length(rest);
            let (left_chunk, left_rest) = std::mem::take(&mut left).split_at_mut(length);
            let (right_chunk, right_rest) = std::mem::take(&mut right).split_at_mut(length);
            self.chunk([left_chunk, right_chunk]);
            (left, right) = (left_rest, right_rest);
            rest -= length;
        }
        // Sides of unequal length are a host's error: frames that only one side has stay silent.
        left.fill(0.0);
        right.fill(0.0);
        self.settle();
        self.report_meters();
        self.shared.run.publish(&self.playhead.roll, self.playhead.motion());
    }

    /// Up to the next event inside the block, so that events do not depend on its length.
    fn chunk_length(&self, rest: usize) -> usize {
        let until_event =
            self.playhead.until_event(self.clock).min(self.hearing.until_due(self.clock));
        rest.min(self.timing.block).min(Frames(until_event.max(1)).index())
    }

    fn chunk(&mut self, out: [&mut [f32]; 2]) {
        let frames = out.first().map_or(0, |side| side.len());
        if self.playhead.moves() {
            self.render(frames);
            self.deliver(out);
            self.collect_loudness();
        } else {
            out.into_iter().for_each(|side| side.fill(0.0));
            self.rest_meters(frames);
        }
        if self.playhead.runs() {
            self.playhead.roll.ran += Frames::from_index(frames).0;
        }
        self.clock += Frames::from_index(frames).0;
    }

    /// Renders both programs and measures one of them.
    fn render(&mut self, frames: usize) {
        let roll = self.playhead.roll;
        let span = Span::new(roll, self.clock, frames);
        let fade = self.timing.declick;
        let streams = &mut self.tables.streams;
        let mut feed = StreamFeed { streams, roll, span, fade, missing: 0 };
        let heard = self.hearing.heard();
        for (which, deck) in [(Which::Current, &mut self.current), (Which::Other, &mut self.other)]
        {
            let (filter, places) = (&self.filter, &mut self.tables.meters[..]);
            let is_heard = which == heard;
            let tap = Some(&mut self.ends.tap);
            let mut meters = match is_heard {
                true => Meters::In { filter, places, tap },
                false => Meters::Nowhere,
            };
            let missing = deck.render(&mut self.scratch, span, &mut feed, &mut meters);
            count(&self.shared.counters.missing_frames, if is_heard { missing } else { 0 });
        }
    }

    /// Writes the audible mix of both programs, fades around starts and jumps, and guards the output.
    fn deliver(&mut self, out: [&mut [f32]; 2]) {
        let frames = out.first().map_or(0, |side| side.len());
        let [left, right] = out;
        self.current.deliver([&mut *left, &mut *right], self.clock);
        if !self.hearing.is_current_alone(self.clock) {
            self.other.deliver(self.compared.write(0, frames), self.clock);
            for (side, other) in
                [&mut *left, &mut *right].into_iter().zip(self.compared.read(frames))
            {
                self.hearing.blend(side, other, self.clock);
            }
        }
        let mut bad = 0;
        for side in [left, right] {
            self.playhead.shape(side, self.clock, self.timing.declick);
            bad += mix::guard(side);
        }
        count(&self.shared.counters.nonfinite, bad as u64);
    }
}
