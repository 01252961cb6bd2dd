//! Spleeter around its network: magnitudes of 512 frames and 1024 bins, masks from the ratio of the squared
//! estimates.
//!
//! Source: Hennequin et al. (2020); mask extension "zeros" above bin 1024 (11 kHz).

use crate::segments::{Estimator, masked};
use crate::stft::{Spectrum, Stft};
use deskhand_dsp::ReadError;
use deskhand_inference::{Network, Tensor};
use std::sync::Arc;

/// Frames that the network sees.
const FRAMES: usize = 512;
/// Bins that it sees, the lowest ones.
const BINS: usize = 1024;
/// Keeps the ratio of nothing to nothing at nothing.
const EPSILON: f32 = 1e-10;

/// The estimator.
pub(crate) struct Spleeter {
    network: Arc<dyn Network>,
    stft: Arc<Stft>,
    /// How many outputs the network has, and which of them are wanted.
    outputs: usize,
    wanted: Vec<usize>,
}

impl Spleeter {
    pub(crate) fn new(network: Arc<dyn Network>, outputs: usize, wanted: Vec<usize>) -> Self {
        // A whole frame of zeros comes first, as it did when the network was trained.
        Self { network, stft: Stft::new(4096, 1024, 4096), outputs, wanted }
    }
}

impl Estimator for Spleeter {
    fn stft(&self) -> Arc<Stft> {
        Arc::clone(&self.stft)
    }

    fn frames(&self) -> usize {
        FRAMES
    }

    fn stems(&self) -> usize {
        self.wanted.len()
    }

    fn estimate(&self, mix: &[Spectrum]) -> Result<Vec<Vec<Spectrum>>, ReadError> {
        let outputs: Vec<usize> = (0..self.outputs).collect();
        let estimates = self
            .network
            .run(&[magnitudes(mix)], &outputs)
            .map_err(|error| ReadError(error.to_string()))?;
        let shape = [1, 2, FRAMES, BINS];
        if estimates.iter().any(|tensor| tensor.shape != shape) {
            return Err(ReadError("the model's output is not of the shape it should have".into()));
        }
        let mut sums = vec![EPSILON; 2 * FRAMES * BINS];
        for estimate in &estimates {
            for (sum, value) in sums.iter_mut().zip(&estimate.data) {
                *sum += value * value;
            }
        }
        let stem = |output: &usize| {
            let data = estimates.get(*output).map_or(&[][..], |tensor| &tensor.data);
            let gain = |channel: usize, frame: usize, bin: usize| {
                let at = (channel * FRAMES + frame) * BINS + bin;
                match (data.get(at), sums.get(at)) {
                    (Some(value), Some(sum)) => value * value / sum,
                    (None, _) | (_, None) => 0.0,
                }
            };
            masked(mix, BINS, gain)
        };
        Ok(self.wanted.iter().map(stem).collect())
    }
}

/// `[1, 2, frames, bins]`, zeros after the last frame.
fn magnitudes(mix: &[Spectrum]) -> Tensor {
    let mut tensor = Tensor::zeros(&[1, 2, FRAMES, BINS]);
    for (channel, plane) in tensor.data.chunks_mut(FRAMES * BINS).enumerate() {
        for (to, spectrum) in plane.chunks_mut(BINS).zip(mix) {
            for (to, bin) in to.iter_mut().zip(spectrum.get(channel).into_iter().flatten()) {
                *to = bin.norm_sqr().sqrt();
            }
        }
    }
    tensor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::Segments;
    use crate::stream::Stream;
    use crate::testing::{Memory, Sides, noise, read_all, sdr};
    use deskhand_dsp::{FrameReader, Frames, SampleRate};

    fn split(audio: &[Vec<f32>], wanted: Vec<usize>, block: usize) -> Vec<Vec<f32>> {
        let estimator = Spleeter::new(Arc::new(Sides), 2, wanted);
        let segments = Segments::new(Memory::boxed(audio, 44_100), estimator);
        read_all(Stream::boxed(segments).as_mut(), block)
    }

    /// Noise without anything above 11 kHz, which the masks let through nowhere.
    fn dull(length: usize, seed: u32) -> Vec<f32> {
        let raw = noise(length + 64, seed);
        (0..length).map(|n| raw[n..n + 64].iter().sum::<f32>() / 16.0).collect()
    }

    #[test]
    fn a_network_that_knows_the_sides_gives_the_sides_back_at_any_length() {
        for length in [1, 700, 30_000, 44_100 * 30 + 77] {
            let (left, right) = (dull(length, 3), dull(length, 4));
            let stems = split(&[left.clone(), right.clone()], vec![0, 1], 10_000);
            assert_eq!(stems.len(), 4);
            assert!(stems.iter().all(|plane| plane.len() == length));
            if length > 4096 {
                assert!(sdr(&left, &stems[0]) > 20.0, "{}", sdr(&left, &stems[0]));
                assert!(sdr(&right, &stems[3]) > 20.0);
                assert!(stems[1].iter().chain(&stems[2]).all(|s| s.abs() < 1e-3));
            }
        }
    }

    /// Hours of audio that are nowhere in memory.
    struct Endless(Frames);

    impl FrameReader for Endless {
        fn channels(&self) -> usize {
            2
        }

        fn frames(&self) -> Frames {
            self.0
        }

        fn rate(&self) -> SampleRate {
            SampleRate(44_100)
        }

        fn read(&mut self, at: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
            for (channel, plane) in out.iter_mut().enumerate() {
                for (n, to) in plane.iter_mut().enumerate() {
                    *to = ((at.index() + n) * (channel + 3) % 997) as f32 / 997.0 - 0.5;
                }
            }
            Ok(out[0].len())
        }
    }

    /// What this process holds now, in bytes.
    #[cfg(target_os = "linux")]
    fn resident() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn hours_are_split_in_the_memory_of_a_minute() {
        let minutes = if std::env::var_os("DESKHAND_LONG").is_some() { 180 } else { 6 };
        let minute = 60 * 44_100;
        let mix = Box::new(Endless(Frames(minutes * minute)));
        let estimator = Spleeter::new(Arc::new(Sides), 2, vec![0]);
        let mut split = Stream::boxed(Segments::new(mix, estimator));
        let (mut left, mut right) = (vec![0.0; 1 << 15], vec![0.0; 1 << 15]);
        let (mut at, mut first, mut most) = (Frames::ZERO, 0, 0);
        while at < split.frames() {
            let read = split.read(at, &mut [&mut left, &mut right]).unwrap();
            at += Frames::from_index(read);
            most = most.max(resident());
            if at.0 < minute {
                first = most;
            }
        }
        assert_eq!(at, Frames(minutes * minute));
        // Other tests run at the same time, and hold a few seconds of audio each.
        let grown = most.saturating_sub(first) / 1_000_000;
        assert!(grown < 200, "{minutes} minutes took {grown} MB more than the first one");
    }

    #[test]
    fn the_size_of_reads_changes_nothing() {
        let audio = [dull(100_000, 5), dull(100_000, 6)];
        assert_eq!(split(&audio, vec![0], 100_000), split(&audio, vec![0], 777));
    }
}
