//! What a processor does to its sound: levels over the last seconds, and spectra, before and after it. A player
//! feeds it, a window draws it. It allocates: not for the audio thread.

use crate::level::{remove_non_finite, sample_peak, sum_of_squares};
use crate::loudness::{HISTORY, Interpolator};
use crate::spectrum::{Complex, Forward, periodic_hann};
use crate::subnormal::decayed;
use crate::{Frames, SampleRate, Seconds};
use std::collections::VecDeque;

/// Levels of a thirtieth of a second, of the louder side, as amplitudes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loudest {
    /// Largest absolute sample.
    pub peak: f32,
    /// Root of the mean square.
    pub rms: f32,
    /// Largest magnitude between the samples (BS.1770-5 annex 2); at least `peak`.
    pub true_peak: f32,
}

/// A thirtieth of a second of a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EffectColumn {
    /// What goes in.
    pub before: Loudest,
    /// What comes out.
    pub after: Loudest,
    /// The most that is taken away, in dB, 0 or more.
    pub reduction: f32,
}

/// What is shown of a processor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EffectReading {
    /// The last six seconds at most, the oldest first.
    pub columns: VecDeque<EffectColumn>,
    /// Spectra before and after: dBFS of a sine in both sides, in equal steps of the logarithm of frequency over
    /// [`EffectReading::HERTZ`]. Empty before the first column.
    pub spectra: [Vec<f32>; 2],
}

impl EffectReading {
    /// The lower edge of the first step of a spectrum and the upper edge of the last.
    pub const HERTZ: (f32, f32) = (20.0, 20_000.0);
    /// Columns of a second.
    pub const RATE: usize = 30;
    /// Columns of a whole history: six seconds.
    pub const COLUMNS: usize = 6 * Self::RATE;
    /// The lowest level of a spectrum, dBFS.
    pub const FLOOR: f32 = -120.0;
}

/// Steps of a spectrum: 24 an octave.
const STEPS: usize = 240;

/// The length of a spectrum's window: bins of 6 Hz.
const WINDOW: Seconds = Seconds(0.17);

/// How much of a new spectrum is taken where it is louder, and where it is quieter.
const RISE: f32 = 0.5;
const FALL: f32 = 0.12;

/// Left and right of one point of the chain.
type Sides = [Vec<f32>; 2];

/// Measures a processor from its frames.
pub struct EffectMeter {
    /// Frames of a column.
    length: usize,
    /// The frames of the column that is not complete yet.
    column: [Sides; 2],
    /// The newest samples before the column, for spectra and true peaks.
    past: [Sides; 2],
    reduction: f32,
    interpolator: Interpolator,
    forward: Forward<f32>,
    /// Smoothed powers of the spectra's steps.
    powers: [Vec<f32>; 2],
    steps: Vec<Step>,
    reading: EffectReading,
}

impl EffectMeter {
    /// For audio of `rate`.
    #[must_use]
    pub fn new(rate: SampleRate) -> Self {
        let size = Frames::index(WINDOW.frames(rate)).next_power_of_two();
        let sides = || [vec![0.0; size], vec![0.0; size]];
        Self {
            length: (rate.0 as usize / EffectReading::RATE).max(1),
            column: Default::default(),
            past: [sides(), sides()],
            reduction: 0.0,
            interpolator: Interpolator::new(rate),
            forward: Forward::windowed(periodic_hann(size, 4.0 / size as f64)),
            powers: [vec![0.0; STEPS], vec![0.0; STEPS]],
            steps: steps(size, rate),
            reading: EffectReading::default(),
        }
    }

    /// The gain reduction from now on, in dB, 0 or more.
    pub fn reduce(&mut self, decibels: f32) {
        self.reduction = decibels;
    }

    /// Takes a frame before and after the processor.
    pub fn push(&mut self, before: [f32; 2], after: [f32; 2]) {
        for (sides, frame) in self.column.iter_mut().zip([before, after]) {
            for (side, sample) in sides.iter_mut().zip(frame) {
                side.push(sample);
            }
        }
        if self.column[0][0].len() >= self.length {
            self.complete();
        }
    }

    /// What it measured.
    #[must_use]
    pub fn reading(&self) -> &EffectReading {
        &self.reading
    }

    fn complete(&mut self) {
        let mut levels = [Loudest::default(); 2];
        for (point, level) in levels.iter_mut().enumerate() {
            for side in 0..2 {
                let (column, past) = (&mut self.column[point][side], &mut self.past[point][side]);
                remove_non_finite(column);
                past.append(column);
                past.drain(..self.length.min(past.len()));
                *level = louder(*level, measure(&self.interpolator, past, self.length));
            }
            self.take_spectrum(point);
        }
        let [before, after] = levels;
        let columns = &mut self.reading.columns;
        if columns.len() >= EffectReading::COLUMNS {
            columns.pop_front();
        }
        columns.push_back(EffectColumn { before, after, reduction: self.reduction });
    }

    fn take_spectrum(&mut self, point: usize) {
        let mut now = vec![0f32; STEPS];
        for side in &self.past[point] {
            let bins = self.forward.of(side.iter().copied());
            for (power, step) in now.iter_mut().zip(&self.steps) {
                *power += step.power(bins) / 2.0;
            }
        }
        let smooth = &mut self.powers[point];
        for (power, now) in smooth.iter_mut().zip(now) {
            let share = if now > *power { RISE } else { FALL };
            *power = decayed(*power + (now - *power) * share);
        }
        let least = 10f32.powf(EffectReading::FLOOR / 10.0);
        let level = |power: &f32| 10.0 * power.max(least).log10();
        self.reading.spectra[point] = smooth.iter().map(level).collect();
    }
}

/// The last `length` of `samples`; those before them are for the interpolation.
fn measure(interpolator: &Interpolator, samples: &[f32], length: usize) -> Loudest {
    let from = samples.len().saturating_sub(length);
    let column = &samples[from..];
    let peak = sample_peak(column);
    let rms = (sum_of_squares(column) / length.max(1) as f64).sqrt() as f32;
    let true_peak = interpolator.peak(&samples[from.saturating_sub(HISTORY)..], peak);
    Loudest { peak, rms, true_peak }
}

fn louder(one: Loudest, other: Loudest) -> Loudest {
    Loudest {
        peak: one.peak.max(other.peak),
        rms: one.rms.max(other.rms),
        true_peak: one.true_peak.max(other.true_peak),
    }
}

/// The bins of one step of a spectrum.
struct Step {
    /// The bins inside it; none at low frequencies.
    from: usize,
    to: usize,
    /// Its middle, in bins.
    middle: f32,
}

impl Step {
    /// The largest power of its bins; between two bins, what lies between theirs.
    fn power(&self, bins: &[Complex<f32>]) -> f32 {
        let power = |bin: usize| bins.get(bin).map_or(0.0, Complex::norm_sqr);
        if self.from < self.to {
            return (self.from..self.to).map(power).fold(0.0, f32::max);
        }
        let (bin, part) = (self.middle as usize, self.middle.fract());
        power(bin) + (power(bin + 1) - power(bin)) * part
    }
}

fn steps(size: usize, rate: SampleRate) -> Vec<Step> {
    let (low, high) = EffectReading::HERTZ;
    let bin = |step: f32| {
        let hertz = low * (high / low).powf(step / STEPS as f32);
        hertz * size as f32 / rate.0 as f32
    };
    let step = |index: usize| {
        let at = index as f32;
        let (from, to) = (bin(at).ceil() as usize, bin(at + 1.0).ceil() as usize);
        Step { from, to, middle: bin(at + 0.5) }
    };
    (0..STEPS).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: SampleRate = SampleRate(48_000);

    /// A sine of `hertz` at 0.5 that a processor halves, for a second.
    fn halved(hertz: f32) -> EffectMeter {
        let mut meter = EffectMeter::new(RATE);
        for n in 0..48_000 {
            let sample = 0.5 * (std::f32::consts::TAU * hertz * n as f32 / 48_000.0).sin();
            meter.push([sample; 2], [sample / 2.0, 0.0]);
        }
        meter
    }

    #[test]
    fn levels_are_those_of_the_louder_side_before_and_after() {
        let meter = halved(997.0);
        let reading = meter.reading();
        assert_eq!(reading.columns.len(), 30);
        let EffectColumn { before, after, reduction } = reading.columns[20];
        assert!((before.peak - 0.5).abs() < 1e-3 && (after.peak - 0.25).abs() < 1e-3);
        assert!((before.rms - 0.3536).abs() < 2e-3, "{before:?}");
        assert!(before.true_peak >= before.peak && before.true_peak < 0.505);
        assert_eq!(reduction, 0.0);
    }

    #[test]
    fn a_peak_between_the_samples_is_found_before_and_after() {
        // A quarter of the rate, 45 degrees off: the samples are 3 dB below the peak.
        let mut meter = EffectMeter::new(RATE);
        for n in 0..9600 {
            let turn = std::f32::consts::FRAC_PI_2 * (n as f32 + 0.5);
            meter.push([turn.sin(); 2], [turn.sin() / 2.0; 2]);
        }
        let last = meter.reading().columns[5];
        assert!((last.before.peak - 0.707).abs() < 1e-2, "{last:?}");
        assert!((last.before.true_peak - 1.0).abs() < 2e-2, "{last:?}");
        assert!((last.after.true_peak - 0.5).abs() < 1e-2, "{last:?}");
    }

    #[test]
    fn a_sine_is_a_peak_of_its_level_at_its_frequency() {
        for hertz in [60.0, 997.0, 8000.0] {
            let meter = halved(hertz);
            let [before, after] = &meter.reading().spectra;
            let (step, level) =
                before.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
            let (low, high) = EffectReading::HERTZ;
            let found = low * (high / low).powf((step as f32 + 0.5) / STEPS as f32);
            assert!((found / hertz - 1.0).abs() < 0.05, "{hertz}: {found}");
            assert!((level + 6.0).abs() < 1.6, "{hertz}: {level}");
            // Half of it in one of two sides: 9 dB less.
            assert!((level - after[step] - 9.03).abs() < 0.1, "{level} to {}", after[step]);
        }
    }

    #[test]
    fn a_spectrum_decays_to_zero_in_12_s_of_silence() {
        let mut meter = EffectMeter::new(SampleRate(3_000));
        for n in 0..39_000 {
            let sample = if n < 3_000 { (n as f32 * 0.7).sin() } else { 0.0 };
            meter.push([sample; 2], [sample; 2]);
            assert!(meter.powers.iter().flatten().all(|power| !power.is_subnormal()), "{n}");
        }
        assert!(meter.powers.iter().flatten().all(|power| *power == 0.0));
    }

    #[test]
    fn six_seconds_stay_and_what_is_no_number_is_silence() {
        let mut meter = EffectMeter::new(SampleRate(3_000));
        meter.reduce(3.0);
        for _ in 0..21_000 {
            meter.push([f32::NAN, 0.1], [0.1; 2]);
        }
        let reading = meter.reading();
        assert_eq!(reading.columns.len(), EffectReading::COLUMNS);
        assert!((reading.columns[0].before.rms - 0.1).abs() < 1e-4);
        assert_eq!(reading.columns[0].reduction, 3.0);
        assert!(reading.spectra[0].iter().all(|level| level.is_finite()));
    }
}
