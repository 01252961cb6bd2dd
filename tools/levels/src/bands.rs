//! The average spectrum of a track: third octaves, and prominent peaks.

use deskhand_dsp::effects::{Band, BandShape, Equalizer};
use deskhand_dsp::spectrum::{Forward, hann};
use deskhand_dsp::{Decibels, FrameReader, Frames, SampleRate};
use deskhand_toolkit::{PlanContext, ToolError};

/// Samples of a window.
const SIZE: usize = 8192;
/// Blocks this far below the loudest do not count, as a ratio of power.
const QUIET: f64 = 1e-4;
/// Third octaves, in Hz.
pub(crate) const CENTERS: [f64; 28] = [
    31.5, 40.0, 50.0, 63.0, 80.0, 100.0, 125.0, 160.0, 200.0, 250.0, 315.0, 400.0, 500.0, 630.0,
    800.0, 1000.0, 1250.0, 1600.0, 2000.0, 2500.0, 3150.0, 4000.0, 5000.0, 6300.0, 8000.0, 10000.0,
    12500.0, 16000.0,
];
/// What a peak is compared with, in octaves around it.
const AROUND: f64 = 0.5;

/// Mean power over frequency, without quiet parts.
#[derive(Clone, Debug)]
pub(crate) struct Spectrum {
    power: Vec<f64>,
    bin_hz: f64,
    rate: SampleRate,
}

/// A narrow peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    pub(crate) hz: f64,
    /// How far it is above its surroundings, in dB.
    pub(crate) above: f64,
}

impl Spectrum {
    /// The spectrum of all audio in `reader`, both sides together; `None` for silence.
    pub(crate) fn of(
        context: &PlanContext,
        reader: &mut dyn FrameReader,
    ) -> Result<Option<Self>, ToolError> {
        let window = (0..SIZE).map(|n| hann(n as f64 + 0.5, SIZE)).collect();
        let mut transform = Forward::<f64>::windowed(window);
        let mut blocks: Vec<(f64, Vec<f32>)> = Vec::new();
        let mut at = Frames::ZERO;
        while at < reader.frames() {
            context.check()?;
            let planes = deskhand_toolkit::audio::stretch(reader, at, SIZE)?;
            let mut power = vec![0f32; SIZE / 2 + 1];
            for plane in &planes {
                let bins = transform.of(plane.iter().map(|x| f64::from(*x)));
                power.iter_mut().zip(bins).for_each(|(p, bin)| *p += bin.norm_sqr() as f32);
            }
            let sum: f64 = power.iter().map(|p| f64::from(*p)).sum();
            keep(&mut blocks, sum, power);
            at += Frames::from_index(SIZE);
        }
        Ok(mean(blocks, reader.rate()))
    }

    /// The level of the third octave around `center`, in dBFS.
    pub(crate) fn band(&self, center: f64) -> f64 {
        self.between(center / 2f64.powf(1.0 / 6.0), center * 2f64.powf(1.0 / 6.0))
    }

    /// The level between two frequencies, in dBFS.
    pub(crate) fn between(&self, from: f64, to: f64) -> f64 {
        let bin = |hz: f64| ((hz / self.bin_hz).round() as usize).min(self.power.len());
        let bins = self.power.get(bin(from)..bin(to).max(bin(from) + 1)).unwrap_or_default();
        10.0 * bins.iter().sum::<f64>().max(1e-15).log10()
    }

    /// The same after an equalizer.
    pub(crate) fn through(&self, equalizer: &Equalizer) -> Self {
        let gain = |(n, power): (usize, &f64)| {
            let hz = (n as f64 * self.bin_hz).max(1.0);
            power * equalizer.response(hz, self.rate).amplitude().powi(2)
        };
        let power = self.power.iter().enumerate().map(gain).collect();
        Self { power, ..*self }
    }

    /// Narrow peaks between two frequencies that are at least `least` dB above the median of an octave
    /// around them, the highest first.
    pub(crate) fn peaks(&self, from: f64, to: f64, least: f64) -> Vec<Peak> {
        let steps = ((to / from).log2() * 24.0) as usize;
        let width = 2f64.powf(1.0 / 24.0);
        let fine: Vec<(f64, f64)> = (0..=steps)
            .map(|n| from * 2f64.powf(n as f64 / 24.0))
            .map(|hz| {
                let bins = ((hz * (width - 1.0 / width)) / self.bin_hz).max(1.0);
                (hz, self.between(hz / width, hz * width) - 10.0 * bins.log10())
            })
            .collect();
        let near = (AROUND * 24.0) as usize;
        let above = |n: usize| {
            let part = fine.get(n.saturating_sub(near)..(n + near + 1).min(fine.len()));
            let mut levels: Vec<f64> = part.unwrap_or_default().iter().map(|p| p.1).collect();
            levels.sort_by(f64::total_cmp);
            fine.get(n).map_or(0.0, |p| p.1) - levels.get(levels.len() / 2).copied().unwrap_or(0.0)
        };
        let level = |n: Option<usize>| n.and_then(|n| fine.get(n)).map_or(f64::MIN, |p| p.1);
        let is_top = |n: usize| {
            level(Some(n)) >= level(n.checked_sub(1)) && level(Some(n)) > level(Some(n + 1))
        };
        let mut peaks: Vec<Peak> = (0..fine.len())
            .filter(|n| is_top(*n))
            .filter_map(|n| Some(Peak { hz: fine.get(n)?.0, above: above(n) }))
            .filter(|peak| peak.above >= least)
            .collect();
        peaks.sort_by(|a, b| b.above.total_cmp(&a.above));
        peaks
    }
}

/// Keeps what may still count once the loudest block is known.
fn keep(blocks: &mut Vec<(f64, Vec<f32>)>, sum: f64, power: Vec<f32>) {
    let loudest = blocks.iter().map(|block| block.0).fold(sum, f64::max);
    if sum <= loudest * QUIET || sum <= 0.0 {
        return;
    }
    // Long takes: neighbors become one, so that memory stays small.
    if blocks.len() >= 512 {
        let pairs: Vec<_> = blocks.chunks(2).filter_map(merged).collect();
        *blocks = pairs;
    }
    blocks.push((sum, power));
}

fn merged(pair: &[(f64, Vec<f32>)]) -> Option<(f64, Vec<f32>)> {
    let (first, second) = (pair.first()?, pair.last()?);
    let mean = first.1.iter().zip(&second.1).map(|(a, b)| (a + b) * 0.5).collect();
    Some(((first.0 + second.0) * 0.5, mean))
}

fn mean(blocks: Vec<(f64, Vec<f32>)>, rate: SampleRate) -> Option<Spectrum> {
    let loudest = blocks.iter().map(|block| block.0).fold(0.0, f64::max);
    let mut power = vec![0.0; SIZE / 2 + 1];
    let mut count = 0.0;
    for (sum, block) in blocks {
        if sum > loudest * QUIET {
            count += 1.0;
            power.iter_mut().zip(block).for_each(|(p, b)| *p += f64::from(b));
        }
    }
    // A sine of full scale has the level of its RMS: window power 3/8, one side of the spectrum.
    let scale = 2.0 / (SIZE as f64 * SIZE as f64 * 0.375);
    (count > 0.0).then(|| {
        power.iter_mut().for_each(|p| *p *= scale / count);
        Spectrum { power, bin_hz: f64::from(rate.0) / SIZE as f64, rate }
    })
}

/// A band of an equalizer.
pub(crate) fn bell(hz: f64, gain: f64, q: f64) -> Band {
    let gain = Decibels((gain * 10.0).round() / 10.0);
    Band { shape: BandShape::Bell, frequency_hz: hz.round(), gain, q }
}

/// A low cut.
pub(crate) fn low_cut(hz: f64) -> Band {
    let q = std::f64::consts::FRAC_1_SQRT_2;
    Band { shape: BandShape::LowCut, frequency_hz: hz, gain: Decibels::UNITY, q }
}
