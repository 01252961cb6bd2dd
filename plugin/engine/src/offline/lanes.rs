//! A bounce on several threads: strips that take nothing from others are rendered side by side,
//! then summed in the order of one thread, so the audio has the same bits.
//!
//! Thread: any (starts its own threads and ends them)

use super::{BounceBlock, BounceError, BounceSettings, Bounced, Desk, spans};
use crate::denormals::without_denormals;
use crate::mix::{self, Span};
use crate::schedule::{Schedule, SourceKey};
use crate::stereo::Stereo;
use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_dsp::{FrameReader, Frames, ReadError};
use std::ops::{ControlFlow, Range};

/// How many blocks a thread may be ahead of the sum.
const AHEAD: usize = 3;

/// The strips of one lane, rendered for one block.
type Rendered = Result<Vec<Stereo>, BounceError>;

/// Which places of the program a lane renders: every `of`-th, from `first` on.
#[derive(Clone, Copy)]
struct Share {
    first: usize,
    of: usize,
    leaves: usize,
}

impl Share {
    fn places(self) -> impl Iterator<Item = usize> {
        (self.first..self.leaves).step_by(self.of)
    }
}

/// The summing thread's ends of a lane.
struct Lane {
    share: Share,
    rendered: Receiver<Rendered>,
    empty: Sender<Vec<Stereo>>,
}

pub(super) fn run<O>(
    schedule: &Schedule,
    open: &O,
    desk: Desk<&O>,
    range: Range<Frames>,
    settings: BounceSettings,
    sink: &mut dyn FnMut(&BounceBlock<'_>) -> ControlFlow<()>,
) -> Result<Bounced, BounceError>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Sync,
{
    let leaves = desk.leaves();
    let of = settings.threads.min(leaves);
    std::thread::scope(|scope| {
        let mut lanes = Vec::new();
        let mut threads = Vec::new();
        for first in 1..of {
            let share = Share { first, of, leaves };
            let (lane, far) = join(share, settings.block);
            let worker = Desk::new(schedule, open, settings.block);
            let range = range.clone();
            threads.push(scope.spawn(move || work(worker, &far, &range, settings.block)));
            lanes.push(lane);
        }
        let own = Share { first: 0, of, leaves };
        let bounced = sum(desk, own, lanes, &range, settings.block, sink);
        // The lanes are gone, so the threads end; a panic of theirs is already an error here.
        for thread in threads {
            let ended = thread.join();
            drop(ended);
        }
        bounced
    })
}

/// The worker's ends of a lane.
struct Far {
    share: Share,
    rendered: Sender<Rendered>,
    empty: Receiver<Vec<Stereo>>,
}

fn join(share: Share, block: usize) -> (Lane, Far) {
    let (to_sum, rendered) = bounded(AHEAD);
    let (empty, to_fill) = bounded(AHEAD);
    for _ in 0..AHEAD {
        let buffers = share.places().map(|_| Stereo::new(block)).collect();
        // There is room for exactly these, and both ends are here.
        let sent = empty.send(buffers);
        debug_assert!(sent.is_ok());
    }
    let lane = Lane { share, rendered, empty };
    (lane, Far { share, rendered: to_sum, empty: to_fill })
}

/// Renders a lane's strips block by block until all is done or nobody listens.
fn work<O>(mut desk: Desk<&O>, far: &Far, range: &Range<Frames>, block: usize)
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    for span in spans(range, block) {
        let Ok(mut buffers) = far.empty.recv() else {
            return;
        };
        let done = without_denormals(|| desk.render_share(far.share, span));
        desk.exchange(far.share, &mut buffers);
        if far.rendered.send(done.map(|()| buffers)).is_err() {
            return;
        }
    }
}

/// Renders the own share, adds the lanes, and gives every block to the sink.
fn sum<O>(
    mut desk: Desk<&O>,
    own: Share,
    lanes: Vec<Lane>,
    range: &Range<Frames>,
    block: usize,
    sink: &mut dyn FnMut(&BounceBlock<'_>) -> ControlFlow<()>,
) -> Result<Bounced, BounceError>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    let mut done = Frames::ZERO;
    for span in spans(range, block) {
        without_denormals(|| desk.render_share(own, span))?;
        let mut sets = Vec::with_capacity(lanes.len());
        for lane in &lanes {
            let mut buffers = lane.rendered.recv().map_err(|_| BounceError::Thread)??;
            desk.exchange(lane.share, &mut buffers);
            sets.push(buffers);
        }
        without_denormals(|| desk.render_rest(own.leaves, span))?;
        done += Frames::from_index(span.frames);
        let stop = sink(&desk.block(span)).is_break();
        for (lane, mut buffers) in lanes.iter().zip(sets) {
            desk.exchange(lane.share, &mut buffers);
            // A lane that has rendered its last block is gone and needs no more buffers.
            lane.empty.send(buffers).ok();
        }
        if stop {
            break;
        }
    }
    Ok(Bounced { frames: done, nonfinite: desk.nonfinite })
}

impl<O> Desk<O>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    /// Renders the strips of a share, up to fader and pan.
    fn render_share(&mut self, share: Share, span: Span) -> Result<(), BounceError> {
        for place in share.places() {
            self.render_strip(place, span);
        }
        Ok(self.feed.close_before(span.end())?)
    }

    fn render_strip(&mut self, place: usize, span: Span) {
        let Some(strip) = self.program.strips.get_mut(place) else {
            return;
        };
        let voices = self.program.voices.get(strip.voices.clone()).unwrap_or_default();
        strip.buffer.clear();
        mix::sound(strip, voices, span, &mut self.feed, &mut self.program.scratch);
        mix::finish(strip, span);
    }

    /// Sums the strips that are rendered and renders the others, in processing order.
    fn render_rest(&mut self, leaves: usize, span: Span) -> Result<(), BounceError> {
        for strip in self.program.strips.iter_mut().skip(leaves) {
            strip.buffer.clear();
        }
        for place in 0..self.program.strips.len() {
            let Some((strip, outputs)) =
                self.program.strips.get_mut(place..).and_then(<[_]>::split_first_mut)
            else {
                break;
            };
            if place >= leaves {
                let voices = self.program.voices.get(strip.voices.clone()).unwrap_or_default();
                mix::sound(strip, voices, span, &mut self.feed, &mut self.program.scratch);
                mix::finish(strip, span);
            }
            mix::pass_on(strip, outputs, span.frames);
            strip.buffer.settle();
        }
        self.close(span)
    }

    /// Swaps the buffers of a share's strips with `buffers`.
    fn exchange(&mut self, share: Share, buffers: &mut [Stereo]) {
        for (place, buffer) in share.places().zip(buffers) {
            if let Some(strip) = self.program.strips.get_mut(place) {
                std::mem::swap(&mut strip.buffer, buffer);
            }
        }
    }
}
