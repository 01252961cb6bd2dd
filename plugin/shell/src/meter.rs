//! The meter of an instance: what leaves it, after trim, thirty times a second.
//!
//! Thread: audio (measuring) and any (reading; only atomics)
//!
//! Nothing is measured while no window of this process is open.

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_types,
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

use crate::scope::{LateScope, Scope};
use deskhand_dsp::SampleRate;
use deskhand_dsp::loudness::{StripFilter, StripLoudness};
use deskhand_dsp::subnormal::square;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Readings a second.
const READINGS: f32 = 30.0;
/// Frames measured at a time.
const PIECE: usize = 512;
/// The side that a mono instance has not.
static SILENCE: [f32; PIECE] = [0.0; PIECE];

/// Windows of this process that are open.
static LOOKERS: AtomicUsize = AtomicUsize::new(0);

/// A viewer of meters, for as long as it lives.
#[derive(Debug)]
pub struct Looker(());

impl Looker {
    /// Measuring goes on from here.
    #[must_use]
    pub fn new() -> Self {
        LOOKERS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Default for Looker {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Looker {
    fn drop(&mut self) {
        LOOKERS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What an instance showed last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Largest absolute sample since the reading before, left and right.
    pub peak: [f32; 2],
    /// Mean of the squared samples since the reading before.
    pub mean_square: [f32; 2],
    /// True peak since the reading before, as an amplitude.
    pub true_peak: [f32; 2],
    /// K-weighted energy of the last 0.4 s and of the last 3 s.
    pub energies: [f32; 2],
}

/// Where the audio thread leaves its readings.
#[derive(Default)]
pub struct MeterPlace {
    values: [AtomicU32; 8],
    /// Once a window of this instance was open.
    scope: LateScope,
}

impl MeterPlace {
    fn put(&self, reading: &Reading) {
        let Reading { peak, mean_square, true_peak, energies } = reading;
        let values = peak.iter().chain(mean_square).chain(true_peak).chain(energies);
        for (place, value) in self.values.iter().zip(values) {
            place.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// The newest samples, kept from the first time on that somebody asks. Not for the audio thread.
    pub(crate) fn scope(&self) -> &Scope {
        self.scope.make()
    }

    /// The last values left there.
    #[must_use]
    pub fn reading(&self) -> Reading {
        let [a, b, c, d, e, f, g, h] =
            self.values.each_ref().map(|value| f32::from_bits(value.load(Ordering::Relaxed)));
        Reading { peak: [a, b], mean_square: [c, d], true_peak: [e, f], energies: [g, h] }
    }
}

/// The audio thread's side.
pub(crate) struct Meter {
    filter: Option<StripFilter>,
    loudness: StripLoudness,
    peak: [f32; 2],
    square: [f64; 2],
    frames: usize,
    /// Frames of a reading.
    round: usize,
    rests: bool,
}

impl Meter {
    /// A meter at `rate` Hz. It stays empty at rates that loudness is not defined for.
    pub(crate) fn new(rate: f32) -> Self {
        Self {
            filter: StripFilter::new(SampleRate(rate as u32)).ok(),
            loudness: StripLoudness::default(),
            peak: [0.0; 2],
            square: [0.0; 2],
            frames: 0,
            round: (rate / READINGS) as usize,
            rests: true,
        }
    }

    /// Takes in a block as it leaves: one or two channels.
    pub(crate) fn take(&mut self, channels: &[&mut [f32]], place: &MeterPlace) {
        let frames = channels.first().map_or(0, |side| side.len());
        if LOOKERS.load(Ordering::Relaxed) == 0 || frames == 0 {
            return self.rest(place);
        }
        self.rests = false;
        let mut from = 0;
        while from < frames {
            let to = frames.min(from + PIECE);
            let side = |index: usize| channels.get(index).map(|side| part(side, from, to));
            let left = side(0).unwrap_or_default();
            self.measure([left, side(1).unwrap_or(part(&SILENCE, 0, to - from))]);
            if let Some(scope) = place.scope.get() {
                scope.write([left, side(1).unwrap_or(left)]);
            }
            from = to;
        }
        self.frames += frames;
        if self.frames >= self.round {
            self.report(place, channels.len() == 1);
        }
    }

    /// Nobody looks, so the measurements are dropped.
    fn rest(&mut self, place: &MeterPlace) {
        if !std::mem::replace(&mut self.rests, true) {
            self.loudness = StripLoudness::default();
            self.begin();
            place.put(&Reading::default());
        }
    }

    fn measure(&mut self, sides: [&[f32]; 2]) {
        let mut peaks = [0.0_f32; 2];
        let mut is_audio = true;
        for ((side, peak), total) in sides.iter().zip(&mut peaks).zip(&mut self.square) {
            let mut sum = 0.0_f32;
            for sample in *side {
                *peak = peak.max(sample.abs());
                sum += square(*sample);
            }
            is_audio &= sum.is_finite();
            *total += if sum.is_finite() { f64::from(sum) } else { 0.0 };
        }
        for (highest, peak) in self.peak.iter_mut().zip(peaks) {
            *highest = highest.max(peak);
        }
        let Some(filter) = &self.filter else { return };
        // A filter keeps a value that is no number forever.
        match is_audio {
            true => self.loudness.process(filter, sides, peaks),
            false => self.loudness.rest(filter, sides.first().map_or(0, |side| side.len())),
        }
    }

    fn report(&mut self, place: &MeterPlace, is_mono: bool) {
        let frames = self.frames.max(1) as f64;
        let both = |[left, right]: [f32; 2]| [left, if is_mono { left } else { right }];
        place.put(&Reading {
            peak: both(self.peak),
            mean_square: both(self.square.map(|sum| (sum / frames) as f32)),
            true_peak: both(self.loudness.true_peaks()),
            energies: [self.loudness.momentary(), self.loudness.short_term()],
        });
        self.begin();
    }

    fn begin(&mut self) {
        (self.peak, self.square, self.frames) = ([0.0; 2], [0.0; 2], 0);
        self.loudness.forget_true_peaks();
    }
}

fn part(side: &[f32], from: usize, to: usize) -> &[f32] {
    side.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(channels: usize, block: usize, looks: bool) -> Reading {
        let (mut meter, place) = (Meter::new(48_000.0), MeterPlace::default());
        let _looker = looks.then(Looker::new);
        let turn = std::f32::consts::TAU * 997.0 / 48_000.0;
        let sine: Vec<f32> = (0..48_000 * 4).map(|n| 0.1 * (turn * n as f32).sin()).collect();
        for piece in sine.chunks(block) {
            let mut sides = vec![piece.to_vec(); channels];
            let sides: Vec<&mut [f32]> = sides.iter_mut().map(Vec::as_mut_slice).collect();
            meter.take(&sides, &place);
        }
        place.reading()
    }

    /// -20 dBFS of a sine in both sides is -20 LUFS, give or take the weighting at 997 Hz; in one side
    /// it is 3 LU less.
    #[test]
    fn a_sine_has_its_loudness_whatever_the_blocks() {
        for (channels, lufs) in [(2, -20.0), (1, -23.0)] {
            for block in [64, 480, 2_027] {
                let reading = measured(channels, block, true);
                for energy in reading.energies {
                    let found = -0.691 + 10.0 * energy.log10();
                    assert!((found - lufs).abs() < 0.05, "{channels} {block}: {found}");
                }
                assert!((reading.peak[1] - 0.1).abs() < 1e-3);
                assert!(reading.true_peak[0] >= reading.peak[0]);
                assert!((reading.mean_square[1] - 0.005).abs() < 2e-4, "{reading:?}");
            }
        }
    }

    #[test]
    fn what_is_no_number_does_not_spoil_it() {
        let (mut meter, place) = (Meter::new(48_000.0), MeterPlace::default());
        let _looker = Looker::new();
        let mut bad = vec![f32::NAN; 4_800];
        meter.take(&[&mut bad[..]], &place);
        let mut good = vec![0.5; 48_000];
        meter.take(&[&mut good[..]], &place);
        let reading = place.reading();
        assert!(reading.energies[0].is_finite() && reading.mean_square[0].is_finite());
    }
}
