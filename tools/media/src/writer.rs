//! Writes WAV: 16 and 24 bit with dither, or 32-bit float; RF64 beyond 4 GiB.
//!
//! The file grows under a temporary name next to its target. It takes the name only when it is complete and
//! on the disk. If dropped before that, it leaves nothing; a recorder keeps what there is.

mod cut_off;
mod encode;
mod header;
#[cfg(test)]
mod tests;

use crate::error::{WriteError, shown};
use crate::guard::{MAX_CHANNELS, RATES};
pub use cut_off::recover;
use deskhand_dsp::{Frames, SampleRate};
use encode::Encoder;
use header::Header;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How samples are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitDepth {
    /// 16-bit integer, TPDF dither.
    S16,
    /// 24-bit integer, TPDF dither.
    S24,
    /// 32-bit float, exact.
    F32,
}

impl BitDepth {
    /// Bytes of one sample.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::S16 => 2,
            Self::S24 => 3,
            Self::F32 => 4,
        }
    }
}

/// The facts about a written file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub path: PathBuf,
    pub frames: Frames,
    /// Samples beyond full scale that were limited to it (16 and 24 bit only).
    pub clipped: u64,
}

/// A WAV file being written.
#[derive(Debug)]
pub struct WavWriter {
    file: NamedTempFile,
    path: PathBuf,
    header: Header,
    encoder: Encoder,
    block: Vec<u8>,
    frames: u64,
}

/// Bytes collected before they are written.
const BLOCK: usize = 1 << 18;
/// Frames encoded at once, so that one call with an hour of audio stays small.
const CHUNK: usize = 1 << 14;

impl WavWriter {
    /// Begins a file that will be `path`, replacing an existing one.
    ///
    /// # Errors
    /// When the folder cannot be written, or for 0 or over 32 channels, or a rate outside 8 to 768 kHz.
    pub fn create(
        path: &Path,
        rate: SampleRate,
        channels: usize,
        depth: BitDepth,
    ) -> Result<Self, WriteError> {
        Self::create_with_limit(path, rate, channels, depth, u64::from(u32::MAX))
    }

    /// `limit` is the size from which on the file is RF64; tests lower it.
    fn create_with_limit(
        path: &Path,
        rate: SampleRate,
        channels: usize,
        depth: BitDepth,
        limit: u64,
    ) -> Result<Self, WriteError> {
        let count = u64::try_from(channels).unwrap_or(u64::MAX);
        if !(1..=MAX_CHANNELS).contains(&count) || !RATES.contains(&u64::from(rate.0)) {
            return Err(WriteError::Shape { file: shown(path), channels, rate: rate.0 });
        }
        let header = Header { rate: rate.0, channels, depth, limit };
        let mut file = temporary(path).map_err(|e| WriteError::from_io(path, &e))?;
        file.write_all(&header.bytes(0)).map_err(|e| WriteError::from_io(path, &e))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            header,
            encoder: Encoder::new(channels, depth),
            block: Vec::with_capacity(BLOCK + CHUNK),
            frames: 0,
        })
    }

    /// Appends one block: a slice per channel, all of one length.
    ///
    /// # Errors
    /// When the disk is full or fails, or the slices do not match.
    pub fn write(&mut self, planar: &[&[f32]]) -> Result<(), WriteError> {
        let frames = planar.first().map_or(0, |channel| channel.len());
        if planar.len() != self.header.channels || planar.iter().any(|c| c.len() != frames) {
            return Err(WriteError::Block { file: shown(&self.path) });
        }
        let mut at = 0;
        while at < frames {
            let end = (at + CHUNK).min(frames);
            self.encoder.encode(planar, at..end, &mut self.block);
            self.frames += (end - at) as u64;
            at = end;
            if self.block.len() >= BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        let written = self.file.write_all(&self.block);
        self.block.clear();
        written.map_err(|e| WriteError::from_io(&self.path, &e))
    }

    /// Completes the file: header, disk, name.
    ///
    /// # Errors
    /// When the disk is full or fails. No file remains.
    pub fn finish(mut self) -> Result<Written, WriteError> {
        if self.data_bytes() % 2 == 1 {
            self.block.push(0);
        }
        self.flush()?;
        let header = self.header.bytes(self.frames);
        let path = self.path;
        complete(self.file, &header, &path).map_err(|e| WriteError::from_io(&path, &e))?;
        let frames = Frames(i64::try_from(self.frames).unwrap_or(i64::MAX));
        Ok(Written { path, frames, clipped: self.encoder.clipped() })
    }

    fn data_bytes(&self) -> u64 {
        self.header.data_bytes(self.frames)
    }
}

/// How the name of a file begins and ends that is not complete.
const UNFINISHED: (&str, &str) = (".deskhand-", ".part");
/// Letters after the target's name that make a temporary one unique, and the longest name that is used.
const UNIQUE: usize = 6;
const LONGEST_NAME: usize = 100;

/// A temporary file next to `path`, with the permissions an ordinary new file would have.
fn temporary(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = folder_of(path);
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let name = name.filter(|name| name.len() <= LONGEST_NAME).unwrap_or_default();
    let (begin, end) = UNFINISHED;
    let begin = format!("{begin}{name}-");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&begin).suffix(end).rand_bytes(UNIQUE);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    // Whoever finds it can tell that it is being written. Some disks know no locks.
    file.as_file().try_lock().ok();
    Ok(file)
}

/// The name, without its ending, of what a file will be that is not complete.
fn name_of(unfinished: &str) -> Option<&str> {
    let (begin, end) = UNFINISHED;
    let name = unfinished.strip_prefix(begin)?.strip_suffix(end)?;
    name.rsplit_once('-').map(|(name, _)| name)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// Header, contents and name reach the disk in this order, so that a crash never leaves half a file.
fn complete(mut file: NamedTempFile, header: &[u8], path: &Path) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(header)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    sync_folder(path)
}

/// A name reaches the disk with its folder.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    std::fs::File::open(folder_of(path))?.sync_all()?;
    Ok(())
}
