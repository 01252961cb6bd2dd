//! Demucs around its network: stretches of samples in, samples of every stem out, overlapped.
//!
//! Source: Rouard et al., "Hybrid Transformers for Music Source Separation" (2023).

use crate::hybrid::Spectra;
use crate::own_models::only;
use crate::stream::Step;
use deskhand_dsp::{FrameReader, Frames, ReadError, SampleRate};
use deskhand_inference::{Network, Tensor};
use std::sync::Arc;

/// The part of a stretch that it shares with the next one.
const OVERLAP: usize = 8;

/// A split by a network over samples: two channels a stem that is wanted.
pub(crate) struct Waves {
    mix: Box<dyn FrameReader>,
    network: Arc<dyn Network>,
    /// How many stems the network gives, and which are wanted.
    stems: usize,
    wanted: Vec<usize>,
    /// Samples of a stretch.
    length: usize,
    /// For a network that takes and gives spectra as well as samples.
    spectra: Option<Spectra>,
    at: Frames,
    /// What the stretch before made of the first samples, a list a channel.
    before: Vec<Vec<f32>>,
}

impl Waves {
    /// Splits `mix`, which is stereo at the network's rate.
    pub(crate) fn new(
        mix: Box<dyn FrameReader>,
        network: Arc<dyn Network>,
        stems: usize,
        wanted: Vec<usize>,
        length: usize,
    ) -> Self {
        let (before, spectra) = (vec![Vec::new(); 2 * wanted.len()], None);
        Self { mix, network, stems, wanted, length, spectra, at: Frames::ZERO, before }
    }

    /// The same by a network that also takes and gives spectra.
    pub(crate) fn with(self, spectra: Spectra) -> Self {
        Self { spectra: Some(spectra), ..self }
    }

    fn run(&mut self) -> Result<Tensor, ReadError> {
        let mut input = Tensor::zeros(&[1, 2, self.length]);
        let mut planes: Vec<&mut [f32]> = input.data.chunks_mut(self.length).collect();
        if self.at < self.mix.frames() {
            self.mix.read(self.at, &mut planes)?;
        }
        match &self.spectra {
            Some(spectra) => spectra.run(self.network.as_ref(), input, self.stems),
            None => only(self.network.run(&[input], &[0]), &[1, self.stems, 2, self.length]),
        }
    }
}

impl Step for Waves {
    fn channels(&self) -> usize {
        2 * self.wanted.len()
    }

    fn frames(&self) -> Frames {
        self.mix.frames()
    }

    fn rate(&self) -> SampleRate {
        self.mix.rate()
    }

    fn step(&mut self, out: &mut [Vec<f32>]) -> Result<(), ReadError> {
        let stems = self.run()?;
        let ready = self.length - self.length / OVERLAP;
        for (index, (out, before)) in out.iter_mut().zip(&mut self.before).enumerate() {
            let stem = self.wanted.get(index / 2).copied().unwrap_or_default();
            let from = (2 * stem + index % 2) * self.length;
            let plane = stems.data.get(from..from + self.length).unwrap_or_default();
            let steps = before.len() as f32;
            let faded = before.iter().zip(plane).enumerate().map(|(n, (from, to))| {
                let share = (n as f32 + 0.5) / steps;
                from * (1.0 - share) + to * share
            });
            out.extend(faded);
            out.extend(plane.get(before.len()..ready).unwrap_or_default());
            *before = plane.get(ready..).unwrap_or_default().to_vec();
        }
        self.at += Frames::from_index(ready);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;
    use crate::testing::{Memory, noise, read_all};
    use deskhand_inference::RunError;

    /// Four stems: stem `n` is the mix times `n`.
    struct Times;

    impl Network for Times {
        fn run(&self, inputs: &[Tensor], _: &[usize]) -> Result<Vec<Tensor>, RunError> {
            let length = inputs[0].shape[2];
            let data = (0..4).flat_map(|n| inputs[0].data.iter().map(move |s| s * n as f32));
            Ok(vec![Tensor { shape: vec![1, 4, 2, length], data: data.collect() }])
        }
    }

    #[test]
    fn stretches_join_without_a_seam() {
        let (left, right) = (noise(50_001, 1), noise(50_001, 2));
        let mix = Memory::boxed(&[left.clone(), right.clone()], 44_100);
        let waves = Waves::new(mix, Arc::new(Times), 4, vec![3, 1], 8000);
        let found = read_all(Stream::boxed(waves).as_mut(), 3333);
        for n in 0..50_001 {
            assert!((found[0][n] - 3.0 * left[n]).abs() < 1e-5);
            assert!((found[3][n] - right[n]).abs() < 1e-6);
        }
        assert_eq!((found.len(), found[0].len()), (4, 50_001));
    }
}
