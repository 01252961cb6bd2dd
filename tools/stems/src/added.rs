//! Layouts of a person's own models around their networks: Open-Unmix and MDX-Net see spectra.
//!
//! Sources: Stöter et al., "Open-Unmix" (2019); Kim et al., "KUIELab-MDX-Net" (2021); the exports of both.

use crate::segments::{Estimator, masked};
use crate::stft::{Bin, Spectrum, Stft};
use deskhand_dsp::ReadError;
use deskhand_inference::{Network, RunError, Tensor};
use std::sync::Arc;

/// Keeps the ratio of nothing to nothing at nothing.
const EPSILON: f32 = 1e-10;
/// Frames that Open-Unmix, which takes any number, sees at a time: 12 s.
const UNMIX_FRAMES: usize = 512;

/// Open-Unmix: magnitudes `[1, 2, bins, frames]` of the mix to those of one stem.
pub(crate) struct OpenUnmix {
    network: Arc<dyn Network>,
    stft: Arc<Stft>,
}

impl OpenUnmix {
    pub(crate) fn new(network: Arc<dyn Network>) -> Self {
        Self { network, stft: Stft::new(4096, 1024, 4096) }
    }
}

impl Estimator for OpenUnmix {
    fn stft(&self) -> Arc<Stft> {
        Arc::clone(&self.stft)
    }

    fn frames(&self) -> usize {
        UNMIX_FRAMES
    }

    fn stems(&self) -> usize {
        1
    }

    fn estimate(&self, mix: &[Spectrum]) -> Result<Vec<Vec<Spectrum>>, ReadError> {
        let (bins, frames) = (self.stft.bins(), mix.len());
        let mut input = Tensor::zeros(&[1, 2, bins, frames]);
        let place = |channel, frame, bin| (channel * bins + bin) * frames + frame;
        each(mix, |channel, frame, bin, value| {
            set(&mut input, place(channel, frame, bin), value.norm());
        });
        let output = only(self.network.run(&[input], &[0]), &[1, 2, bins, frames])?;
        let gain = |channel: usize, frame: usize, bin: usize| {
            let stem = get(&output, place(channel, frame, bin)).max(0.0);
            let level = mix.get(frame).and_then(|f| f.get(channel)?.get(bin)).map(|b| b.norm());
            let rest = (level.unwrap_or_default() - stem).max(0.0);
            stem * stem / (stem * stem + rest * rest + EPSILON)
        };
        Ok(vec![masked(mix, bins, gain)])
    }
}

/// MDX-Net: real and imaginary parts as channels, `[1, 4, bins, frames]`, to those of one stem.
pub(crate) struct MdxNet {
    network: Arc<dyn Network>,
    stft: Arc<Stft>,
    bins: usize,
    frames: usize,
    compensation: f32,
}

impl MdxNet {
    pub(crate) fn new(
        network: Arc<dyn Network>,
        (n_fft, hop): (usize, usize),
        (bins, frames): (usize, usize),
        compensation: f64,
    ) -> Self {
        // Frames are centered on multiples of the hop, as the network saw them.
        let lead = n_fft / 2 + (n_fft / 2).next_multiple_of(hop);
        let stft = Stft::new(n_fft, hop, lead);
        Self { network, stft, bins, frames, compensation: compensation as f32 }
    }
}

impl Estimator for MdxNet {
    fn stft(&self) -> Arc<Stft> {
        Arc::clone(&self.stft)
    }

    fn frames(&self) -> usize {
        self.frames
    }

    fn stems(&self) -> usize {
        1
    }

    fn estimate(&self, mix: &[Spectrum]) -> Result<Vec<Vec<Spectrum>>, ReadError> {
        let shape = [1, 4, self.bins, self.frames];
        let mut input = Tensor::zeros(&shape);
        let (bins, frames) = (self.bins, self.frames);
        let place =
            |channel: usize, frame, bin, part| ((2 * channel + part) * bins + bin) * frames + frame;
        each(mix, |channel, frame, bin, value| {
            if bin < bins {
                set(&mut input, place(channel, frame, bin, 0), value.re);
                set(&mut input, place(channel, frame, bin, 1), value.im);
            }
        });
        let output = only(self.network.run(&[input], &[0]), &shape)?;
        let mut stem = vec![self.stft.silence(2); mix.len()];
        for (frame, spectrum) in stem.iter_mut().enumerate() {
            for (channel, plane) in spectrum.iter_mut().enumerate() {
                for (bin, to) in plane.iter_mut().take(bins).enumerate() {
                    let part = |part| get(&output, place(channel, frame, bin, part));
                    *to = Bin::new(part(0), part(1)) * self.compensation;
                }
            }
        }
        Ok(vec![stem])
    }
}

fn each(mix: &[Spectrum], mut hear: impl FnMut(usize, usize, usize, Bin)) {
    for (frame, spectrum) in mix.iter().enumerate() {
        for (channel, plane) in spectrum.iter().enumerate() {
            for (bin, value) in plane.iter().enumerate() {
                hear(channel, frame, bin, *value);
            }
        }
    }
}

fn get(tensor: &Tensor, at: usize) -> f32 {
    tensor.data.get(at).copied().unwrap_or_default()
}

fn set(tensor: &mut Tensor, at: usize, value: f32) {
    if let Some(to) = tensor.data.get_mut(at) {
        *to = value;
    }
}

/// The only output of a run, which must have `shape`; what is no number is silence.
pub(crate) fn only(
    run: Result<Vec<Tensor>, RunError>,
    shape: &[usize],
) -> Result<Tensor, ReadError> {
    let outputs = run.map_err(|error| ReadError(error.to_string()))?;
    let output = outputs.into_iter().next().filter(|output| output.shape == shape);
    let wrong = || ReadError(format!("the model's output is not of the shape {shape:?}"));
    let mut output = output.ok_or_else(wrong)?;
    output.data.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::Segments;
    use crate::stream::Stream;
    use crate::testing::{Memory, noise, read_all, sdr};

    /// Gives a share of what it gets.
    struct Share(f32);

    impl Network for Share {
        fn run(&self, inputs: &[Tensor], _: &[usize]) -> Result<Vec<Tensor>, RunError> {
            let mut output = inputs[0].clone();
            output.data.iter_mut().for_each(|value| *value *= self.0);
            Ok(vec![output])
        }
    }

    fn half(audio: &[f32]) -> Vec<f32> {
        audio.iter().map(|sample| sample / 2.0).collect()
    }

    fn split(audio: &[f32], estimator: impl Estimator + 'static) -> Vec<Vec<f32>> {
        let mix = Memory::boxed(&[audio.to_vec(), audio.to_vec()], 44_100);
        read_all(Stream::boxed(Segments::new(mix, estimator)).as_mut(), 5000)
    }

    #[test]
    fn half_of_every_magnitude_is_half_of_the_mix() {
        let audio = noise(44_100 * 14, 1);
        let found = split(&audio, OpenUnmix::new(Arc::new(Share(0.5))));
        assert!(sdr(&half(&audio), &found[1]) > 60.0);
    }

    #[test]
    fn half_of_every_bin_is_half_of_the_mix_below_the_highest_bin_that_is_seen() {
        for (n_fft, hop) in [(6144, 1024), (4096, 1024), (7680, 1024)] {
            let audio = noise(44_100 * 14, 2);
            let mdx = MdxNet::new(Arc::new(Share(0.5)), (n_fft, hop), (n_fft / 2 + 1, 256), 1.0);
            let found = split(&audio, mdx);
            assert!(
                sdr(&half(&audio), &found[0]) > 60.0,
                "{n_fft}: {}",
                sdr(&half(&audio), &found[0])
            );
        }
    }
}
