//! Layouts of a person's own models around their networks: Open-Unmix and MDX-Net see spectra.
//!
//! Sources: Stöter et al., "Open-Unmix" (2019); Kim et al., "KUIELab-MDX-Net" (2021); the exports of both.

use crate::segments::{Estimator, masked};
use crate::stft::{Bin, Spectrum, Stft};
use deskhand_dsp::ReadError;
use deskhand_inference::{Network, RunError, StemsIn, Tensor};
use std::sync::Arc;

/// Keeps the ratio of nothing to nothing at nothing.
const EPSILON: f32 = 1e-10;
/// Frames that Open-Unmix, which takes any number, sees at a time: 12 s.
const UNMIX_FRAMES: usize = 512;

/// Open-Unmix: magnitudes `[1, 2, bins, frames]` of the mix to magnitudes of stems.
pub(crate) struct OpenUnmix {
    network: Arc<dyn Network>,
    stft: Arc<Stft>,
    /// The number and the place of its stems; `None` for a network with one stem.
    together: Option<(usize, StemsIn)>,
    wanted: Vec<usize>,
}

impl OpenUnmix {
    pub(crate) fn new(network: Arc<dyn Network>) -> Self {
        Self { network, stft: Stft::new(4096, 1024, 4096), together: None, wanted: vec![0] }
    }

    /// A network of `stems` stems; some of them are wanted.
    pub(crate) fn together(
        network: Arc<dyn Network>,
        stems: usize,
        stems_in: StemsIn,
        wanted: Vec<usize>,
    ) -> Self {
        Self { together: Some((stems, stems_in)), wanted, ..Self::new(network) }
    }

    /// The magnitudes of each stem that there is, each `[2, bins, frames]`.
    fn magnitudes(&self, input: Tensor) -> Result<Vec<Vec<f32>>, ReadError> {
        let shape = input.shape.clone();
        let (count, stems_in) = self.together.unwrap_or((1, StemsIn::Outputs));
        let outputs: Vec<usize> = match stems_in {
            StemsIn::Outputs => (0..count).collect(),
            StemsIn::Front | StemsIn::Back => vec![0],
        };
        let values: usize = shape.iter().product();
        let promised = match (stems_in, shape.as_slice()) {
            (StemsIn::Front, [one, rest @ ..]) => [&[*one, count], rest].concat(),
            (StemsIn::Back, all) => [all, &[count]].concat(),
            (StemsIn::Outputs, all) | (StemsIn::Front, all) => all.to_vec(),
        };
        let made = finite(self.network.run(&[input], &outputs), &promised, outputs.len())?;
        let Some(first) = made.first().filter(|_| stems_in != StemsIn::Outputs) else {
            return Ok(made.into_iter().map(|tensor| tensor.data).collect());
        };
        let stem = |stem: usize| match stems_in {
            StemsIn::Back => first.data.iter().skip(stem).step_by(count).copied().collect(),
            StemsIn::Front | StemsIn::Outputs => {
                first.data.iter().skip(stem * values).take(values).copied().collect()
            }
        };
        Ok((0..count).map(stem).collect())
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
        self.wanted.len()
    }

    fn estimate(&self, mix: &[Spectrum]) -> Result<Vec<Vec<Spectrum>>, ReadError> {
        let (bins, frames) = (self.stft.bins(), mix.len());
        let mut input = Tensor::zeros(&[1, 2, bins, frames]);
        let place = |channel, frame, bin| (channel * bins + bin) * frames + frame;
        each(mix, |channel, frame, bin, value| {
            set(&mut input, place(channel, frame, bin), value.norm());
        });
        let levels = input.data.clone();
        let mut stems = self.magnitudes(input)?;
        stems.iter_mut().flatten().for_each(|value| *value = value.max(0.0));
        if stems.len() == 1 {
            // The rest of the mix counts as the second stem against the only one.
            let rest = levels.iter().zip(stems.iter().flatten());
            stems.push(rest.map(|(level, stem)| (level - stem).max(0.0)).collect());
        }
        let mut sums = vec![EPSILON; levels.len()];
        for stem in &stems {
            sums.iter_mut().zip(stem).for_each(|(sum, value)| *sum += value * value);
        }
        let share = |stem: &usize| {
            let gain = |channel: usize, frame: usize, bin: usize| {
                let at = place(channel, frame, bin);
                let value = stems.get(*stem).and_then(|stem| stem.get(at)).copied();
                value.unwrap_or_default().powi(2) / sums.get(at).copied().unwrap_or(1.0)
            };
            masked(mix, bins, gain)
        };
        Ok(self.wanted.iter().map(share).collect())
    }
}

/// MDX-Net: real and imaginary parts as channels, `[1, 4, bins, frames]`, to the same of one stem.
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

/// The only output of a run, which must have `shape`; values that are no numbers become silence.
pub(crate) fn only(
    run: Result<Vec<Tensor>, RunError>,
    shape: &[usize],
) -> Result<Tensor, ReadError> {
    let mut outputs = finite(run, shape, 1)?;
    outputs.pop().ok_or_else(|| wrong(shape))
}

/// The outputs of a run, `count` of them; each must have `shape`. Values that are no numbers become
/// silence.
fn finite(
    run: Result<Vec<Tensor>, RunError>,
    shape: &[usize],
    count: usize,
) -> Result<Vec<Tensor>, ReadError> {
    let mut outputs = run.map_err(|error| ReadError(error.to_string()))?;
    outputs.truncate(count);
    if outputs.len() < count || outputs.iter().any(|output| output.shape != shape) {
        return Err(wrong(shape));
    }
    let values = outputs.iter_mut().flat_map(|output| &mut output.data);
    values.filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
    Ok(outputs)
}

fn wrong(shape: &[usize]) -> ReadError {
    ReadError(format!("the model's output is not of the shape {shape:?}"))
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

    /// Gives four stems, shares of what it gets, wherever a layout has them.
    struct Shares([f32; 4], StemsIn);

    impl Network for Shares {
        fn run(&self, inputs: &[Tensor], outputs: &[usize]) -> Result<Vec<Tensor>, RunError> {
            let Self(shares, stems_in) = self;
            let input = &inputs[0];
            let stem = |share: &f32| input.data.iter().map(|value| value * share).collect();
            let stems: Vec<Vec<f32>> = shares.iter().map(stem).collect();
            let (mut front, mut back) = (input.shape.clone(), input.shape.clone());
            front.insert(1, 4);
            back.push(4);
            Ok(match stems_in {
                StemsIn::Outputs => outputs
                    .iter()
                    .map(|n| Tensor { shape: input.shape.clone(), data: stems[*n].clone() })
                    .collect(),
                StemsIn::Front => vec![Tensor { shape: front, data: stems.concat() }],
                StemsIn::Back => {
                    let each = |n| stems.iter().map(move |stem| stem[n]);
                    let data = (0..input.data.len()).flat_map(each).collect();
                    vec![Tensor { shape: back, data }]
                }
            })
        }
    }

    #[test]
    fn four_stems_of_one_file_share_the_mix_wherever_they_are() {
        let audio = noise(44_100 * 3, 5);
        let shares = [0.1, 0.4, 0.2, 0.3];
        let all: f32 = shares.iter().map(|share| share * share).sum();
        for stems_in in [StemsIn::Outputs, StemsIn::Front, StemsIn::Back] {
            let network = Arc::new(Shares(shares, stems_in));
            let found = split(&audio, OpenUnmix::together(network, 4, stems_in, vec![1, 3]));
            assert_eq!(found.len(), 4, "two channels for each of the two that are wanted");
            for (plane, share) in [(0, 0.4f32), (1, 0.4), (2, 0.3), (3, 0.3)] {
                let part = share * share / all;
                let truth: Vec<f32> = audio.iter().map(|sample| sample * part).collect();
                let sdr = sdr(&truth, &found[plane]);
                assert!(sdr > 60.0, "{stems_in:?} {plane}: {sdr}");
            }
        }
    }

    #[test]
    fn outputs_of_another_shape_are_an_error() {
        let network = Arc::new(Shares([0.25; 4], StemsIn::Front));
        let unmix = OpenUnmix::together(network, 4, StemsIn::Back, vec![0]);
        let mix = Memory::boxed(&[noise(9_000, 1), noise(9_000, 2)], 44_100);
        let mut stream = Stream::boxed(Segments::new(mix, unmix));
        let mut planes = [vec![0.0; 100], vec![0.0; 100]];
        let [left, right] = &mut planes;
        let error = stream.read(deskhand_dsp::Frames::ZERO, &mut [left, right]).unwrap_err();
        assert!(error.to_string().contains("is not of the shape"), "{error}");
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
