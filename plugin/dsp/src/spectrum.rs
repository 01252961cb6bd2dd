//! Spectra of frames of real samples, and frames from spectra. All Fourier transforms of the project go through here.

use realfft::num_traits::Zero;
use realfft::{ComplexToReal, FftNum, RealFftPlanner, RealToComplex};
use std::f64::consts::TAU;
use std::sync::Arc;

/// A bin of a spectrum. Tools name the type of bins that they keep.
pub use realfft::num_complex::Complex;

/// The Hann window of `size` samples at sample `at`, 0 to 1. At `n` for each sample it is periodic: copies that are
/// half of `size` apart add up to 1. At `n + 0.5` it is symmetric.
#[must_use]
pub fn hann(at: f64, size: usize) -> f64 {
    0.5 - 0.5 * (TAU * at / size as f64).cos()
}

/// The periodic Hann window, `scale` at its top.
#[must_use]
pub fn periodic_hann(size: usize, scale: f64) -> Vec<f32> {
    (0..size).map(|n| (scale * hann(n as f64, size)) as f32).collect()
}

/// Adds a frame, windowed and times `scale`, to the beginning of `sums`.
pub fn overlap_add(sums: &mut [f32], frame: &[f32], window: &[f32], scale: f32) {
    for (sum, (sample, weight)) in sums.iter_mut().zip(frame.iter().zip(window)) {
        *sum += sample * weight * scale;
    }
}

/// A real number whose transforms are planned here: their code is compiled in this crate once, not in each crate
/// that names a type.
pub trait Real: FftNum {
    /// Plans the transform of `size` samples.
    fn forward(size: usize) -> Arc<dyn RealToComplex<Self>>;
    /// Plans the transform back to `size` samples.
    fn inverse(size: usize) -> Arc<dyn ComplexToReal<Self>>;
}

impl Real for f32 {
    fn forward(size: usize) -> Arc<dyn RealToComplex<Self>> {
        RealFftPlanner::new().plan_fft_forward(size)
    }

    fn inverse(size: usize) -> Arc<dyn ComplexToReal<Self>> {
        RealFftPlanner::new().plan_fft_inverse(size)
    }
}

impl Real for f64 {
    fn forward(size: usize) -> Arc<dyn RealToComplex<Self>> {
        RealFftPlanner::new().plan_fft_forward(size)
    }

    fn inverse(size: usize) -> Arc<dyn ComplexToReal<Self>> {
        RealFftPlanner::new().plan_fft_inverse(size)
    }
}

/// From frames of one size to their spectra. A clone shares the plan.
#[derive(Clone)]
pub struct Forward<T> {
    plan: Arc<dyn RealToComplex<T>>,
    window: Vec<T>,
    frame: Vec<T>,
    bins: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

impl<T: Real> Forward<T> {
    /// For frames of `size` samples, not windowed.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let plan = T::forward(size);
        let (bins, scratch) = (plan.make_output_vec(), plan.make_scratch_vec());
        Self { frame: plan.make_input_vec(), window: Vec::new(), plan, bins, scratch }
    }

    /// For frames that are multiplied by `window`.
    #[must_use]
    pub fn windowed(window: Vec<T>) -> Self {
        let rectangular = Self::new(window.len());
        Self { window, ..rectangular }
    }

    /// Samples of a frame.
    #[must_use]
    pub fn size(&self) -> usize {
        self.frame.len()
    }

    /// Bins of a spectrum: from 0 Hz to half the rate.
    #[must_use]
    pub fn bins(&self) -> usize {
        self.bins.len()
    }

    /// The spectrum of a frame; samples that are missing at its end are zeros. A sine of amplitude 1 has half
    /// the sum of the window in its bin.
    pub fn of(&mut self, samples: impl IntoIterator<Item = T>) -> &[Complex<T>] {
        let mut count = 0;
        for (to, sample) in self.frame.iter_mut().zip(samples) {
            *to = sample;
            count += 1;
        }
        self.frame[count..].fill(T::zero());
        for (sample, weight) in self.frame.iter_mut().zip(&self.window) {
            *sample = *sample * *weight;
        }
        let done =
            self.plan.process_with_scratch(&mut self.frame, &mut self.bins, &mut self.scratch);
        debug_assert!(done.is_ok(), "only a wrong length fails, and all are the plan's");
        &self.bins
    }
}

/// From spectra to frames of one size. A clone shares the plan.
#[derive(Clone)]
pub struct Inverse<T> {
    plan: Arc<dyn ComplexToReal<T>>,
    bins: Vec<Complex<T>>,
    frame: Vec<T>,
    scratch: Vec<Complex<T>>,
}

impl<T: Real> Inverse<T> {
    /// For frames of `size` samples, an even number.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let plan = T::inverse(size);
        let (frame, scratch) = (plan.make_output_vec(), plan.make_scratch_vec());
        Self { bins: plan.make_input_vec(), plan, frame, scratch }
    }

    /// The frame of a spectrum, times its size; bins that are missing at the end are zeros. No frame of real samples
    /// has an imaginary part in the first or the last bin: it is left out.
    pub fn of(&mut self, bins: impl IntoIterator<Item = Complex<T>>) -> &[T] {
        let mut count = 0;
        for (to, bin) in self.bins.iter_mut().zip(bins) {
            *to = bin;
            count += 1;
        }
        self.bins[count..].fill(Complex::zero());
        if let [first, .., last] = self.bins.as_mut_slice() {
            (first.im, last.im) = (T::zero(), T::zero());
        }
        let done =
            self.plan.process_with_scratch(&mut self.bins, &mut self.frame, &mut self.scratch);
        debug_assert!(done.is_ok(), "only a wrong length fails, and all are the plan's");
        &self.frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 64;

    fn sine(cycles: f32) -> impl Iterator<Item = f32> {
        (0..).map(move |n| (std::f32::consts::TAU * cycles * n as f32 / SIZE as f32).sin())
    }

    #[test]
    fn a_sine_is_in_its_bin() {
        let mut forward = Forward::windowed(periodic_hann(SIZE, 4.0 / SIZE as f64));
        let bins = forward.of(sine(5.0));
        assert_eq!(bins.len(), SIZE / 2 + 1);
        for (bin, level) in [(2, 0.0), (4, 0.5), (5, 1.0), (6, 0.5), (8, 0.0)] {
            assert!((bins[bin].norm() - level).abs() < 1e-5, "{bin}: {}", bins[bin].norm());
        }
    }

    #[test]
    fn frames_that_overlap_add_up_to_what_they_were() {
        let window: Vec<f32> = periodic_hann(SIZE, 1.0).into_iter().map(f32::sqrt).collect();
        let (mut forward, mut inverse) = (Forward::windowed(window.clone()), Inverse::new(SIZE));
        let input: Vec<f32> = sine(2.7).take(200).collect();
        let mut sums = vec![0.0; 264];
        for at in (0..200).step_by(SIZE / 2) {
            let bins = forward.of(input[at..].iter().copied());
            let frame = inverse.of(bins.iter().copied());
            overlap_add(&mut sums[at..], frame, &window, 1.0 / SIZE as f32);
        }
        for n in SIZE / 2..200 {
            assert!((sums[n] - input[n]).abs() < 1e-6, "{n}: {} {}", sums[n], input[n]);
        }
    }

    #[test]
    fn missing_samples_and_bins_are_zeros() {
        let mut forward = Forward::<f64>::new(8);
        forward.of([1.0; 8]);
        assert!(forward.of([2.0]).iter().all(|bin| (bin.re - 2.0).abs() < 1e-12));
        let mut inverse = Inverse::<f64>::new(8);
        inverse.of([Complex::new(1.0, 1.0); 5]);
        assert_eq!(inverse.of([Complex::new(3.0, 1.0)]), [3.0; 8]);
    }

    #[test]
    fn both_windows_are_symmetric_around_their_middle() {
        for n in 0..SIZE {
            let there = SIZE - 1 - n;
            let (here, there) = (n as f64 + 0.5, there as f64 + 0.5);
            assert!((hann(here, SIZE) - hann(there, SIZE)).abs() < 1e-12);
        }
        assert!(hann(0.0, SIZE) == 0.0 && (hann(32.0, SIZE) - 1.0).abs() < 1e-12);
    }
}
