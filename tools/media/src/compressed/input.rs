//! Stretches of a file, read as if they were a file of their own.

use crate::error::OpenError;
use crate::file::{Stamp, open_regular};
use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use symphonia::core::io::MediaSource;

/// The stretches of a file that make up one recording, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) ranges: Vec<Range<u64>>,
    /// Wrong fields of the file, by position, and the bytes read in their place.
    pub(super) mended: Vec<(u64, [u8; 4])>,
}

impl Input {
    pub(super) fn new(path: &Path, ranges: Vec<Range<u64>>) -> Self {
        Self { path: path.to_owned(), ranges, mended: Vec::new() }
    }

    /// Length in bytes.
    pub(super) fn len(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// Opens the file, with the stamp that tells whether it changes later.
    pub(super) fn open(&self) -> std::result::Result<(Spliced, Stamp), OpenError> {
        let (file, metadata) = open_regular(&self.path)?;
        let (len, input) = (self.len(), self.clone());
        Ok((Spliced { file, len, input, at: 0, file_at: 0 }, Stamp::of(&metadata)))
    }
}

/// An open [`Input`].
pub(super) struct Spliced {
    file: File,
    input: Input,
    len: u64,
    at: u64,
    /// Where the file itself is, so that reading on needs no seek.
    file_at: u64,
}

impl Spliced {
    /// Where position `at` is in the file, and how many bytes follow there without a gap.
    fn place(&self) -> Option<(u64, u64)> {
        let mut skip = self.at;
        for range in &self.input.ranges {
            let length = range.end - range.start;
            if skip < length {
                return Some((range.start + skip, length - skip));
            }
            skip -= length;
        }
        None
    }
}

impl Read for Spliced {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let Some((place, left)) = self.place() else {
            return Ok(0);
        };
        if self.file_at != place {
            self.file.seek(SeekFrom::Start(place))?;
        }
        let most = into.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.file.read(into.get_mut(..most).unwrap_or_default())?;
        for (field, bytes) in &self.input.mended {
            for (at, byte) in (*field..).zip(bytes) {
                let index = at.checked_sub(place).and_then(|index| usize::try_from(index).ok());
                if let Some(there) =
                    index.filter(|index| *index < read).and_then(|i| into.get_mut(i))
                {
                    *there = *byte;
                }
            }
        }
        self.at += read as u64;
        self.file_at = place + read as u64;
        Ok(read)
    }
}

impl Seek for Spliced {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| std::io::Error::other("a position before the start"))?;
        Ok(self.at)
    }
}

impl MediaSource for Spliced {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.len)
    }
}
