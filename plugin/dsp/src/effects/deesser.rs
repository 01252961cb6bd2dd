//! The de-esser. It splits the signal into two bands that add up to the input again, and turns the upper
//! band down while it is loud.
//!
//! The split is a state-variable filter (V. Zavalishin, "The Art of VA Filter Design", 2012) with
//! Butterworth poles. Its low, band and high parts at the gains 1, √g and g make a shelf with the
//! squared magnitude `(1 + g² ω⁴) / (1 + ω⁴)`: the input itself at g = 1, and no bump on the way.

use super::DeEsser;
use super::glide::{Ballistics, GROUP, Glide, pole, to_amplitude, to_decibels};
use crate::SampleRate;
use crate::subnormal::{settled, to_sample};
use std::f64::consts::{PI, SQRT_2};

const ATTACK_MS: f64 = 1.0;
const RELEASE_MS: f64 = 40.0;

/// Logarithm of the frequency, threshold, the most that is taken away.
fn numbers(settings: &DeEsser) -> [f32; 3] {
    [settings.frequency_hz.log2(), settings.threshold.0, settings.range_db].map(|it| it as f32)
}

/// Low, band and high part of one side.
#[derive(Clone, Copy, Debug, Default)]
struct Split {
    first: f64,
    second: f64,
}

impl Split {
    /// The parts add up to the input.
    #[inline(always)]
    fn next(&mut self, input: f64, g: f64) -> [f64; 3] {
        let high = (input - (SQRT_2 + g) * self.first - self.second) / (1.0 + SQRT_2 * g + g * g);
        let band = g * high + self.first;
        let low = g * band + self.second;
        self.first = g * high + band;
        self.second = g * band + low;
        [low, SQRT_2 * band, high]
    }

    fn settle(&mut self) {
        [self.first, self.second] = settled([self.first, self.second]);
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DeEsserKernel {
    numbers: Glide<3>,
    splits: [Split; 2],
    /// Tangent of the frequency for which the splits are.
    tangent: f64,
    ballistics: Ballistics,
    rate: f64,
}

impl DeEsserKernel {
    pub(super) fn new(settings: &DeEsser, rate: SampleRate) -> Self {
        let rate = f64::from(rate.0);
        let numbers = Glide::at(numbers(settings));
        Self {
            tangent: tangent(numbers.now()[0], rate),
            numbers,
            splits: [Split::default(); 2],
            ballistics: Ballistics::new(pole(ATTACK_MS, rate), pole(RELEASE_MS, rate)),
            rate,
        }
    }

    pub(super) fn set(&mut self, settings: &DeEsser, frames: u32) {
        self.numbers.go(numbers(settings), frames);
        if self.numbers.rests() {
            self.tangent = tangent(self.numbers.now()[0], self.rate);
        }
    }

    pub(super) fn reset(&mut self) {
        self.numbers.arrive();
        self.tangent = tangent(self.numbers.now()[0], self.rate);
        self.splits = [Split::default(); 2];
        self.ballistics.reset();
    }

    pub(super) fn process(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.chunks_mut(GROUP).zip(right.chunks_mut(GROUP)) {
            self.group(left, right);
            self.ballistics.settle();
            self.splits.iter_mut().for_each(Split::settle);
        }
    }

    #[inline(always)]
    fn group(&mut self, left: &mut [f32], right: &mut [f32]) {
        for (left, right) in left.iter_mut().zip(right) {
            let moves = !self.numbers.rests();
            let [octaves, threshold, range] = self.numbers.next();
            if moves {
                self.tangent = tangent(octaves, self.rate);
            }
            let [one, other] = &mut self.splits;
            let one = one.next(f64::from(*left), self.tangent);
            let other = other.next(f64::from(*right), self.tangent);
            let loud = one[2].abs().max(other[2].abs());
            let over = (to_decibels(to_sample(loud)) - threshold).clamp(0.0, range);
            let taken = self.ballistics.next(-over);
            let (half, gain) = (to_amplitude(taken / 2.0), to_amplitude(taken));
            let sum = |[low, band, high]: [f64; 3]| {
                to_sample(low + f64::from(half) * band + f64::from(gain) * high)
            };
            (*left, *right) = (sum(one), sum(other));
        }
    }

    pub(super) fn take_reduction(&mut self) -> f32 {
        self.ballistics.take()
    }
}

fn tangent(octaves: f32, rate: f64) -> f64 {
    (PI * (f64::from(octaves).exp2() / rate).min(0.45)).tan()
}
