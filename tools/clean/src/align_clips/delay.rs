//! How late one recording is against another: local delays along the take, and the line through them.
//!
//! Delays come from the phase-weighted cross-correlation (C. Knapp, G. Carter: "The generalized
//! correlation method for estimation of time delay", 1976), with the weight to the power of 0.8, so that
//! bands with little in them do not decide. The line is the median of all slopes (Theil and Sen), then
//! the least squares of what lies near it. Then the second recording is read along that line, and
//! what is left is measured again: near 0 the interpolation of the peak has no bias.

use super::warp::{REACH, warp};
use deskhand_dsp::correlation::{ReadMono, correlation};

/// Frames of a window in the first pass, and later on, when the drift is known.
const ROUGH: usize = 1 << 15;
const FINE: usize = 1 << 16;
/// The shortest take that is compared.
pub(super) const SHORTEST: usize = 4096;
/// Most windows along a take.
const WINDOWS: usize = 48;
/// Frames from which on a drift can be told from chance.
const LONG: usize = 480_000;
/// The most that clocks are taken to differ, as a ratio.
const MOST_DRIFT: f64 = 400e-6;
/// How far from the line a local delay may be to count as agreeing, in frames.
const NEAR: f64 = 24.0;

/// How one recording lies against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alignment {
    /// How late the second is at the first frame, in frames.
    pub(super) delay: f64,
    /// How much later it gets with each frame.
    pub(super) drift: f64,
    /// Normalized correlation once aligned, -1 to 1: negative for inverted polarity.
    pub(super) correlation: f64,
    /// The share of windows that agree with the line.
    pub(super) agreement: f64,
}

impl Alignment {
    /// How late the second recording is at `frame` of the first.
    fn at(self, frame: f64) -> f64 {
        self.delay + self.drift * frame
    }

    /// How much earlier the second recording must be for its own `frame` to meet what it belongs to.
    pub(super) fn shift(self, frame: f64) -> f64 {
        (self.delay + self.drift * frame) / (1.0 + self.drift)
    }

    /// The same alignment where it was measured from frame `from` of the first on, with the second `known` frames
    /// earlier.
    pub(super) fn from(self, from: i64, known: i64) -> Self {
        Self { delay: self.delay + known as f64 - self.drift * from as f64, ..self }
    }
}

/// A local delay.
#[derive(Clone, Copy, Debug)]
struct Local {
    frame: f64,
    delay: f64,
    correlation: f64,
}

/// Compares the first `length` frames of `a` with `b`, which is at most `most` frames early or late.
/// `None` where they are silent or too short.
pub(super) fn align<E>(
    a: &mut ReadMono<'_, E>,
    b: &mut ReadMono<'_, E>,
    length: usize,
    most: usize,
) -> Result<Option<Alignment>, E> {
    if length < SHORTEST {
        return Ok(None);
    }
    let is_long = length >= LONG;
    let reach = most + if is_long { (length as f64 * MOST_DRIFT) as usize } else { 0 };
    let mut found = Alignment { delay: 0.0, drift: 0.0, correlation: 0.0, agreement: 0.0 };
    let passes = [(ROUGH, reach), (FINE, 256), (FINE, 16), (FINE, 8)];
    for (pass, (window, reach)) in passes.into_iter().enumerate() {
        let window = window.min(length);
        let mut locals = Vec::new();
        for at in places(length, window) {
            let first = a(at as i64, window)?;
            let second = along(b, found, at, window, reach)?;
            let frame = at as f64 + window as f64 / 2.0;
            locals.extend(local(&first, &second, reach).map(|l| Local { frame, ..l }));
        }
        let Some((delay, drift, agreement)) = line(&mut locals, is_long) else {
            return Ok(None);
        };
        found = Alignment {
            delay: found.delay + delay,
            drift: found.drift + drift,
            correlation: agreeing(&locals, delay, drift),
            // That of the first pass, in which the windows are free to differ.
            agreement: if pass == 0 { agreement } else { found.agreement },
        };
    }
    Ok(Some(found))
}

/// The mean correlation of the windows that lie near the line.
fn agreeing(locals: &[Local], delay: f64, drift: f64) -> f64 {
    let near = |l: &&Local| (l.delay - delay - drift * l.frame).abs() <= NEAR;
    let correlations: Vec<f64> = locals.iter().filter(near).map(|l| l.correlation).collect();
    mean(&correlations)
}

/// Where windows begin, evenly along the take.
fn places(length: usize, window: usize) -> Vec<usize> {
    let count = (length / window).clamp(1, WINDOWS);
    let room = length - window;
    (0..count).map(|n| if count == 1 { room / 2 } else { room * n / (count - 1) }).collect()
}

/// `b` along the line that is known, `reach` frames more on each side.
fn along<E>(
    b: &mut ReadMono<'_, E>,
    known: Alignment,
    at: usize,
    window: usize,
    reach: usize,
) -> Result<Vec<f32>, E> {
    let count = window + 2 * reach;
    let start = at as f64 - reach as f64;
    let place = start + known.at(start);
    let from = place.floor() as i64 - REACH as i64;
    let samples = b(from, count + (count as f64 * MOST_DRIFT * 4.0) as usize + 2 * REACH + 2)?;
    Ok(warp(&samples, place - from as f64, 1.0 + known.drift, count))
}

/// The delay of `b` against `a`, where `b` begins `reach` frames ahead of `a`.
fn local(a: &[f32], b: &[f32], reach: usize) -> Option<Local> {
    let phased = correlation(a, b, 0.8);
    let lags = phased.get(..=2 * reach)?;
    let (best, _) = lags.iter().enumerate().max_by(|x, y| x.1.abs().total_cmp(&y.1.abs()))?;
    let part = b.get(best..best + a.len())?;
    let product: f64 = a.iter().zip(part).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    let power = |x: &[f32]| x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
    let scale = (power(a) * power(part)).sqrt();
    if scale < 1e-9 * a.len() as f64 {
        return None;
    }
    let delay = best as f64 - reach as f64 + top(lags, best);
    Some(Local { frame: 0.0, delay, correlation: product / scale })
}

/// Where between two lags the peak at `best` is, by a parabola.
fn top(lags: &[f64], best: usize) -> f64 {
    let get = |index: Option<usize>| index.and_then(|index| lags.get(index)).copied();
    let (Some(left), Some(middle), Some(right)) =
        (get(best.checked_sub(1)), get(Some(best)), get(Some(best + 1)))
    else {
        return 0.0;
    };
    let bend = left - 2.0 * middle + right;
    if bend == 0.0 { 0.0 } else { (0.5 * (left - right) / bend).clamp(-1.0, 1.0) }
}

/// Delay at frame 0, drift, and the share of windows that agree.
fn line(locals: &mut Vec<Local>, is_long: bool) -> Option<(f64, f64, f64)> {
    let best = locals.iter().map(|l| l.correlation.abs()).fold(0.0, f64::max);
    locals.retain(|l| l.correlation.abs() >= best * 0.2);
    if locals.is_empty() {
        return None;
    }
    let has_slope = is_long && locals.len() >= 6;
    let slope = if has_slope { median(slopes(locals)) } else { 0.0 };
    let offset = median(locals.iter().map(|l| l.delay - slope * l.frame).collect());
    let off = |l: &Local| (l.delay - offset - slope * l.frame).abs();
    let near: Vec<Local> = locals.iter().copied().filter(|l| off(l) <= NEAR).collect();
    let agreement = near.len() as f64 / locals.len() as f64;
    let (offset, slope) = if has_slope && near.len() >= 4 {
        least_squares(&near)
    } else if near.is_empty() {
        (offset, slope)
    } else {
        (mean(&near.iter().map(|l| l.delay - slope * l.frame).collect::<Vec<_>>()), slope)
    };
    Some((offset, slope, agreement))
}

fn slopes(locals: &[Local]) -> Vec<f64> {
    let pairs = locals.iter().enumerate();
    pairs
        .flat_map(|(n, a)| locals.iter().skip(n + 1).map(move |b| (a, b)))
        .map(|(a, b)| (b.delay - a.delay) / (b.frame - a.frame))
        .collect()
}

fn least_squares(locals: &[Local]) -> (f64, f64) {
    let frames: Vec<f64> = locals.iter().map(|l| l.frame).collect();
    let delays: Vec<f64> = locals.iter().map(|l| l.delay).collect();
    let (x, y) = (mean(&frames), mean(&delays));
    let both: f64 = locals.iter().map(|l| (l.frame - x) * (l.delay - y)).sum();
    let slope = both / frames.iter().map(|f| (f - x).powi(2)).sum::<f64>().max(1e-9);
    (y - slope * x, slope)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let get = |index: usize| values.get(index).copied().unwrap_or(0.0);
    if values.len() % 2 == 1 || middle == 0 {
        get(middle)
    } else {
        0.5 * (get(middle - 1) + get(middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Noise through a low-pass, so that reading between samples is exact; the same every time.
    fn sound(length: usize, seed: u64) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let (mut a, mut b) = (0.0, 0.0);
        let mut out = Vec::with_capacity(length);
        for n in 0..length {
            a += 0.4 * (next() - a);
            b += 0.4 * (a - b);
            // Louder and softer, as speech is.
            out.push((b * (0.6 + 0.4 * (n as f64 * 0.0004).sin())) as f32);
        }
        out
    }

    fn reading(samples: &[f32]) -> impl FnMut(i64, usize) -> Result<Vec<f32>, Infallible> {
        move |from, length| {
            let at = |n: i64| usize::try_from(n).ok().and_then(|n| samples.get(n)).copied();
            Ok((0..length as i64).map(|n| at(from + n).unwrap_or(0.0)).collect())
        }
    }

    /// `samples` late by `delay`, later by `drift` with each frame, in its own noise.
    fn late(samples: &[f32], delay: f64, drift: f64, gain: f32, noise: u64) -> Vec<f32> {
        let mut padded = vec![0.0; 4096];
        padded.extend_from_slice(samples);
        padded.extend(vec![0.0; 4096]);
        // b(t + delay + drift t) = a(t), so b(u) = a((u - delay) / (1 + drift)).
        let first = 4096.0 - delay / (1.0 + drift);
        let warped = warp(&padded, first, 1.0 / (1.0 + drift), samples.len());
        let noise = sound(samples.len(), noise);
        warped.iter().zip(&noise).map(|(x, n)| gain * x + 0.1 * n).collect()
    }

    fn found(a: &[f32], b: &[f32]) -> Alignment {
        align(&mut reading(a), &mut reading(b), a.len(), 4800).unwrap().unwrap()
    }

    #[test]
    fn delays_are_found_to_a_fraction_of_a_sample() {
        let a = sound(150_000, 1);
        for delay in [0.25, -0.25, 0.5, 1.0, 3.75, 37.1, 480.3, -999.6, 2000.0] {
            let found = found(&a, &late(&a, delay, 0.0, 0.8, 2));
            assert!((found.delay - delay).abs() < 0.03, "{delay}: {found:?}");
            assert!(found.correlation > 0.9 && found.agreement > 0.9, "{delay}: {found:?}");
            assert_eq!(found.drift, 0.0);
        }
    }

    #[test]
    fn drift_is_found_along_a_take() {
        let a = sound(48_000 * 20, 3);
        for (delay, ppm) in [(12.3, 5.0), (300.7, 60.0), (50.0, -200.0)] {
            let found = found(&a, &late(&a, delay, ppm * 1e-6, 0.8, 4));
            assert!((found.drift * 1e6 - ppm).abs() < 0.4, "{ppm}: {found:?}");
            assert!((found.delay - delay).abs() < 0.2, "{delay}: {found:?}");
        }
    }

    #[test]
    fn inverted_polarity_is_a_negative_correlation() {
        let a = sound(150_000, 5);
        let found = found(&a, &late(&a, 17.0, 0.0, -0.5, 6));
        assert!(found.correlation < -0.8 && (found.delay - 17.0).abs() < 0.03, "{found:?}");
    }

    #[test]
    fn what_has_nothing_in_common_does_not_agree() {
        let found = found(&sound(480_000, 7), &sound(480_000, 8));
        assert!(found.correlation.abs() < 0.1, "{found:?}");
        assert!(found.agreement < 0.3, "{found:?}");
    }

    #[test]
    fn silence_and_short_takes_tell_nothing() {
        let (a, silent) = (sound(48_000, 9), vec![0.0; 48_000]);
        assert_eq!(align(&mut reading(&a), &mut reading(&silent), a.len(), 100), Ok(None));
        assert_eq!(align(&mut reading(&a), &mut reading(&a), 100, 100), Ok(None));
    }
}
