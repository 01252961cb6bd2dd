//! Reading between samples: windowed-sinc interpolation at a rate a little off 1.

use std::f64::consts::PI;
use std::sync::OnceLock;

/// Samples on each side of a point that decide its value.
pub(super) const REACH: usize = 32;
/// Steps between two samples; what lies between the steps is interpolated straight.
const PHASES: usize = 1024;
/// Shape of the Kaiser window: side lobes below -100 dB.
const BETA: f64 = 10.0;

/// The kernel at `phase / PHASES` behind a sample, for `phase` from 0 to [`PHASES`].
fn kernels() -> &'static [Vec<f64>] {
    static KERNELS: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
    KERNELS.get_or_init(|| (0..=PHASES).map(|p| kernel(p as f64 / PHASES as f64)).collect())
}

/// Weights of the samples from `REACH - 1` ahead of the point to `REACH` behind it. They add up to 1.
fn kernel(part: f64) -> Vec<f64> {
    let weight = |n: usize| {
        let x = n as f64 - (REACH - 1) as f64 - part;
        let sinc = if x.abs() < 1e-12 { 1.0 } else { (PI * x).sin() / (PI * x) };
        let edge = 1.0 - (x / REACH as f64).powi(2);
        sinc * bessel(BETA * edge.max(0.0).sqrt()) / bessel(BETA)
    };
    let weights: Vec<f64> = (0..2 * REACH).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The modified Bessel function of the first kind and order 0, by its series.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..50 {
        term *= (x / (2.0 * f64::from(k))).powi(2);
        sum += term;
    }
    sum
}

/// `count` values of `input` at `first`, `first + step`, …; `input` has [`REACH`] samples around each.
pub(super) fn warp(input: &[f32], first: f64, step: f64, count: usize) -> Vec<f32> {
    let kernels = kernels();
    let at = |n: usize| {
        let place = first + n as f64 * step;
        let whole = place.floor();
        let phase = (place - whole) * PHASES as f64;
        let (low, part) = (phase.floor() as usize, phase.fract());
        let from = (whole as usize).wrapping_sub(REACH - 1);
        let samples = input.get(from..from.wrapping_add(2 * REACH))?;
        let (a, b) = (kernels.get(low)?, kernels.get((low + 1).min(PHASES))?);
        let pairs = samples.iter().zip(a.iter().zip(b));
        let sum: f64 = pairs.map(|(x, (a, b))| f64::from(*x) * (a + (b - a) * part)).sum();
        Some(sum as f32)
    };
    (0..count).map(|n| at(n).unwrap_or(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_read_between_its_samples() {
        let tone = |t: f64| (0.3 * t).sin() + 0.5 * (1.9 * t).cos();
        let input: Vec<f32> = (0..2000).map(|n| tone(n as f64) as f32).collect();
        for (first, step) in
            [(40.0, 1.0), (40.25, 1.0), (40.999, 1.0), (50.3, 1.0002), (50.0, 0.9995)]
        {
            let found = warp(&input, first, step, 1800);
            let off = |(n, x): (usize, &f32)| (f64::from(*x) - tone(first + n as f64 * step)).abs();
            let worst = found.iter().enumerate().map(off).fold(0.0, f64::max);
            assert!(worst < 2e-5, "{first} {step}: {worst}");
        }
    }

    #[test]
    fn outside_of_the_input_there_is_silence() {
        assert_eq!(warp(&[1.0; 10], 5.0, 1.0, 3), [0.0; 3]);
    }
}
