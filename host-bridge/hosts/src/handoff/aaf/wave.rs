//! What is known of a WAV file by its header, and stretches of one as WAV files of their own.

use deskhand_dsp::SampleRate;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file that cannot be embedded.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct WaveError {
    /// The file.
    pub path: String,
    /// What is wrong.
    pub problem: WaveProblem,
}

/// The problems of a file to embed.
#[derive(Debug, thiserror::Error)]
pub enum WaveProblem {
    /// It cannot be read.
    #[error("{0}; check that the file is there, or link the audio")]
    Io(#[from] io::Error),
    /// Of another format.
    #[error("this is no WAV file with PCM or float samples; convert it to WAV, or link the audio")]
    NoWave,
}

/// The shape of the audio in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// 1 for PCM, 3 for float.
    pub(super) tag: u16,
    pub(super) channels: u16,
    pub(super) rate: SampleRate,
    pub(super) bits: u16,
    pub(super) frames: i64,
    /// Where the samples begin in the file.
    data: u64,
}

/// A stretch of a file.
pub(super) struct Region {
    pub(super) path: String,
    pub(super) shape: Shape,
    /// The first frame and the one after the last.
    pub(super) from: i64,
    pub(super) to: i64,
}

/// The tag of a format that is named further behind.
const EXTENSIBLE: u16 = 0xfffe;
/// The sizes of a chunk are behind `RF64` in a chunk of their own.
const IN_DS64: u32 = u32::MAX;
/// The most chunks ahead of the samples.
const MOST_CHUNKS: usize = 1000;

impl Shape {
    /// A file of which only this is known.
    pub(super) fn assumed(channels: u16, rate: SampleRate, frames: i64) -> Self {
        Self { tag: 1, channels, rate, bits: 24, frames, data: 0 }
    }

    /// The shape of a file.
    pub(super) fn of(path: &str) -> Result<Self, WaveError> {
        let read = || Self::read(&mut BufReader::new(File::open(Path::new(path))?));
        read().map_err(|problem| WaveError { path: path.into(), problem })
    }

    fn read(file: &mut (impl Read + Seek)) -> Result<Self, WaveProblem> {
        let head: [u8; 12] = bytes(file)?;
        let is_wave = [&b"RIFF"[..], b"RF64", b"BW64"].contains(&&head[..4]);
        if !is_wave || &head[8..] != b"WAVE" {
            return Err(WaveProblem::NoWave);
        }
        let (mut shape, mut long) = (None, None);
        for _ in 0..MOST_CHUNKS {
            let chunk: [u8; 8] = bytes(file)?;
            let size = u32::from_le_bytes([chunk[4], chunk[5], chunk[6], chunk[7]]);
            let at = file.stream_position()?;
            match &chunk[..4] {
                b"ds64" => {
                    let sizes: [u8; 16] = bytes(file)?;
                    long = Some(sizes[8..].iter().rev().fold(0, |sum, b| sum << 8 | u64::from(*b)));
                }
                b"fmt " => shape = Some(Self::format(file, size)?),
                b"data" => {
                    let size = long.filter(|_| size == IN_DS64).unwrap_or(size.into());
                    return shape.and_then(|s| s.with_data(at, size)).ok_or(WaveProblem::NoWave);
                }
                _ => {}
            }
            file.seek(SeekFrom::Start(at + u64::from(size) + u64::from(size & 1)))?;
        }
        Err(WaveProblem::NoWave)
    }

    fn format(file: &mut impl Read, size: u32) -> Result<Self, WaveProblem> {
        let plain: [u8; 16] = bytes(file)?;
        let short = |at: usize| u16::from_le_bytes([plain[at], plain[at + 1]]);
        let rate = u32::from_le_bytes([plain[4], plain[5], plain[6], plain[7]]);
        let mut tag = short(0);
        if tag == EXTENSIBLE && size >= 40 {
            let more: [u8; 10] = bytes(file)?;
            tag = u16::from_le_bytes([more[8], more[9]]);
        }
        let shape = Self::assumed(short(2), SampleRate(rate), 0);
        Ok(Self { tag, bits: short(14), ..shape })
    }

    /// `None` for what is no PCM and no float.
    fn with_data(self, data: u64, size: u64) -> Option<Self> {
        let is_known = matches!((self.tag, self.bits), (1, 8 | 16 | 24 | 32) | (3, 32 | 64));
        let is_sound = self.channels > 0 && self.rate.0 > 0;
        let frames = size / self.frame_bytes().max(1);
        (is_known && is_sound).then(|| Self {
            data,
            frames: i64::try_from(frames).unwrap_or(i64::MAX),
            ..self
        })
    }

    fn frame_bytes(self) -> u64 {
        u64::from(self.channels) * u64::from(self.bits / 8)
    }

    /// The header of a WAV file with so many of its frames.
    pub(super) fn header(self, frames: i64) -> Vec<u8> {
        let size = u64::try_from(frames).unwrap_or(0).saturating_mul(self.frame_bytes());
        let capped = |size: u64| u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes();
        let block = u16::try_from(self.frame_bytes()).unwrap_or(u16::MAX);
        let mut header = Vec::with_capacity(44);
        header.extend(b"RIFF");
        header.extend(capped(size.saturating_add(36)));
        header.extend(b"WAVEfmt \x10\0\0\0");
        header.extend([self.tag, self.channels].into_iter().flat_map(u16::to_le_bytes));
        header.extend(self.rate.0.to_le_bytes());
        header.extend(capped(u64::from(self.rate.0) * self.frame_bytes()));
        header.extend([block, self.bits].into_iter().flat_map(u16::to_le_bytes));
        header.extend(b"data");
        header.extend(capped(size));
        header
    }
}

impl Region {
    /// Writes it as a WAV file.
    pub(super) fn copy_to(&self, out: &mut impl Write) -> Result<(), super::options::AafError> {
        out.write_all(&self.shape.header(self.to - self.from))?;
        let failed =
            |error: io::Error| WaveError { path: self.path.clone(), problem: error.into() };
        let offset = |frame: i64| u64::try_from(frame).unwrap_or(0) * self.shape.frame_bytes();
        let mut file = File::open(Path::new(&self.path)).map_err(failed)?;
        let from = SeekFrom::Start(self.shape.data + offset(self.from));
        file.seek(from).map_err(failed)?;
        let size = offset(self.to) - offset(self.from);
        let copied = io::copy(&mut file.take(size), out)?;
        if copied < size {
            return Err(failed(io::ErrorKind::UnexpectedEof.into()).into());
        }
        Ok(())
    }
}

fn bytes<const N: usize>(file: &mut impl Read) -> Result<[u8; N], WaveProblem> {
    let mut bytes = [0; N];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(WaveProblem::NoWave),
        Err(error) => Err(error.into()),
    }
}
