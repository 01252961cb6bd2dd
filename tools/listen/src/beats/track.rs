//! Beats: the chain of times on strong onsets, one beat period apart (D. Ellis, 2007), and the beats that
//! start a bar.

use super::super::features::{BLOCK, Features};
use super::harmony::{every_eighth, pitches, unlike};
use super::level::{DRUMS, Level, level};
use super::tempo::{self, Range};

/// The weight of the bass against the full sound: for the tempo, and for the choice of pulses.
const BASS: (f32, f32) = (0.5, 1.0);
/// How strictly beats keep to the period.
const TIGHT: f64 = 600.0;

/// The beats of a recording, in flux values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Beats {
    /// Each beat.
    pub(crate) at: Vec<f64>,
    /// Index of the first downbeat among them.
    pub(crate) first: usize,
    /// Beats in a bar.
    pub(crate) meter: usize,
    /// How clear the downbeats are, 0 to 1.
    pub(crate) sure: f64,
    /// Times the tempo: one may count it so as well.
    pub(crate) or: Option<f64>,
}

impl Beats {
    /// Whether a beat is the first of a bar.
    pub(crate) fn is_down(&self, beat: usize) -> bool {
        self.meter > 0 && beat >= self.first && (beat - self.first).is_multiple_of(self.meter)
    }

    /// The median tempo, in beats a minute; `None` with fewer than two beats.
    pub(crate) fn bpm(&self, step_s: f64) -> Option<f64> {
        // Over several beats, so that how exactly one is found matters less.
        let over = (self.at.len() / 3).clamp(1, 8);
        let mut periods: Vec<f64> =
            self.at.windows(over + 1).map(|w| (w[over] - w[0]) / over as f64).collect();
        periods.sort_by(f64::total_cmp);
        let middle = *periods.get(periods.len() / 2)?;
        (middle > 0.0).then(|| 60.0 / (middle * step_s))
    }
}

/// Finds the beats; `meter` of 0 means that 3 and 4 are tried.
pub(crate) fn beats(features: &Features, range: Range, meter: usize) -> Beats {
    let rate = 1.0 / features.step_s();
    let pulses = strength(features, BASS.0);
    let mut periods = tempo::periods(&pulses, rate, range);
    if periods.is_empty() {
        return Beats::default();
    }
    let low = relative(features, &features.low);
    let or = match level((&pulses, &low), &periods, rate, range, accent(features)) {
        Level::Plain => None,
        Level::OrDouble => Some(2.0),
        Level::Double => {
            periods.iter_mut().for_each(|period| *period /= 2.0);
            Some(0.5)
        }
    };
    let curve = strength(features, BASS.1);
    let chain = chain(&curve, &periods, rate);
    let at = trimmed(&curve, chain);
    let at: Vec<f64> = at.into_iter().map(|n| super::super::peaks::top(&curve, n)).collect();
    match slower(features, &at, range) {
        Some(at) => Beats { or: Some(2.0), ..bars(features, at, meter) },
        None => Beats { or, ..bars(features, at, meter) },
    }
}

/// Every other beat, where the harmony says that the others are between. Drums say it themselves: over a beat that
/// stays chords last longer.
fn slower(features: &Features, at: &[f64], range: Range) -> Option<Vec<f64>> {
    let (first, last) = (*at.first()?, *at.last()?);
    let bpm = 60.0 * (at.len() - 1) as f64 / ((last - first).max(1.0) * features.step_s());
    if accent(features) >= DRUMS || bpm / 2.0 < range.low {
        return None;
    }
    let change = every_eighth(features, at)?;
    Some(at.iter().copied().skip(change % 2).step_by(2).collect())
}

/// How much of the sound are hits.
fn accent(features: &Features) -> f32 {
    let sum: f32 = features.blocks.iter().map(|block| block.accent).sum();
    sum / features.blocks.len().max(1) as f32
}

/// Onset strength, with what the bass plays once more: beats lie there rather than between.
fn strength(features: &Features, bass: f32) -> Vec<f32> {
    let (all, low) = (relative(features, &features.flux), relative(features, &features.low));
    all.iter().zip(&low).map(|(all, low)| all + bass * low).collect()
}

/// A curve, smoothed and relative to its surroundings.
fn relative(features: &Features, flux: &[f32]) -> Vec<f32> {
    let kernel: Vec<f32> = (-6..=6).map(|n| (-0.5 * (n as f32 / 2.5).powi(2)).exp()).collect();
    let sum: f32 = kernel.iter().sum();
    let smooth = |n: usize| {
        let near = kernel.iter().enumerate().filter_map(|(k, w)| {
            let at = (n + k).checked_sub(6)?;
            Some(flux.get(at)? * w)
        });
        near.sum::<f32>() / sum
    };
    let smooth: Vec<f32> = (0..flux.len()).map(smooth).collect();
    let around = features.steps(2.0).max(1);
    let (mut sum, mut squares) = (vec![0.0f64], vec![0.0f64]);
    for x in &smooth {
        let x = f64::from(*x);
        sum.push(sum[sum.len() - 1] + x);
        squares.push(squares[squares.len() - 1] + x * x);
    }
    let relative = |(n, x): (usize, &f32)| {
        let (from, to) = (n.saturating_sub(around), (n + around).min(smooth.len()));
        let count = (to - from).max(1) as f64;
        let mean = (sum[to] - sum[from]) / count;
        let deviation = ((squares[to] - squares[from]) / count - mean * mean).max(0.0).sqrt();
        (((f64::from(*x) - mean) / (deviation + 0.004)).max(0.0)) as f32
    };
    smooth.iter().enumerate().map(relative).collect()
}

/// The best chain of values, about a period apart.
fn chain(curve: &[f32], periods: &[f64], rate: f64) -> Vec<usize> {
    let step = (tempo::STEP_S * rate).max(1.0);
    let period_at = |n: usize| periods[((n as f64 / step) as usize).min(periods.len() - 1)];
    let mut score = vec![0.0f64; curve.len()];
    let mut back = vec![usize::MAX; curve.len()];
    for n in 0..curve.len() {
        let period = period_at(n);
        let (near, far) = ((period * 0.5).max(1.0) as usize, (period * 2.0) as usize);
        let mut best = (0.0, usize::MAX);
        for lag in near..=far.min(n) {
            let octaves = (lag as f64 / period).ln();
            let reach = score[n - lag] - TIGHT * octaves * octaves;
            if reach > best.0 {
                best = (reach, n - lag);
            }
        }
        score[n] = f64::from(curve[n]) + best.0;
        back[n] = best.1;
    }
    let last = period_at(curve.len().saturating_sub(1)) as usize;
    let tail = curve.len().saturating_sub(last)..curve.len();
    let Some(mut at) = tail.max_by(|a, b| score[*a].total_cmp(&score[*b])) else {
        return Vec::new();
    };
    let mut beats = vec![at];
    while back[at] != usize::MAX {
        at = back[at];
        beats.push(at);
    }
    beats.reverse();
    beats
}

/// Removes the beats before the first and after the last that has any sound.
fn trimmed(curve: &[f32], beats: Vec<usize>) -> Vec<usize> {
    let near = |n: &usize| {
        let part = &curve[n.saturating_sub(4)..(n + 5).min(curve.len())];
        part.iter().copied().fold(0.0, f32::max)
    };
    let mut strengths: Vec<f32> = beats.iter().map(near).collect();
    let all = strengths.clone();
    strengths.sort_by(f32::total_cmp);
    let least = strengths.get(strengths.len() / 2).copied().unwrap_or(0.0) * 0.4;
    let Some(first) = all.iter().position(|s| *s > least) else { return Vec::new() };
    let last = all.iter().rposition(|s| *s > least).unwrap_or(first);
    beats[first..=last].to_vec()
}

/// Which beats begin a bar: where the bass enters, the harmony changes and the accents lie.
fn bars(features: &Features, at: Vec<f64>, meter: usize) -> Beats {
    let accents = accents(features, &at);
    let mut best = Beats { meter: meter.max(1), ..Beats::default() };
    let meters = if meter == 0 { vec![4, 3] } else { vec![meter] };
    for meter in meters {
        let phase = |phase: usize| {
            let on: Vec<f64> = accents.iter().skip(phase).step_by(meter).copied().collect();
            on.iter().sum::<f64>() / on.len().max(1) as f64
        };
        for first in 0..meter.min(at.len()) {
            // Three a bar is rare: it has to be plain.
            let found = phase(first) - if meter == 3 { 0.15 } else { 0.0 };
            if best.sure < found || best.meter != meter && best.sure == 0.0 {
                best = Beats { first, meter, sure: found.max(0.0), ..Beats::default() };
            }
        }
    }
    best.sure = best.sure.clamp(0.0, 1.0);
    Beats { at, ..best }
}

/// How much each beat sounds like the first of a bar, with a mean of 0.
fn accents(features: &Features, at: &[f64]) -> Vec<f64> {
    let most = |curve: &[f32], at: f64| {
        let n = (at.round() as usize).min(curve.len());
        let part = &curve[n.saturating_sub(8)..(n + 12).min(curve.len())];
        f64::from(part.iter().copied().fold(0.0, f32::max))
    };
    let low: Vec<f64> = at.iter().map(|at| most(&features.low, *at)).collect();
    let all: Vec<f64> = at.iter().map(|at| most(&features.flux, *at)).collect();
    let harmony: Vec<f64> = (0..at.len()).map(|n| harmony(features, at, n)).collect();
    let (low, all, harmony) = (standard(low), standard(all), standard(harmony));
    (0..at.len()).map(|n| (0.45 * low[n] + 0.2 * all[n] + 0.7 * harmony[n]) / 1.35).collect()
}

/// How much the harmony from one beat to the next differs from that of the previous beat.
fn harmony(features: &Features, at: &[f64], n: usize) -> f64 {
    let (Some(before), Some(here)) = (n.checked_sub(1).map(|n| at[n]), at.get(n)) else {
        return 0.0;
    };
    let next = at.get(n + 1).copied().unwrap_or(here + BLOCK as f64);
    unlike(&pitches(features, before, *here), &pitches(features, *here, next))
}

fn standard(values: Vec<f64>) -> Vec<f64> {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let deviation = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count).sqrt();
    let scale = if deviation > 1e-6 { 1.0 / deviation } else { 0.0 };
    values.into_iter().map(|v| (v - mean) * scale).collect()
}
