//! Walks the chunks of a WAV or AIFF file.

use crate::error::OpenError;
use crate::file::open_error;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// An open file whose chunks are walked.
pub(super) struct Chunks<'a> {
    pub(super) file: &'a mut File,
    pub(super) path: &'a Path,
    pub(super) name: String,
    pub(super) len: u64,
}

impl Chunks<'_> {
    /// Most chunks that are walked: a file of a million empty chunks is not audio.
    pub(super) const MOST: usize = 4096;

    /// Reads up to `N` bytes at `at`; missing ones stay 0. Returns how many were read.
    pub(super) fn bytes<const N: usize>(&mut self, at: u64) -> Result<([u8; N], usize), OpenError> {
        let mut bytes = [0; N];
        let mut have = 0;
        self.file.seek(SeekFrom::Start(at)).map_err(|e| open_error(self.path, &e))?;
        while have < N {
            match self.file.read(&mut bytes[have..]).map_err(|e| open_error(self.path, &e))? {
                0 => break,
                read => have += read,
            }
        }
        Ok((bytes, have))
    }

    pub(super) fn damaged(&self, problem: &str) -> OpenError {
        OpenError::Damaged { file: self.name.clone(), problem: problem.to_owned() }
    }
}
