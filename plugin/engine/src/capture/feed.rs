//! Where audio comes out.
//!
//! Thread: disk

use super::tap::{Marks, Samples};
use super::{Event, Mark};
use crate::disk::Worked;
use crate::worker::Worker;
use crossbeam_channel::Receiver;
use deskhand_dsp::Frames;
use ringbuf::traits::{Consumer, Observer};
use std::time::Duration;

/// How long the thread rests when nothing waits; far less than a ring holds. Hosts run dozens of these threads: it
/// is their waking that costs, not their writing.
const REST: Duration = Duration::from_millis(100);
/// The same while more than [`MUCH`] of a ring came since the last rest: an offline render waits for this thread.
const SHORT_REST: Duration = Duration::from_millis(5);
/// A part of the ring.
const MUCH: f64 = 0.125;

/// Stores a recording, for example in files. Called in this order: `begin`, any number of `write`, `end`;
/// `lost` between passes.
pub trait CaptureSink: Send {
    /// A pass begins at this timeline frame, which is negative in a host's count-in.
    fn begin(&mut self, at: Frames);
    /// Its next frames, the channels of each one after the other; never empty.
    fn write(&mut self, frames: &[f32]);
    /// The pass is complete.
    fn end(&mut self);
    /// This many frames found no room: the disk thread was too late.
    fn lost(&mut self, frames: Frames);
}

/// The disk thread's end of a recording: run it on a thread of its own with [`Feed::spawn`], or
/// step it by hand.
pub struct Feed {
    samples: Samples,
    marks: Marks,
    channels: usize,
    /// Frames taken so far.
    taken: u64,
    pass: Pass,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Open,
    Closed,
}

impl Feed {
    pub(super) fn new(samples: Samples, marks: Marks, channels: usize) -> Self {
        Self { samples, marks, channels, taken: 0, pass: Pass::Closed }
    }

    /// Hands over everything that waits.
    pub fn step(&mut self, sink: &mut dyn CaptureSink) -> Worked {
        // The order matters: a reader of samples sees every mark that was set before them.
        let waiting = self.samples.occupied_len() / self.channels;
        let end = self.taken + waiting as u64;
        let mut worked = Worked::Idle;
        while let Some(mark) = self.marks.try_peek().copied().filter(|mark| mark.after <= end) {
            self.write_up_to(mark.after, sink);
            self.marks.try_pop();
            self.take(mark, sink);
            worked = Worked::Yes;
        }
        if self.taken < end {
            self.write_up_to(end, sink);
            worked = Worked::Yes;
        }
        worked
    }

    fn take(&mut self, mark: Mark, sink: &mut dyn CaptureSink) {
        match mark.what {
            Event::Begin(at) => {
                self.pass = Pass::Open;
                sink.begin(Frames(at));
            }
            Event::End => self.close(sink),
            Event::Lost(frames) => sink.lost(Frames(frames.cast_signed())),
        }
    }

    fn close(&mut self, sink: &mut dyn CaptureSink) {
        if self.pass == Pass::Open {
            self.pass = Pass::Closed;
            sink.end();
        }
    }

    fn write_up_to(&mut self, end: u64, sink: &mut dyn CaptureSink) {
        let mut rest = Frames((end - self.taken).cast_signed()).index() * self.channels;
        while rest > 0 {
            let (older, _) = self.samples.as_slices();
            let Some(part) = older.get(..rest.min(older.len())).filter(|part| !part.is_empty())
            else {
                break;
            };
            sink.write(part);
            let done = part.len();
            self.samples.skip(done);
            rest -= done;
        }
        self.taken = end;
    }

    /// Writes the remaining frames, and ends the pass.
    pub fn finish(&mut self, sink: &mut dyn CaptureSink) {
        self.step(sink);
        self.close(sink);
    }

    /// Runs on a thread of its own until the [`Tap`](super::Tap) or the handle is dropped; then
    /// everything that was pushed is written, and the last pass ended.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn spawn(self, sink: Box<dyn CaptureSink>) -> std::io::Result<CaptureThread> {
        let run = move |stopped: &Receiver<()>| self.run(sink, stopped);
        Ok(CaptureThread { _worker: Worker::spawn("deskhand-capture", run)? })
    }

    fn run(mut self, mut sink: Box<dyn CaptureSink>, stopped: &Receiver<()>) {
        let mut rested_at = self.taken;
        loop {
            // Checked first: the step then sees everything that was pushed before the end.
            let ends = !self.samples.write_is_held();
            if self.step(&mut *sink) == Worked::Yes {
                continue;
            }
            if ends || stopped.recv_timeout(self.rest(rested_at)) != Err(STILL_WANTED) {
                break;
            }
            rested_at = self.taken;
        }
        self.finish(&mut *sink);
    }

    fn rest(&self, rested_at: u64) -> Duration {
        let came = (self.taken - rested_at) as f64 * self.channels as f64;
        let is_much = came > MUCH * self.samples.capacity().get() as f64;
        if is_much { SHORT_REST } else { REST }
    }
}

const STILL_WANTED: crossbeam_channel::RecvTimeoutError =
    crossbeam_channel::RecvTimeoutError::Timeout;

/// A running capture thread. Dropping it ends the thread and waits until everything is written,
/// but not for a sink that hangs.
pub struct CaptureThread {
    _worker: Worker,
}
