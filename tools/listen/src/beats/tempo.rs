//! Tempo over time: how well each beat period explains the onset strength around a time, and the smoothest path
//! through the best of them.
//!
//! A comb over the autocorrelation of 8 s; the path by dynamic programming, which holds on to a tempo where the music
//! says little (after D. Ellis, "Beat tracking by dynamic programming", JNMR 36, 2007, and the tempogram of P. Grosche
//! and M. Müller, 2011).

/// Window of the autocorrelation and the step from one to the next, in seconds.
const WINDOW_S: f64 = 8.0;
pub(super) const STEP_S: f64 = 1.0;
/// Candidates an octave.
const PER_OCTAVE: f64 = 36.0;
/// The tempo people tap most, and how far others lie from it, in octaves.
const USUAL_BPM: f64 = 115.0;
const SPREAD: f64 = 0.9;
/// Beats are halved, and doubled to bars: what recurs at three quarters or two thirds of a beat is no beat.
const COMB: [(f64, f64); 4] = [(0.5, 0.08), (1.0, 0.34), (2.0, 0.32), (4.0, 0.26)];
/// What a change of tempo costs, by the square of octaves.
const HOLD: f64 = 60.0;

/// The range that is looked for, in beats a minute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Beat periods over time, in values of the curve, one each [`STEP_S`]. `rate` is values a second. Empty where
/// nothing recurs.
pub(super) fn periods(curve: &[f32], rate: f64, range: Range) -> Vec<f64> {
    let candidates = candidates(rate, range);
    let step = (STEP_S * rate) as usize;
    let count = (curve.len() / step.max(1)).max(1);
    let scored: Vec<Vec<f64>> = (0..count)
        .map(|n| scores(&curve[window(n, curve.len(), rate)], &candidates, rate))
        .collect();
    path(&scored, &candidates)
}

/// The values around step `n` that say something about it, of `length` values.
pub(super) fn window(n: usize, length: usize, rate: f64) -> std::ops::Range<usize> {
    let (window, step) = ((WINDOW_S * rate) as usize, (STEP_S * rate) as usize);
    let from = (n * step + step / 2).saturating_sub(window / 2);
    let from = from.min(length.saturating_sub(window));
    from..(from + window).min(length)
}

/// The value at a lag between two of `lags`.
pub(super) fn at(lags: &[f64], lag: f64) -> f64 {
    let (low, share) = (lag.floor() as usize, lag.fract());
    let value = |n: usize| lags.get(n).copied().unwrap_or(0.0);
    value(low) * (1.0 - share) + value(low + 1) * share
}

fn candidates(rate: f64, range: Range) -> Vec<f64> {
    let count = (PER_OCTAVE * (range.high / range.low).log2()).ceil() as usize;
    let bpm = |i: usize| range.low * (range.high / range.low).powf(i as f64 / count.max(1) as f64);
    (0..=count).map(|i| 60.0 * rate / bpm(i)).collect()
}

fn scores(part: &[f32], candidates: &[f64], rate: f64) -> Vec<f64> {
    let longest = candidates.first().copied().unwrap_or(1.0) * 4.0;
    let lags = autocorrelation(part, longest.ceil() as usize + 2);
    let at = |lag: f64| at(&lags, lag);
    let score = |period: &f64| {
        let comb: f64 = COMB.iter().map(|(times, weight)| weight * at(period * times)).sum();
        let octaves = (60.0 * rate / period / USUAL_BPM).log2() / SPREAD;
        // Where every other beat says nothing, the beat is twice as long.
        let (one, two) = (at(*period), at(period * 2.0));
        let even = if two > 1e-3 { (one / two).clamp(0.0, 1.0) } else { 0.0 };
        comb.max(0.0) * (0.3 + 0.7 * even) * (-0.5 * octaves * octaves).exp()
    };
    candidates.iter().map(score).collect()
}

/// Autocorrelation without the mean, 1 at lag 0, each lag by the values that it has.
pub(super) fn autocorrelation(part: &[f32], most: usize) -> Vec<f64> {
    let mean = part.iter().sum::<f32>() / part.len().max(1) as f32;
    let centered: Vec<f32> = part.iter().map(|x| x - mean).collect();
    let power: f32 = centered.iter().map(|x| x * x).sum();
    let norm = f64::from(power.max(1e-9)) / part.len().max(1) as f64;
    let lag = |lag: usize| {
        let pairs = centered.len().saturating_sub(lag);
        if pairs < 16 {
            return 0.0;
        }
        let sum: f32 = centered.iter().zip(&centered[lag..]).map(|(a, b)| a * b).sum();
        f64::from(sum) / pairs as f64 / norm
    };
    (0..most).map(lag).collect()
}

/// The path of least cost through the scores.
fn path(scored: &[Vec<f64>], candidates: &[f64]) -> Vec<f64> {
    let best = scored.iter().flatten().copied().fold(0.0, f64::max);
    if best < 0.02 || candidates.is_empty() {
        return Vec::new();
    }
    let count = candidates.len();
    let hold = |a: usize, b: usize| {
        let octaves = (a as f64 - b as f64) / PER_OCTAVE;
        HOLD * octaves * octaves
    };
    let gain = |score: f64| (score / best + 0.02).ln();
    let mut costs: Vec<f64> = scored[0].iter().map(|s| gain(*s)).collect();
    let mut back: Vec<Vec<usize>> = Vec::new();
    for scores in &scored[1..] {
        let mut from = vec![0; count];
        let mut next = vec![0.0; count];
        for to in 0..count {
            let reach = |a: &usize| costs[*a] - hold(*a, to).min(12.0);
            let near = (0..count).max_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap_or(to);
            from[to] = near;
            next[to] = reach(&near) + gain(scores[to]);
        }
        back.push(from);
        costs = next;
    }
    let mut at = (0..count).max_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
    let mut found = vec![candidates[at]];
    for from in back.iter().rev() {
        at = from[at];
        found.push(candidates[at]);
    }
    found.reverse();
    found
}
