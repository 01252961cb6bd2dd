//! A bounce on several threads. Every block passes from thread to thread, and each adds its strips to it.
//! The order of the strips is that of one thread, so the audio has the same bits. A reader stays on its
//! thread; only the sum moves on.
//!
//! Thread: any (starts its own threads and ends them)

use super::{BounceError, BounceSettings, Bounced, Desk, Sink, Stage, spans};
use crate::program::{Binding, Program};
use crate::schedule::{Schedule, SourceKey};
use crossbeam_channel::{Receiver, Sender, bounded};
use deskhand_dsp::{FrameReader, Frames, ReadError};
use std::ops::Range;

/// The number of blocks for every thread, so that no thread waits for a block in use.
const BLOCKS_PER_THREAD: usize = 2;

/// A block on its way.
type Passed = Result<Program, BounceError>;

/// The ends between which a thread works.
struct Link {
    from: Receiver<Passed>,
    to: Sender<Passed>,
}

pub(super) fn run<O>(
    schedule: &Schedule,
    open: &O,
    mut desk: Desk<&O>,
    mut parts: Vec<Range<usize>>,
    range: Range<Frames>,
    settings: BounceSettings,
    sink: Sink<'_>,
) -> Result<Bounced, BounceError>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError> + Sync,
{
    desk.stage.part = parts.pop().unwrap_or(0..0);
    std::thread::scope(|scope| {
        let blocks = (parts.len() + 1) * BLOCKS_PER_THREAD;
        let (home, mut from) = bounded(blocks);
        for _ in 0..blocks {
            // There is room for exactly these, and both ends are here.
            let sent =
                home.send(Ok(Program::bind(schedule, &mut Binding::default(), settings.buffers())));
            debug_assert!(sent.is_ok());
        }
        let mut threads = Vec::new();
        for part in parts {
            let (to, next) = bounded(blocks);
            let link = Link { from: std::mem::replace(&mut from, next), to };
            let stage = Stage::new(open, schedule, settings, part);
            let range = range.clone();
            threads.push(scope.spawn(move || work(stage, &link, &range, settings.block)));
        }
        let link = Link { from, to: home };
        let bounced = finish(desk, &link, &range, settings.block, sink);
        // Without the last link the threads end; a panic of theirs is already an error here.
        drop(link);
        for thread in threads {
            let ended = thread.join();
            drop(ended);
        }
        bounced
    })
}

/// Shares the places of the program out to at most `threads`, so that each gets about as many
/// strips with voices.
pub(super) fn parts(program: &Program, threads: usize) -> Vec<Range<usize>> {
    let voiced = program.strips.iter().enumerate().filter(|(_, strip)| !strip.voices.is_empty());
    let voiced: Vec<usize> = voiced.map(|(place, _)| place).collect();
    let shares = voiced.chunks(voiced.len().div_ceil(threads).max(1));
    let mut firsts: Vec<usize> =
        shares.skip(1).filter_map(|share| share.first().copied()).collect();
    firsts.insert(0, 0);
    let ends = firsts.iter().copied().skip(1).chain([program.strips.len()]);
    firsts.iter().copied().zip(ends).map(|(first, end)| first..end).collect()
}

/// Adds a part to block by block, until all is done or nobody listens.
fn work<O>(mut stage: Stage<&O>, link: &Link, range: &Range<Frames>, block: usize)
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    for span in spans(range, block, stage.rack.lead()) {
        let Ok(passed) = link.from.recv() else {
            return;
        };
        let done = passed.and_then(|mut program| {
            stage.render(&mut program, span)?;
            Ok(program)
        });
        if link.to.send(done).is_err() {
            return;
        }
    }
}

/// Adds the last part, and gives every block to the sink.
fn finish<O>(
    mut desk: Desk<&O>,
    link: &Link,
    range: &Range<Frames>,
    block: usize,
    sink: Sink<'_>,
) -> Result<Bounced, BounceError>
where
    O: Fn(SourceKey) -> Result<Box<dyn FrameReader>, ReadError>,
{
    let mut done = Frames::ZERO;
    for span in spans(range, block, desk.stage.rack.lead()) {
        let mut program = link.from.recv().map_err(|_| BounceError::Thread)??;
        std::mem::swap(&mut desk.program, &mut program);
        desk.render(span)?;
        if !span.is_lead_in() {
            done += Frames::from_index(span.frames);
            if sink(&desk.block(span)).is_break() {
                break;
            }
        }
        std::mem::swap(&mut desk.program, &mut program);
        // A thread that has rendered its last block is gone and needs no more.
        link.to.send(Ok(program)).ok();
    }
    Ok(Bounced { frames: done, nonfinite: desk.nonfinite })
}
