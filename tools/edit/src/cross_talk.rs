//! Whether two recordings carry the same sound, as microphones in one room do, however softly each hears the other's
//! speaker. The import tool calls it.
//!
//! The recordings are compared by events: sounds above the steady sound of their band. All bands count alike (the
//! phase transform of Knapp and Carter, frame by frame). So hum and noise count for nothing, and soft speech for as much
//! as loud speech.

use deskhand_dsp::correlation::correlation;
use deskhand_dsp::spectrum::{Complex, Forward, Inverse, overlap_add};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The rate at which recordings are compared, in Hz, roughly.
pub(crate) const RATE: usize = 4_000;
/// The shortest time that recordings must share, in samples.
pub(crate) const SHORTEST: usize = 10 * RATE;

/// Samples of a frame, half of which each frame shares with the next.
const FRAME: usize = 256;
const HOP: usize = FRAME / 2;
/// The bands that count, 200 Hz to 1.7 kHz: above mains hum and rumble, and most of what a voice is.
const BANDS: Range<usize> = 13..109;
/// A band has an event where it is so much louder than in the quietest quarter of its frames.
const ABOVE_STEADY: f32 = 3.0;
/// Softer bands are silent, about -100 dBFS.
const SILENT: f32 = 1e-4;

/// Windows along the shared time, and their shortest and longest.
const WINDOWS: usize = 16;
const WINDOW: Range<usize> = 3 * RATE..15 * RATE;
/// How far around the likeliest delay a window looks, and how near to it counts as agreeing: two people are heard with
/// opposite delays, and clocks drift.
const REACH: usize = 2 * RATE;
const NEAR: usize = RATE / 25;
/// Over so many samples a peak of the correlation is smeared: over minutes by drift, in a window by the room.
const SMEAR: usize = RATE / 50;
const SMEAR_IN_WINDOW: usize = RATE / 500;
/// How much stronger a peak must be than any other. What repeats itself, such as a click track, has many peaks.
const ALONE: f64 = 2.0;
/// The fewest windows that must agree. Of all windows with events half must.
const AGREEING: usize = 3;

/// Samples of a stretch in which a copy shows, and the share of such stretches that make one.
const STRETCH: usize = RATE / 2;
const COPIED: f64 = 0.05;
/// How alike a copy is, and how far levels may be apart, as ratios.
const ALIKE: f64 = 0.9;
const LEVEL: f64 = 4.0;

type Bin = Complex<f32>;

/// A recording as it is compared.
pub(crate) struct Heard {
    /// What sounds in the bands that count.
    band: Vec<f32>,
    /// The events in it, all equally loud.
    events: Vec<f32>,
}

impl Heard {
    /// A recording at about [`RATE`].
    pub(crate) fn new(samples: &[f32]) -> Self {
        let mut spectra = spectra(samples);
        let band = overlapped(&spectra, samples.len());
        for bin in BANDS {
            keep_events(&mut spectra, bin);
        }
        Self { band, events: overlapped(&spectra, samples.len()) }
    }
}

/// How late the sound that both carry is in `b`, in samples; `None` if they carry none in common, or if one is a copy of
/// the other, or of the same music.
pub(crate) fn delay(a: &Heard, b: &Heard) -> Option<i64> {
    let rough = likeliest(&a.events, &b.events)?;
    let windows = windows(a.events.len(), b.events.len(), rough);
    let loud = |events: &[f32], at: Range<i64>| power(&part(events, at)) * 10.0;
    let mean = |events: &[f32], length: f64| power(events) * length / events.len() as f64;
    let has_events = |window: &Range<i64>| {
        let length = (window.end - window.start) as f64;
        let there = window.start + rough..window.end + rough;
        loud(&a.events, window.clone()) > mean(&a.events, length)
            && loud(&b.events, there) > mean(&b.events, length)
    };
    let windows: Vec<Range<i64>> = windows.into_iter().filter(has_events).collect();
    let found = |window: &Range<i64>| Some((window.clone(), local(a, b, window, rough)?));
    let found: Vec<(Range<i64>, i64)> = windows.iter().filter_map(found).collect();
    if found.len() < AGREEING || found.len() * 2 < windows.len() || are_copies(a, b, &found) {
        return None;
    }
    let mut delays: Vec<i64> = found.into_iter().map(|(_, delay)| delay).collect();
    delays.sort_unstable();
    delays.get(delays.len() / 2).copied()
}

/// The spectrum of each frame, with the bands that count.
fn spectra(samples: &[f32]) -> Vec<Vec<Bin>> {
    let mut forward = Forward::windowed(shape());
    let one = |at: usize| {
        let mut bins = forward.of(samples.iter().skip(at).copied()).to_vec();
        for (bin, value) in bins.iter_mut().enumerate() {
            if !BANDS.contains(&bin) {
                *value = Bin::default();
            }
        }
        bins
    };
    (0..samples.len()).step_by(HOP).map(one).collect()
}

/// The root of a Hann window: used on the way in and on the way out, frames add up to what they were.
fn shape() -> Vec<f32> {
    (0..FRAME).map(|n| (std::f32::consts::PI * n as f32 / FRAME as f32).sin()).collect()
}

/// Makes events in one band equally loud, and silences what is steady.
fn keep_events(spectra: &mut [Vec<Bin>], bin: usize) {
    let level = |frame: &Vec<Bin>| frame.get(bin).map_or(0.0, |value| value.norm());
    let mut levels: Vec<f32> = spectra.iter().map(level).collect();
    let quarter = levels.len() / 4;
    let steady = match quarter {
        0 => 0.0,
        _ => *levels.select_nth_unstable_by(quarter, f32::total_cmp).1,
    };
    let least = (steady * ABOVE_STEADY).max(SILENT);
    for value in spectra.iter_mut().filter_map(|frame| frame.get_mut(bin)) {
        let level = value.norm();
        *value = if level > least { *value / level } else { Bin::default() };
    }
}

/// Frames put together again.
fn overlapped(spectra: &[Vec<Bin>], length: usize) -> Vec<f32> {
    let (mut inverse, shape) = (Inverse::new(FRAME), shape());
    let mut out = vec![0.0; length];
    for (bins, at) in spectra.iter().zip((0..).step_by(HOP)) {
        let frame = inverse.of(bins.iter().copied());
        let sums = out.get_mut(at..).unwrap_or_default();
        overlap_add(sums, frame, &shape, 1.0 / FRAME as f32);
    }
    out
}

/// The delay at which all of both recordings fits best.
fn likeliest(a: &[f32], b: &[f32]) -> Option<i64> {
    let shorter = a.len().min(b.len());
    let ahead = vec![0.0; a.len()];
    let lags = correlation(a, &[&ahead, b].concat(), 0.0);
    let valid = SHORTEST..(a.len() + b.len()).saturating_sub(SHORTEST);
    let smeared = smeared(lags.get(valid.clone()).filter(|_| shorter >= SHORTEST)?, SMEAR);
    let (best, _) = smeared.iter().enumerate().max_by(|x, y| x.1.total_cmp(y.1))?;
    Some((valid.start + best) as i64 - a.len() as i64)
}

/// The power around each lag, `width` samples wide.
fn smeared(lags: &[f64], width: usize) -> Vec<f64> {
    let mut sums = vec![0.0];
    sums.extend(lags.iter().scan(0.0, |sum, lag| {
        *sum += lag * lag;
        Some(*sum)
    }));
    let sum = |index: usize| sums.get(index.min(lags.len())).copied().unwrap_or(0.0);
    let half = width / 2;
    (0..lags.len()).map(|lag| sum(lag + half + 1) - sum(lag.saturating_sub(half))).collect()
}

/// Windows of `a` over the time that both share if `b` is late by `delay`.
fn windows(a: usize, b: usize, delay: i64) -> Vec<Range<i64>> {
    let from = (-delay).max(0);
    let length = (a as i64).min(b as i64 - delay) - from;
    let window = (length / WINDOWS as i64).clamp(WINDOW.start as i64, WINDOW.end as i64);
    let count = (length / window).clamp(0, WINDOWS as i64);
    let at = |n: i64| from + if count > 1 { (length - window) * n / (count - 1) } else { 0 };
    (0..count).map(|n| at(n)..at(n) + window).collect()
}

/// The delay in a window, if it is near the rough one and no other delay fits as well.
fn local(a: &Heard, b: &Heard, window: &Range<i64>, rough: i64) -> Option<i64> {
    let from = window.start + rough - REACH as i64;
    let around = part(&b.events, from..window.end + rough + REACH as i64);
    let lags = correlation(&part(&a.events, window.clone()), &around, 0.0);
    let smeared = smeared(lags.get(..=2 * REACH)?, SMEAR_IN_WINDOW);
    let strongest = |is_near: bool| {
        let lags = smeared.iter().enumerate();
        let lags = lags.filter(move |(lag, _)| (lag.abs_diff(REACH) <= NEAR) == is_near);
        lags.max_by(|x, y| x.1.total_cmp(y.1))
    };
    let ((best, inside), (_, outside)) = (strongest(true)?, strongest(false)?);
    (*inside > ALONE * outside).then_some(rough + best as i64 - REACH as i64)
}

/// Whether the sound is in both as it is, equally loud, in a good part of the stretches: no air was between.
fn are_copies(a: &Heard, b: &Heard, windows: &[(Range<i64>, i64)]) -> bool {
    let (mut all, mut alike) = (0usize, 0usize);
    let mean = power(&a.events) * STRETCH as f64 / a.events.len() as f64;
    for (window, delay) in windows {
        for at in window.clone().step_by(STRETCH) {
            let stretch = at..at + STRETCH as i64;
            if power(&part(&a.events, stretch.clone())) * 4.0 > mean {
                all += 1;
                alike += usize::from(is_copy(&a.band, &b.band, &stretch, *delay));
            }
        }
    }
    alike as f64 > all as f64 * COPIED
}

fn is_copy(a: &[f32], b: &[f32], stretch: &Range<i64>, delay: i64) -> bool {
    let first = part(a, stretch.clone());
    let likeness = |delay: i64| {
        let second = part(b, stretch.start + delay..stretch.end + delay);
        let product: f64 = first.iter().zip(&second).map(|(x, y)| f64::from(x * y)).sum();
        let (one, other) = (power(&first), power(&second));
        let is_level = one < other * LEVEL && other < one * LEVEL;
        if is_level { product / (one * other).sqrt() } else { 0.0 }
    };
    let near: Vec<f64> = (delay - 3..=delay + 3).map(likeness).collect();
    near.windows(3).any(|three| top(three) > ALIKE)
}

/// The highest point of the parabola through three values of which the middle one is the highest.
fn top(three: &[f64]) -> f64 {
    match three {
        [left, middle, right] if middle >= left && middle >= right => {
            let bend = 2.0 * middle - left - right;
            middle + if bend > 0.0 { (right - left).powi(2) / (8.0 * bend) } else { 0.0 }
        }
        _ => 0.0,
    }
}

fn power(samples: &[f32]) -> f64 {
    samples.iter().map(|sample| f64::from(*sample).powi(2)).sum()
}

/// Part of a signal; zeros where there is nothing.
fn part(signal: &[f32], range: Range<i64>) -> Vec<f32> {
    let at = |n: i64| usize::try_from(n).ok().and_then(|n| signal.get(n)).copied();
    range.map(|n| at(n).unwrap_or(0.0)).collect()
}
