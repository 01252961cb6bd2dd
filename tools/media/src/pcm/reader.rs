//! Reads uncompressed audio in blocks: one read call and one conversion per block.

use super::{Layout, convert, frames, layout_of};
use crate::error::{OpenError, shown};
use crate::file::{Stamp, open_regular};
use crate::probe::Probe;
use crate::read_request;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// Bytes read at once. Large enough that the system calls vanish, small enough to stay in cache.
const BLOCK: usize = 1 << 17;

/// A request of at least this many bytes is read directly; smaller ones are served from a block.
const STRAIGHT: usize = 1 << 13;

thread_local! {
    /// Where large requests are read before they are converted. The readers of a thread share it,
    /// so that it stays in cache however many they are.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A reader of uncompressed audio in place.
pub(crate) struct PcmReader {
    file: File,
    name: String,
    stamp: Stamp,
    layout: Layout,
    stats: Arc<ReadStats>,
    /// Whole frames from frame `block_at` on.
    block: Vec<u8>,
    block_at: u64,
    /// The position in the file, so that reading on needs no seek.
    file_at: u64,
    /// Bytes that may be read on before the file's stamp is looked at again.
    trusted: usize,
}

impl PcmReader {
    /// Opens `path`; `None` when it is not uncompressed WAV or AIFF.
    pub(crate) fn open(path: &Path, stats: Arc<ReadStats>) -> Result<Option<Self>, OpenError> {
        let (mut file, metadata) = open_regular(path)?;
        let Some(layout) = layout_of(&mut file, metadata.len(), path)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            file,
            name: shown(path),
            stamp: Stamp::of(&metadata),
            layout,
            stats,
            block: Vec::new(),
            block_at: 0,
            file_at: u64::MAX,
            trusted: 0,
        }))
    }

    pub(crate) fn probe(&self) -> Probe {
        self.layout.probe()
    }

    /// The part of the block from `frame` on; empty when it holds nothing of it.
    fn held(&self, frame: u64) -> &[u8] {
        let skip = frame.checked_sub(self.block_at).and_then(|skip| usize::try_from(skip).ok());
        let skip = skip.and_then(|skip| skip.checked_mul(self.layout.frame_bytes()));
        skip.and_then(|skip| self.block.get(skip..)).unwrap_or_default()
    }

    /// Makes the block begin with `frame`.
    fn fill(&mut self, frame: u64) -> Result<(), ReadError> {
        let frame_bytes = self.layout.frame_bytes();
        let left = (self.layout.frames - frame).min((BLOCK / frame_bytes).max(1) as u64);
        let mut block = std::mem::take(&mut self.block);
        // All of it is overwritten, so the old content need not be zeroed first.
        block.resize(usize::try_from(left).unwrap_or(0) * frame_bytes, 0);
        self.trusted = 0;
        self.load(frame, &mut block)?;
        (self.block, self.block_at) = (block, frame);
        Ok(())
    }

    /// Converts frames of the block, which is filled when it does not hold `frame`.
    fn read_held(&mut self, frame: u64, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        if self.held(frame).is_empty() {
            self.fill(frame)?;
        }
        let wanted = frames_of(out) * self.layout.frame_bytes();
        let held = self.held(frame);
        Ok(self.convert(held.get(..wanted).unwrap_or(held), out))
    }

    /// Reads frames from the file itself.
    fn read_straight(&mut self, frame: u64, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let frame_bytes = self.layout.frame_bytes();
        let bytes = frames_of(out).min((BLOCK / frame_bytes).max(1)) * frame_bytes;
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.resize(scratch.len().max(bytes), 0);
            let scratch = scratch.get_mut(..bytes).unwrap_or_default();
            self.load(frame, scratch)?;
            Ok(self.convert(scratch, out))
        })
    }

    /// Converts `bytes` into the front of `out`; how many frames that were.
    fn convert(&self, bytes: &[u8], out: &mut [&mut [f32]]) -> usize {
        let count = bytes.len() / self.layout.frame_bytes();
        let mut out: Vec<&mut [f32]> =
            out.iter_mut().map(|side| side.get_mut(..count).unwrap_or_default()).collect();
        let Layout { sample, endian, .. } = self.layout;
        self.stats.add_nonfinite(convert::to_finite_planar(bytes, sample, endian, &mut out));
        count
    }

    /// Reads the bytes from `frame` on over all of `into`.
    fn load(&mut self, frame: u64, into: &mut [u8]) -> Result<(), ReadError> {
        let at = self.layout.data_start + frame * self.layout.frame_bytes() as u64;
        if self.file_at != at {
            self.trusted = 0;
            self.file.seek(SeekFrom::Start(at)).map_err(|e| self.failed(&e))?;
        }
        if self.trusted < into.len() {
            self.unchanged()?;
            self.trusted = BLOCK;
        }
        self.trusted = self.trusted.saturating_sub(into.len());
        self.file_at = u64::MAX;
        self.file.read_exact(into).map_err(|e| self.failed(&e))?;
        self.file_at = at + into.len() as u64;
        Ok(())
    }

    /// A file in place that changed is an error, never played silently.
    fn unchanged(&self) -> Result<(), ReadError> {
        let now = self.file.metadata().map_err(|e| self.failed(&e))?;
        if Stamp::of(&now) == self.stamp {
            return Ok(());
        }
        Err(ReadError(format!(
            "{} was changed by another program since it was opened; import it again",
            self.name
        )))
    }

    fn failed(&self, error: &std::io::Error) -> ReadError {
        ReadError(format!("{} could not be read: {error}; check the disk it is on", self.name))
    }
}

impl FrameReader for PcmReader {
    fn channels(&self) -> usize {
        self.layout.channels
    }

    fn frames(&self) -> Frames {
        frames(self.layout.frames)
    }

    fn rate(&self) -> SampleRate {
        SampleRate(self.layout.rate)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let (start, wanted) = read_request::check(at, self.frames(), self.channels(), out)?;
        let mut done = 0;
        while done < wanted {
            let mut rest: Vec<&mut [f32]> =
                out.iter_mut().map(|side| side.get_mut(done..wanted).unwrap_or_default()).collect();
            let frame = start + done as u64;
            let bytes = (wanted - done) * self.layout.frame_bytes();
            done += if bytes < STRAIGHT || !self.held(frame).is_empty() {
                self.read_held(frame, &mut rest)?
            } else {
                self.read_straight(frame, &mut rest)?
            };
        }
        Ok(done)
    }
}

fn frames_of(out: &[&mut [f32]]) -> usize {
    out.first().map_or(0, |side| side.len())
}
