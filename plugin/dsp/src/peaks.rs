//! Waveform peaks at several resolutions: what a timeline draws without touching the audio.

use crate::Frames;
use crate::bytes::{Reader, Writer};
use crate::level::NOT_AUDIO;
use crate::simd::{Lanes, dispatch};
use std::ops::Range;

/// Frames per bucket of the finest level.
pub const PEAK_FRAMES: usize = 256;

/// Buckets that make one bucket of the next level.
const FACTOR: usize = 4;

const MAGIC: &[u8; 4] = b"DHPK";
const VERSION: u16 = 1;

/// Extent and level of one bucket or column of one channel, as amplitudes (1.0 = full scale).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// Smallest sample.
    pub min: f32,
    /// Largest sample.
    pub max: f32,
    /// Root mean square.
    pub rms: f32,
}

/// Peaks of a whole file: per channel, levels of 256, 1024, 4096, … frames per bucket.
#[derive(Clone, Debug, PartialEq)]
pub struct PeakPyramid {
    frames: u64,
    /// `channels[c][level][bucket]`.
    channels: Vec<Vec<Vec<Peak>>>,
}

/// Builds a [`PeakPyramid`] while audio streams by.
#[derive(Clone, Debug)]
pub struct PeakBuilder {
    frames: u64,
    /// The finest level per channel; the last bucket is still filling.
    finest: Vec<Vec<Bucket>>,
}

/// A bucket that is still open: like [`Peak`] with the sum of squares.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bucket {
    min: f32,
    max: f32,
    squares: f32,
    count: u32,
}

/// Why bytes are not peaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PeakError {
    /// Something else, cut short, changed, or of another version.
    #[error("the stored waveform is damaged or of another version: delete it and build it again")]
    Damaged,
}

impl Bucket {
    fn add(&mut self, samples: &[f32]) {
        let more = bucket(samples);
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
        self.squares += more.squares;
        self.count += more.count;
    }

    fn peak(self) -> Peak {
        let mean = f64::from(self.squares) / f64::from(self.count.max(1));
        Peak { min: self.min, max: self.max, rms: mean.sqrt() as f32 }
    }
}

impl PeakBuilder {
    /// A builder for planar audio of `channels` channels.
    #[must_use]
    pub fn new(channels: usize) -> Self {
        Self { frames: 0, finest: vec![Vec::new(); channels] }
    }

    /// Takes one slice per channel, all of one length. A missing or short channel counts as silent.
    pub fn push(&mut self, planar: &[&[f32]]) {
        let length = planar.iter().map(|channel| channel.len()).max().unwrap_or(0);
        let open = (self.frames % PEAK_FRAMES as u64) as usize;
        for (index, buckets) in self.finest.iter_mut().enumerate() {
            let samples = planar.get(index).copied().unwrap_or(&[]);
            let missing = vec![0.0; length - samples.len()];
            append(buckets, samples, open);
            append(buckets, &missing, (open + samples.len()) % PEAK_FRAMES);
        }
        self.frames += length as u64;
    }

    /// The pyramid of everything that was pushed.
    #[must_use]
    pub fn finish(self) -> PeakPyramid {
        let peaks = |buckets: Vec<Bucket>| buckets.into_iter().map(Bucket::peak).collect();
        let finest = self.finest.into_iter().map(peaks).collect();
        PeakPyramid::from_finest(self.frames, finest)
    }
}

dispatch! {
    /// Extent and squares of some samples; NaN and infinities count as 0. Bit-equal on every
    /// instruction set.
    fn bucket(samples: &[f32]) -> Bucket = bucket_kernel
}

#[inline(always)]
fn bucket_kernel<L: Lanes>(_: L, samples: &[f32]) -> Bucket {
    const LANES: usize = 16;
    let (mut min, mut max) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    let mut squares = [0f32; LANES];
    let mut add = |lane: usize, sample: f32| {
        let x = if sample.abs() < NOT_AUDIO { sample } else { 0.0 };
        min[lane] = if x < min[lane] { x } else { min[lane] };
        max[lane] = if x > max[lane] { x } else { max[lane] };
        squares[lane] += x * x;
    };
    let (blocks, rest) = samples.as_chunks::<LANES>();
    for block in blocks {
        for (lane, sample) in block.iter().enumerate() {
            add(lane, *sample);
        }
    }
    for (lane, sample) in rest.iter().enumerate() {
        add(lane, *sample);
    }
    Bucket {
        min: min.into_iter().fold(f32::INFINITY, f32::min),
        max: max.into_iter().fold(f32::NEG_INFINITY, f32::max),
        squares: squares.into_iter().sum(),
        count: samples.len() as u32,
    }
}

/// Adds samples to a row of buckets; the last holds `open` frames (0: it is full).
fn append(buckets: &mut Vec<Bucket>, samples: &[f32], open: usize) {
    let rest = if open == 0 { 0 } else { (PEAK_FRAMES - open).min(samples.len()) };
    let (first, rest) = samples.split_at(rest);
    if let Some(last) = buckets.last_mut()
        && !first.is_empty()
    {
        last.add(first);
    }
    buckets.extend(rest.chunks(PEAK_FRAMES).map(bucket));
}

/// Joins peaks of equal weight. Only the last bucket of a file can be shorter than the others; its
/// RMS then counts a little too much, in one column.
fn joined(peaks: &[Peak]) -> Peak {
    let Some(first) = peaks.first() else {
        return Peak::default();
    };
    let squares = peaks.iter().map(|peak| f64::from(peak.rms).powi(2)).sum::<f64>();
    let extent = peaks.iter().fold(*first, |sum, peak| Peak {
        min: sum.min.min(peak.min),
        max: sum.max.max(peak.max),
        rms: 0.0,
    });
    Peak { rms: (squares / peaks.len() as f64).sqrt() as f32, ..extent }
}

impl PeakPyramid {
    fn from_finest(frames: u64, finest: Vec<Vec<Peak>>) -> Self {
        let levels = |finest: Vec<Peak>| {
            let mut levels = vec![finest];
            while let Some(last) = levels.last()
                && last.len() > FACTOR
            {
                let next = last.chunks(FACTOR).map(joined).collect();
                levels.push(next);
            }
            levels
        };
        Self { frames, channels: finest.into_iter().map(levels).collect() }
    }

    /// Number of channels.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels.len()
    }

    /// Length of the audio.
    #[must_use]
    pub fn frames(&self) -> Frames {
        Frames(i64::try_from(self.frames).unwrap_or(i64::MAX))
    }

    /// `count` columns that divide `range` of one channel evenly, at the coarsest level that is
    /// still fine enough. Columns outside the audio, and of a channel that does not exist, are
    /// silent. Columns of less than 256 frames repeat their bucket: read the samples instead.
    #[must_use]
    pub fn columns(&self, channel: usize, range: Range<Frames>, count: usize) -> Vec<Peak> {
        let span = range.end.0.saturating_sub(range.start.0).max(0);
        let edge = |index: usize| {
            let offset = i128::from(span) * index as i128 / count.max(1) as i128;
            range.start.0.saturating_add(i64::try_from(offset).unwrap_or(i64::MAX))
        };
        let (level, width) = self.level_for(channel, span as usize / count.max(1));
        (0..count).map(|index| column(level, width, edge(index), edge(index + 1))).collect()
    }

    /// The coarsest level whose buckets are no wider than `frames`, and the width of its buckets.
    fn level_for(&self, channel: usize, frames: usize) -> (&[Peak], i64) {
        let mut width = PEAK_FRAMES;
        let levels = self.channels.get(channel).map_or(&[][..], Vec::as_slice);
        let mut found = levels.first();
        for level in levels.iter().skip(1) {
            if width * FACTOR > frames {
                break;
            }
            width *= FACTOR;
            found = Some(level);
        }
        (found.map_or(&[], Vec::as_slice), width as i64)
    }

    /// The compact form, for a cache: the finest level, from which the others follow.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(MAGIC, VERSION);
        out.put(&(self.channels.len() as u32).to_le_bytes());
        out.put(&self.frames.to_le_bytes());
        for peak in self.channels.iter().filter_map(|levels| levels.first()).flatten() {
            out.put_floats(&[peak.min, peak.max, peak.rms]);
        }
        out.sealed()
    }

    /// Reads what [`PeakPyramid::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the bytes are damaged or of another version: build the peaks again.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PeakError> {
        let (version, mut input) = Reader::open(bytes, MAGIC).ok_or(PeakError::Damaged)?;
        let pyramid = (version == VERSION).then(|| Self::read(&mut input)).flatten();
        pyramid.filter(|_| input.is_empty()).ok_or(PeakError::Damaged)
    }

    fn read(input: &mut Reader<'_>) -> Option<Self> {
        let channels = u32::from_le_bytes(input.take()?);
        let frames = u64::from_le_bytes(input.take()?);
        let buckets = usize::try_from(frames.div_ceil(PEAK_FRAMES as u64)).ok()?;
        let finest = (0..channels).map(|_| {
            let floats = input.floats(buckets.checked_mul(3)?)?;
            let (peaks, _) = floats.as_chunks::<3>();
            Some(
                peaks
                    .iter()
                    .map(|[min, max, rms]| Peak { min: *min, max: *max, rms: *rms })
                    .collect(),
            )
        });
        let finest = finest.collect::<Option<Vec<Vec<Peak>>>>()?;
        Some(Self::from_finest(frames, finest))
    }
}

/// The peak of the frames `start..end` out of buckets of `width` frames.
fn column(level: &[Peak], width: i64, start: i64, end: i64) -> Peak {
    if end <= 0 || end <= start {
        return Peak::default();
    }
    let first = Frames(start.max(0) / width).index().min(level.len());
    let last = Frames((end - 1) / width + 1).index().min(level.len());
    joined(&level[first..last.max(first)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn build(planar: &[&[f32]], block: usize) -> PeakPyramid {
        let mut builder = PeakBuilder::new(planar.len());
        for at in (0..planar[0].len()).step_by(block) {
            let end = (at + block).min(planar[0].len());
            let parts: Vec<&[f32]> = planar.iter().map(|channel| &channel[at..end]).collect();
            builder.push(&parts);
        }
        builder.finish()
    }

    proptest! {
        #[test]
        fn both_paths_give_the_same_bits(samples in prop::collection::vec(-2f32..2.0, 0..300)) {
            prop_assert_eq!(bucket(&samples), bucket_kernel(crate::simd::Portable, &samples));
        }

        #[test]
        fn columns_hold_every_sample_for_any_block_split(
            samples in prop::collection::vec(-1f32..1.0, 1..9000),
            block in 1usize..3000, count in 1usize..20,
        ) {
            let pyramid = build(&[&samples], block);
            let whole = build(&[&samples], samples.len());
            let range = Frames(0)..Frames::from_index(samples.len());
            let columns = pyramid.columns(0, range.clone(), count);
            let (min, max) = samples.iter().fold((0f32, 0f32), |(a, b), x| (a.min(*x), b.max(*x)));
            let extent = columns.iter().fold((0f32, 0f32), |(a, b), c| (a.min(c.min), b.max(c.max)));
            prop_assert_eq!(extent, (min, max));
            for (split, whole) in columns.iter().zip(whole.columns(0, range, count)) {
                prop_assert_eq!((split.min, split.max), (whole.min, whole.max));
                prop_assert!((split.rms - whole.rms).abs() < 1e-5);
            }
            prop_assert_eq!(PeakPyramid::from_bytes(&pyramid.to_bytes()), Ok(pyramid));
        }
    }

    #[test]
    fn a_burst_shows_in_its_own_columns_at_every_zoom() {
        let mut samples = vec![0f32; 256 * 4096];
        samples[256 * 1024..256 * 1028].fill(0.5);
        let pyramid = build(&[&samples, &samples], 4096);
        for count in [16, 64, 1024] {
            let columns = pyramid.columns(1, Frames(0)..Frames::from_index(samples.len()), count);
            let loud: Vec<usize> = (0..count).filter(|n| columns[*n].max > 0.0).collect();
            assert_eq!(loud, [count / 4]);
        }
        let fine = pyramid.columns(0, Frames(256 * 1024)..Frames(256 * 1028), 4);
        assert_eq!(fine, [Peak { min: 0.5, max: 0.5, rms: 0.5 }; 4]);
    }

    #[test]
    fn outside_the_audio_there_is_silence() {
        let pyramid = build(&[&[0.7f32; 600]], 600);
        let columns = pyramid.columns(0, Frames(-1024)..Frames(2048), 3);
        assert_eq!(columns.map_max(), [0.0, 0.7, 0.0]);
        assert_eq!(pyramid.columns(5, Frames(0)..Frames(600), 1), [Peak::default()]);
        assert_eq!(pyramid.columns(0, Frames(0)..Frames(600), 0), []);
    }

    trait MapMax {
        fn map_max(&self) -> Vec<f32>;
    }
    impl MapMax for Vec<Peak> {
        fn map_max(&self) -> Vec<f32> {
            self.iter().map(|peak| peak.max).collect()
        }
    }

    #[test]
    fn bad_bytes_are_refused() {
        let bytes = build(&[&[0.1f32; 600]], 600).to_bytes();
        assert_eq!(PeakPyramid::from_bytes(&bytes[1..]), Err(PeakError::Damaged));
        assert_eq!(PeakPyramid::from_bytes(b""), Err(PeakError::Damaged));
    }
}
