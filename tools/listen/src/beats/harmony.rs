//! The evidence of harmony for beats: where it changes, and whether it lasts for one bar or two.

use super::super::features::{CHROMA, Features};

/// Beats of the bars that are thought of.
const BAR: usize = 4;
/// Changes that have to be heard.
const FEWEST: usize = 3;
/// How much a change has to be, and how much of it may lie half way to the next.
const CHANGE: f64 = 0.3;
const HALF_WAY: f64 = 0.25;

/// The pitch classes from a time to another, in flux values; at least one value of them.
pub(super) fn pitches(features: &Features, from: f64, to: f64) -> [f64; 12] {
    let last = features.chroma.len();
    let from = ((from / CHROMA as f64).round() as usize).min(last);
    let to = ((to / CHROMA as f64).round() as usize).clamp(from, last).max((from + 1).min(last));
    let mut sum = [0.0f64; 12];
    for chroma in &features.chroma[from..to] {
        sum.iter_mut().zip(chroma).for_each(|(sum, x)| *sum += f64::from(*x));
    }
    sum
}

/// How different two harmonies are: 0 if they are the same or one is empty, 1 if they share no pitch class.
pub(super) fn unlike(a: &[f64; 12], b: &[f64; 12]) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let power = |x: &[f64; 12]| x.iter().map(|v| v * v).sum::<f64>();
    let norm = (power(a) * power(b)).sqrt();
    if norm > 0.0 { 1.0 - dot / norm } else { 0.0 }
}

/// Where the harmony changes with every eighth of these beats and never between, the first beat it changes with: then
/// it lasts for a bar, as it does mostly, when every other of them is no beat.
pub(super) fn every_eighth(features: &Features, at: &[f64]) -> Option<usize> {
    let change = |n: usize| {
        let before = pitches(features, *at.get(n.checked_sub(BAR)?)?, *at.get(n)?);
        Some(unlike(&before, &pitches(features, at[n], *at.get(n + BAR)?)))
    };
    let phase = |first: usize| -> Vec<f64> {
        (first..at.len()).step_by(2 * BAR).filter_map(change).collect()
    };
    let phases: Vec<Vec<f64>> = (0..2 * BAR).map(phase).collect();
    let mean = |n: usize| phases[n].iter().sum::<f64>() / phases[n].len().max(1) as f64;
    let first = (0..2 * BAR).max_by(|a, b| mean(*a).total_cmp(&mean(*b)))?;
    let mut sorted = phases[first].clone();
    sorted.sort_by(f64::total_cmp);
    // Nearly all have to change: in a progression two chords may be alike.
    let least = *sorted.get(sorted.len() / 4)?;
    let between = mean((first + BAR) % (2 * BAR));
    let is_plain = sorted.len() >= FEWEST && mean(first) >= CHANGE && least >= CHANGE / 2.0;
    (is_plain && between <= HALF_WAY * mean(first)).then_some(first)
}
