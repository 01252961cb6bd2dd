//! Reads compressed audio by position, exact to the sample.
//!
//! A seek starts to decode early enough that overlap, filter memory and bit reservoir are as in sequential
//! reading. The extra frames are dropped.

use super::codec::{Block, DecodeFailure, preroll};
use super::input::Input;
use super::length::{Audible, MOST_MISSING, open_measured};
use super::stream::{Kind, Next, Stream, codec_name};
use crate::duration_words::seconds;
use crate::error::OpenError;
use crate::probe::Probe;
use crate::read_request;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::sync::Arc;

/// Where an empty block is after which any position may come.
const NOWHERE: i64 = i64::MIN / 2;

/// Distance up to which decoding on is taken over a seek.
const NEAR: i64 = 65_536;

/// A reader of one part of compressed audio.
pub(super) struct CompressedReader {
    stream: Stream,
    audible: Audible,
    preroll: i64,
    probe: Probe,
    stats: Arc<ReadStats>,
    /// The last decoded block; it begins at frame `block_at` of the audible part.
    block: Block,
    block_at: i64,
    /// The start of the silence that replaces damage before the block; `block_at` if there is none.
    hole_at: i64,
    /// Whether `block_at` and the stream's position are what they should be.
    in_step: bool,
}

impl CompressedReader {
    /// Opens `input`, of several tracks of audio that with number `track`. Every refusal is named.
    pub(super) fn open(
        input: &Input,
        track: Option<u16>,
        stats: Arc<ReadStats>,
    ) -> Result<Self, OpenError> {
        let (stream, audible, probe) = open_measured(input, track)?;
        let block = Block { rate: stream.rate, planes: vec![Vec::new(); stream.channels] };
        // What primes a decoder has times before 0, which are no jitter.
        let block_at = if stream.kind == Kind::Timed { NOWHERE } else { 0 };
        Ok(Self {
            preroll: preroll(codec_name(&stream.params)),
            block_at,
            hole_at: block_at,
            in_step: true,
            stream,
            audible,
            probe,
            stats,
            block,
        })
    }

    pub(super) fn probe(&self) -> &Probe {
        &self.probe
    }

    fn block_end(&self) -> i64 {
        self.block_at + Frames::from_index(self.block.frames()).0
    }

    /// Moves the block so that it ends after `frame`. It may begin after it, if packets are missing.
    fn advance(&mut self, frame: i64) -> Result<(), ReadError> {
        if !self.in_step || frame < self.block_at || frame - self.block_end() > NEAR {
            self.seek(frame)?;
            if !self.reach(frame)? || self.block_at > frame {
                // The container's seek went too far: the long way is always right.
                self.restart()?;
            }
        }
        if self.reach(frame)? { Ok(()) } else { self.end(frame) }
    }

    /// Decodes until the block ends after `frame`. False at the end of the stream.
    fn reach(&mut self, frame: i64) -> Result<bool, ReadError> {
        while self.block_end() <= frame {
            if !self.decode_next(frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Seeks to a packet early enough before `frame` that the audio decoded there is exact.
    fn seek(&mut self, frame: i64) -> Result<(), ReadError> {
        let target = frame + self.audible.lead - self.preroll;
        match self.stream.kind {
            Kind::Bare => {
                let next = self.audible.lead + self.block_end();
                if !self.in_step || next > target {
                    self.restart()?;
                }
                self.skip_to(target)
            }
            // symphonia 0.6.1 seeks to wrong times in Matroska: reading on is right and fast enough.
            Kind::Timed if self.in_step && frame >= self.block_at => Ok(()),
            Kind::Timed => self.restart(),
            Kind::Indexed => {
                if target <= self.audible.lead || !self.stream.seek(target) {
                    return self.restart();
                }
                self.forget();
                Ok(())
            }
        }
    }

    /// Begins again at the first packet.
    fn restart(&mut self) -> Result<(), ReadError> {
        self.in_step = false;
        self.stream.rewind().map_err(failed)?;
        self.forget();
        Ok(())
    }

    /// Empties the block: the next packet says where it is.
    fn forget(&mut self) {
        self.block.silence(0);
        self.block_at = NOWHERE;
        self.hole_at = self.block_at;
        self.in_step = true;
    }

    /// Passes packets by, undecoded, up to the one that contains `target`.
    fn skip_to(&mut self, target: i64) -> Result<(), ReadError> {
        let mut skipped = false;
        let first = -i64::from(self.stream.track.delay.unwrap_or(0));
        let mut at = first.max(self.audible.lead + self.block_end());
        while at + 2 * 1152 <= target {
            let Next::Packet(packet) =
                self.stream.next().map_err(|p| failed(self.stream.damaged(&p)))?
            else {
                break;
            };
            at = self.stream.start_of(&packet) + self.stream.length_of(&packet);
            skipped = true;
        }
        if skipped {
            self.stream.reset_codec().map_err(failed)?;
            self.forget();
        }
        Ok(())
    }

    /// Decodes the next packet into the block. False at the end of the stream.
    fn decode_next(&mut self, wanted: i64) -> Result<bool, ReadError> {
        let next = self.stream.next().map_err(|p| failed(self.stream.damaged(&p)))?;
        let Next::Packet(packet) = next else {
            return Ok(false);
        };
        let start = self.stream.start_of(&packet) - self.audible.lead;
        let expected = self.block_end();
        match self.stream.codec.decode(&packet, &mut self.block) {
            Ok(bad) => self.stats.add_nonfinite(bad),
            Err(DecodeFailure::Packet) => {
                let length = self.stream.length_of(&packet);
                self.block.silence(Frames(length).index());
                // Before a seek's target, packets may lack the past that they refer to.
                self.stats.add_damaged(u64::from(start + length > wanted));
            }
            Err(DecodeFailure::Decoder(problem)) => {
                self.in_step = false;
                return Err(failed(self.stream.damaged(&problem)));
            }
        }
        if self.block.planes.len() != self.stream.channels {
            let channels = self.stream.channels;
            self.block.planes.resize(channels, Vec::new());
            self.block.silence(Frames(self.stream.length_of(&packet)).index());
            self.stats.add_damaged(1);
        }
        self.block_at = self.continued(start, expected);
        // A container drops what fails its checksum without a word: only the gap tells.
        let gap = self.stream.kind != Kind::Bare && expected >= 0 && self.block_at > expected;
        self.hole_at = if gap { expected } else { self.block_at };
        self.stats.add_damaged(u64::from(gap && self.block_at > wanted));
        Ok(true)
    }

    /// Where the block begins that was just decoded. The clock of some containers is coarser than a
    /// frame and jitters; audio does not: within a tick of the last block's end it simply goes on.
    fn continued(&self, start: i64, expected: i64) -> i64 {
        let jitter = (start - expected).abs() <= self.stream.tick_frames();
        if jitter { expected } else { start }
    }

    /// The stream ended at `frame`: silence for a small rest, an error for a large one.
    fn end(&mut self, frame: i64) -> Result<(), ReadError> {
        let missing = self.audible.frames - frame;
        self.in_step = false;
        if missing > MOST_MISSING {
            let missing = seconds(missing.unsigned_abs(), self.stream.rate.into());
            return Err(ReadError(format!(
                "{} ends {missing} early; copy or export it again",
                self.stream.file
            )));
        }
        // Lossless packets add up exactly: missing audio was dropped as damaged.
        let lossless = self.preroll == 0;
        self.stats.add_damaged(u64::from(lossless && missing > self.stream.tick_frames()));
        self.block_at = frame;
        self.hole_at = frame;
        self.block.silence(Frames(missing).index());
        Ok(())
    }
}

fn failed(error: OpenError) -> ReadError {
    ReadError(error.to_string())
}

impl FrameReader for CompressedReader {
    fn channels(&self) -> usize {
        self.stream.channels
    }

    fn frames(&self) -> Frames {
        Frames(self.audible.frames)
    }

    fn rate(&self) -> SampleRate {
        SampleRate(self.stream.rate)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let (_, wanted) = read_request::check(at, self.frames(), self.channels(), out)?;
        let mut done = 0;
        while done < wanted {
            let frame = at.0 + Frames::from_index(done).0;
            if !(self.hole_at..self.block_end()).contains(&frame) {
                self.advance(frame)?;
            }
            done += self.deliver(frame, done, wanted - done, out);
        }
        Ok(done)
    }
}

impl CompressedReader {
    /// Copies from the block, or silence up to where it begins. At least one frame.
    fn deliver(&self, frame: i64, done: usize, left: usize, out: &mut [&mut [f32]]) -> usize {
        let gap = Frames(self.block_at - frame).index();
        let skip = Frames(frame - self.block_at).index();
        let held = if gap > 0 { gap } else { self.block.frames() - skip };
        let count = held.min(left);
        for (plane, out) in self.block.planes.iter().zip(out) {
            let to = out.get_mut(done..done + count).unwrap_or_default();
            match plane.get(skip..skip + count).filter(|_| gap == 0) {
                Some(from) => to.copy_from_slice(from),
                None => to.fill(0.0),
            }
        }
        count
    }
}
