//! For tests: audio in memory, noise, tones, and networks that are a formula.

use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_inference::{Network, RunError, Tensor};

/// Planes that can be read.
pub(crate) struct Memory {
    planes: Vec<Vec<f32>>,
    rate: u32,
}

impl Memory {
    pub(crate) fn boxed(planes: &[Vec<f32>], rate: u32) -> Box<dyn FrameReader> {
        Box::new(Self { planes: planes.to_vec(), rate })
    }
}

impl FrameReader for Memory {
    fn channels(&self) -> usize {
        self.planes.len()
    }

    fn frames(&self) -> Frames {
        Frames::from_index(self.planes[0].len())
    }

    fn rate(&self) -> SampleRate {
        SampleRate(self.rate)
    }

    fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
        let from = at.index().min(self.planes[0].len());
        let count = out[0].len().min(self.planes[0].len() - from);
        for (plane, out) in self.planes.iter().zip(out) {
            out[..count].copy_from_slice(&plane[from..from + count]);
        }
        Ok(count)
    }
}

/// White noise, uniform in -0.5 to 0.5; the same for the same seed.
pub(crate) fn noise(length: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 - 0.5
    };
    (0..length).map(|_| next()).collect()
}

/// A sine with an amplitude of 0.5.
pub(crate) fn tone(hz: f64, rate: u32, length: usize) -> Vec<f32> {
    let step = std::f64::consts::TAU * hz / f64::from(rate);
    (0..length).map(|n| (0.5 * (step * n as f64).sin()) as f32).collect()
}

/// Clicks of a few samples, `every` samples.
pub(crate) fn clicks(every: usize, length: usize) -> Vec<f32> {
    (0..length).map(|n| if n % every < 8 { 0.5 } else { 0.0 }).collect()
}

pub(crate) fn read_all(reader: &mut dyn FrameReader, block: usize) -> Vec<Vec<f32>> {
    let mut planes = vec![Vec::new(); reader.channels()];
    let mut at = Frames::ZERO;
    loop {
        let mut out = vec![vec![0.0; block]; planes.len()];
        let mut slices: Vec<&mut [f32]> = out.iter_mut().map(Vec::as_mut_slice).collect();
        let read = reader.read(at, &mut slices).unwrap();
        if read == 0 {
            return planes;
        }
        for (plane, out) in planes.iter_mut().zip(&out) {
            plane.extend(&out[..read]);
        }
        at += Frames::from_index(read);
    }
}

/// The energy of `estimate - truth` below that of `truth`, in dB.
pub(crate) fn sdr(truth: &[f32], estimate: &[f32]) -> f64 {
    let energy = |values: &mut dyn Iterator<Item = f32>| -> f64 {
        values.map(|value| f64::from(value).powi(2)).sum()
    };
    let signal = energy(&mut truth.iter().copied());
    let error = energy(&mut truth.iter().zip(estimate).map(|(a, b)| a - b));
    10.0 * (signal / error.max(1e-20)).log10()
}

/// A network of two outputs that gives the left channel to the first and the right one to the second.
pub(crate) struct Sides;

impl Network for Sides {
    fn run(&self, inputs: &[Tensor], outputs: &[usize]) -> Result<Vec<Tensor>, RunError> {
        let input = &inputs[0];
        let half = input.data.len() / 2;
        let side = |output: &usize| {
            let mut tensor = Tensor::zeros(&input.shape);
            let range = if *output == 0 { 0..half } else { half..2 * half };
            tensor.data[range.clone()].copy_from_slice(&input.data[range]);
            tensor
        };
        Ok(outputs.iter().map(side).collect())
    }
}
