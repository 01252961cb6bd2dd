//! Where two recordings may belong together when they do not where they lie: candidates over minutes, to some
//! milliseconds, which [`super::delay`] then measures.
//!
//! Windows of one recording are compared with all of the other at a low rate, by what sounds and by where the level
//! rises. What several windows agree on comes first.

use super::By;
use super::transients::{HOP, rises};
use deskhand_dsp::correlation::{ReadMono, correlation, low};
use std::ops::Range;

/// The farthest that is looked, in s.
const FARTHEST_S: usize = 600;
/// Rate of what is compared, in Hz: what carries a voice is below the half of it.
const LOW_RATE: usize = 2_000;
/// Length of a window and how many there are at most, and the shortest window, in samples of the low rate.
const WINDOW: usize = 1 << 15;
const WINDOWS: usize = 8;
const SHORTEST: usize = 1 << 10;
/// Windows with less than this share of the loudest one's power are passed over.
const QUIET: f64 = 0.01;
/// Peaks of a window that count, and how far apart they are, in s.
const PEAKS: usize = 3;
const APART_S: f64 = 0.05;
/// Candidates of each kind of comparison.
const CANDIDATES: usize = 3;

/// A recording: how to read it, and where it is, in frames.
pub(super) struct Recording<'a, 'b, E> {
    pub(super) read: &'a mut ReadMono<'b, E>,
    pub(super) range: Range<i64>,
}

/// A delay that a window speaks for, in samples of the low rate.
#[derive(Clone, Copy)]
struct Vote {
    delay: i64,
    weight: f64,
}

/// How late `b` may be against `a`, in frames, the likeliest first.
pub(super) fn candidates<E>(
    a: &mut Recording<'_, '_, E>,
    b: &mut Recording<'_, '_, E>,
    by: By,
    rate: usize,
) -> Result<Vec<i64>, E> {
    let mut found = Vec::new();
    if by == By::Waveform {
        let step = (rate / LOW_RATE).max(1);
        let (first, second) =
            (low(a.read, a.range.clone(), step)?, low(b.read, b.range.clone(), step)?);
        found.extend(likeliest(&first, &second, (&*a, &*b), (step, rate)));
    }
    let hops = |of: &mut Recording<'_, '_, E>| -> Result<Vec<f32>, E> {
        let count = (of.range.end - of.range.start).max(0) as usize / HOP;
        let rises = rises(of.read, of.range.start, count)?;
        Ok(rises.into_iter().map(|rise| rise as f32).collect())
    };
    let (first, second) = (hops(a)?, hops(b)?);
    found.extend(likeliest(&first, &second, (&*a, &*b), (HOP, rate)));
    Ok(found)
}

/// The delays that the windows of `second` agree on, in frames.
fn likeliest<E>(
    first: &[f32],
    second: &[f32],
    (a, b): (&Recording<'_, '_, E>, &Recording<'_, '_, E>),
    (step, rate): (usize, usize),
) -> Vec<i64> {
    let low_rate = rate / step;
    let window = WINDOW.min(first.len()).min(second.len());
    if window < SHORTEST {
        return Vec::new();
    }
    let between = (b.range.start - a.range.start) / step as i64;
    let farthest = (FARTHEST_S * low_rate) as i64;
    let apart = (APART_S * low_rate as f64) as usize;
    let power = |at: &usize| {
        let part = second.get(*at..*at + window).unwrap_or_default();
        part.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>()
    };
    let places = places(second.len(), window);
    let loudest = places.iter().map(power).fold(0.0, f64::max);
    let mut votes = Vec::new();
    for at in places.into_iter().filter(|at| power(at) > loudest * QUIET) {
        // The window lies at this sample of the first recording where both are where they should be.
        let here = at as i64 + between;
        let half = window as i64 / 2;
        let from = (here - farthest).max(-half);
        let to = (here + farthest + window as i64).min(first.len() as i64 + half);
        let around = padded(first, from..to.max(from));
        let lags = correlation(second.get(at..at + window).unwrap_or_default(), &around, 0.8);
        let valid = around.len().saturating_sub(window) + 1;
        for (lag, weight) in peaks(lags.get(..valid).unwrap_or_default(), apart) {
            votes.push(Vote { delay: here - (from + lag as i64), weight });
        }
    }
    agreed(votes, apart as i64).into_iter().map(|delay| delay * step as i64).collect()
}

/// Where windows begin, evenly over `length`.
fn places(length: usize, window: usize) -> Vec<usize> {
    let count = length.div_ceil(window).clamp(1, WINDOWS);
    let room = length - window;
    (0..count).map(|n| if count == 1 { room / 2 } else { room * n / (count - 1) }).collect()
}

/// Part of a signal without its mean; zeros where there is nothing.
fn padded(signal: &[f32], range: Range<i64>) -> Vec<f32> {
    let inside = |n: i64| usize::try_from(n).ok().and_then(|n| signal.get(n)).copied();
    let known = || range.clone().filter_map(inside).map(f64::from);
    let mean = (known().sum::<f64>() / known().count().max(1) as f64) as f32;
    range.clone().map(|n| inside(n).map_or(0.0, |sample| sample - mean)).collect()
}

/// The strongest lags, `apart` from each other, each with how far it stands out.
fn peaks(lags: &[f64], apart: usize) -> Vec<(usize, f64)> {
    let usual = (lags.iter().map(|x| x * x).sum::<f64>() / lags.len().max(1) as f64).sqrt();
    let mut found: Vec<(usize, f64)> = Vec::new();
    for _ in 0..PEAKS {
        let is_new = |lag: usize| found.iter().all(|(known, _)| known.abs_diff(lag) > apart);
        let best = lags.iter().map(|x| x.abs()).enumerate().filter(|(lag, _)| is_new(*lag));
        let Some((lag, value)) = best.max_by(|x, y| x.1.total_cmp(&y.1)) else { break };
        found.push((lag, value / usual.max(f64::MIN_POSITIVE)));
    }
    found
}

/// The delays with the most weight around them, within `apart`.
fn agreed(votes: Vec<Vote>, apart: i64) -> Vec<i64> {
    let sum = |vote: &Vote| -> f64 {
        let near = votes.iter().filter(|other| (other.delay - vote.delay).abs() <= apart);
        near.map(|other| other.weight).sum()
    };
    let mut sums: Vec<(f64, Vote)> = votes.iter().map(|vote| (sum(vote), *vote)).collect();
    sums.sort_by(|x, y| {
        (y.0, y.1.weight).partial_cmp(&(x.0, x.1.weight)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut found: Vec<i64> = Vec::new();
    for (_, vote) in sums {
        if found.len() < CANDIDATES && found.iter().all(|known| (known - vote.delay).abs() > apart)
        {
            found.push(vote.delay);
        }
    }
    found
}
