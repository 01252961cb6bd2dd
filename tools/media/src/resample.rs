//! A reader at another rate: rubato's FFT resampler as a [`FrameReader`].
//!
//! Output frame `n` is at the same moment as input frame `n * from / to`: the filter's delay is taken out
//! to the sample. Blocks lie on a fixed grid and each depends on one block before it, so reading from
//! anywhere gives the very samples of sequential reading.

use crate::error::{OpenError, shown};
use crate::read_request;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use rubato::audioadapter_buffers::direct::SequentialSliceOfVecs;
use rubato::{Fft, FixedSync, Resampler, WindowFunction};
use std::path::Path;

/// Least length of a block on the shorter side: a sharp filter (flat to 21 kHz at 44.1 kHz).
const BLOCK: u64 = 1024;
/// Most samples of one block over all channels: rates without a useful common divisor need more.
const MOST_SAMPLES: u64 = 1 << 24;

/// `reader` at `rate`, in time with itself to the sample: what it is when the rates are the same.
///
/// # Errors
/// When the two rates have no useful common divisor.
pub fn resampled(
    reader: Box<dyn FrameReader>,
    rate: SampleRate,
) -> Result<Box<dyn FrameReader>, OpenError> {
    at_rate(reader, rate, Path::new("the recording"))
}

/// The same, for a reader that was opened from `path`.
pub(crate) fn at_rate(
    reader: Box<dyn FrameReader>,
    rate: SampleRate,
    path: &Path,
) -> Result<Box<dyn FrameReader>, OpenError> {
    if reader.rate() == rate {
        return Ok(reader);
    }
    Ok(Box::new(ResampledReader::new(reader, rate, path)?))
}

/// The largest sample that is resampled, +180 dBFS: from larger ones the transform makes infinities, at
/// which rubato 5.0.1 panics.
const LOUDEST: f32 = 1e9;

/// `inner` at another rate.
pub(crate) struct ResampledReader {
    inner: Box<dyn FrameReader>,
    fft: Fft<f32>,
    rate: SampleRate,
    frames: i64,
    input: Vec<Vec<f32>>,
    output: Vec<Vec<f32>>,
    /// Which block `output` holds.
    held: Option<i64>,
}

impl ResampledReader {
    /// Resamples `inner`, which was opened from `path`, to `rate`.
    pub(crate) fn new(
        inner: Box<dyn FrameReader>,
        rate: SampleRate,
        path: &Path,
    ) -> Result<Self, OpenError> {
        let from = inner.rate();
        let refused = |cause: String| OpenError::Resample {
            file: shown(path),
            from: from.0,
            to: rate.0,
            cause,
        };
        let channels = inner.channels();
        let (length_in, length_out) = block_lengths(from, rate);
        if (length_in + length_out) * channels as u64 > MOST_SAMPLES {
            return Err(refused("the two rates have no useful common divisor".into()));
        }
        let (length_in, length_out) = (index(length_in), index(length_out));
        let (rate_in, rate_out) = (index(from.0.into()), index(rate.0.into()));
        let window = WindowFunction::BlackmanHarris2;
        let both = FixedSync::Both;
        let fft = Fft::new_custom(rate_in, rate_out, length_in, 1, channels, window, both)
            .map_err(|e| refused(e.to_string()))?;
        Ok(Self {
            frames: length_at(inner.frames(), from, rate),
            inner,
            fft,
            rate,
            input: vec![vec![0.0; length_in]; channels],
            output: vec![vec![0.0; length_out]; channels],
            held: None,
        })
    }

    fn block_in(&self) -> usize {
        self.input.first().map_or(0, Vec::len)
    }

    fn block_out(&self) -> usize {
        self.output.first().map_or(0, Vec::len)
    }

    /// Makes `output` hold `block`.
    fn hold(&mut self, block: i64) -> Result<(), ReadError> {
        if self.held == Some(block) {
            return Ok(());
        }
        let follows = self.held.is_some_and(|held| held + 1 == block);
        self.held = None;
        if !follows {
            self.fft.reset();
            if block > 0 {
                self.process(block - 1)?;
            }
        }
        self.process(block)?;
        self.held = Some(block);
        Ok(())
    }

    fn process(&mut self, block: i64) -> Result<(), ReadError> {
        self.fetch(block)?;
        let (channels, length) = (self.input.len(), self.block_in());
        let out_length = self.block_out();
        let failed = |cause: String| {
            ReadError(format!("resampling failed: {cause}; convert the file first"))
        };
        let input = SequentialSliceOfVecs::new(&self.input, channels, length)
            .map_err(|e| failed(e.to_string()))?;
        let mut output = SequentialSliceOfVecs::new_mut(&mut self.output, channels, out_length)
            .map_err(|e| failed(e.to_string()))?;
        let done = self.fft.process_into_buffer(&input, &mut output, None);
        done.map(|_| ()).map_err(|e| failed(e.to_string()))
    }

    /// Reads the input of `block`; zeros after the end.
    fn fetch(&mut self, block: i64) -> Result<(), ReadError> {
        let length = self.block_in();
        let at = Frames(block.saturating_mul(Frames::from_index(length).0));
        let mut read = 0;
        if at < self.inner.frames() {
            let mut planes: Vec<&mut [f32]> =
                self.input.iter_mut().map(Vec::as_mut_slice).collect();
            read = self.inner.read(at, &mut planes)?;
        }
        for plane in &mut self.input {
            let (there, behind) = plane.split_at_mut(read.min(length));
            there.iter_mut().for_each(|sample| *sample = sample.clamp(-LOUDEST, LOUDEST));
            behind.fill(0.0);
        }
        Ok(())
    }
}

impl FrameReader for ResampledReader {
    fn channels(&self) -> usize {
        self.inner.channels()
    }

    fn frames(&self) -> Frames {
        Frames(self.frames)
    }

    fn rate(&self) -> SampleRate {
        self.rate
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let (start, wanted) = read_request::check(at, self.frames(), self.channels(), out)?;
        let length = self.block_out();
        let delay = self.fft.output_delay() as u64;
        let mut done = 0;
        while done < wanted {
            let raw = start + delay + done as u64;
            let (block, skip) = (raw / length as u64, index(raw % length as u64));
            self.hold(i64::try_from(block).unwrap_or(i64::MAX))?;
            let count = (length - skip).min(wanted - done);
            for (from, to) in self.output.iter().zip(out.iter_mut()) {
                let from = from.get(skip..skip + count).unwrap_or_default();
                to.get_mut(done..done + count).unwrap_or_default().copy_from_slice(from);
            }
            done += count;
        }
        Ok(done)
    }
}

/// Lengths of a block at both rates: an exact ratio, even (so that the delay is whole), long enough.
fn block_lengths(from: SampleRate, to: SampleRate) -> (u64, u64) {
    let divisor = gcd(from.0.into(), to.0.into());
    let (a, b) = (u64::from(from.0) / divisor, u64::from(to.0) / divisor);
    let times = BLOCK.div_ceil(a.min(b).max(1)).next_multiple_of(2);
    (a * times, b * times)
}

/// The length at another rate: nothing of the last frame is lost.
fn length_at(frames: Frames, from: SampleRate, to: SampleRate) -> i64 {
    let exact = i128::from(frames.0) * i128::from(to.0);
    let from = i128::from(from.0.max(1));
    i64::try_from((exact + from - 1) / from).unwrap_or(i64::MAX)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn index(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_even_and_exact() {
        for (from, to) in [(44_100, 48_000), (48_000, 44_100), (8_000, 192_000), (44_101, 48_000)] {
            let (a, b) = block_lengths(SampleRate(from), SampleRate(to));
            assert_eq!(a * u64::from(to), b * u64::from(from));
            assert_eq!((a % 2, b % 2), (0, 0));
            assert!(a.min(b) >= BLOCK);
        }
    }

    #[test]
    fn lengths_round_up() {
        let (from, to) = (SampleRate(44_100), SampleRate(48_000));
        assert_eq!(length_at(Frames(44_100), from, to), 48_000);
        assert_eq!(length_at(Frames(1), from, to), 2);
    }
}
