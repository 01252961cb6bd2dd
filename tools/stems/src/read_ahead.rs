//! Reads early on a thread of its own, so that the producer of audio and its consumer work at the same
//! time.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Frames of a block.
const BLOCK: usize = 1 << 16;
/// Blocks that wait to be read, about 3 s each.
const WAITING: usize = 4;

/// A block of audio, a list a channel.
type Block = Vec<Vec<f32>>;

/// A [`FrameReader`] that reads forward only.
pub(crate) struct Ahead {
    blocks: Receiver<Result<Block, ReadError>>,
    channels: usize,
    frames: Frames,
    rate: SampleRate,
    /// The block that is read, and its first frame.
    block: Block,
    start: Frames,
}

impl Ahead {
    /// Reads `reader` from its start on. Its thread has the priority of this one, and ends when nobody
    /// listens any more.
    pub(crate) fn boxed(reader: Box<dyn FrameReader>) -> Box<dyn FrameReader> {
        let (channels, frames, rate) = (reader.channels(), reader.frames(), reader.rate());
        let (send, blocks) = sync_channel(WAITING);
        std::thread::spawn(move || tell(reader, &send));
        let block = vec![Vec::new(); channels];
        Box::new(Self { blocks, channels, frames, rate, block, start: Frames::ZERO })
    }

    fn end(&self) -> Frames {
        self.start + Frames::from_index(self.block.first().map_or(0, Vec::len))
    }
}

fn tell(mut reader: Box<dyn FrameReader>, send: &SyncSender<Result<Block, ReadError>>) {
    let mut at = Frames::ZERO;
    while at < reader.frames() {
        let count = BLOCK.min((reader.frames() - at).index());
        let block = block(reader.as_mut(), at, count);
        let is_over = block.is_err();
        if send.send(block).is_err() || is_over {
            return;
        }
        at += Frames::from_index(count);
    }
}

/// `count` frames from `at` on; zeros where the reader has none.
fn block(reader: &mut dyn FrameReader, at: Frames, count: usize) -> Result<Block, ReadError> {
    let mut planes = vec![vec![0.0f32; count]; reader.channels()];
    let mut done = 0;
    while done < count {
        let mut out: Vec<&mut [f32]> =
            planes.iter_mut().filter_map(|plane| plane.get_mut(done..)).collect();
        match reader.read(at + Frames::from_index(done), &mut out)? {
            0 => break,
            read => done += read,
        }
    }
    Ok(planes)
}

impl FrameReader for Ahead {
    fn channels(&self) -> usize {
        self.channels
    }

    fn frames(&self) -> Frames {
        self.frames
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        if at < self.start {
            let problem =
                "a split was read backwards; this is a fault in Deskhand, please report it";
            return Err(ReadError(problem.into()));
        }
        if at >= self.frames {
            return Ok(0);
        }
        while self.end() <= at {
            let stopped = || ReadError("a split stopped; this is a fault in Deskhand".into());
            let next = self.blocks.recv().map_err(|_| stopped())??;
            self.start = self.end();
            self.block = next;
        }
        let from = (at - self.start).index();
        let wanted = out.first().map_or(0, |plane| plane.len());
        let count = wanted.min((self.end() - at).index());
        for (plane, out) in self.block.iter().zip(out) {
            let from = plane.get(from..from + count).unwrap_or_default();
            out.get_mut(..count).unwrap_or_default().copy_from_slice(from);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Memory, noise, read_all};

    #[test]
    fn what_is_read_ahead_is_what_is_there() {
        for length in [1, BLOCK - 1, BLOCK, 5 * BLOCK + 77] {
            let audio = [noise(length, 1), noise(length, 2)];
            for size in [1 << 15, 777_777] {
                let mut ahead = Ahead::boxed(Memory::boxed(&audio, 44_100));
                assert!(read_all(ahead.as_mut(), size) == audio, "{length} in {size}");
            }
        }
    }

    struct Broken;

    impl FrameReader for Broken {
        fn channels(&self) -> usize {
            1
        }

        fn frames(&self) -> Frames {
            Frames(1_000_000)
        }

        fn rate(&self) -> SampleRate {
            SampleRate(44_100)
        }

        fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
            match at.0 {
                0 => Ok(out[0].len()),
                _ => Err(ReadError("the disk is gone".into())),
            }
        }
    }

    #[test]
    fn an_error_is_told_where_it_is_reached_and_reading_on_ends() {
        let mut ahead = Ahead::boxed(Box::new(Broken));
        let mut out = vec![0.0; BLOCK];
        assert_eq!(ahead.read(Frames::ZERO, &mut [&mut out]).unwrap(), BLOCK);
        for _ in 0..2 {
            assert!(ahead.read(Frames::from_index(BLOCK), &mut [&mut out]).is_err());
        }
    }
}
