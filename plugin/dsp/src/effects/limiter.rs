//! The true-peak limiter at work.
//!
//! The peak between the samples is found with the interpolator of the meters (BS.1770-5 annex 2). The gain
//! that it allows holds over all samples that the interpolator sees. Before them the gain comes down along
//! a smooth line: the minimum over the look-ahead, released exponentially, then averaged twice. If no
//! number is above the allowed gain, their average is not above it either. The averages count in whole
//! numbers, so they never drift.

mod window;

use super::Limiter;
use super::glide::{Glide, pole, to_amplitude, to_decibels};
use crate::SampleRate;
use crate::loudness::{HISTORY, Interpolator, TAPS};
pub(super) use window::Delay;
use window::{Average, Minimum, ONE};

/// The way of the gain to its lowest point.
const ATTACK_MS: f64 = 1.5;

/// The limiter stays this far below its ceiling, in dB: a gain that moves while the interpolator
/// looks costs it a little of its exactness.
const MARGIN: f32 = 0.03;

/// Frames whose peaks are looked for together.
const GROUP: usize = 16;

/// Drive and ceiling in dB.
fn numbers(settings: &Limiter) -> [f32; 2] {
    [settings.gain.0 as f32, settings.ceiling.0 as f32 - MARGIN]
}

/// How many frames each of the two averages takes.
fn half(rate: SampleRate) -> usize {
    ((ATTACK_MS / 2000.0 * f64::from(rate.0)).round() as usize).max(2)
}

/// How many frames later its output comes.
pub(super) fn latency(rate: SampleRate) -> usize {
    2 * half(rate) - 1 + TAPS - 2
}

#[derive(Clone, Debug)]
pub(super) struct LimiterKernel {
    numbers: Glide<2>,
    release: f32,
    interpolator: Interpolator,
    /// The last samples of each side, which the interpolator still needs.
    past: [[f32; HISTORY]; 2],
    minimum: Minimum,
    /// The allowed gain after the release.
    released: f32,
    averages: [Average; 2],
    delay: Delay,
    lowest: f32,
    rate: f64,
}

impl LimiterKernel {
    pub(super) fn new(settings: &Limiter, rate: SampleRate) -> Self {
        let (half, latency) = (half(rate), latency(rate));
        Self {
            numbers: Glide::at(numbers(settings)),
            release: pole(settings.release_ms, f64::from(rate.0)),
            interpolator: Interpolator::new(rate),
            past: [[0.0; HISTORY]; 2],
            minimum: Minimum::new(latency + 1),
            released: 1.0,
            averages: [Average::new(half), Average::new(half)],
            delay: Delay::new(latency),
            lowest: 1.0,
            rate: f64::from(rate.0),
        }
    }

    pub(super) fn set(&mut self, settings: &Limiter, frames: u32) {
        self.numbers.go(numbers(settings), frames);
        self.release = pole(settings.release_ms, self.rate);
    }

    pub(super) fn reset(&mut self) {
        self.numbers.arrive();
        self.past = [[0.0; HISTORY]; 2];
        self.minimum.reset();
        self.released = 1.0;
        self.averages.iter_mut().for_each(Average::reset);
        self.delay.reset();
        self.lowest = 1.0;
    }

    pub(super) fn adopt(&mut self, other: &Self) {
        (self.numbers, self.past, self.released) = (other.numbers, other.past, other.released);
        self.minimum.adopt(&other.minimum);
        for (average, other) in self.averages.iter_mut().zip(&other.averages) {
            average.adopt(other);
        }
        self.delay.adopt(&other.delay);
        self.lowest = other.lowest;
    }

    pub(super) fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.chunks_mut(GROUP).zip(right.chunks_mut(GROUP)) {
            self.group([left, right]);
        }
    }

    fn group(&mut self, sides: [&mut [f32]; 2]) {
        let [left, right] = sides;
        let frames = left.len().min(right.len());
        let mut ceilings = [0f32; GROUP];
        for (n, ceiling) in ceilings[..frames].iter_mut().enumerate() {
            let [drive, level] = self.numbers.next().map(to_amplitude);
            (left[n], right[n], *ceiling) = (left[n] * drive, right[n] * drive, level);
        }
        let lowest = ceilings[..frames].iter().fold(f32::MAX, |low, level| low.min(*level));
        let mut peaks = [0f32; GROUP];
        for (side, past) in [&*left, &*right].into_iter().zip(&mut self.past) {
            find_peaks(&self.interpolator, past, &side[..frames], lowest, &mut peaks);
        }
        for (n, (peak, ceiling)) in peaks[..frames].iter().zip(ceilings).enumerate() {
            let gain = self.gain(*peak, ceiling);
            [left[n], right[n]] = self.delay.next([left[n], right[n]]).map(|it| it * gain);
        }
    }

    /// The gain of the frame that leaves the delay, when one with this peak enters.
    #[inline(always)]
    fn gain(&mut self, peak: f32, ceiling: f32) -> f32 {
        let allowed = if peak > ceiling { ceiling / peak } else { 1.0 };
        let least = self.minimum.next(allowed);
        let risen = 1.0 + (self.released - 1.0) * self.release;
        self.released = least.min(risen);
        // Down to the next whole number, so that it never exceeds the allowed gain.
        let whole = (f64::from(self.released) * ONE as f64) as i64;
        let once = self.averages[0].next(whole);
        let twice = self.averages[1].next(once);
        let gain = (twice as f64 / ONE as f64) as f32;
        self.lowest = self.lowest.min(gain);
        gain
    }

    pub(super) fn take_reduction(&mut self) -> f32 {
        -to_decibels(std::mem::replace(&mut self.lowest, 1.0)).min(0.0)
    }
}

/// Raises `peaks` to the true peak around each frame of `side`, where it may be above `ceiling`.
fn find_peaks(
    interpolator: &Interpolator,
    past: &mut [f32; HISTORY],
    side: &[f32],
    ceiling: f32,
    peaks: &mut [f32; GROUP],
) {
    let mut window = [0f32; HISTORY + GROUP];
    window[..HISTORY].copy_from_slice(past);
    window[HISTORY..HISTORY + side.len()].copy_from_slice(side);
    let window = &window[..HISTORY + side.len()];
    past.copy_from_slice(&window[side.len()..]);
    let largest = window.iter().fold(0f32, |peak, sample| peak.max(sample.abs()));
    if largest <= ceiling && !interpolator.can_exceed(largest, ceiling) {
        return;
    }
    for (peak, taps) in peaks.iter_mut().zip(window.windows(TAPS)) {
        let middle = taps[TAPS / 2 - 1].abs().max(taps[TAPS / 2].abs());
        *peak = interpolator.between(taps, peak.max(middle));
    }
}
