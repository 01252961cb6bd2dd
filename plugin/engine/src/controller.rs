//! The message side: sends what to play, and reads the meters.
//!
//! Thread: message

mod hearing;
mod meters;
mod programs;
mod requests;

pub use requests::Side;

use crate::insert_tap::TapFrame;
use crate::inserts::Reduction;
use crate::message::{FromEngine, MasterLoudness, Places, ToDisk, ToEngine, Transport};
use crate::meter::Measured;
use crate::program::Binding;
use crate::roll::Cycle;
use crate::schedule::{LAST_FRAME, Schedule, ScheduleError};
use crate::shared::{Motion, Shared};
use crate::source::SourceError;
use crossbeam_channel::{Receiver, Sender};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use meters::{Integrated, Watching};
use requests::{Asked, Listening, Sent};
use ringbuf::traits::Producer;
use ringbuf::{HeapCons, HeapProd};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The Controller's ends of all queues.
pub(crate) struct MessageEnds {
    pub(crate) engine: HeapProd<ToEngine>,
    pub(crate) home: HeapCons<FromEngine>,
    pub(crate) meters: HeapCons<Measured>,
    pub(crate) loudness: HeapCons<MasterLoudness>,
    pub(crate) reductions: HeapCons<Reduction>,
    pub(crate) tapped: HeapCons<TapFrame>,
    pub(crate) disk: Sender<ToDisk>,
    pub(crate) faults: Receiver<SourceError>,
}

/// Controls what the [`Processor`](crate::Processor) plays. Call [`Controller::pump`] regularly.
pub struct Controller {
    ends: MessageEnds,
    shared: Arc<Shared>,
    binding: Binding,
    /// The last request, levels included.
    current: Asked,
    /// What it is compared with.
    other: Option<Asked>,
    /// Whether the Processor knows that the other program before is not wanted.
    closed: Sent,
    listening: Listening,
    generation: u32,
    /// Programs on the audio side; never more than there is room for on the way home.
    away: usize,
    /// Programs that came home and that the disk thread does not know to be gone yet.
    gone: Vec<u32>,
    /// Places in the Processor's tables.
    places: Places,
    block: usize,
    integrated: Integrated,
    /// The last watched processor, and whether it is watched still.
    watching: Watching,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// On its way; it sounds from the next block on.
    Sent,
    /// The queue is full: the engine plays on as before, and every pump tries again.
    Waiting,
}

/// Why the engine refuses a request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// The schedule has another rate.
    #[error(
        "the schedule is at {schedule}, the engine plays at {engine}; compile it for the engine's rate"
    )]
    Rate {
        /// The schedule's rate.
        schedule: SampleRate,
        /// The engine's rate.
        engine: SampleRate,
    },
    /// A strip or an insert that is not there, or a number out of range.
    #[error(transparent)]
    Level(#[from] ScheduleError),
    /// A position before the start or beyond the end of time.
    #[error("frame {} is no place on the timeline; use 0 to {}", .0.0, LAST_FRAME.0)]
    Position(Frames),
    /// A loop that ends before it starts, or is too short to hear.
    #[error("a loop from {} to {} cannot be played; use at least {least} frames", .range.start.0, .range.end.0)]
    Loop {
        /// The requested range.
        range: Range<Frames>,
        /// The shortest loop.
        least: i64,
    },
    /// There is nothing to compare with.
    #[error("nothing is open to be compared with; give a schedule to `audition` first")]
    NothingToHear,
    /// A gain that is not a number or above +60 dB.
    #[error("a gain of {} dB cannot be heard; use at most +60 dB", .0.0)]
    Gain(Decibels),
    /// The queue to the audio thread is full: it does not run, or it is flooded.
    #[error("the audio thread does not take messages; check that the device runs, and try again")]
    Busy,
}

/// Where the engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The timeline frame that sounds next.
    pub at: Frames,
    /// Whether it moves.
    pub motion: Motion,
}

/// What went wrong since the engine was made, without stopping the music.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Frames of voices that were not read in time and played as silence.
    pub missing_frames: u64,
    /// Samples at the output that were no numbers and became silence.
    pub nonfinite: u64,
    /// Schedules that began before all their audio was read.
    pub delayed_swaps: u64,
    /// Messages about a strip that the engine does not play.
    pub unknown: u64,
    /// Things that found no room on their way home.
    pub delayed_returns: u64,
    /// Tenths of a second that the integrated loudness misses, because nobody read the meters.
    pub lost_loudness: u64,
}

impl Controller {
    pub(crate) fn new(
        ends: MessageEnds,
        shared: Arc<Shared>,
        silence: (Schedule, Binding),
        places: Places,
        block: usize,
    ) -> Self {
        let (schedule, binding) = silence;
        Self {
            ends,
            shared,
            binding,
            current: Asked { schedule, sent: Sent::Yes },
            other: None,
            closed: Sent::Yes,
            listening: Listening::default(),
            generation: 0,
            away: 1,
            gone: Vec::new(),
            places,
            block,
            integrated: Integrated::default(),
            watching: Watching::default(),
        }
    }

    /// Starts from the current position.
    ///
    /// # Errors
    /// When the queue is full.
    pub fn play(&mut self) -> Result<(), ControlError> {
        self.transport(Transport::Play)
    }

    /// Stops after a short fade.
    ///
    /// # Errors
    /// When the queue is full.
    pub fn stop(&mut self) -> Result<(), ControlError> {
        self.transport(Transport::Stop)
    }

    /// Goes to `at`, and plays on from there if it plays.
    ///
    /// # Errors
    /// When there is no such place, or the queue is full.
    pub fn seek(&mut self, at: Frames) -> Result<(), ControlError> {
        self.transport(Transport::Seek(place(at)?))
    }

    /// Repeats `range` once the playhead reaches its end; `None` turns the loop off.
    ///
    /// # Errors
    /// When the range cannot be played, or the queue is full.
    pub fn set_loop(&mut self, range: Option<Range<Frames>>) -> Result<(), ControlError> {
        // A twentieth of a second: room for the fades at both ends.
        let least = i64::from(self.current.schedule.rate().0) / 20;
        let cycle = match range {
            Some(range) => Some(cycle(range, least)?),
            None => None,
        };
        self.transport(Transport::Loop(cycle))
    }

    fn transport(&mut self, transport: Transport) -> Result<(), ControlError> {
        let pushed = self.ends.engine.try_push(ToEngine::Transport(transport));
        pushed.map_err(|_| ControlError::Busy)
    }

    /// The current request.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.current.schedule
    }

    /// Where the engine was at the end of the last block.
    #[must_use]
    pub fn position(&self) -> Position {
        let (roll, motion) =
            self.shared.run.latest().unwrap_or((Default::default(), Motion::Stopped));
        Position { at: Frames(roll.position(roll.ran)), motion }
    }

    /// Sources that could not be opened or read since the last call; their clips are silent.
    pub fn faults(&mut self) -> Vec<SourceError> {
        self.ends.faults.try_iter().collect()
    }

    /// What went wrong since the engine was made.
    #[must_use]
    pub fn trouble(&self) -> Trouble {
        let counters = &self.shared.counters;
        Trouble {
            missing_frames: counters.missing_frames.load(Ordering::Relaxed),
            nonfinite: counters.nonfinite.load(Ordering::Relaxed),
            delayed_swaps: counters.delayed_swaps.load(Ordering::Relaxed),
            unknown: counters.unknown.load(Ordering::Relaxed),
            delayed_returns: counters.delayed_returns.load(Ordering::Relaxed),
            lost_loudness: counters.lost_loudness.load(Ordering::Relaxed),
        }
    }

    /// Programs on the audio side: one when everything has come home.
    #[must_use]
    pub fn away(&self) -> usize {
        self.away
    }
}

fn place(at: Frames) -> Result<i64, ControlError> {
    let is_there = (Frames::ZERO..=LAST_FRAME).contains(&at);
    is_there.then_some(at.0).ok_or(ControlError::Position(at))
}

fn cycle(range: Range<Frames>, least: i64) -> Result<Cycle, ControlError> {
    let (from, to) = (range.start.0, range.end.0);
    if from < 0 || to > LAST_FRAME.0 || to.saturating_sub(from) < least {
        return Err(ControlError::Loop { range, least });
    }
    Ok(Cycle { from, to })
}
