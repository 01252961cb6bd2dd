//! A bounce: the schedule as fast as it can be read, through the same code as in real time.
//!
//! Thread: any (a worker; it reads files and waits for them)
//!
//! Reading is synchronous, so nothing is ever missing: a source that cannot be read ends the
//! bounce with its error. A reader that waits for something else than a local file (a decode
//! process) must itself give up after a while.

mod feed;
mod reader;
mod relay;
#[cfg(test)]
mod tests;

pub use reader::BounceReader;

use crate::inserts::{LateStems, Rack, lead_in};
use crate::meter::Meters;
use crate::mix::{self, Span};
use crate::program::{Binding, Buffers, Program, Scratch};
use crate::roll::Roll;
use crate::schedule::{Schedule, SourceKey, StripKey};
use crate::source::SourceError;
use crate::stereo::Sound;
use deskhand_dsp::{FrameReader, Frames, ReadError};
use feed::ReaderFeed;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

/// The most frames that one block of a bounce may have.
pub const MAX_BLOCK: usize = 65_536;

/// Renders a schedule offline. `O` opens a source at the schedule's rate.
pub struct Bounce<O> {
    schedule: Schedule,
    open: O,
}

/// How a bounce runs; the audio does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BounceSettings {
    /// Frames per block, 1 to [`MAX_BLOCK`].
    pub block: usize,
    /// Threads that read and mix, 1 or more; the calling thread is one of them.
    pub threads: usize,
    /// What the sink sees.
    pub stems: Stems,
}

/// Whether strips are there when a block is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stems {
    /// Every strip can be asked for.
    Kept,
    /// The mix only; faster, and needs less memory.
    Dropped,
}

impl BounceSettings {
    /// The mix on one thread, in blocks that stay in a processor's cache.
    pub const PLAIN: Self = Self { block: 8192, threads: 1, stems: Stems::Dropped };

    fn late_stems(self) -> LateStems {
        match self.stems {
            Stems::Kept => LateStems::Kept,
            Stems::Dropped => LateStems::Dropped,
        }
    }

    fn buffers(self) -> Buffers {
        match self.stems {
            Stems::Kept => Buffers::Own(self.block),
            Stems::Dropped => Buffers::Shared(self.block),
        }
    }
}

/// Receives the blocks, one after the other.
type Sink<'a> = &'a mut dyn FnMut(&BounceBlock<'_>) -> ControlFlow<()>;

/// What a bounce did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounced {
    /// Frames given to the sink; less than asked when the sink stopped it.
    pub frames: Frames,
    /// Samples of the mix that were no numbers and became silence.
    pub nonfinite: u64,
}

/// Why a bounce ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BounceError {
    /// A source cannot be played.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The range is empty, or starts before 0.
    #[error("the range {}..{} holds no audio; use a start of 0 or more and a later end", .0.start.0, .0.end.0)]
    Range(Range<Frames>),
    /// A block size or thread count that cannot be used.
    #[error("{} frames per block on {} threads is out of range; use 1 to 65536 frames and 1 to 64 threads", .0.block, .0.threads)]
    Settings(BounceSettings),
    /// A thread ended by a panic, most likely in a reader.
    #[error("a thread of the bounce failed without a reason; render again with one thread")]
    Thread,
}

/// One block as it leaves the mixer.
pub struct BounceBlock<'a> {
    at: Frames,
    frames: usize,
    program: &'a Program,
    places: &'a HashMap<StripKey, usize>,
}

impl<'a> BounceBlock<'a> {
    /// Timeline frame of the first sample.
    #[must_use]
    pub fn at(&self) -> Frames {
        self.at
    }

    /// The mix after the master; left and right.
    #[must_use]
    pub fn master(&self) -> [&'a [f32]; 2] {
        let master = self.program.strips.last();
        master.map_or([&[], &[]], |strip| strip.buffer.read(self.frames))
    }

    /// A strip after its fader and pan (a stem). `None` if there is no such strip, or it was not kept.
    #[must_use]
    pub fn strip(&self, key: StripKey) -> Option<[&'a [f32]; 2]> {
        let strip = self.program.strips.get(*self.places.get(&key)?)?;
        let kept = !strip.buffer.is_nothing();
        kept.then(|| strip.buffer.read(self.frames))
    }
}

impl<O> Bounce<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Sync,
{
    /// A bounce of `schedule`; `open` is asked for a source when its first clip begins.
    pub fn new(schedule: Schedule, open: O) -> Self {
        Self { schedule, open }
    }

    /// The schedule to render.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Renders `range` of the timeline, block by block, until the sink breaks.
    ///
    /// # Errors
    /// When a source cannot be played, or range or settings cannot be used.
    pub fn render(
        &self,
        range: Range<Frames>,
        settings: BounceSettings,
        sink: Sink<'_>,
    ) -> Result<Bounced, BounceError> {
        check(&range, settings)?;
        let mut desk = Desk::new(&self.schedule, &self.open, settings);
        let parts = relay::parts(&desk.program, settings.threads);
        if parts.len() < 2 {
            return desk.run(range, settings.block, sink);
        }
        relay::run(&self.schedule, &self.open, desk, parts, range, settings, sink)
    }
}

fn check(range: &Range<Frames>, settings: BounceSettings) -> Result<(), BounceError> {
    if range.start < Frames::ZERO || range.end <= range.start {
        return Err(BounceError::Range(range.clone()));
    }
    let usable = (1..=MAX_BLOCK).contains(&settings.block) && (1..=64).contains(&settings.threads);
    usable.then_some(()).ok_or(BounceError::Settings(settings))
}

/// The strips of one thread, with their readers.
struct Stage<O> {
    /// Places in the program.
    part: Range<usize>,
    feed: ReaderFeed<O>,
    scratch: Scratch,
    /// The processors of all strips; each strip runs its own.
    rack: Rack,
}

impl<O> Stage<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    fn new(open: O, schedule: &Schedule, settings: BounceSettings, part: Range<usize>) -> Self {
        let scratch = Scratch::new(settings.block);
        let rack = Rack::of(schedule, settings.late_stems());
        Self { part, feed: ReaderFeed::new(open, schedule.rate()), scratch, rack }
    }

    /// Adds its strips to one block.
    fn render(&mut self, program: &mut Program, span: Span) -> Result<(), BounceError> {
        let Self { part, feed, scratch, rack } = self;
        let nowhere = &mut Meters::Nowhere;
        mix::render_part(program, rack, part.clone(), scratch, span, feed, nowhere);
        Ok(self.feed.close_before(span.end())?)
    }
}

/// A program with its readers.
struct Desk<O> {
    program: Program,
    places: HashMap<StripKey, usize>,
    stage: Stage<O>,
    nonfinite: u64,
}

impl<O> Desk<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    fn new(schedule: &Schedule, open: O, settings: BounceSettings) -> Self {
        let places = schedule.levels().enumerate().map(|(place, (key, _))| (key, place)).collect();
        let program = Program::bind(schedule, &mut Binding::default(), settings.buffers());
        let whole = 0..program.strips.len();
        let stage = Stage::new(open, schedule, settings, whole);
        Self { program, places, stage, nonfinite: 0 }
    }

    /// Adds the strips of its stage to one block, and guards the output.
    fn render(&mut self, span: Span) -> Result<(), BounceError> {
        self.stage.render(&mut self.program, span)?;
        let Some(master) = self.program.strips.last_mut() else {
            return Ok(());
        };
        if master.buffer.sound() == Sound::Heard {
            for side in master.buffer.write(0, span.frames) {
                self.nonfinite += mix::guard(side) as u64;
            }
        }
        Ok(())
    }

    fn run(
        &mut self,
        range: Range<Frames>,
        block: usize,
        sink: Sink<'_>,
    ) -> Result<Bounced, BounceError> {
        let mut done = Frames::ZERO;
        for span in spans(&range, block, self.stage.rack.lead()) {
            self.render(span)?;
            if span.is_lead_in() {
                continue;
            }
            done += Frames::from_index(span.frames);
            if sink(&self.block(span)).is_break() {
                break;
            }
        }
        Ok(Bounced { frames: done, nonfinite: self.nonfinite })
    }

    fn block(&self, span: Span) -> BounceBlock<'_> {
        BounceBlock {
            at: Frames(span.at),
            frames: span.frames,
            program: &self.program,
            places: &self.places,
        }
    }
}

/// The blocks of `range`, after those that fill the lead of `lead` frames.
fn spans(range: &Range<Frames>, block: usize, lead: i64) -> impl Iterator<Item = Span> + use<> {
    let end = range.end.0;
    let step = Frames::from_index(block).0;
    let starts = std::iter::successors(Some(range.start.0), move |at| at.checked_add(step));
    let blocks = starts.take_while(move |at| *at < end).map(move |at| {
        let frames = Frames(step.min(end - at)).index();
        span_at(at, frames)
    });
    lead_in(span_at(range.start.0, 0), lead, block).chain(blocks)
}

/// Timeline and run are one where nothing loops.
fn span_at(at: i64, frames: usize) -> Span {
    Span::new(Roll { ran: at, ..Roll::default() }, at, frames)
}
