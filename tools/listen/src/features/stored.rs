//! Features as bytes, for the cache.

use super::{BANDS, Block, Features};
use deskhand_dsp::SampleRate;
use deskhand_dsp::downmix::Phase;

/// Numbers of a block.
const NUMBERS: usize = 9 + BANDS;

impl Block {
    fn numbers(&self) -> [f32; NUMBERS] {
        let mut numbers = [0.0; NUMBERS];
        numbers[..9].copy_from_slice(&[
            self.level,
            self.swing,
            self.pauses,
            self.flatness,
            self.centroid,
            self.flux,
            self.accent,
            self.tonal,
            self.voice,
        ]);
        numbers[9..].copy_from_slice(&self.bands);
        numbers
    }

    fn of(numbers: &[f32]) -> Option<Self> {
        let (head, bands) = numbers.split_at_checked(9)?;
        let [level, swing, pauses, flatness, centroid, flux, accent, tonal, voice] =
            head.try_into().ok()?;
        let bands = bands.try_into().ok()?;
        Some(Self { level, swing, pauses, flatness, centroid, flux, accent, tonal, voice, bands })
    }
}

impl Features {
    /// As bytes, little-endian: rate, frames, three lengths, the two powers of the phase, then the numbers.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let lengths = [
            u64::from(self.rate.0),
            self.frames as u64,
            self.flux.len() as u64,
            self.blocks.len() as u64,
            self.chroma.len() as u64,
            self.phase.all.to_bits(),
            self.phase.turned.to_bits(),
        ];
        let mut bytes: Vec<u8> = lengths.iter().flat_map(|n| n.to_le_bytes()).collect();
        let blocks = self.blocks.iter().flat_map(Block::numbers);
        let chroma = self.chroma.iter().flatten().copied();
        let curves = self.flux.iter().chain(&self.low).copied();
        let all = curves.chain(blocks).chain(chroma).chain(self.cents.iter().copied());
        bytes.extend(all.flat_map(f32::to_le_bytes));
        bytes
    }

    /// Parses bytes; `None` if they are incomplete.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(56)?;
        let head: Vec<u64> = head
            .chunks_exact(8)
            .filter_map(|n| Some(u64::from_le_bytes(n.try_into().ok()?)))
            .collect();
        let [rate, lengths @ .., all, turned] = head.as_slice() else { return None };
        let lengths: Vec<usize> = lengths.iter().filter_map(|n| usize::try_from(*n).ok()).collect();
        let [frames, flux, blocks, chroma] = lengths.as_slice().try_into().ok()?;
        let mut numbers =
            rest.chunks_exact(4).filter_map(|n| Some(f32::from_le_bytes(n.try_into().ok()?)));
        let mut take = |count: usize| -> Option<Vec<f32>> {
            let taken: Vec<f32> = numbers.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let mut features = Self::new(SampleRate(u32::try_from(*rate).ok()?));
        features.frames = frames;
        features.phase = Phase { all: f64::from_bits(*all), turned: f64::from_bits(*turned) };
        (features.flux, features.low) = (take(flux)?, take(flux)?);
        let numbers = take(blocks.checked_mul(NUMBERS)?)?;
        features.blocks = numbers.chunks_exact(NUMBERS).filter_map(Block::of).collect();
        let classes = take(chroma.checked_mul(12)?)?;
        features.chroma = classes.chunks_exact(12).filter_map(|c| c.try_into().ok()).collect();
        features.cents = take(super::CENTS)?;
        Some(features)
    }
}
