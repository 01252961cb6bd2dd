//! The message side: what is to be played, and what is heard of it.
//!
//! Thread: message

mod meters;

use crate::message::{
    Cargo, FromEngine, MasterLoudness, Places, Tables, ToDisk, ToEngine, Transport,
};
use crate::meter::Measured;
use crate::program::{Binding, Buffers, Program};
use crate::roll::Cycle;
use crate::schedule::{LAST_FRAME, Level, Schedule, ScheduleError, StripKey};
use crate::shared::{Motion, Shared};
use crate::source::SourceError;
use crossbeam_channel::{Receiver, Sender};
use deskhand_dsp::{Frames, SampleRate};
use meters::Integrated;
use ringbuf::traits::{Consumer, Observer, Producer};
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
    pub(crate) disk: Sender<ToDisk>,
    pub(crate) faults: Receiver<SourceError>,
}

/// Says what the [`Processor`](crate::Processor) plays. Call [`Controller::pump`] regularly.
pub struct Controller {
    ends: MessageEnds,
    shared: Arc<Shared>,
    binding: Binding,
    /// What was asked for last, levels included.
    asked: Schedule,
    /// Whether the Processor knows it.
    sent: Sent,
    generation: u32,
    /// Programs on the audio side; never more than there is room for on the way home.
    away: usize,
    /// Programs that came home and of which the disk thread does not know yet.
    gone: Vec<u32>,
    /// Places in the Processor's tables.
    places: Places,
    block: usize,
    integrated: Integrated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    Yes,
    /// There was no room; the next pump tries again.
    NotYet,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// On its way; it sounds from the next block on.
    Sent,
    /// The queue is full: the engine plays on as before, and every pump tries again.
    Waiting,
}

/// Why the engine cannot do what is asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// The schedule is of another rate.
    #[error(
        "the schedule is at {schedule}, the engine plays at {engine}; compile it for the engine's rate"
    )]
    Rate {
        /// The schedule's rate.
        schedule: SampleRate,
        /// The engine's rate.
        engine: SampleRate,
    },
    /// A strip that is not there, or a level out of range.
    #[error(transparent)]
    Level(#[from] ScheduleError),
    /// A position before the start or beyond the end of time.
    #[error("frame {} is no place on the timeline; use 0 to {}", .0.0, LAST_FRAME.0)]
    Position(Frames),
    /// A loop that ends before it starts, or is too short to hear.
    #[error("a loop from {} to {} cannot be played; use at least {least} frames", .range.start.0, .range.end.0)]
    Loop {
        /// What was asked for.
        range: Range<Frames>,
        /// The shortest loop.
        least: i64,
    },
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
        let (asked, binding) = silence;
        Self {
            ends,
            shared,
            binding,
            asked,
            sent: Sent::Yes,
            generation: 0,
            away: 1,
            gone: Vec::new(),
            places,
            block,
            integrated: Integrated::default(),
        }
    }

    /// Plays `schedule` from the next block on: only its levels are sent if nothing else differs
    /// from the schedule before.
    ///
    /// # Errors
    /// When its rate is not the engine's.
    pub fn apply(&mut self, schedule: Schedule) -> Result<Delivery, ControlError> {
        let (rate, engine) = (schedule.rate(), self.asked.rate());
        if rate != engine {
            return Err(ControlError::Rate { schedule: rate, engine });
        }
        self.bring_home();
        if self.sent == Sent::Yes && schedule.same_structure(&self.asked) {
            return Ok(self.send_levels(schedule));
        }
        self.asked = schedule;
        Ok(self.swap())
    }

    fn send_levels(&mut self, schedule: Schedule) -> Delivery {
        let changed: Vec<(StripKey, Level)> = schedule
            .levels()
            .zip(self.asked.levels())
            .filter(|(new, old)| new != old)
            .map(|(new, _)| new)
            .collect();
        self.asked = schedule;
        for (key, level) in changed {
            if self.send_level(key, level) == Delivery::Waiting {
                return Delivery::Waiting;
            }
        }
        Delivery::Sent
    }

    /// Moves a fader, a pan knob or a mute button at once, until the next schedule says otherwise.
    ///
    /// # Errors
    /// When the strip is not in the schedule, or the level is out of range.
    pub fn set_level(&mut self, key: StripKey, level: Level) -> Result<Delivery, ControlError> {
        self.asked.set_level(key, level)?;
        Ok(self.send_level(key, level))
    }

    /// When a swap waits already it will bring the level along.
    fn send_level(&mut self, key: StripKey, level: Level) -> Delivery {
        let slot = self.binding.strips.get(key);
        let set =
            slot.map(|slot| ToEngine::Set { slot: slot.index, amplitudes: level.amplitudes() });
        let sent = match (self.sent, set) {
            (Sent::Yes, Some(set)) => self.ends.engine.try_push(set).is_ok(),
            (Sent::Yes | Sent::NotYet, _) => false,
        };
        if sent {
            return Delivery::Sent;
        }
        self.sent = Sent::NotYet;
        Delivery::Waiting
    }

    /// Starts from where it stands.
    ///
    /// # Errors
    /// When the queue is full.
    pub fn play(&mut self) -> Result<(), ControlError> {
        self.transport(Transport::Play)
    }

    /// Stops behind a short fade.
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
        if at < Frames::ZERO || at > LAST_FRAME {
            return Err(ControlError::Position(at));
        }
        self.transport(Transport::Seek(at.0))
    }

    /// Repeats `range` once the playhead comes to its end; `None` plays straight on.
    ///
    /// # Errors
    /// When the range cannot be played, or the queue is full.
    pub fn set_loop(&mut self, range: Option<Range<Frames>>) -> Result<(), ControlError> {
        // A twentieth of a second: room for the fades at both ends.
        let least = i64::from(self.asked.rate().0) / 20;
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

    /// Takes home what the Processor is done with, and sends what found no room before.
    pub fn pump(&mut self) -> Delivery {
        self.bring_home();
        match self.sent {
            Sent::Yes => Delivery::Sent,
            Sent::NotYet => self.swap(),
        }
    }

    fn bring_home(&mut self) {
        while let Some(FromEngine(cargo)) = self.ends.home.try_pop() {
            cargo.program.release(&mut self.binding);
            self.gone.push(cargo.generation);
            self.away -= 1;
        }
        self.tell_gone();
    }

    fn tell_gone(&mut self) {
        let disk = &self.ends.disk;
        let told = self.gone.iter().take_while(|generation| {
            disk.try_send(ToDisk::Gone { generation: **generation }).is_ok()
        });
        let told = told.count();
        self.gone.drain(..told);
    }

    /// Sends what was asked for as a program, if there is room for it everywhere: in the queue, on
    /// the way home, and with the disk thread, which must hear of it first.
    fn swap(&mut self) -> Delivery {
        self.sent = Sent::NotYet;
        let room_home = self.ends.home.capacity().get() > self.away;
        if !room_home || self.ends.engine.is_full() || !self.gone.is_empty() {
            return Delivery::Waiting;
        }
        let program = Program::bind(&self.asked, &mut self.binding, Buffers::Own(self.block));
        let generation = self.generation.wrapping_add(1);
        let voices = Arc::clone(&program.voices);
        if self.ends.disk.try_send(ToDisk::Program { generation, voices }).is_err() {
            program.release(&mut self.binding);
            return Delivery::Waiting;
        }
        self.generation = generation;
        let tables = self.larger_tables();
        let cargo = Box::new(Cargo { generation, program, tables });
        // There is room: it was looked for, and only this thread fills the queue.
        if self.ends.engine.try_push(ToEngine::Swap(cargo)).is_ok() {
            self.away += 1;
            self.sent = Sent::Yes;
        }
        Delivery::Sent
    }

    fn larger_tables(&mut self) -> Option<Tables> {
        let Places { streams, strips } = self.places;
        let room = |needed: usize, places| {
            if needed > places { needed.next_power_of_two() } else { places }
        };
        let needed = Places {
            streams: room(self.binding.streams.len(), streams),
            strips: room(self.binding.strips.len(), strips),
        };
        if needed == self.places {
            return None;
        }
        self.places = needed;
        Some(Tables::new(needed))
    }

    /// What is asked for at the moment.
    #[must_use]
    pub fn schedule(&self) -> &Schedule {
        &self.asked
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

fn cycle(range: Range<Frames>, least: i64) -> Result<Cycle, ControlError> {
    let (from, to) = (range.start.0, range.end.0);
    if from < 0 || to > LAST_FRAME.0 || to.saturating_sub(from) < least {
        return Err(ControlError::Loop { range, least });
    }
    Ok(Cycle { from, to })
}
