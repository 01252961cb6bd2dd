//! Planar `f32` to stored samples, with TPDF dither for integers.

use super::{BitDepth, CHUNK};
use deskhand_dsp::dither::Dither;
use std::ops::Range;

/// Turns blocks into bytes; the dither runs on from block to block and is the same in every run.
#[derive(Debug)]
pub(super) struct Encoder {
    depth: BitDepth,
    dither: Vec<Dither>,
    /// One channel of one chunk, quantised.
    short: Vec<i16>,
    long: Vec<i32>,
    clipped: u64,
}

impl Encoder {
    pub(super) fn new(channels: usize, depth: BitDepth) -> Self {
        let dither = (0..channels).map(|channel| Dither::new(channel as u64 + 1)).collect();
        Self { depth, dither, short: vec![0; CHUNK], long: vec![0; CHUNK], clipped: 0 }
    }

    /// Samples beyond full scale so far.
    pub(super) fn clipped(&self) -> u64 {
        self.clipped
    }

    /// Appends frames `range` (at most one chunk) of `planar` to `out`, interleaved.
    pub(super) fn encode(&mut self, planar: &[&[f32]], range: Range<usize>, out: &mut Vec<u8>) {
        let (start, channels) = (out.len(), planar.len());
        out.resize(start + range.len() * channels * self.depth.bytes(), 0);
        let bytes = out.get_mut(start..).unwrap_or_default();
        for (index, channel) in planar.iter().enumerate() {
            let samples = channel.get(range.clone()).unwrap_or_default();
            match self.depth {
                BitDepth::S16 => self.sixteen(samples, index, channels, bytes),
                BitDepth::S24 => self.twenty_four(samples, index, channels, bytes),
                BitDepth::F32 => {
                    let stored = samples.iter().map(|sample| sample.to_le_bytes());
                    interleave(stored, index, channels, bytes);
                }
            }
        }
    }

    fn sixteen(&mut self, samples: &[f32], index: usize, channels: usize, bytes: &mut [u8]) {
        let Some(dither) = self.dither.get_mut(index) else {
            return;
        };
        self.clipped += dither.to_i16(samples, &mut self.short);
        let stored = self.short.iter().take(samples.len()).map(|sample| sample.to_le_bytes());
        interleave(stored, index, channels, bytes);
    }

    fn twenty_four(&mut self, samples: &[f32], index: usize, channels: usize, bytes: &mut [u8]) {
        let Some(dither) = self.dither.get_mut(index) else {
            return;
        };
        self.clipped += dither.to_i24(samples, &mut self.long);
        let stored = self.long.iter().take(samples.len()).map(|sample| {
            let [a, b, c, _] = sample.to_le_bytes();
            [a, b, c]
        });
        interleave(stored, index, channels, bytes);
    }
}

/// Puts the samples of channel `index` where they belong among `channels`.
fn interleave<const N: usize>(
    stored: impl Iterator<Item = [u8; N]>,
    index: usize,
    channels: usize,
    bytes: &mut [u8],
) {
    let (slots, _) = bytes.as_chunks_mut::<N>();
    for (slot, sample) in slots.iter_mut().skip(index).step_by(channels).zip(stored) {
        *slot = sample;
    }
}
