//! Spectra as well as samples, as Demucs' hybrid networks take and give them.
//!
//! Source: `HTDemucs._spec`, `_ispec`, `_magnitude` and `_mask` of Demucs 4 (Rouard et al., 2023), and what
//! `torch.stft` does with `center`, `normalized` and reflection.

use deskhand_dsp::ReadError;
use deskhand_dsp::spectrum::{Complex, Forward, Inverse, overlap_add, periodic_hann};
use deskhand_inference::{Network, Tensor};

const SIZE: usize = 4096;
const HOP: usize = 1024;
/// Bins that the network sees; the one at half the rate is left out.
const BINS: usize = SIZE / 2;
/// Samples that are reflected before the stretch.
const PAD: usize = HOP / 2 * 3;
/// Frames at either end that the network does not see.
const SKIPPED: usize = 2;

/// The transforms around a network that runs stretches of one length.
pub(crate) struct Spectra {
    length: usize,
    frames: usize,
    samples_in: usize,
    samples_out: usize,
    window: Vec<f32>,
    forward: Forward<f32>,
    inverse: Inverse<f32>,
}

impl Spectra {
    /// For stretches of `length` samples; which input takes samples, which output gives them.
    pub(crate) fn new(length: usize, samples_in: usize, samples_out: usize) -> Self {
        let window = periodic_hann(SIZE, 1.0);
        Self {
            length,
            frames: length.div_ceil(HOP),
            samples_in,
            samples_out,
            forward: Forward::windowed(window.clone()),
            inverse: Inverse::new(SIZE),
            window,
        }
    }

    /// Runs the network on samples `[1, 2, length]`: samples `[1, stems, 2, length]`.
    pub(crate) fn run(
        &self,
        network: &dyn Network,
        samples: Tensor,
        stems: usize,
    ) -> Result<Tensor, ReadError> {
        let mut inputs = vec![self.spectra(&samples)];
        inputs.insert(self.samples_in.min(1), samples);
        let made = network.run(&inputs, &[0, 1]).map_err(|error| ReadError(error.to_string()))?;
        let (waves, spectra) = (made.get(self.samples_out), made.get(1 - self.samples_out.min(1)));
        let (Some(waves), Some(spectra)) = (waves, spectra) else {
            return Err(ReadError("the model gave no output".into()));
        };
        let fits = waves.shape == [1, stems, 2, self.length]
            && spectra.shape == [1, stems, 4, BINS, self.frames];
        if !fits {
            return Err(ReadError("the model's output is not of the shape it should have".into()));
        }
        let mut sum = waves.clone();
        let planes = sum.data.chunks_mut(self.length);
        for (plane, bins) in planes.zip(spectra.data.chunks(2 * BINS * self.frames)) {
            self.add_samples(bins, plane);
        }
        Ok(sum)
    }

    /// `[1, 4, bins, frames]`: real, then imaginary part, of each channel.
    fn spectra(&self, samples: &Tensor) -> Tensor {
        let mut tensor = Tensor::zeros(&[1, 4, BINS, self.frames]);
        let parts = tensor.data.chunks_mut(2 * BINS * self.frames);
        let mut forward = self.forward.clone();
        for (plane, part) in samples.data.chunks(self.length).zip(parts) {
            let (real, imaginary) = part.split_at_mut(BINS * self.frames);
            for t in 0..self.frames {
                let first = (t + SKIPPED) * HOP;
                let bins = forward.of((first..).map(|n| self.reflected(plane, n)));
                for (bin, value) in bins.iter().take(BINS).enumerate() {
                    let value = value / (SIZE as f32).sqrt();
                    set(real, bin * self.frames + t, value.re);
                    set(imaginary, bin * self.frames + t, value.im);
                }
            }
        }
        tensor
    }

    /// Sample `n` of a stretch that was reflected twice: by `PAD`, up to whole hops, and by half a frame.
    fn reflected(&self, plane: &[f32], n: usize) -> f32 {
        let padded = self.frames * HOP + 2 * PAD;
        let within = mirror(n as i64 - (SIZE / 2) as i64, padded);
        let at = mirror(within as i64 - PAD as i64, self.length);
        plane.get(at).copied().unwrap_or_default()
    }

    /// Adds the audio of spectra `[2, bins, frames]`, real and imaginary, to a stretch.
    fn add_samples(&self, spectra: &[f32], plane: &mut [f32]) {
        let all = (self.frames + 2 * SKIPPED - 1) * HOP + SIZE;
        let (mut sums, mut weights) = (vec![0.0; all], vec![0.0; all]);
        let (real, imaginary) = spectra.split_at(BINS * self.frames);
        let mut inverse = self.inverse.clone();
        for t in 0..self.frames + 2 * SKIPPED {
            let from = t * HOP;
            for (to, weight) in weights.iter_mut().skip(from).zip(&self.window) {
                *to += weight * weight;
            }
            let Some(t) = t.checked_sub(SKIPPED).filter(|t| *t < self.frames) else {
                continue;
            };
            let frame = inverse.of((0..BINS).map(|bin| {
                let at = bin * self.frames + t;
                let part = |values: &[f32]| values.get(at).copied().unwrap_or_default();
                Complex::new(part(real), part(imaginary)) / (SIZE as f32).sqrt()
            }));
            let sums = sums.get_mut(from..).unwrap_or_default();
            overlap_add(sums, frame, &self.window, 1.0);
        }
        let skip = SIZE / 2 + PAD;
        let made = sums.iter().zip(&weights).skip(skip);
        for (to, (sum, weight)) in plane.iter_mut().zip(made) {
            *to += sum / weight.max(1e-11);
        }
    }
}

/// The index that `at` has in a list of `length` that goes on by reflection at its ends.
fn mirror(at: i64, length: usize) -> usize {
    let last = (length as i64 - 1).max(1);
    let turn = at.rem_euclid(2 * last);
    turn.min(2 * last - turn) as usize
}

fn set(values: &mut [f32], at: usize, value: f32) {
    if let Some(to) = values.get_mut(at) {
        *to = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demucs::Waves;
    use crate::stream::Stream;
    use crate::testing::{Memory, noise, read_all};
    use deskhand_inference::RunError;
    use std::sync::Arc;

    const LENGTH: usize = 20_000;

    /// Stem `n` is a tenth of the mix times `n`, half of it by way of the spectra. Spectra come first.
    struct Halves;

    impl Network for Halves {
        fn run(&self, inputs: &[Tensor], _: &[usize]) -> Result<Vec<Tensor>, RunError> {
            let times = |input: &Tensor| -> Vec<f32> {
                (0..4).flat_map(|n| input.data.iter().map(move |s| s * n as f32 * 0.05)).collect()
            };
            let [spectra, waves] = inputs else { panic!("{}", inputs.len()) };
            let (bins, frames) = (spectra.shape[2], spectra.shape[3]);
            Ok(vec![
                Tensor { shape: vec![1, 4, 2, LENGTH], data: times(waves) },
                Tensor { shape: vec![1, 4, 4, bins, frames], data: times(spectra) },
            ])
        }
    }

    #[test]
    fn samples_and_spectra_add_up() {
        // Nothing at half the rate: that bin is not there.
        let dull = |seed| -> Vec<f32> {
            noise(100_002, seed).windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect()
        };
        let (left, right) = (dull(1), dull(2));
        let mix = Memory::boxed(&[left.clone(), right.clone()], 44_100);
        let waves = Waves::new(mix, Arc::new(Halves), 4, vec![3, 1], LENGTH);
        let waves = waves.with(Spectra::new(LENGTH, 1, 0));
        let found = read_all(Stream::boxed(waves).as_mut(), 3333);
        // Before that the frames that the network does not see are missing.
        for n in PAD..100_001 {
            let near_seam = n % (LENGTH - LENGTH / 8) < 2 * PAD;
            let off = if near_seam { 0.05 } else { 1e-4 };
            assert!((found[0][n] - 0.3 * left[n]).abs() < off, "{n}: {} {}", found[0][n], left[n]);
            assert!((found[3][n] - 0.1 * right[n]).abs() < off, "{n}");
        }
    }

    /// By the definition: reflected twice, windowed, transformed, divided by the root of the size.
    #[test]
    fn the_spectra_are_those_of_torch() {
        let samples = noise(LENGTH, 3);
        let mut reflected: Vec<f32> = samples.clone();
        let reflect = |x: &[f32], left: usize, right: usize| -> Vec<f32> {
            let ahead = (1..=left).rev().map(|n| x[n]);
            let behind = (1..=right).map(|n| x[x.len() - 1 - n]);
            ahead.chain(x.iter().copied()).chain(behind).collect()
        };
        let frames = LENGTH.div_ceil(HOP);
        reflected = reflect(&reflected, PAD, PAD + frames * HOP - LENGTH);
        reflected = reflect(&reflected, SIZE / 2, SIZE / 2);
        let input = Tensor { shape: vec![1, 2, LENGTH], data: [samples.clone(), samples].concat() };
        let found = Spectra::new(LENGTH, 1, 0).spectra(&input);
        assert_eq!(found.shape, [1, 4, BINS, frames]);
        for (bin, t) in [(1, 0), (100, 7), (2047, frames - 1)] {
            let step = std::f64::consts::TAU / SIZE as f64;
            let (mut re, mut im) = (0.0, 0.0);
            for n in 0..SIZE {
                let weight = 0.5 - 0.5 * (step * n as f64).cos();
                let x = weight * f64::from(reflected[(t + SKIPPED) * HOP + n]) / 64.0;
                re += x * (step * (bin * n) as f64).cos();
                im -= x * (step * (bin * n) as f64).sin();
            }
            let at = |part: usize| f64::from(found.data[(part * BINS + bin) * frames + t]);
            for (part, truth) in [(0, re), (1, im), (2, re), (3, im)] {
                assert!((at(part) - truth).abs() < 1e-4, "{bin} {t} {part}: {} {truth}", at(part));
            }
        }
    }

    #[test]
    fn reflection_goes_back_and_forth() {
        let found: Vec<usize> = (-4..8).map(|n| mirror(n, 4)).collect();
        assert_eq!(found, [2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1]);
    }
}
