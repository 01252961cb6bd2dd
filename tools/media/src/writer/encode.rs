//! Planar `f32` to stored samples, with TPDF dither for integers.

use super::BitDepth;
use std::ops::Range;

/// Turns blocks into bytes; the dither runs on from block to block and is the same in every run.
#[derive(Debug)]
pub(super) struct Encoder {
    depth: BitDepth,
    noise: Vec<Noise>,
    clipped: u64,
}

impl Encoder {
    pub(super) fn new(channels: usize, depth: BitDepth) -> Self {
        let seed =
            |channel: usize| Noise(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(channel as u64 + 1));
        Self {
            depth,
            noise: (0..channels).map(seed).collect(),
            clipped: 0,
        }
    }

    /// Samples beyond full scale so far.
    pub(super) fn clipped(&self) -> u64 {
        self.clipped
    }

    /// Appends frames `range` of `planar` to `out`, interleaved.
    pub(super) fn encode(&mut self, planar: &[&[f32]], range: Range<usize>, out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + range.len() * planar.len() * self.depth.bytes(), 0);
        let bytes = out.get_mut(start..).unwrap_or_default();
        match self.depth {
            BitDepth::S16 => self.integers::<2>(planar, range, bytes),
            BitDepth::S24 => self.integers::<3>(planar, range, bytes),
            BitDepth::F32 => floats(planar, range, bytes),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "limited to the integer's range before"
    )]
    fn integers<const N: usize>(&mut self, planar: &[&[f32]], range: Range<usize>, out: &mut [u8]) {
        let scale = (1u32 << (8 * N - 1)) as f32;
        let channels = planar.len();
        let (slots, _) = out.as_chunks_mut::<N>();
        for (index, (channel, noise)) in planar.iter().zip(&mut self.noise).enumerate() {
            let samples = channel.get(range.clone()).unwrap_or_default();
            for (slot, sample) in slots.iter_mut().skip(index).step_by(channels).zip(samples) {
                self.clipped += u64::from(sample.abs() > 1.0);
                let level = (sample * scale + noise.triangular()).round();
                let value = level.clamp(-scale, scale - 1.0) as i32;
                slot.copy_from_slice(value.to_le_bytes().get(..N).unwrap_or_default());
            }
        }
    }
}

fn floats(planar: &[&[f32]], range: Range<usize>, out: &mut [u8]) {
    let channels = planar.len();
    let (slots, _) = out.as_chunks_mut::<4>();
    for (index, channel) in planar.iter().enumerate() {
        let samples = channel.get(range.clone()).unwrap_or_default();
        for (slot, sample) in slots.iter_mut().skip(index).step_by(channels).zip(samples) {
            *slot = sample.to_le_bytes();
        }
    }
}

/// Triangular noise of one least significant bit each way (TPDF): two uniform halves of one
/// xorshift64* step.
#[derive(Debug)]
struct Noise(u64);

impl Noise {
    fn triangular(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        let high = (bits >> 40) as f32;
        let low = (bits >> 8 & 0xFF_FFFF) as f32;
        (high - low) * (1.0 / 16_777_216.0)
    }
}
