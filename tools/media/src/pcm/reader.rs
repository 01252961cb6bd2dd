//! Reads uncompressed audio in blocks: one read call and one conversion per block.

use super::{Layout, convert, frames, layout_of};
use crate::error::{OpenError, shown};
use crate::file::{Stamp, open_regular};
use crate::probe::Probe;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// Bytes read at once. Large enough that the system calls vanish, small enough to stay in cache.
const BLOCK: usize = 1 << 17;

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
    /// Where the file stands, so that reading on needs no seek.
    file_at: u64,
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
        }))
    }

    /// What the file is.
    pub(crate) fn probe(&self) -> Probe {
        self.layout.probe()
    }

    /// Makes the block begin at or before `frame` and contain it.
    fn fill(&mut self, frame: u64) -> Result<(), ReadError> {
        let frame_bytes = self.layout.frame_bytes();
        let held = (self.block.len() / frame_bytes) as u64;
        if (self.block_at..self.block_at + held).contains(&frame) {
            return Ok(());
        }
        let left = (self.layout.frames - frame).min((BLOCK / frame_bytes).max(1) as u64);
        let bytes = usize::try_from(left).unwrap_or(0) * frame_bytes;
        let at = self.layout.data_start + frame * frame_bytes as u64;
        self.unchanged()?;
        if self.file_at != at {
            self.file.seek(SeekFrom::Start(at)).map_err(|e| self.failed(&e))?;
        }
        // All of it is overwritten: what is there from the last time need not be zeroed first.
        self.block.resize(bytes, 0);
        self.file_at = u64::MAX;
        let read = self.file.read_exact(&mut self.block);
        if let Err(error) = read {
            self.block.clear();
            return Err(self.failed(&error));
        }
        self.file_at = at + bytes as u64;
        self.block_at = frame;
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
        let (start, wanted) = crate::opener::request(at, self.frames(), self.channels(), out)?;
        let frame_bytes = self.layout.frame_bytes();
        let mut done = 0;
        while done < wanted {
            let frame = start + done as u64;
            self.fill(frame)?;
            let skip = usize::try_from(frame - self.block_at).unwrap_or(0) * frame_bytes;
            let held = self.block.get(skip..).unwrap_or_default();
            let count = (held.len() / frame_bytes).min(wanted - done);
            let bytes = held.get(..count * frame_bytes).unwrap_or_default();
            let bad = convert::to_planar(bytes, self.layout.sample, self.layout.endian, out, done);
            self.stats.add_nonfinite(bad);
            done += count;
        }
        Ok(done)
    }
}
