//! Decides which of the pulses are the beats. A tempo and its double explain the same sound, so the sound
//! between two beats must decide. If it does not, the result says so.
//!
//! In drums the beats alternate: the snare comes between two kicks, as strong as they are but without their
//! bass. If all pulses are alike, bass included, nothing says that every other one is no beat. With strings
//! or keys, equal pulses between beats are eighths as often as beats.

use super::tempo::{self, Range, autocorrelation};

/// Mean accent of blocks from which on there are drums.
pub(super) const DRUMS: f32 = 0.35;
/// The fastest tempo that is put in place of its half, in beats a minute.
const FASTEST: f64 = 190.0;

/// The evidence of the sound for the half and the double of a tempo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Level {
    /// The tempo equals the beats' tempo.
    Plain,
    /// The beats are twice as fast; one may count half of them.
    Double,
    /// One may count twice as many beats.
    OrDouble,
}

/// How much recurs half way to the next beat, and half way to that, as shares of what recurs with the beat.
struct Between {
    all: f64,
    bass: f64,
    quarter: f64,
}

/// The level of beat `periods` (in values of the curves, one each [`tempo::STEP_S`]). `curve` is onset
/// strength, `low` the bass part of it; `rate` is values a second, `accent` the mean accent of the sound.
pub(super) fn level(
    (curve, low): (&[f32], &[f32]),
    periods: &[f64],
    rate: f64,
    range: Range,
    accent: f32,
) -> Level {
    let mut sorted = periods.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(middle) = sorted.get(sorted.len() / 2) else { return Level::Plain };
    let double = 120.0 * rate / middle;
    if double > range.high {
        return Level::Plain;
    }
    let heard: Vec<Between> = periods
        .iter()
        .enumerate()
        .map(|(n, period)| {
            let window = tempo::window(n, curve.len().min(low.len()), rate);
            between(&curve[window.clone()], &low[window], *period)
        })
        .collect();
    let most = |holds: fn(&Between) -> bool| {
        2 * heard.iter().filter(|between| holds(between)).count() > heard.len()
    };
    if accent >= DRUMS && double <= FASTEST && (most(Between::answers) || most(Between::is_even)) {
        Level::Double
    } else if most(Between::is_strong) {
        Level::OrDouble
    } else {
        Level::Plain
    }
}

impl Between {
    /// As strong as the beats, and nothing as strong between.
    fn is_strong(&self) -> bool {
        self.all >= 0.8 && self.quarter < 0.65
    }

    /// A snare between kicks.
    fn answers(&self) -> bool {
        self.is_strong() && self.bass <= 0.2
    }

    /// The same as the beats, bass included.
    fn is_even(&self) -> bool {
        self.is_strong() && self.all >= 0.9 && self.bass >= 0.6
    }
}

fn between(curve: &[f32], low: &[f32], period: f64) -> Between {
    let most = (period * 1.05) as usize + 3;
    let (all, bass) = (autocorrelation(curve, most), autocorrelation(low, most));
    let share = |lags: &[f64], part: f64, whole: f64| {
        let whole = near(lags, whole);
        if whole > 0.05 { near(lags, part) / whole } else { 0.0 }
    };
    Between {
        all: share(&all, period / 2.0, period),
        bass: share(&bass, period / 2.0, period),
        quarter: share(&all, period / 4.0, period / 2.0),
    }
}

/// The most within 2 % of a lag, which is found only so exactly.
fn near(lags: &[f64], lag: f64) -> f64 {
    let shares = [0.98, 0.99, 1.0, 1.01, 1.02];
    shares.iter().map(|share| tempo::at(lags, lag * share)).fold(f64::NEG_INFINITY, f64::max)
}
