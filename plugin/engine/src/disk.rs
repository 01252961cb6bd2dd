//! Reads before the playhead gets there, so that the audio thread never waits for a file.
//!
//! Thread: disk. It owns every reader and the writing end of every stream.

mod filling;
mod want;

use crate::message::{ToDisk, ToTables};
use crate::program::BoundVoice;
use crate::roll::Roll;
use crate::schedule::SourceKey;
use crate::shared::Shared;
use crate::source::SourceError;
use crate::stream::Stream;
use crate::worker::Worker;
use crossbeam_channel::{Receiver, Sender};
use deskhand_dsp::{FrameReader, ReadError, SampleRate};
use filling::Filling;
use ringbuf::traits::{Consumer, Observer, Producer};
use ringbuf::{HeapCons, HeapProd};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use want::{Want, wanted};

/// How long the disk thread rests when every stream is full.
const REST: Duration = Duration::from_millis(5);

/// Opens a source at the engine's rate; called on the disk thread.
pub(crate) type Open = Box<dyn Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Send>;

/// The disk thread's ends of all queues.
pub(crate) struct DiskEnds {
    pub(crate) requests: Receiver<ToDisk>,
    pub(crate) tables: HeapProd<ToTables>,
    pub(crate) home: HeapCons<Box<Stream>>,
    pub(crate) faults: Sender<SourceError>,
}

/// Sizes in frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadAhead {
    pub(crate) rate: SampleRate,
    /// How much a stream holds.
    pub(crate) ring: usize,
    /// How far before the playhead a stream is opened.
    pub(crate) horizon: i64,
    /// How much must be there before the music starts.
    pub(crate) first: i64,
}

/// Whether a step found anything to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worked {
    /// Something was read, opened or closed: step again.
    Yes,
    /// Every stream is full.
    Idle,
}

/// The disk side of an engine: run it on a thread of its own with [`Disk::spawn`], or step it by
/// hand where nothing may depend on time.
pub struct Disk {
    ends: DiskEnds,
    open: Open,
    shared: Arc<Shared>,
    ahead: ReadAhead,
    /// The voices of every program that is on its way, playing or leaving; the newest last.
    programs: Vec<(u32, Arc<[BoundVoice]>)>,
    /// By slot.
    fillings: BTreeMap<usize, Filling>,
    /// Streams handed over and not home yet; places in the way home are reserved for them.
    away: usize,
    next_id: u64,
    roll: Roll,
    scratch: Scratch,
}

/// Where a chunk is read and interleaved.
#[derive(Default)]
struct Scratch {
    left: Vec<f32>,
    right: Vec<f32>,
    frames: Vec<[f32; 2]>,
}

impl Disk {
    pub(crate) fn new(ends: DiskEnds, open: Open, shared: Arc<Shared>, ahead: ReadAhead) -> Self {
        Self {
            ends,
            open,
            shared,
            ahead,
            programs: vec![(0, Vec::new().into())],
            fillings: BTreeMap::new(),
            away: 0,
            next_id: 0,
            roll: Roll::default(),
            scratch: Scratch::default(),
        }
    }

    /// Does one round: handles requests, opens and closes streams, and reads one chunk into each stream
    /// with room.
    pub fn step(&mut self) -> Worked {
        if let Some((roll, _)) = self.shared.run.latest() {
            self.roll = roll;
        }
        while let Ok(request) = self.ends.requests.try_recv() {
            self.take(request);
        }
        self.welcome_streams();
        let wants = wanted(&self.programs, &self.roll, self.ahead.horizon);
        let closed = self.close_unwanted(&wants);
        let opened = self.open_wanted(&wants);
        let filled = self.fill();
        self.tell_ready(&wants);
        if closed || opened || filled { Worked::Yes } else { Worked::Idle }
    }

    fn take(&mut self, request: ToDisk) {
        match request {
            ToDisk::Program { generation, voices } => self.programs.push((generation, voices)),
            ToDisk::Gone { generation } => self.programs.retain(|(one, _)| *one != generation),
        }
    }

    /// Drops streams that came home. One that the Processor could not use is made again.
    fn welcome_streams(&mut self) {
        while let Some(stream) = self.ends.home.try_pop() {
            self.away = self.away.saturating_sub(1);
            let place = stream.slot.index;
            if self.fillings.get(&place).is_some_and(|filling| filling.id == stream.id) {
                self.fillings.remove(&place);
            }
        }
    }

    /// Closes streams of another epoch, streams that the playhead passed, and streams that began too late.
    fn close_unwanted(&mut self, wants: &BTreeMap<usize, Want>) -> bool {
        let epoch = self.roll.epoch;
        let stale = |place: &usize, filling: &Filling| {
            let want = wants.get(place).filter(|want| want.slot == filling.slot);
            filling.epoch != epoch || want.is_none_or(|want| filling.start > want.next)
        };
        let gone: Vec<(usize, u64)> = self
            .fillings
            .iter()
            .filter(|(place, filling)| stale(place, filling))
            .map(|(place, filling)| (*place, filling.id))
            .collect();
        let mut closed = false;
        for (slot, id) in gone {
            // No room: it stays open, and the next round tries again.
            if self.ends.tables.try_push(ToTables::Retire { slot, id }).is_ok() {
                self.fillings.remove(&slot);
                closed = true;
            }
        }
        closed
    }

    /// Opens the most urgent missing stream, and hands it over with its first chunk.
    fn open_wanted(&mut self, wants: &BTreeMap<usize, Want>) -> bool {
        let mut missing: Vec<&Want> =
            wants.values().filter(|want| !self.fillings.contains_key(&want.slot.index)).collect();
        missing.sort_by_key(|want| want.next);
        let mut opened = false;
        for want in missing {
            let reserved = self.ends.home.capacity().get() > self.away;
            if !reserved || self.ends.tables.is_full() {
                break;
            }
            self.hand_over(want);
            opened = true;
        }
        for (place, filling) in &mut self.fillings {
            if let Some(want) = wants.get(place) {
                filling.want = *want;
            }
        }
        opened
    }

    fn hand_over(&mut self, want: &Want) {
        self.next_id += 1;
        let source = self.open_source(want.source);
        let (mut filling, stream) =
            Filling::new(self.next_id, *want, self.roll.epoch, source, self.ahead.ring);
        filling.write_chunk(&self.roll, self.ahead.horizon, &mut self.scratch);
        let slot = want.slot.index;
        let attach = ToTables::Attach { slot, stream };
        // There is room: it was looked for, and only this thread fills the queue.
        if self.ends.tables.try_push(attach).is_ok() {
            self.away += 1;
            self.fillings.insert(slot, filling);
        }
    }

    fn open_source(&self, key: SourceKey) -> Option<crate::source::StereoSource> {
        let opened = (self.open)(key);
        crate::source::StereoSource::new(key, opened, self.ahead.rate)
            .map_err(|error| self.tell(error))
            .ok()
    }

    /// Tells the message side; when it does not listen, the first faults are kept, not the last.
    fn tell(&self, error: SourceError) {
        self.ends.faults.try_send(error).ok();
    }

    /// Reads one chunk into each stream with room, those with the least left first.
    fn fill(&mut self) -> bool {
        let mut order: Vec<(i64, usize)> =
            self.fillings.iter().map(|(place, filling)| (filling.written, *place)).collect();
        order.sort_unstable();
        let mut filled = false;
        for (_, place) in order {
            let Some(filling) = self.fillings.get_mut(&place) else {
                continue;
            };
            filled |= filling.write_chunk(&self.roll, self.ahead.horizon, &mut self.scratch);
            if let Some(error) = filling.fault.take() {
                self.tell(error);
            }
        }
        filled
    }

    /// Says how far everything is read, and for which program that is there that sounds first.
    fn tell_ready(&self, wants: &BTreeMap<usize, Want>) {
        let Roll { epoch, ran, .. } = self.roll;
        // A voice beyond the horizon is not opened yet.
        let horizon = ran + self.ahead.horizon;
        let reached = wants.values().map(|want| self.reached(want)).min();
        let reached = reached.unwrap_or(horizon).min(horizon);
        self.shared.ready.set_reached(epoch, reached);
        if let Some((generation, _)) = self.programs.last()
            && reached >= ran + self.ahead.first
        {
            self.shared.ready.set(epoch, *generation);
        }
    }

    /// The run frame up to which a voice can be played.
    fn reached(&self, want: &Want) -> i64 {
        let filling = self.fillings.get(&want.slot.index);
        filling
            .filter(|filling| filling.slot == want.slot && filling.epoch == self.roll.epoch)
            .map_or(want.next, |filling| filling.reached(&self.roll, self.ahead.horizon))
    }

    /// Runs on a thread of its own until the [`Controller`](crate::Controller) or the handle is
    /// dropped.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn spawn(self) -> std::io::Result<DiskThread> {
        let worker = Worker::spawn("deskhand-disk", |stopped| self.run(stopped))?;
        Ok(DiskThread { _worker: worker })
    }

    fn run(mut self, stopped: &Receiver<()>) {
        loop {
            if self.step() == Worked::Yes && stopped.is_empty() {
                continue;
            }
            crossbeam_channel::select! {
                recv(stopped) -> _ => return,
                recv(self.ends.requests) -> request => match request {
                    Ok(request) => self.take(request),
                    Err(_) => return,
                },
                default(REST) => {}
            }
        }
    }
}

/// A running disk thread. Dropping it ends the thread and waits for its last read, but not for a
/// read that hangs.
pub struct DiskThread {
    _worker: Worker,
}
