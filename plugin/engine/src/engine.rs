//! Makes the three parts of an engine, joined by rings.
//!
//! Thread: message

use crate::controller::{Controller, MessageEnds};
use crate::disk::{Disk, DiskEnds, ReadAhead};
use crate::insert_tap::InsertTap;
use crate::inserts::{LateStems, Rack};
use crate::message::{Cargo, Places, Tables};
use crate::processor::{AudioEnds, Processor, Timing};
use crate::program::{Binding, Buffers, Program};
use crate::schedule::{RATES, Schedule, ScheduleError, SourceKey};
use crate::shared::Shared;
use deskhand_dsp::loudness::StripFilter;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate, Seconds};
use ringbuf::HeapRb;
use ringbuf::traits::Split;
use std::sync::Arc;

/// What an engine is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineConfig {
    /// The rate it plays at.
    pub rate: SampleRate,
    /// Frames rendered in one go, 16 to 8192; longer blocks of a host are cut.
    pub block: usize,
    /// How much audio of a voice is held ready, 0.1 to 30 s.
    pub read_ahead: Seconds,
}

impl EngineConfig {
    /// 512 frames in one go, two seconds ready (0.77 MB per sounding voice at 48 kHz).
    #[must_use]
    pub fn at(rate: SampleRate) -> Self {
        Self { rate, block: 512, read_ahead: Seconds(2.0) }
    }
}

/// Why an engine cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// A rate that cannot be played.
    #[error(transparent)]
    Rate(#[from] ScheduleError),
    /// A block size out of range.
    #[error("{0} frames in one go is out of range; use 16 to 8192")]
    Block(usize),
    /// A read-ahead out of range.
    #[error("{} s of audio held ready is out of range; use 0.1 to 30 s", .0.0)]
    ReadAhead(Seconds),
}

/// Messages that may wait for the Processor.
const MESSAGES: usize = 1024;
/// Programs that may be on the audio side at once.
const PROGRAMS: usize = 16;
/// Meter readings that may wait for the Controller.
const READINGS: usize = 8192;
/// Gain reductions that may wait for the Controller.
const REDUCTIONS: usize = 4096;
/// Frames of a watched processor that may wait for the Controller: a third of a second at 48 kHz.
const TAPPED: usize = 1 << 14;
/// Streams that may be on the audio side at once.
const STREAMS: usize = 4096;
/// Messages that may wait for the disk thread.
const REQUESTS: usize = 64;
/// Faults that may wait for the Controller.
const FAULTS: usize = 256;
/// Tenths of a second of the master that may wait for the Controller: 7 minutes.
const TENTHS: usize = 4096;
/// Places in the Processor's tables at first; they grow.
const PLACES: Places = Places { streams: 1024, strips: 64 };

/// Makes an engine that plays silence. `open` opens a source at the engine's rate; it is called on
/// the disk thread.
///
/// # Errors
/// When a number in `config` is out of range.
pub fn engine<O>(
    config: EngineConfig,
    open: O,
) -> Result<(Controller, Processor, Disk), EngineError>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send + 'static,
{
    check(&config)?;
    let silence = Schedule::empty(config.rate)?;
    let shared = Arc::new(Shared::default());
    let (message_ends, audio_ends, disk_ends) = join(config.block);
    let mut binding = Binding::default();
    let program = Program::bind(&silence, &mut binding, Buffers::Own(config.block));
    let rack = Rack::of(&silence, LateStems::Dropped);
    let cargo = Box::new(Cargo { generation: 0, program, rack, tables: None });
    let tables = Tables::new(PLACES);
    let timing = timing(&config);
    let filter = StripFilter::new(config.rate).map_err(|_| ScheduleError::Rate(config.rate))?;
    let processor = Processor::new(audio_ends, Arc::clone(&shared), timing, cargo, tables, filter);
    let ahead = read_ahead(&config);
    let disk = Disk::new(disk_ends, Box::new(open), Arc::clone(&shared), ahead);
    let controller =
        Controller::new(message_ends, shared, (silence, binding), PLACES, config.block);
    Ok((controller, processor, disk))
}

fn check(config: &EngineConfig) -> Result<(), EngineError> {
    if !RATES.contains(&config.rate.0) {
        return Err(ScheduleError::Rate(config.rate).into());
    }
    if !(16..=8192).contains(&config.block) {
        return Err(EngineError::Block(config.block));
    }
    if !(0.1..=30.0).contains(&config.read_ahead.0) {
        return Err(EngineError::ReadAhead(config.read_ahead));
    }
    Ok(())
}

fn join(block: usize) -> (MessageEnds, AudioEnds, DiskEnds) {
    let (engine, messages) = HeapRb::new(MESSAGES).split();
    let (home_in, home) = HeapRb::new(PROGRAMS).split();
    let (meters_in, meters) = HeapRb::new(READINGS).split();
    let (loudness_in, loudness) = HeapRb::new(TENTHS).split();
    let (reductions_in, reductions) = HeapRb::new(REDUCTIONS).split();
    let (tapped_in, tapped) = HeapRb::new(TAPPED).split();
    let (tables, streams) = HeapRb::new(STREAMS).split();
    let (streams_home, streams_back) = HeapRb::new(STREAMS).split();
    let (disk, requests) = crossbeam_channel::bounded(REQUESTS);
    let (faults_in, faults) = crossbeam_channel::bounded(FAULTS);
    (
        MessageEnds { engine, home, meters, loudness, reductions, tapped, disk, faults },
        AudioEnds {
            messages,
            home: home_in,
            meters: meters_in,
            loudness: loudness_in,
            reductions: reductions_in,
            tap: InsertTap::new(tapped_in, block),
            streams,
            streams_home,
        },
        DiskEnds { requests, tables, home: streams_back, faults: faults_in },
    )
}

fn timing(config: &EngineConfig) -> Timing {
    let frames = |seconds| Seconds(seconds).frames(config.rate).0.max(1);
    Timing {
        block: config.block,
        declick: frames(0.005),
        ramp: frames(0.010),
        meter: frames(1.0 / 30.0),
        swap_patience: frames(0.250),
        start_patience: frames(2.0),
    }
}

fn read_ahead(config: &EngineConfig) -> ReadAhead {
    let Frames(ring) = config.read_ahead.frames(config.rate);
    ReadAhead {
        rate: config.rate,
        ring: Frames(ring).index(),
        // Half a ring: a loop's gap up to this long is bridged inside the ring.
        horizon: ring / 2,
        first: ring / 20,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{RATE, sines};

    #[test]
    fn numbers_out_of_range_are_refused() {
        let make = |config| engine(config, sines).map(|_| ()).unwrap_err().to_string();
        let good = EngineConfig::at(RATE);
        assert_eq!(
            make(EngineConfig { block: 1, ..good }),
            "1 frames in one go is out of range; use 16 to 8192"
        );
        assert_eq!(
            make(EngineConfig { read_ahead: Seconds(f64::NAN), ..good }),
            "NaN s of audio held ready is out of range; use 0.1 to 30 s"
        );
        let rate = SampleRate(4_000);
        assert!(make(EngineConfig { rate, ..good }).starts_with("a rate of 4000 Hz"));
    }
}
