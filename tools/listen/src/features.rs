//! The features for all analysis: one streamed pass over a region of a source, whose result is stored with
//! the measurements. About 1.4 kB per second of audio, whatever the length.
//!
//! Onset strength: spectral flux over a quarter-tone filter bank with a maximum filter along frequency, which passes
//! over vibrato (S. Böck, G. Widmer, "Maximum filter vibrato suppression for onset detection", DAFx 2013). Levels are
//! taken relative to the loudest of the last seconds, so that a quiet recording has the same onsets.

mod bank;
mod extract;
mod stored;
mod voice;

pub(super) use extract::Extractor;
pub(super) use voice::Voice;

use deskhand_dsp::downmix::Phase;
use deskhand_dsp::{Frames, SampleRate};

/// Part of every cache key: change it when features would come out differently.
pub(super) const ALGORITHM: u32 = 4;

/// Onset strength: values a second.
pub(super) const FLUX_RATE: usize = 200;
/// Flux values in a block of half a second.
pub(super) const BLOCK: usize = 100;
/// Flux values from one chroma to the next: 0.2 s.
pub(super) const CHROMA: usize = 40;
/// Bands of the timbre, four an octave from 40 Hz.
pub(super) const BANDS: usize = 32;
/// Bins of the pitch histogram: 10 cents each.
pub(super) const CENTS: usize = 120;

/// The measurements of half a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// RMS, dBFS; -120 for silence.
    pub(super) level: f32,
    /// Standard deviation of the level of 20 ms, dB.
    pub(super) swing: f32,
    /// Share of 20 ms that are less than half as strong as the block.
    pub(super) pauses: f32,
    /// Geometric by arithmetic mean of the power from 100 Hz to 8 kHz: 1 for white noise.
    pub(super) flatness: f32,
    /// Spectral centroid, Hz.
    pub(super) centroid: f32,
    /// Mean and largest onset strength.
    pub(super) flux: f32,
    /// The largest onset strength.
    pub(super) accent: f32,
    /// Share of the power from 60 Hz to 5 kHz that lies in spectral peaks.
    pub(super) tonal: f32,
    /// Mean probability of a voice.
    pub(super) voice: f32,
    /// Power by band, log10, relative to full scale.
    pub(super) bands: [f32; BANDS],
}

/// The measurements of a region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Features {
    /// The rate of the audio.
    pub(super) rate: SampleRate,
    /// Frames from one flux value to the next.
    pub(super) hop: usize,
    /// Length of the audio.
    pub(super) frames: usize,
    /// How much of it has channels out of phase.
    pub(super) phase: Phase,
    /// Onset strength.
    pub(super) flux: Vec<f32>,
    /// Onset strength below 160 Hz.
    pub(super) low: Vec<f32>,
    /// Half seconds.
    pub(super) blocks: Vec<Block>,
    /// Pitch classes from C, each frame with a sum of 1 or all 0.
    pub(super) chroma: Vec<[f32; 12]>,
    /// How much each tenth of a semitone sounds, from A.
    pub(super) cents: Vec<f32>,
}

impl Features {
    /// Nothing heard yet, of audio at `rate`.
    pub(super) fn new(rate: SampleRate) -> Self {
        let hop = (rate.0 as usize).div_ceil(FLUX_RATE).max(1);
        Self {
            rate,
            hop,
            frames: 0,
            phase: Phase::default(),
            flux: Vec::new(),
            low: Vec::new(),
            blocks: Vec::new(),
            chroma: Vec::new(),
            cents: vec![0.0; CENTS],
        }
    }

    /// Seconds from one flux value to the next.
    pub(super) fn step_s(&self) -> f64 {
        self.hop as f64 / f64::from(self.rate.0)
    }

    /// The frame of a time in flux values.
    pub(super) fn frame(&self, at: f64) -> Frames {
        Frames((at * self.hop as f64).round() as i64)
    }

    /// How many flux values are `seconds`.
    pub(super) fn steps(&self, seconds: f64) -> usize {
        (seconds / self.step_s()).round() as usize
    }

    /// Length of a block in seconds.
    pub(super) fn block_s(&self) -> f64 {
        self.step_s() * BLOCK as f64
    }

    /// Length of the audio, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.frames as f64 / f64::from(self.rate.0)
    }
}
