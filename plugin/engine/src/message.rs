//! What crosses between the threads, named by direction.
//!
//! Thread: any

use crate::insert_tap::Watch;
use crate::inserts::{Rack, Setting};
use crate::meter::Meter;
use crate::program::{BoundVoice, Program};
use crate::roll::Cycle;
use crate::stream::Stream;
use std::sync::Arc;

/// One of two programs that run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The current program.
    Current,
    /// What could be.
    Other,
}

/// The side to hear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ear {
    pub(crate) which: Which,
    /// Amplitude factor of the other program.
    pub(crate) gain: f32,
}

/// From the Controller to the Processor.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "the settings of a processor travel by value: a box would have to come home"
)]
pub(crate) enum ToEngine {
    /// New amplitude factors of a strip, left and right.
    Set { which: Which, slot: usize, amplitudes: [f32; 2] },
    /// New settings of a processor.
    Adjust { which: Which, setting: Setting },
    /// Another program. It comes home through [`FromEngine`], for which room is reserved.
    Swap { which: Which, cargo: Box<Cargo> },
    /// The other program is not wanted any more.
    Close,
    /// Another program is to be heard, from timeline frame `at` on; `None` is at once.
    Listen { ear: Ear, at: Option<i64> },
    /// Start, stop, locate, loop.
    Transport(Transport),
    /// Resets the integrated loudness. Measurements from now on have this number.
    ResetLoudness(u32),
    /// The processor whose sound is copied to the Controller; `None` for none.
    Watch(Option<Watch>),
}

/// Back from the Processor: a program that is not played any more.
#[derive(Debug)]
pub(crate) struct FromEngine(pub(crate) Box<Cargo>);

/// A program, and larger tables when it needs them.
#[derive(Debug)]
pub(crate) struct Cargo {
    /// Counts programs.
    pub(crate) generation: u32,
    pub(crate) program: Program,
    pub(crate) rack: Rack,
    /// On the way out: the new tables. On the way back: the old tables.
    pub(crate) tables: Option<Tables>,
}

/// The Processor's state by slot; it outlives programs.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) streams: Box<[Option<Box<Stream>>]>,
    pub(crate) meters: Box<[Meter]>,
}

/// How many slots tables have room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) streams: usize,
    pub(crate) strips: usize,
}

impl Tables {
    pub(crate) fn new(places: Places) -> Self {
        Self {
            streams: std::iter::repeat_with(|| None).take(places.streams).collect(),
            meters: vec![Meter::default(); places.strips].into(),
        }
    }
}

/// The energy of 100 ms of the master, on its way to the Controller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MasterLoudness {
    /// How many resets there were before it.
    pub(crate) reset: u32,
    /// K-weighted, mean.
    pub(crate) energy: f32,
}

/// Moves the playhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Play,
    Stop,
    Seek(i64),
    Loop(Option<Cycle>),
}

/// From the Controller to the disk thread.
#[derive(Debug)]
pub(crate) enum ToDisk {
    /// A program is on its way to the Processor: read the start of its voices.
    Program { generation: u32, voices: Arc<[BoundVoice]> },
    /// A program has come home.
    Gone { generation: u32 },
}

/// From the disk thread to the Processor.
#[derive(Debug)]
pub(crate) enum ToTables {
    /// A stream for a slot; the previous one goes home.
    Attach { slot: usize, stream: Box<Stream> },
    /// The stream `id` in a slot is not needed any more: send it home.
    Retire { slot: usize, id: u64 },
}
