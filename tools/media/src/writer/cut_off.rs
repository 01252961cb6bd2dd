//! Files whose writing was cut off: by a full disk, or with the program. What reached the disk is kept.

use super::header::Header;
use super::{BitDepth, WavWriter, Written, complete, name_of, sync_folder};
use crate::error::WriteError;
use deskhand_dsp::Frames;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The longest header that is written.
const LONGEST: u64 = 128;

impl WavWriter {
    /// Completes the file as [`WavWriter::finish`] does, also after a write that failed: with what the disk takes,
    /// which may be less than was written.
    ///
    /// # Errors
    /// When the disk took nothing, or not even that is possible. No file remains.
    pub fn keep(mut self) -> Result<Written, WriteError> {
        // What does not fit any more is not in the file's length.
        self.flush().ok();
        let Self { file, path, header, encoder, frames, .. } = self;
        let kept = || {
            let frames = header.frames_in(file.as_file().metadata()?.len()).min(frames);
            if frames == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let bytes = header.bytes(frames);
            file.as_file().set_len(bytes.len() as u64 + header.data_bytes(frames))?;
            complete(file, &bytes, &path)?;
            Ok(frames)
        };
        let frames = kept().map_err(|error| WriteError::from_io(&path, &error))?;
        let frames = Frames(i64::try_from(frames).unwrap_or(i64::MAX));
        Ok(Written { path, frames, clipped: encoder.clipped() })
    }
}

/// Completes the files in `folder` that a program was writing when it was killed, and whose names begin with
/// `prefix`; gives where they are now. One that holds nothing is removed, and what another program still writes is
/// left alone.
#[must_use]
pub fn recover(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let own = entries.filter_map(|entry| {
        let name = name_of(entry.file_name().to_str()?)?.to_owned();
        (name.starts_with(prefix) && entry.file_type().ok()?.is_file())
            .then(|| (entry.path(), name))
    });
    own.filter_map(|(part, name)| complete_part(&part, &folder.join(format!("{name}.wav"))).ok()?)
        .collect()
}

fn complete_part(part: &Path, path: &Path) -> io::Result<Option<PathBuf>> {
    let mut file = File::options().read(true).write(true).open(part)?;
    // Its writer holds it. On a disk without locks nobody can know.
    file.try_lock()?;
    let mut begin = Vec::new();
    (&file).take(LONGEST).read_to_end(&mut begin)?;
    let Some(header) = Header::of(&begin).filter(|_| !path.exists()) else { return Ok(None) };
    let frames = header.frames_in(file.metadata()?.len());
    if frames == 0 {
        fs::remove_file(part)?;
        return Ok(None);
    }
    let bytes = header.bytes(frames);
    file.set_len(bytes.len() as u64 + header.data_bytes(frames))?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(part, path)?;
    sync_folder(path)?;
    Ok(Some(path.to_owned()))
}

impl Header {
    /// The header that a file begins with, if it is one of ours.
    fn of(begin: &[u8]) -> Option<Self> {
        let number = |at: usize| {
            begin.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes)
        };
        // After RIFF and the place for ds64: the format's tag and channels, the rate, bytes a second, and
        // bits.
        let (channels, rate) = ((number(56)? >> 16) as usize, number(60)?);
        let depth = match number(68)? >> 16 {
            16 => BitDepth::S16,
            24 => BitDepth::S24,
            32 => BitDepth::F32,
            _ => return None,
        };
        let header = Self { rate, channels, depth, limit: u64::from(u32::MAX) };
        (channels > 0 && begin.starts_with(&header.bytes(0))).then_some(header)
    }

    /// Whole frames in a file of this many bytes, chosen so that no padding is needed.
    fn frames_in(&self, length: u64) -> u64 {
        let data = length.saturating_sub(self.bytes(0).len() as u64);
        let frames = data / self.data_bytes(1);
        frames - self.data_bytes(frames) % 2
    }
}
