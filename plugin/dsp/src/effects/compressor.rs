//! The compressor at work: level, static curve, ballistics, as in D. Giannoulis, M. Massberg and
//! J. D. Reiss, "Digital Dynamic Range Compressor Design" (JAES 60, 2012), in the log domain.

use super::glide::{Ballistics, GROUP, Glide, pole, to_amplitude, to_decibels};
use super::{Compressor, Detector};
use crate::subnormal::{decayed, square};
use crate::{Decibels, SampleRate};

/// The window of the RMS detector.
const RMS_MS: f64 = 10.0;

impl Compressor {
    /// The level that comes out for a steady `level`, without make-up gain.
    #[must_use]
    pub fn curve(&self, level: Decibels) -> Decibels {
        let [threshold, slope, knee, _] = numbers(self);
        Decibels(level.0 + f64::from(reduction(level.0 as f32 - threshold, slope, knee)))
    }
}

/// The reduction of a level `over` the threshold, in dB, 0 or less.
#[inline(always)]
fn reduction(over: f32, slope: f32, knee: f32) -> f32 {
    let half = knee / 2.0;
    if over <= -half {
        0.0
    } else if over < half {
        slope * (over + half) * (over + half) / (2.0 * knee)
    } else {
        slope * over
    }
}

/// Threshold, slope of the reduction, knee, make-up gain.
fn numbers(settings: &Compressor) -> [f32; 4] {
    let slope = 1.0 / settings.ratio.max(1.0) - 1.0;
    [settings.threshold.0, slope, settings.knee_db, settings.makeup.0].map(|it| it as f32)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CompressorKernel {
    numbers: Glide<4>,
    detector: Detector,
    ballistics: Ballistics,
    squares: [f32; 2],
    window: f32,
    rate: f64,
}

impl CompressorKernel {
    pub(super) fn new(settings: &Compressor, rate: SampleRate) -> Self {
        let rate = f64::from(rate.0);
        Self {
            numbers: Glide::at(numbers(settings)),
            detector: settings.detector,
            ballistics: Ballistics::new(
                pole(settings.attack_ms, rate),
                pole(settings.release_ms, rate),
            ),
            squares: [0.0; 2],
            window: pole(RMS_MS, rate),
            rate,
        }
    }

    pub(super) fn set(&mut self, settings: &Compressor, frames: u32) {
        self.numbers.go(numbers(settings), frames);
        self.detector = settings.detector;
        self.ballistics.down = pole(settings.attack_ms, self.rate);
        self.ballistics.up = pole(settings.release_ms, self.rate);
    }

    pub(super) fn reset(&mut self) {
        self.numbers.arrive();
        self.ballistics.reset();
        self.squares = [0.0; 2];
    }

    pub(super) fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.chunks_mut(GROUP).zip(right.chunks_mut(GROUP)) {
            self.group(left, right);
            self.ballistics.settle();
            self.squares = self.squares.map(decayed);
        }
    }

    #[inline(always)]
    fn group(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.iter_mut().zip(right) {
            let [threshold, slope, knee, makeup] = self.numbers.next();
            let over = self.level(*left, *right) - threshold;
            let taken = self.ballistics.next(reduction(over, slope, knee));
            let gain = to_amplitude(taken + makeup);
            *left *= gain;
            *right *= gain;
        }
    }

    /// The louder side decides for both, so that nothing moves between them.
    #[inline(always)]
    fn level(&mut self, left: f32, right: f32) -> f32 {
        for (mean, sample) in self.squares.iter_mut().zip([left, right]) {
            let square = square(sample);
            *mean = square + (*mean - square) * self.window;
        }
        match self.detector {
            Detector::Peak => to_decibels(left.abs().max(right.abs())),
            Detector::Rms => to_decibels(self.squares[0].max(self.squares[1])) / 2.0,
        }
    }

    pub(super) fn take_reduction(&mut self) -> f32 {
        self.ballistics.take()
    }
}
