//! The cross-correlation of two recordings, and how they are read for it. Aligning clips and comparing what is imported
//! call it.

use crate::downmix::Downmix;
use crate::spectrum::{Complex, Forward, Inverse, hann};
use std::ops::Range;

/// Reads mono samples from a frame on; zeros where there is nothing.
pub type ReadMono<'a, E> = dyn FnMut(i64, usize) -> Result<Vec<f32>, E> + 'a;

/// A recording at a low rate: the means of `step` frames.
///
/// # Errors
/// What `read` returns.
pub fn low<E>(read: &mut ReadMono<'_, E>, range: Range<i64>, step: usize) -> Result<Vec<f32>, E> {
    const PART: usize = 1 << 12;
    let count = (range.end - range.start).max(0) as usize / step;
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let length = PART.min(count - out.len());
        let samples = read(range.start + (out.len() * step) as i64, length * step)?;
        out.extend(samples.chunks(step).map(|part| part.iter().sum::<f32>() / step as f32));
    }
    Ok(out)
}

/// The channels as one.
#[must_use]
pub fn mono(planes: &[Vec<f32>]) -> Vec<f32> {
    Downmix::default().mix(&planes.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The cross-correlation of `a` with `b` at lags from 0 on, its spectrum whitened to the power of `weight`. `b` is the
/// longer one.
#[must_use]
pub fn correlation(a: &[f32], b: &[f32], weight: f64) -> Vec<f64> {
    let size = b.len().next_power_of_two();
    let mut forward = Forward::<f64>::new(size);
    let mut window: Vec<f64> = a.iter().map(|x| f64::from(*x)).collect();
    faded(&mut window, a.len() / 8);
    let first = forward.of(window).to_vec();
    let second = forward.of(b.iter().map(|x| f64::from(*x)));
    let mut cross: Vec<Complex<f64>> =
        first.iter().zip(second).map(|(a, b)| a.conj() * b).collect();
    let loudest = cross.iter().map(|bin| bin.norm()).fold(0.0, f64::max);
    for bin in &mut cross {
        *bin /= (bin.norm() + loudest * 1e-9 + 1e-30).powf(weight);
    }
    Inverse::new(size).of(cross).to_vec()
}

/// Fades both ends, so that a window's edges are no event.
fn faded(samples: &mut [f64], edge: usize) {
    let length = samples.len();
    for n in 0..edge.min(length / 2) {
        let gain = hann(n as f64 + 0.5, 2 * edge);
        for index in [n, length - 1 - n] {
            if let Some(sample) = samples.get_mut(index) {
                *sample *= gain;
            }
        }
    }
}
