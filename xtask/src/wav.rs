//! Writes 16 and 24 bit WAV: what the demo and the benches need, and nothing more.

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

    /// Writes what is buffered; a full disk is told here.
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
}
