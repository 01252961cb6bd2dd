//! The audio side: plays the current program, block by block.
//!
//! Thread: audio. It allocates, frees, locks, waits and reads nothing; whatever it was sent and
//! needs no more goes home through a ring in which its place was reserved.

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

mod following;
mod freewheel;
mod mailbox;
mod playhead;
mod readings;

pub use following::HostClock;
pub use freewheel::DiskLate;

use crate::denormals::without_denormals;
use crate::message::{Cargo, FromEngine, MasterLoudness, Tables, ToEngine, ToTables};
use crate::meter::{Measured, Meters};
use crate::mix::{self, Span};
use crate::program::Scratch;
use crate::shared::{Shared, count};
use crate::stereo::Sound;
use crate::stream::{Stream, StreamFeed};
use deskhand_dsp::loudness::StripFilter;
use deskhand_dsp::{Frames, GainRamp};
use playhead::Playhead;
use readings::Collected;
use ringbuf::{HeapCons, HeapProd};
use std::sync::Arc;

/// The Processor's ends of all rings.
pub(crate) struct AudioEnds {
    pub(crate) messages: HeapCons<ToEngine>,
    pub(crate) home: HeapProd<FromEngine>,
    pub(crate) meters: HeapProd<Measured>,
    pub(crate) loudness: HeapProd<MasterLoudness>,
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
    current: Box<Cargo>,
    /// The program before, while it fades out, and until it can go home.
    leaving: Option<Box<Cargo>>,
    /// How much of `leaving` is heard, by the clock.
    crossfade: GainRamp,
    /// The next program, until its streams are there.
    arriving: Option<Arriving>,
    playhead: Playhead,
    scratch: Scratch,
    /// Frames since the engine was made, whether it moves or not.
    clock: i64,
    next_meter: i64,
    filter: StripFilter,
    collected: Collected,
    /// How often an offline host's block looks for the disk thread before it gives up.
    looks: usize,
}

struct Arriving {
    cargo: Box<Cargo>,
    since: i64,
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
            current,
            leaving: None,
            crossfade: GainRamp::constant(0.0),
            arriving: None,
            playhead: Playhead::default(),
            scratch: Scratch::new(timing.block),
            clock: 0,
            next_meter: timing.meter,
            filter,
            collected: Collected::default(),
            looks: freewheel::PATIENCE,
        }
    }

    /// Writes the next frames over `out`: left and right, of any one length.
    ///
    /// Messages that arrived are taken at the start.
    pub fn process(&mut self, out: [&mut [f32]; 2]) {
        self.playhead.lead_alone();
        without_denormals(|| self.process_block(out));
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
        // Sides of unequal length are a host's mistake: what only one of them has is silent.
        left.fill(0.0);
        right.fill(0.0);
        self.settle();
        self.report_meters();
        self.shared.run.publish(&self.playhead.roll, self.playhead.motion());
    }

    /// Up to the next event inside the block, so that events do not depend on its length.
    fn chunk_length(&self, rest: usize) -> usize {
        let until_event = self.playhead.until_event(self.clock);
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

    /// Renders the current program, and the leaving one while it is heard.
    fn render(&mut self, frames: usize) {
        let roll = self.playhead.roll;
        let span = Span { at: roll.position(roll.ran), clock: self.clock, frames };
        let fade = self.timing.declick;
        let streams = &mut self.tables.streams;
        let mut feed = StreamFeed { streams, roll, span, fade, missing: 0 };
        let (program, scratch) = (&mut self.current.program, &mut self.scratch);
        let mut meters = Meters::In { filter: &self.filter, places: &mut self.tables.meters };
        mix::render(program, scratch, span, &mut feed, &mut meters);
        count(&self.shared.counters.missing_frames, feed.missing);
        if let Some(leaving) = &mut self.leaving {
            mix::render(&mut leaving.program, scratch, span, &mut feed, &mut Meters::Nowhere);
        }
    }

    /// Crossfades the programs, fades around starts and jumps, and guards the output.
    fn deliver(&mut self, out: [&mut [f32]; 2]) {
        let frames = out.first().map_or(0, |side| side.len());
        let Some(master) = self.current.program.strips.last() else {
            return;
        };
        let old = self.leaving.as_ref().and_then(|leaving| leaving.program.strips.last());
        let is_silent = |sound| sound == Sound::Silent;
        let old = old.filter(|old| !is_silent(old.buffer.sound()));
        let olds = old.map(|old| old.buffer.read(frames));
        let mut bad = 0;
        for (index, (side, new)) in out.into_iter().zip(master.buffer.read(frames)).enumerate() {
            side.copy_from_slice(new);
            let old = olds.and_then(|olds| olds.get(index).copied());
            if old.is_some() || self.leaving.is_some() {
                blend(side, old.unwrap_or_default(), &self.crossfade, self.clock);
            }
            self.playhead.shape(side, self.clock, self.timing.declick);
            bad += mix::guard(side);
        }
        count(&self.shared.counters.nonfinite, bad as u64);
    }
}

/// Moves `side` towards `old` by the crossfade's factor. Where both have the same bits nothing
/// changes, so voices that are in both programs play on untouched.
fn blend(side: &mut [f32], old: &[f32], crossfade: &GainRamp, clock: i64) {
    let olds = old.iter().copied().chain(std::iter::repeat(0.0));
    for ((n, new), old) in (clock..).zip(side).zip(olds) {
        *new += (old - *new) * crossfade.value(Frames(n));
    }
}
