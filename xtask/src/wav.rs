//! Writes 16 and 24 bit WAV, reads 24 bit and float: what the demo, the benches and the hosts need, and nothing more.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Bits per sample.
#[derive(Clone, Copy)]
pub(crate) enum Depth {
    /// 16 bit.
    Sixteen,
    /// 24 bit.
    TwentyFour,
}

impl Depth {
    fn bytes(self) -> u32 {
        match self {
            Self::Sixteen => 2,
            Self::TwentyFour => 3,
        }
    }
}

/// A WAV file of a length known before its samples.
pub(crate) struct WavWriter {
    file: BufWriter<File>,
    depth: Depth,
}

impl WavWriter {
    /// Creates `path` with a header for `frames` of `channels` at `rate`; at most 4 GB.
    pub(crate) fn create(
        path: &Path,
        depth: Depth,
        rate: u32,
        channels: u32,
        frames: u32,
    ) -> Result<Self> {
        let file =
            File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
        let mut file = BufWriter::with_capacity(1 << 18, file);
        let frame = channels * depth.bytes();
        let data = frames.checked_mul(frame).context("more than a WAV file can hold")?;
        file.write_all(b"RIFF")?;
        file.write_all(&data.saturating_add(36).to_le_bytes())?;
        file.write_all(b"WAVEfmt \x10\0\0\0\x01\0")?;
        file.write_all(&channels.to_le_bytes()[..2])?;
        file.write_all(&rate.to_le_bytes())?;
        file.write_all(&(rate * frame).to_le_bytes())?;
        file.write_all(&frame.to_le_bytes()[..2])?;
        file.write_all(&(depth.bytes() * 8).to_le_bytes()[..2])?;
        file.write_all(b"data")?;
        file.write_all(&data.to_le_bytes())?;
        Ok(Self { file, depth })
    }

    /// Adds one sample, -1 to 1; frames hold their channels in order.
    pub(crate) fn sample(&mut self, sample: f32) -> Result<()> {
        let bytes = self.depth.bytes() as usize;
        let full = f64::from(1u32 << (bytes * 8 - 1));
        #[expect(clippy::cast_possible_truncation, reason = "clamped to the range")]
        let value = (f64::from(sample) * full).round().clamp(-full, full - 1.0) as i32;
        self.file.write_all(&value.to_le_bytes()[..bytes])?;
        Ok(())
    }

    /// Writes what is buffered; a full disk is an error here.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.file.flush().context("cannot write the WAV file; is the disk full?")
    }
}

/// Writes whole buffers, one per channel, as 24 bit.
pub(crate) fn write(path: &Path, rate: u32, channels: &[Vec<f32>]) -> Result<()> {
    let frames = channels.first().map_or(0, Vec::len);
    let mut wav = WavWriter::create(
        path,
        Depth::TwentyFour,
        rate,
        u32::try_from(channels.len())?,
        u32::try_from(frames)?,
    )?;
    for frame in 0..frames {
        for channel in channels {
            wav.sample(channel.get(frame).copied().unwrap_or(0.0))?;
        }
    }
    wav.finish()
}

/// What a file holds.
pub(crate) struct Sound {
    /// At least 1.
    pub(crate) channels: usize,
    /// Frame by frame, each with its channels in order.
    pub(crate) samples: Vec<f32>,
}

/// Reads 24 bit or 32 bit float; fails on all else.
pub(crate) fn read(path: &Path) -> Result<Sound> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&bytes).with_context(|| format!("{} is no WAV of a kind known here", path.display()))
}

fn parse(bytes: &[u8]) -> Option<Sound> {
    let (mut channels, mut bits) = (0, 0);
    let mut rest = bytes.get(12..)?;
    loop {
        let (name, size) = (rest.get(..4)?, rest.get(4..8)?);
        let size = u32::from_le_bytes(size.try_into().ok()?) as usize;
        let body = rest.get(8..)?;
        if name == b"fmt " {
            channels = usize::from(u16::from_le_bytes(body.get(2..4)?.try_into().ok()?));
            bits = u16::from_le_bytes(body.get(14..16)?.try_into().ok()?);
        }
        if name == b"data" && channels > 0 {
            let data = body.get(..size).unwrap_or(body);
            return Some(Sound { channels, samples: samples(data, bits)? });
        }
        rest = body.get(size + size % 2..)?;
    }
}

fn samples(data: &[u8], bits: u16) -> Option<Vec<f32>> {
    match bits {
        24 => {
            let value = |it: &[u8; 3]| i32::from_le_bytes([0, it[0], it[1], it[2]]);
            Some(data.as_chunks().0.iter().map(|it| value(it) as f32 / 2f32.powi(31)).collect())
        }
        32 => Some(data.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_those_of_a_wav_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        write(&path, 48_000, &[vec![0.5, 1.0], vec![-1.0, 0.0]]).unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(bytes.len(), 44 + 12);
        assert_eq!(bytes[..4], *b"RIFF");
        assert_eq!(bytes[4..8], 48u32.to_le_bytes());
        assert_eq!(bytes[22..36], [2, 0, 0x80, 0xBB, 0, 0, 0, 0x65, 4, 0, 6, 0, 24, 0]);
        assert_eq!(bytes[44..50], [0, 0, 0x40, 0, 0, 0x80]);
        assert_eq!(bytes[50..53], [0xFF, 0xFF, 0x7F]);
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wav");
        write(&path, 48_000, &[vec![0.5, 0.25], vec![-1.0, 0.0]]).unwrap();
        let sound = read(&path).unwrap();
        assert_eq!((sound.channels, sound.samples), (2, vec![0.5, -1.0, 0.25, 0.0]));
        assert!(read(&folder.path().join("b.wav")).is_err());
        assert!(parse(b"RIFF....WAVEfmt ").is_none());
    }
}
